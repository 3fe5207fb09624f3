"""Faults of meaning: files that every schema accepts, and that judge nothing or something else than meant.

A rule looks at values and yields problems that name a JSON path; `evalkit.check` finds the lines. A new rule is a
function in one of the two tables below, and an entry in `formats.rules`.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from evalkit.cases import Case, CaseSet, Config, Criterion, Expectation, TrajectoryRule, Turn
from evalkit.errors import Problem
from evalkit.formats.config import ADK_DEFAULTS
from evalkit.formats.metrics import METRICS, Reference
from evalkit.formats.paths import write_step
from evalkit.formats.rules import RULES

_OWN_CODE = "evalkit."
_LOWEST: Mapping[str, float] = {"response_evaluation_score": 1.0}
_HIGHEST: Mapping[str, float] = {"response_evaluation_score": 5.0}
"""The range of ADK's metrics where it is not 0 to 1."""


def lint_cases(cases: CaseSet, config: Config | None = None) -> tuple[Problem, ...]:
    """Apply every rule to an evalset, and to the config that belongs to it if that could be read."""
    found = [problem for rule in CASE_RULES for problem in rule(cases)]
    if config is not None and config.origin != ADK_DEFAULTS:
        found += [problem for rule in CONFIG_RULES for problem in rule(cases, config)]
    return tuple(found)


def _duplicate_ids(cases: CaseSet) -> Iterator[Problem]:
    first: dict[str, Case] = {}
    for case in cases.cases:
        earlier = first.setdefault(case.eval_id, case)
        if earlier is not case:
            message = f"the id `{case.eval_id}` is that of {earlier.where} in line {earlier.line} too"
            yield _problem("duplicate-id", cases.file, f"{case.where}.eval_id", message, "give each case its own id")


def _unsafe_set_id(cases: CaseSet) -> Iterator[Problem]:
    name = cases.eval_set_id
    if not name or name in {".", ".."} or any(sign in name for sign in "/\\\0") or name[1:2] == ":":
        message = f"the set id {name!r} cannot be part of a file name, where ADK puts it when it saves the results"
        yield _problem("unsafe-set-id", cases.file, "$.eval_set_id", message, "use letters, digits and underscores")


def _missing_mocks(cases: CaseSet) -> Iterator[Problem]:
    folder = Path(cases.file).parent
    for case in cases.cases if cases.file else ():
        if case.mocks and not (folder / case.mocks).is_file():
            message = f"there is no file {folder / case.mocks}"
            hint = "the path is relative to the folder of the evalset"
            yield _problem("missing-mocks", cases.file, f"{case.where}.evalkit.mocks", message, hint)


def _answers_without_id(cases: CaseSet) -> Iterator[Problem]:
    for case in cases.cases:
        for turn in case.turns or ():
            if any(not response.get("id") for response in turn.user.function_responses):
                message = "the answer has no id; evalkit fills in that of the open request, plain `adk eval` does not"
                yield _problem("adk-cannot-play", cases.file, f"{turn.where}.user_content", message)


def _judges_nothing(cases: CaseSet, config: Config) -> Iterator[Problem]:
    for criterion in config.criteria:
        reference = _reference(criterion)
        if reference is None or not criterion.gate or any(_PRESENT[reference](case) for case in cases.cases):
            continue
        path = f"$.criteria{write_step(criterion.name)}"
        if reference == "rubrics":
            if not criterion.options.get("rubrics"):
                message = f"`{criterion.name}` works by rubrics, and neither the criterion nor a case has any"
                hint = 'add "rubrics": [{"rubric_id": "…", "rubric_content": {"text_property": "…"}}]'
                yield _problem("missing-rubrics", config.origin, path, message, hint)
            continue
        message = f"`{criterion.name}` applies to no case of {cases.file or cases.eval_set_id}: none has {reference}"
        hint = 'give a case one, take the criterion out, or add "gate": false'
        yield _problem("criterion-judges-nothing", config.origin, path, message, hint)


def _odd_thresholds(_cases: CaseSet, config: Config) -> Iterator[Problem]:
    for criterion in config.criteria:
        metric, threshold = METRICS.get(criterion.name), criterion.threshold
        if metric is None or metric.kind == "evalkit" or criterion.custom_function or threshold is None:
            continue
        lowest, highest = _LOWEST.get(criterion.name, 0.0), _HIGHEST.get(criterion.name, 1.0)
        if lowest < threshold <= highest:
            continue
        always = "passes always" if threshold <= lowest else "never passes"
        message = f"with a threshold of {threshold:g} the metric {always}; it scores from {lowest:g} to {highest:g}"
        yield _problem("odd-threshold", config.origin, f"$.criteria{write_step(criterion.name)}", message)


CASE_RULES: tuple[Callable[[CaseSet], Iterator[Problem]], ...] = (
    _duplicate_ids,
    _unsafe_set_id,
    _missing_mocks,
    _answers_without_id,
)
"""The rules for an evalset alone."""

CONFIG_RULES: tuple[Callable[[CaseSet, Config], Iterator[Problem]], ...] = (_judges_nothing, _odd_thresholds)
"""The rules for an evalset and the config that somebody wrote for it."""


def _reference(criterion: Criterion) -> Reference | None:
    """What a criterion compares with; the user's own functions are theirs to know."""
    own = criterion.custom_function is None or criterion.custom_function.startswith(_OWN_CODE)
    metric = METRICS.get(criterion.name) if own else None
    return metric.reference if metric else None


def _any_turn(has: Callable[[Turn], object]) -> Callable[[Case], bool]:
    return lambda case: any(has(turn) for turn in case.turns or ())


def _any_expectation(has: Callable[[Expectation], object]) -> Callable[[Case], bool]:
    return _any_turn(lambda turn: has(turn.expect))


def _any_rule(has: Callable[[TrajectoryRule], object]) -> Callable[[Case], bool]:
    return _any_expectation(lambda expect: expect.trajectory and has(expect.trajectory))


_PRESENT: Mapping[Reference, Callable[[Case], bool]] = {
    "intermediate_data": _any_turn(lambda turn: turn.steps is not None),
    "final_response": _any_turn(lambda turn: turn.final is not None),
    "conversation_scenario": lambda case: case.scenario is not None,
    "rubrics": lambda case: bool(case.rubrics) or _any_turn(lambda turn: turn.rubrics)(case),
    "evalkit.expect[].trajectory.forbid": _any_rule(lambda rule: rule.forbid),
    "evalkit.expect[].trajectory.blocked": _any_rule(lambda rule: rule.blocked),
    "evalkit.expect[].response": _any_expectation(lambda expect: expect.response),
    "evalkit.expect[].state or final_session_state": lambda case: (
        bool(case.final_state) or _any_expectation(lambda expect: expect.state)(case)
    ),
    "evalkit.expect[].route or intermediate_data": _any_turn(
        lambda turn: turn.expect.route is not None or turn.steps is not None
    ),
    "intermediate_responses": _any_turn(lambda turn: any(step.message for step in turn.steps or ())),
    "tool_responses": _any_turn(lambda turn: turn.replies),
    "evalkit.expect[].budget": _any_expectation(lambda expect: expect.budget),
}
"""How to tell that a case has what a metric compares with."""


def _problem(rule: str, file: str, path: str, message: str, hint: str | None = None) -> Problem:
    return Problem(file=file, rule=rule, path=path, message=message, hint=hint, severity=RULES[rule].severity)
