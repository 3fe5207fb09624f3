"""`evalkit --version` and `--help` against `adk --version`."""

from collections.abc import Iterator

from measure import Bench, Figure, pairs


def measure(bench: Bench) -> Iterator[Figure]:
    """Start both programs in turn."""
    adk = bench.command("adk", "--version")
    for flag in ("--version", "--help"):
        timed = pairs(bench.command("evalkit", flag), adk, rounds=bench.size(21, 7))
        yield timed.faster(f"evalkit {flag} / adk --version", aim=1.0)
