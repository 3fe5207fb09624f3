"""Sides by hand: what comparisons are tested with."""

from collections.abc import Mapping, Sequence

import pytest

from evalkit.cases import Config, Criterion
from evalkit.compare.model import Side
from evalkit.repeats import Terms, settle
from evalkit.results import CaseResult, CriterionResult, Effort, Score

FILE = "lag.test.json"
WORDS = {"p": "passed", "f": "failed", "e": "error", "u": "inconclusive", "i": "error", "s": "skipped"}
FAULTS = {"e": "agent", "i": "infrastructure"}


def make_score(name, value, *, gates=True, by_construction=False):
    return CriterionResult(
        criterion=Criterion(name=name, threshold=0.5),
        score=Score(value=value, by_construction=by_construction),
        passed=value >= 0.5,
        gates=gates,
    )


def make_runs(eval_id, signs, scores=(), **fields):
    """Make the runs of a case: p passed, f failed, e crashed, u not judged, i without a model, s skipped.

    `scores` has the grounding of each run; other fields are those of all its results.
    """
    values = list(scores) or [1.0 if sign == "p" else 0.0 for sign in signs]
    return [
        CaseResult(
            file=FILE,
            eval_id=eval_id,
            run=number,
            verdict=WORDS[sign],
            fault=FAULTS.get(sign),
            criteria=(make_score("grounding", values[number]),) if sign in "pf" else (),
            **{"effort": Effort(tool_calls=2), "seconds": 1.0, **fields},
        )
        for number, sign in enumerate(signs)
    ]


@pytest.fixture
def score():
    """Make a criterion applied to a run."""
    return make_score


@pytest.fixture
def runs():
    """Make the runs of a case."""
    return make_runs


@pytest.fixture
def side():
    """Make a side out of cases: by id their signs, or runs made before; live unless it says otherwise."""

    def make(
        label: str, played: Mapping[str, str] | Sequence[CaseResult], *, replayed: bool = False, **fields: object
    ) -> Side:
        if isinstance(played, Mapping):
            played = [run for eval_id, signs in played.items() for run in make_runs(eval_id, signs)]
        results = tuple(settle(played, Terms()))
        criteria = {FILE: Config(criteria=(Criterion(name="grounding", threshold=0.5),), origin="test_config.json")}
        made = {"name": f"runs/{label}", "models": ("gemini",), "criteria": criteria, **fields}
        return Side(label=label, replayed=replayed, results=results, **made)

    return make
