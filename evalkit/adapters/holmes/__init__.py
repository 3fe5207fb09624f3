"""HolmesGPT fixtures into evalsets and mocks."""
