"""Runs side by side, and what changed from one to another, as values.

A *side* is one run with one model. A *change* is told from noise by what the runs can show:

- Replays are deterministic, so every difference is a change.
- Live verdicts are compared by an exact test over all cases that were judged on both sides, and for each case with
  repeats by one of its own; scores by a bootstrap. A difference without that evidence is `unclear`.

Only what the agent did counts as evidence: runs that could not be judged, or had no model to ask, are counted and told
of, but do not speak for or against a change. Neither do cases that were edited between the runs, or do not gate.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from evalkit.cases import Case, Config
from evalkit.repeats import CaseKey
from evalkit.results import CaseResult, Standing, Verdict
from evalkit.stats import Shift

Finding = Literal[
    "regression",  # worse, and the evidence is there
    "improvement",  # better, and the evidence is there
    "unclear",  # different, but there are not enough runs to tell
    "undecided",  # not judged on one side
    "edited",  # the case or its criteria are not the same any more
    "unchanged",
]

Direction = Literal["more", "less"]
"""Of what a run takes, where the evidence is there: neither is better or worse by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One run, as it is stored.

    Attributes:
        label: A letter for tables.
        name: The run's folder, and its model where the run has several.
        replayed: Whether model turns were replayed.
        models: The models that were asked, or replayed.
        results: Every case.
        cases: The cases as they were played.
        criteria: The criteria by file.
    """

    label: str
    name: str
    replayed: bool
    models: tuple[str, ...]
    results: tuple[CaseResult, ...]
    cases: Mapping[CaseKey, Case] = field(default_factory=dict)
    criteria: Mapping[str, Config] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What the gating cases of a side came to; skipped ones are not counted.

    Attributes:
        verdicts: How many cases came to each verdict.
        runs: How often all cases were played together.
        low: The lower bound of the pass rate's 95% interval.
        tool_calls: A run, on average.
        tokens: A run, on average.
        usd: A run, on average, estimated; None where prices are unknown.
        seconds: A run, the median.
    """

    verdicts: Mapping[Verdict, int]
    runs: int
    passed: int
    low: float
    high: float
    tool_calls: float
    tokens: float
    usd: float | None
    seconds: float

    @property
    def pass_rate(self) -> float | None:
        """The share of runs that passed; None without runs."""
        return self.passed / self.runs if self.runs else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What one case came to on one side.

    Attributes:
        decided: How many of its runs say something of the agent.
    """

    verdict: Verdict
    standing: Standing
    passed: int
    decided: int
    runs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFigure:
    """A figure of one case that differs, on average over its runs: a criterion's score, or what a run took."""

    name: str
    first: float
    second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseChange:
    """One case on both sides.

    Attributes:
        gates: Whether it gates on both sides.
        edited: What is not the same any more, if anything.
        certain: Whether what differs is no noise: replays are deterministic.
        figures: Scores and efforts that differ; seconds always do and are left out.
        p: Of its own test, raised for there being several; None where none was made.
    """

    file: str
    eval_id: str
    first: Tally
    second: Tally
    finding: Finding
    gates: bool = True
    edited: str = ""
    certain: bool = False
    figures: tuple[CaseFigure, ...] = ()
    p: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictChange:
    """The verdicts of all comparable cases together.

    Attributes:
        cases: How many gating cases were judged on both sides.
        worse: In how many of them fewer runs passed.
        better: In how many more did.
        first_rate: The share of judged runs that passed on the first side, over these cases.
        p: Of the exact test; None for replays.
    """

    cases: int
    worse: int
    better: int
    first_rate: float | None
    second_rate: float | None
    p: float | None
    finding: Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureChange:
    """The scores of one criterion, or what runs took, over all comparable cases.

    Attributes:
        name: The criterion; or `tool calls`, `tokens`, `usd`, `seconds`.
        cases: Cases that have a value on both sides.
        first: The mean over these cases on the first side.
        shift: How much higher the second side is; None where the values are too few for an interval.
        p: Raised for there being several.
        gates: Whether it is a criterion that decides about cases.
    """

    name: str
    cases: int
    first: float
    second: float
    finding: Finding | Direction
    shift: Shift | None = None
    p: float | None = None
    gates: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What changed from one side to another.

    Attributes:
        first: The label of the side that is the measure.
        second: The label of the side that is measured.
        cases: Every case that both sides have.
        only_first: Cases that the second side does not have.
        scores: Of each criterion.
        efforts: What runs took.
    """

    first: str
    second: str
    finding: Finding
    cases: tuple[CaseChange, ...]
    verdicts: VerdictChange
    scores: tuple[FigureChange, ...] = ()
    efforts: tuple[FigureChange, ...] = ()
    only_first: tuple[CaseKey, ...] = ()
    only_second: tuple[CaseKey, ...] = ()

    def having(self, finding: Finding) -> tuple[CaseChange, ...]:
        """The gating cases of which something was found."""
        return tuple(case for case in self.cases if case.finding == finding and case.gates)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Runs side by side, the first being the measure.

    Attributes:
        figures: By the label of the side.
        differences: Of each other side to its measure.
        exit_code: 1 for a regression; else 2 if a case is not judged any more or nothing was comparable; else 0.
        summary: What it comes to, in a sentence.
    """

    sides: tuple[Side, ...]
    figures: Mapping[str, Figures]
    differences: tuple[Difference, ...]
    exit_code: int
    summary: str
