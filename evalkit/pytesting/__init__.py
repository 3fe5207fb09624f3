"""What the pytest plugin does once evaluations are asked for; this module itself is loaded in every run of pytest."""

EVALUATIONS = "evalkit-evaluations"
"""The name under which the hooks for evaluations are registered, if any are asked for."""

UNASKED = "it asks an agent's own model: run it with -m eval or --evalkit-mode live"
"""Why an evaluation that asks a model is skipped where nobody wanted that."""
