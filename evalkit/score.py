"""From an outcome to a verdict: the only place where a threshold decides.

1. Failed comes before error, error before inconclusive, inconclusive before passed; `skipped` stands apart.
2. A case passes if at least one gating criterion was judged and every gating criterion passed. A gating criterion that
   could not run makes it inconclusive. What lacks a reference, holds by construction or is informative decides nothing.
3. A case that ended early has the verdict of its failure; its criteria are shown for information.
4. A call without a mock makes a case inconclusive, because nobody knows what would have followed, unless calls that
   were made already break a gating criterion.
"""

import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evalkit.cases import Case, Config, Criterion
from evalkit.formats.metrics import METRICS
from evalkit.results import CaseResult, CriterionOrigin, CriterionResult, Score, Verdict
from evalkit.scorers import SCORERS, load
from evalkit.scorers.criteria import MODEL_CHOICES, own_criteria
from evalkit.scorers.per_turn import WRONG_CALLS
from evalkit.traces import Failure, FailureKind, Miss, Outcome, ToolEvent, Trace

_VERDICT_OF: Mapping[FailureKind, Verdict] = {
    "timeout_exceeded": "failed",
    "agent_error": "error",
    "tool_error": "error",
    "model_error": "error",
    "case_error": "error",
    "worker_died": "error",
    "interrupted": "inconclusive",
}
_OWN_CODE = "evalkit."

Decision = tuple[Verdict, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOptions:
    """What the user settled beforehand.

    Attributes:
        optional_offline: Metrics that may go unjudged in a run that does not use the agent's own model.
    """

    optional_offline: frozenset[str] = frozenset()


def judge(case: Case, outcome: Outcome, config: Config, options: JudgeOptions) -> CaseResult:
    """Score one outcome and say what it means for the case."""
    results: tuple[CriterionResult, ...] = ()
    if outcome.skipped is None:
        results = tuple(_results(case, outcome, config, options))
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
    )


def _results(case: Case, outcome: Outcome, config: Config, options: JudgeOptions) -> Iterator[CriterionResult]:
    """Apply the criteria that a case brings itself, then those of the config; a config's word on one replaces ours."""
    if outcome.trace is None:
        return
    trace = outcome.trace
    named = {criterion.name for criterion in config.criteria}
    own = [(criterion, origin) for criterion, origin in own_criteria(case, trace.mode) if criterion.name not in named]
    from_config: list[tuple[Criterion, CriterionOrigin]] = [(criterion, "config") for criterion in config.criteria]
    for criterion, origin in (*own, *from_config):
        score = _score(criterion, case, trace)
        limit = 1.0 if criterion.threshold is None else criterion.threshold
        yield CriterionResult(
            criterion=criterion,
            score=score,
            passed=None if score.value is None else score.value >= limit,
            gates=outcome.failure is None and _gates(criterion, score, trace, options),
            origin=origin,
        )


def _gates(criterion: Criterion, score: Score, trace: Trace, options: JudgeOptions) -> bool:
    absent_by_leave = not _is_ours(criterion) and trace.mode != "live" and criterion.name in options.optional_offline
    informative = not criterion.gate or _kind(criterion) == "adk-informational"
    return not (informative or score.by_construction or absent_by_leave)


def _score(criterion: Criterion, case: Case, trace: Trace) -> Score:
    if trace.mode == "golden" and criterion.name in MODEL_CHOICES:
        return Score(state="not_applicable", reason="golden mode plays the case's own choices; this judges the model's")
    if not _is_ours(criterion):
        return Score(state="not_judged", reason=_why_not(criterion, trace))
    try:
        return load(criterion.name)(case, trace, criterion)
    except Exception as error:  # noqa: BLE001 - a crashed scorer is a reason not to judge, and the other cases go on
        return Score(state="not_judged", reason=f"its scorer crashed: {_crash(error)}")


def _is_ours(criterion: Criterion) -> bool:
    """Tell whether evalkit scores it itself."""
    return criterion.name in SCORERS and not _is_users_own(criterion)


def _is_users_own(criterion: Criterion) -> bool:
    """Tell whether a function of the user's scores it, which in ADK replaces even a metric of that name."""
    return criterion.custom_function is not None and not criterion.custom_function.startswith(_OWN_CODE)


def _kind(criterion: Criterion) -> str | None:
    metric = METRICS.get(criterion.name)
    return metric.kind if metric and not _is_users_own(criterion) else None


def _why_not(criterion: Criterion, trace: Trace) -> str:
    if _kind(criterion) == "adk-informational":
        return "ADK reports this figure for information; it passes or fails nothing"
    if _kind(criterion) == "evalkit" or criterion.name in MODEL_CHOICES:
        return "this version of evalkit cannot score it"
    what = f"the function {criterion.custom_function}" if criterion.custom_function else "a judge model"
    leave = f'to let it be absent offline, list "{criterion.name}" in optional_offline under [tool.evalkit]'
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
    if missed:
        broken = [result for result in failed if result.score.details.get(WRONG_CALLS)]
        return ("failed", (*_reasons(broken), *missed)) if broken else ("inconclusive", missed)
    if failed:
        return "failed", _reasons(failed)
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


def _told(failure: Failure) -> str:
    place = f" ({failure.where})" if failure.where else ""
    return f"{failure.kind}: {failure.message}{place}"


def _notes(case: Case, outcome: Outcome, results: Sequence[CriterionResult], verdict: Verdict) -> Iterator[str]:
    if case.known_failing is not None and verdict == "passed":
        yield "known to fail, but it passes now: take `known_failing` out"
    if outcome.trace is None:
        return
    yield from outcome.trace.notes
    yield from (f"unused route: {route} answered nothing" for route in outcome.trace.unused_routes)
    if outcome.trace.mode == "live" and any(r.gates and r.criterion.name == "response_match_score" for r in results):
        yield 'response_match_score gates in a live run, where wording varies: add "gate": false to only look at it'
