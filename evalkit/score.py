"""From an outcome to a verdict: the only place where a threshold decides.

1. Failed comes before error, error before inconclusive, inconclusive before passed; `skipped` stands apart.
2. A case passes if at least one gating criterion was judged and every gating criterion passed. A gating criterion that
   could not run makes it inconclusive. What lacks a reference, holds by construction or is informative decides nothing;
   what the golden turn itself fails decides, since the case then contradicts itself.
3. A case that ended early has the verdict of its failure; its criteria are shown for information.
4. A call without a mock makes a case inconclusive, because nobody knows what would have followed, unless calls that
   were made already break a gating criterion.
"""

import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from evalkit.cases import Case, Config, Criterion
from evalkit.effort import effort_of
from evalkit.formats.metrics import METRICS
from evalkit.formats.own_metrics import metric_of
from evalkit.prices import Prices
from evalkit.results import CaseResult, CriterionOrigin, CriterionResult, Fault, Score, Verdict
from evalkit.scorers import BASELINES, JUDGED, SCORERS, load
from evalkit.scorers.conduct import as_played, silent_turns, vain_calls
from evalkit.scorers.contradiction import as_contradiction
from evalkit.scorers.criteria import own_criteria
from evalkit.scorers.demands import with_demands
from evalkit.scorers.per_turn import WRONG_CALLS
from evalkit.settings import Settings
from evalkit.staging.telling import told_of_stage, unasked_files
from evalkit.traces import Failure, FailureKind, Miss, Outcome, ToolEvent, Trace

_VERDICT_OF: Mapping[FailureKind, Verdict] = {
    "timeout_exceeded": "failed",
    "agent_error": "error",
    "tool_error": "error",
    "model_error": "error",
    "case_error": "error",
    "setup_failed": "error",
    "worker_died": "error",
    "interrupted": "inconclusive",
}
_FAULT_OF: Mapping[FailureKind, Fault] = {
    "agent_error": "agent",
    "tool_error": "agent",
    "worker_died": "agent",
    "setup_failed": "infrastructure",
}
_ROUGE = "response_match_score"

Decision = tuple[Verdict, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOptions:
    """What the user settled beforehand.

    Attributes:
        optional_offline: Metrics that may go unjudged in a run that does not use the agent's own model.
        prices: What models cost.
    """

    optional_offline: frozenset[str] = frozenset()
    prices: Prices = field(default_factory=dict)

    @classmethod
    def of(cls, settings: Settings) -> "JudgeOptions":
        """Take them from the settings."""
        return cls(optional_offline=frozenset(settings.optional_offline), prices=settings.prices)


def judge(
    case: Case, outcome: Outcome, config: Config, options: JudgeOptions, elsewhere: Mapping[str, Score] | None = None
) -> CaseResult:
    """Score one outcome and say what it means for the case.

    Args:
        case: What should happen.
        outcome: What did.
        config: The criteria.
        options: What the user settled beforehand.
        elsewhere: What somebody else found, such as a judge, by criterion; used where evalkit itself has no scorer.
    """
    case = as_played(case, outcome.trace)
    results: tuple[CriterionResult, ...] = ()
    if outcome.skipped is None:
        results = tuple(_results(case, outcome, config, options, elsewhere or {}))
    verdict, reasons = _decide(case, outcome, results)
    return CaseResult(
        file=outcome.file,
        eval_id=outcome.eval_id,
        run=outcome.run,
        verdict=verdict,
        reasons=reasons,
        criteria=results,
        known_failing=case.known_failing,
        notes=tuple(_notes(case, outcome, results, verdict)),
        seconds=outcome.seconds,
        fault=_fault(outcome),
        effort=effort_of(outcome.trace, options.prices),
        line=case.line,
        stage=outcome.stage,
    )


def _results(
    case: Case, outcome: Outcome, config: Config, options: JudgeOptions, elsewhere: Mapping[str, Score]
) -> Iterator[CriterionResult]:
    """Apply the criteria that a case brings itself, then those of the config; a config's word on one replaces ours."""
    if outcome.trace is None:
        return
    trace = outcome.trace
    named = {name for criterion in config.criteria for name in (criterion.name, metric_of(criterion))}
    own = [(criterion, origin) for criterion, origin in own_criteria(case, trace.mode) if criterion.name not in named]
    from_config: list[tuple[Criterion, CriterionOrigin]] = [(criterion, "config") for criterion in config.criteria]
    for criterion, origin in (*own, *from_config):
        score = _score(_priced(criterion, options), case, trace, elsewhere)
        limit = 1.0 if criterion.threshold is None else criterion.threshold
        passed = None if score.value is None else score.value >= limit
        if passed is False and score.by_construction:
            score = as_contradiction(case, score)
        yield CriterionResult(
            criterion=criterion,
            score=score,
            passed=passed,
            gates=outcome.failure is None and _gates(criterion, score, trace, options),
            origin=origin,
        )


def _priced(criterion: Criterion, options: JudgeOptions) -> Criterion:
    """Give a budget the prices of the settings; those of the criterion itself come first."""
    if metric_of(criterion) != "budget" or not options.prices:
        return criterion
    prices = {**options.prices, **criterion.options.get("prices", {})}
    return replace(criterion, options={**criterion.options, "prices": prices})


def _gates(criterion: Criterion, score: Score, trace: Trace, options: JudgeOptions) -> bool:
    by_leave = metric_of(criterion) not in SCORERS and trace.mode != "live" and score.state == "not_judged"
    absent_by_leave = by_leave and criterion.name in options.optional_offline
    informative = not criterion.gate or _kind(criterion) == "adk-informational"
    return not (informative or score.by_construction or absent_by_leave)


def _score(criterion: Criterion, case: Case, trace: Trace, elsewhere: Mapping[str, Score]) -> Score:
    metric = metric_of(criterion)
    found = None if metric in SCORERS else elsewhere.get(criterion.name)
    if found is not None and (found.state != "not_judged" or metric not in JUDGED or metric in BASELINES):
        return found
    if metric is None or (metric not in SCORERS and metric not in JUDGED):
        return Score(state="not_judged", reason=_why_not(criterion, trace))
    try:
        own = load(metric)(with_demands(case, criterion), trace, criterion)
    except Exception as error:  # noqa: BLE001 - a crashed scorer is a reason not to judge, and the other cases go on
        return Score(state="not_judged", reason=f"its scorer crashed: {_crash(error)}")
    return found if found is not None and own.state == "not_judged" else own


def _kind(criterion: Criterion) -> str | None:
    metric = METRICS.get(metric_of(criterion) or "")
    return metric.kind if metric else None


def _why_not(criterion: Criterion, trace: Trace) -> str:
    if _kind(criterion) == "adk-informational":
        return "ADK reports this figure for information; it passes or fails nothing"
    if _kind(criterion) == "evalkit":
        return "this version of evalkit cannot score it"
    what = f"the function {criterion.custom_function}" if criterion.custom_function else "a judge model"
    leave = f'to let it be absent offline, write `optional_offline = ["{criterion.name}"]` under [tool.evalkit]'
    remedy = 'add "gate": false to the criterion to go without it' if trace.mode == "live" else leave
    return f"it needs {what}, which `evalkit run` does not call; {remedy}"


def _crash(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(frame.filename).name}:{frame.lineno} in {frame.name})"


def _decide(case: Case, outcome: Outcome, results: Sequence[CriterionResult]) -> Decision:
    trace = outcome.trace
    if outcome.skipped is not None:
        return "skipped", (outcome.skipped,)
    if outcome.failure is not None:
        return _VERDICT_OF[outcome.failure.kind], (_told(outcome.failure),)
    if trace is None:
        return "inconclusive", ("nothing was played",)
    gating = [result for result in results if result.gates]
    failed = [result for result in gating if result.passed is False]
    missed = _missed(trace)
    unasked = tuple(unasked_files(outcome.stage))
    if missed and not unasked:
        broken = [result for result in failed if result.score.details.get(WRONG_CALLS)]
        return ("failed", (*_reasons(broken), *missed)) if broken else ("inconclusive", missed)
    faults = (*unasked, *silent_turns(case, trace))
    if failed or faults:
        return "failed", (*faults, *_reasons(failed), *missed)
    return _passed_unless(case, trace, gating, results)


def _passed_unless(
    case: Case, trace: Trace, gating: Sequence[CriterionResult], results: Sequence[CriterionResult]
) -> Decision:
    expected, played = len(case.turns or ()), len(trace.turns)
    if played < expected:
        return "inconclusive", (f"only {played} of {expected} turns were played",)
    unjudged = [result for result in gating if result.score.state == "not_judged"]
    if unjudged:
        return "inconclusive", tuple(f"{r.criterion.name} was not judged: {r.score.reason}" for r in unjudged)
    if not any(result.score.state == "judged" for result in gating):
        why = "; ".join(f"{result.criterion.name}: {_undecisive(result)}" for result in results)
        return "inconclusive", (f"nothing was judged ({why or 'no criteria'})",)
    return "passed", ()


def _undecisive(result: CriterionResult) -> str:
    if result.score.by_construction:
        return "holds by construction"
    if result.score.state == "judged":
        return "informative"
    return f"{result.score.state.replace('_', ' ')}, {result.score.reason}"


def _missed(trace: Trace) -> tuple[str, ...]:
    """Tell each call without a mock; a route that may not pass through leaves one, too."""
    unanswered = [event for turn in trace.turns for event in turn.tools if event.status == "missed"]
    if not trace.misses:
        return tuple(f"{event.golden or event.agent}: no mock answered {event.name}" for event in unanswered)
    return tuple(_at_its_place(miss, unanswered) for miss in trace.misses)


def _at_its_place(miss: Miss, unanswered: Sequence[ToolEvent]) -> str:
    same = (event.golden for event in unanswered if (event.name, event.args) == (miss.tool, miss.args))
    place = next((golden for golden in same if golden), None)
    return f"{place}: {miss.message}" if place else miss.message


def _reasons(failed: Sequence[CriterionResult]) -> tuple[str, ...]:
    """List the lines that decided, without the rows of diffs."""
    lines = ((_label(result), line) for result in failed for line in _headlines(result.score) or [""])
    return tuple(f"{label}: {line}" if line else label for label, line in lines)


def _label(result: CriterionResult) -> str:
    criterion, value = result.criterion, result.score.value
    if criterion.threshold is None or value is None:
        return criterion.name
    return f"{criterion.name} is {value:.6g}, below {criterion.threshold:g}"


def _headlines(score: Score) -> list[str]:
    several = len(score.turns) > 1
    return [
        f"turn {turn.turn + 1}: {line}" if several else line
        for turn in score.turns
        if turn.value is not None and turn.value < 1
        for line in turn.reason.splitlines()
        if not line.startswith(" ")
    ]


def _fault(outcome: Outcome) -> Fault | None:
    """Say what kept a run from being judged, where that is known; a case that cannot be played is its own fault."""
    trace, failure = outcome.trace, outcome.failure
    if failure is None:
        return "mock" if trace is not None and _missed(trace) else None
    if failure.kind == "model_error":  # a replay asks no model: there, somebody called one that no stand-in answers for
        return "infrastructure" if trace is None or trace.mode == "live" else "agent"
    return _FAULT_OF.get(failure.kind)


def _told(failure: Failure) -> str:
    place = f" ({failure.where})" if failure.where else ""
    return f"{failure.kind}: {failure.message}{place}"


def _notes(case: Case, outcome: Outcome, results: Sequence[CriterionResult], verdict: Verdict) -> Iterator[str]:
    if case.known_failing is not None and verdict == "passed":
        yield "known to fail, but it passes now: take `known_failing` out"
    yield from told_of_stage(outcome.stage)
    if outcome.trace is None:
        return
    yield from outcome.trace.notes
    yield from dict.fromkeys(vain_calls(outcome.trace))
    yield from (f"unused route: {route} answered nothing" for route in outcome.trace.unused_routes)
    if outcome.trace.mode == "live" and any(r.gates and metric_of(r.criterion) == _ROUGE for r in results):
        yield 'response_match_score gates in a live run, where wording varies: add "gate": false to only look at it'
