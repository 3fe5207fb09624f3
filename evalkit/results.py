"""What scorers and verdicts say, as values.

A *score* is what a scorer found; a *verdict* is what it means for the case. Only `score` turns one into the other.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from evalkit.cases import Criterion
from evalkit.quarantine import Quarantine
from evalkit.stage_records import StageRecord

Verdict = Literal["failed", "error", "inconclusive", "passed", "skipped"]

Fault = Literal[
    "agent",  # it raised, or its process ended
    "mock",  # a call had no mock
    "infrastructure",  # the agent's model could not be asked, or failed after retries; or a live setup failed
]
"""What kept a run from being judged, where that is known."""

Standing = Literal[
    "passed",  # every run passed
    "failed",  # no run passed, and at least one was judged
    "flaky",  # some runs passed, and others failed or broke
    "broken",  # no run passed or was judged: the agent or a mock is at fault
    "infrastructure",  # no run failed or broke, but at least one had no model to ask
    "inconclusive",  # no run failed or broke, but at least one could not be judged for another reason
    "skipped",
]
"""What the runs of a case say together; unlike a verdict it knows no gate."""

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
class Effort:
    """What one run of a case took.

    Attributes:
        tokens: Of all model calls together, as the model reports them.
        usd: Estimated from list prices; None where they are unknown.
    """

    tool_calls: int = 0
    model_calls: int = 0
    tokens: int = 0
    usd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Exposure:
    """An expected text that stands in something the agent could see before it answered.

    Attributes:
        text: The text, as the gold file has it.
        place: Where it was found, such as `prompt`, `state`, `environment variable HINT`, `mocks.yaml:12 get_lag`.
    """

    text: str
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What shows that an agent answered without knowing what is expected.

    Attributes:
        answered_at: When the agent was done; None if nobody noted it.
        scored_at: When the gold file was opened, and judging began.
        gold: The gold file.
        gold_sha256: The digest of its bytes, in hexadecimal.
        searched: What was searched for the expected texts.
        exposed: Where they were found.
        workdir: The working directory of the case.
        files_created: What was in it afterwards and not before, relative to it.
    """

    answered_at: datetime | None = None
    scored_at: datetime | None = None
    gold: str | None = None
    gold_sha256: str | None = None
    searched: tuple[str, ...] = ()
    exposed: tuple[Exposure, ...] = ()
    workdir: str | None = None
    files_created: tuple[str, ...] = ()

    @property
    def answered_first(self) -> bool | None:
        """Whether the answer was there before anything expected of it was read; None if that is unknown."""
        if self.answered_at is None or self.scored_at is None:
            return None
        return self.answered_at < self.scored_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeats:
    """Several runs of one case, together.

    Attributes:
        runs: Each with its own verdict, in order.
        passed: How many passed.
        low: The lower bound of the pass rate's 95% interval.
        high: Its upper bound.
        pass_at_k: For k = 1, 2, … the chance that at least one of k runs passes.
        pass_hat_k: The chance that all of k runs pass (pass^k).
    """

    runs: tuple["CaseResult", ...]
    passed: int
    low: float
    high: float
    pass_at_k: tuple[float, ...]
    pass_hat_k: tuple[float, ...]

    @property
    def pass_rate(self) -> float:
        """The share of runs that passed; one that had an error or could not be judged did not."""
        return self.passed / len(self.runs)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """A case with its verdict; of a case that was played several times the verdict on all runs together.

    Attributes:
        run: 0-based repeat.
        reasons: Why the verdict is what it is, one line each, the decisive one first.
        known_failing: The case's own word for not gating, if it has one.
        notes: Facts worth telling that change nothing.
        seconds: Wall-clock time, of all runs together.
        fault: What kept it from being judged, where that is known.
        effort: What it took; of several runs, the sum.
        quarantine: Why it does not gate for now, if so.
        repeats: Its runs, if there are several; `criteria` are then those of the run that shows best why.
        line: Where the case stands in its file, if that is known.
        model: In a run with several models, the one that this result is about.
        stage: What was set up around it, if anything was.
        audit: What was read and written when, of a case whose expectation is kept apart.
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
    fault: Fault | None = None
    effort: Effort = Effort()
    quarantine: Quarantine | None = None
    repeats: Repeats | None = None
    line: int | None = None
    model: str | None = None
    stage: StageRecord | None = None
    audit: Audit | None = None

    @property
    def aside(self) -> str | None:
        """Why the case does not gate, if so: it is known to fail, or in quarantine."""
        if self.known_failing is not None:
            return f"known failing: {self.known_failing}"
        return None if self.quarantine is None else str(self.quarantine)

    @property
    def plays(self) -> tuple["CaseResult", ...]:
        """Each time that it was played."""
        return self.repeats.runs if self.repeats else (self,)

    @property
    def standing(self) -> Standing:
        """What its runs say together, whatever its gate."""
        kinds = {_kind(run) for run in self.plays}
        if len(kinds) == 1:
            return kinds.pop()
        if "passed" in kinds and kinds & {"failed", "broken"}:
            return "flaky"
        return next(kind for kind in _WORST_FIRST if kind in kinds)


_WORST_FIRST: tuple[Standing, ...] = ("failed", "broken", "infrastructure", "inconclusive", "passed", "skipped")


def _kind(run: CaseResult) -> Standing:
    """What a single run is an example of."""
    if run.verdict in ("error", "inconclusive") and run.fault is not None:
        return "infrastructure" if run.fault == "infrastructure" else "broken"
    return "broken" if run.verdict == "error" else run.verdict
