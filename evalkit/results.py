"""What scorers and verdicts say, as values.

A *score* is what a scorer found; a *verdict* is what it means for the case. Only `score` turns one into the other.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from evalkit.cases import Criterion

Verdict = Literal["failed", "error", "inconclusive", "passed", "skipped"]

ScoreState = Literal[
    "judged",  # a value was computed from something that could have been different
    "not_judged",  # the criterion could not run: no judge, a crash, an unparsable answer
    "not_applicable",  # the case has nothing to compare with
]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnScore:
    """One turn's part of a score: a value from 0 to 1, None where the turn gives nothing to judge, and the reason."""

    turn: int
    value: float | None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What a scorer found in one case.

    Attributes:
        value: From 0 to 1; None unless judged.
        reason: Why, for a person: empty where there is nothing to say, several lines where a diff helps.
        turns: The value and reason of each turn that was looked at.
        by_construction: True if golden mode compared the golden turn with itself, so that nothing was learned.
        details: Further figures, as JSON.
    """

    state: ScoreState = "judged"
    value: float | None = None
    reason: str = ""
    turns: tuple[TurnScore, ...] = ()
    by_construction: bool = False
    details: Mapping[str, Any] = field(default_factory=dict)


CriterionOrigin = Literal["config", "expect", "built-in"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionResult:
    """A criterion applied to one case.

    Attributes:
        passed: Whether the score reached the threshold; None unless judged.
        gates: Whether it decides about the case: False for informative criteria and for what holds by construction.
        origin: The config file, the case's own `expect`, or evalkit itself (`replay`).
    """

    criterion: Criterion
    score: Score
    passed: bool | None
    gates: bool
    origin: CriterionOrigin = "config"


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """A case with its verdict.

    Attributes:
        reasons: Why the verdict is what it is, one line each, the decisive one first.
        known_failing: The case's own word for not gating, if it has one.
        notes: Facts worth telling that change nothing.
    """

    file: str
    eval_id: str
    run: int
    verdict: Verdict
    reasons: tuple[str, ...] = ()
    criteria: tuple[CriterionResult, ...] = ()
    known_failing: str | None = None
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
