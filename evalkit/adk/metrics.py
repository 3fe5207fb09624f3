"""Our metrics as ADK's custom metrics, for plain `adk eval`, `AgentEvaluator` and `adk web`.

A `test_config.json` names them by their dotted path:

    {"criteria": {"grounding": 1.0},
     "custom_metrics": {"grounding": {"code_config": {"name": "evalkit.adk.metrics.grounding"}}}}

They judge what ADK hands over: expected and actual invocations, and options in the criterion. The same criteria, and
what needs the `evalkit` block of a case, are judged by `evalkit run` and `evalkit adk eval`. Where there is nothing to
judge they fail and say why: ADK hides a metric that was not evaluated behind any other that passed.

There is a function for each metric of `evalkit.formats.own_metrics.FUNCTIONS`. Some take options, as in `expect`:

- `tool_trajectory_avg_score`: `match_type`, `ignore_args`
- `trajectory`, `trajectory_f1`, `efficiency`: `order`, `args_match`, `args`, `optional`
- `budget`: `tool_calls`, `seconds`, `tokens`, `usd`
- `worked`: `worked`
- `response`, also called `response_checks`: `contains`, `not_contains`, `regex`, `equals`, `number`, `json_schema`
- `rouge`: `type`, `statistic`
- `grounding`: `strictness`, `kinds`, `ignore`, `identifiers`
- `forbid`: `forbid`
- `rubric`: `rubrics` with a `check`; those without one need `evalkit run`, which asks a judge
- `route`: `route`; and `agents`, the tools that are agents, which ADK's view of a call does not show
"""

import sys
import traceback
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from typing import Any

from google.adk.evaluation.eval_case import Invocation
from google.adk.evaluation.eval_metrics import EvalMetric, EvalStatus
from google.adk.evaluation.eval_rubrics import RubricScore
from google.adk.evaluation.evaluator import EvaluationResult, PerInvocationResult

from evalkit.adk.invocations import read_case, read_trace
from evalkit.adk.playing import CURRENT
from evalkit.cases import Case, Criterion
from evalkit.formats.own_metrics import FUNCTIONS, MODULE, metric_of
from evalkit.matching import show
from evalkit.results import Score, TurnScore
from evalkit.scorers import JUDGED, SCORERS, load
from evalkit.scorers.demands import with_demands

RUBRIC = "evalkit"
"""The id under which ADK's results keep a reason: as the rationale of a rubric's score, the only place for one."""

_ELSEWHERE = "`evalkit run` and `evalkit adk eval` judge it"
_OUT_OF_SIGHT = {
    "replay": "only golden replay has golden calls to look for",
    "blocked": "ADK does not tell a metric which calls a callback answered",
    "state": "ADK hands a metric no session state",
    "holmes_correctness": "ADK hands a metric no gold file, which is read only after the answer",
    "evidence_touched": "ADK does not tell a metric which recordings there are",
}
"""Metrics that can judge nothing of what ADK hands over, and why."""

_UNMOCKED = """\
================================ evalkit: NO MOCKS ================================
Plain `adk eval` and AgentEvaluator run the agent's REAL TOOLS and ask its own model.
`evalkit adk eval`, with the same arguments, plays the same files over mocks, offline.
===================================================================================
"""


class Metric:
    """One of our metrics, to be called as ADK calls a custom metric.

    Args:
        function: The name under which it stands in this module.
    """

    def __init__(self, function: str) -> None:
        self._path = f"{MODULE}.{function}"

    def __call__(
        self,
        eval_metric: EvalMetric,
        actual_invocations: list[Invocation],
        expected_invocations: list[Invocation] | None = None,
        conversation_scenario: Any = None,  # noqa: ARG002 - ADK's signature; a scenario has nothing to compare with
    ) -> EvaluationResult:
        """Judge one conversation."""
        if CURRENT.get() is None:
            _warn_of_real_tools()
        criterion = _criterion(eval_metric, self._path)
        case = with_demands(read_case(expected_invocations, actual_invocations), criterion)
        score = _score(criterion, case, actual_invocations)
        result = _result(criterion, score, actual_invocations, expected_invocations)
        if result.overall_eval_status is EvalStatus.FAILED:
            _tell(criterion, score, case)
        return result


def __getattr__(name: str) -> Metric:
    """Make the function of a metric when ADK, or anybody else, asks for it by name."""
    if name not in FUNCTIONS:
        raise AttributeError(f"evalkit has no metric {name!r}; there are {', '.join(FUNCTIONS)}")
    return Metric(name)


@cache
def _warn_of_real_tools() -> None:
    """Say once in a process that nothing is mocked."""
    sys.stderr.write(_UNMOCKED)


def _criterion(metric: EvalMetric, function: str) -> Criterion:
    given = metric.criterion
    threshold = given.threshold if given is not None else metric.threshold
    options = dict(given.model_extra or {}) if given is not None else {}
    options.pop("gate", None)  # read by evalkit; ADK decides by every metric
    return Criterion(name=metric.metric_name, threshold=threshold, options=options, custom_function=function)


def _score(criterion: Criterion, case: Case, actual: Sequence[Invocation]) -> Score:
    name = metric_of(criterion) or ""
    if name in _OUT_OF_SIGHT:
        return Score(state="not_applicable", reason=_OUT_OF_SIGHT[name])
    if name not in SCORERS and name not in JUDGED:
        return Score(state="not_judged", reason="this version of evalkit cannot score it")
    agents = _agents(criterion, case) if name == "route" else ()
    try:
        return load(name)(case, read_trace(actual, agents), criterion)
    except Exception as error:  # noqa: BLE001 - a metric that raises is hidden by ADK behind those that passed
        frame = traceback.extract_tb(error.__traceback__)[-1]
        return Score(state="not_judged", reason=f"it crashed: {type(error).__name__}: {error} (in {frame.name})")


def _agents(criterion: Criterion, case: Case) -> Collection[str]:
    """Name the tools that are agents, as far as the criterion says so: ADK's view does not."""
    routes = (turn.expect.route or () for turn in case.turns or ())
    return dict.fromkeys([*criterion.options.get("agents", ()), *(name for route in routes for name in route)])


def _result(
    criterion: Criterion, score: Score, actual: Sequence[Invocation], expected: Sequence[Invocation] | None
) -> EvaluationResult:
    value = score.value or 0.0
    limit = 1.0 if criterion.threshold is None else criterion.threshold
    if score.state != "judged":
        limit = max(limit, 1.0)  # a threshold of 0 must not let it pass
    return EvaluationResult(
        overall_score=value,
        overall_eval_status=_status(value, limit),
        overall_rubric_scores=_rationale(_reason(score), value),
        per_invocation_results=[
            PerInvocationResult(
                actual_invocation=invocation,
                expected_invocation=expected[index] if expected else None,
                score=turn.value,
                eval_status=EvalStatus.NOT_EVALUATED if turn.value is None else _status(turn.value, limit),
                rubric_scores=_rationale(turn.reason, turn.value),
            )
            for index, (invocation, turn) in enumerate(zip(actual, _turns(score, len(actual)), strict=True))
        ],
    )


def _turns(score: Score, count: int) -> Iterator[TurnScore]:
    """Yield one score a turn; where nothing was judged each fails, since `AgentEvaluator` looks at no other."""
    found = {turn.turn: turn for turn in score.turns}
    for index in range(count):
        if score.state != "judged":
            yield TurnScore(turn=index, value=0.0, reason=_reason(score))
        else:
            yield found.get(index) or TurnScore(turn=index, value=None)


def _status(value: float, limit: float) -> EvalStatus:
    return EvalStatus.PASSED if value >= limit else EvalStatus.FAILED


def _reason(score: Score) -> str:
    return score.reason if score.state == "judged" else f"nothing was judged: {score.reason}; {_ELSEWHERE}"


def _rationale(reason: str, value: float | None) -> list[RubricScore] | None:
    return [RubricScore(rubric_id=RUBRIC, rationale=reason, score=value)] if reason else None


def _tell(criterion: Criterion, score: Score, case: Case) -> None:
    """Write a failure's reason where whoever runs ADK's command sees it: ADK itself prints none."""
    begins = case.turns[0].user.text if case.turns else ""
    value = "" if score.value is None else f" {score.value:.6g}, below {criterion.threshold:g}"
    head = f"evalkit: {criterion.name} FAILED{value} in the conversation that begins {show(begins)}"
    sys.stderr.write("\n".join((head, *(f"  {line}" for line in _reason(score).splitlines()), "")))
