"""Checking one evalset of 2,000 cases against ADK's own model validation of it: in this process, both warm."""

import json
from collections.abc import Iterator
from pathlib import Path

import data
from google.adk.evaluation.eval_set import EvalSet
from measure import Bench, Figure, cpu, pairs
from pydantic import ValidationError

from evalkit.check import check

CASES = 2_000


def measure(bench: Bench) -> Iterator[Figure]:
    """Check a good file, then the same with a fault in its last case, which evalkit has to locate."""
    good = data.evalset("bench", CASES)
    faulty = data.evalset("bench", CASES)
    faulty["eval_cases"][-1]["conversation"][0]["user_content"]["parts"] = "text"
    for what, evalset, faults in (("", good, 0), (", one fault located", faulty, 1)):
        file = bench.folder / f"faults{faults}" / "bench.evalset.json"
        file.parent.mkdir()
        file.write_text(json.dumps(evalset, indent=2), encoding="utf-8")
        assert _our_faults(file) == faults
        assert bool(_adks_faults(file)) == bool(faults)
        timed = pairs(cpu(lambda: _our_faults(file)), cpu(lambda: _adks_faults(file)), rounds=bench.size(9, 3))  # noqa: B023 - used at once
        yield timed.faster(f"check of {CASES:,} cases / ADK's models{what}", aim=2.0)


def _our_faults(file: Path) -> int:
    report = check([file])
    assert all(problem.line for problem in report.problems)
    return report.count("error")


def _adks_faults(file: Path) -> int:
    try:
        EvalSet.model_validate_json(file.read_text(encoding="utf-8"))
    except ValidationError as error:
        return error.error_count()
    return 0
