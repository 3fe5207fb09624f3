"""The driver of `make bench`: every row of DESIGN section 9, each in a fresh process, as one table.

    run.py [--quick] [--only NAME]...

Needs an environment with google-adk's eval extra, as `make bench` makes it. Exits with 1 if a row cannot be measured;
an aim that is missed is a figure, not a failure.
"""

import argparse
import importlib
import multiprocessing
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from measure import Bench, Figure

ROWS = ("startup", "check_folder", "check_set", "run_agent", "golden", "jobs", "trajectory", "rouge", "plugin")
"""Modules in `rows`, each with `measure(bench)`, which yields figures."""

VERDICTS = {True: "met", False: "NOT MET", None: ""}


def main() -> int:
    """Measure what was asked for, and print the table."""
    parser = argparse.ArgumentParser(description="Measure evalkit side by side with ADK.")
    parser.add_argument("--only", metavar="NAME", action="append", choices=ROWS, help=f"one of {', '.join(ROWS)}")
    parser.add_argument("--quick", action="store_true", help="rough figures from little data")
    options = parser.parse_args()
    figures: list[Figure] = []
    failures = 0
    for row in options.only or ROWS:
        print(f"measuring {row} ...", file=sys.stderr, flush=True)
        try:
            figures += measure(row, quick=options.quick)
        except Exception as error:  # noqa: BLE001 - one row that cannot be measured must not hide the others
            failures += 1
            print(f"{row}: not measured: {error.__cause__ or error}", file=sys.stderr)
    print(table(figures))
    return 1 if failures else 0


def measure(row: str, *, quick: bool) -> list[Figure]:
    """Measure one row in a process of its own, so that no row pays for what another has loaded."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
        return process.submit(_measure_here, row, quick=quick).result()


def table(figures: Iterable[Figure]) -> str:
    """Lay the figures out in columns."""
    rows = [("what", "evalkit", "other", "result", "aim", "")]
    rows += [
        (figure.what, figure.ours, figure.other, figure.result, figure.aim, VERDICTS[figure.met]) for figure in figures
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])


def _measure_here(row: str, *, quick: bool) -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="evalkit-bench-") as folder:
        module = importlib.import_module(f"rows.{row}")
        return list(module.measure(Bench(folder=Path(folder), quick=quick)))


if __name__ == "__main__":
    sys.exit(main())
