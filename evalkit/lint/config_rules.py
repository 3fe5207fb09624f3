"""The rules for an evalset and the criteria that judge it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from evalkit.cases import CaseSet, Config
from evalkit.errors import Add, Problem, Replace
from evalkit.formats.metrics import METRICS
from evalkit.formats.own_metrics import metric_of
from evalkit.formats.paths import read_path, write_step
from evalkit.lint.problems import fault
from evalkit.lint.references import RUBRIC_TYPES, rubric_ids, rubrics_of

_LOWEST: Mapping[str, float] = {"response_evaluation_score": 1.0}
_HIGHEST: Mapping[str, float] = {"response_evaluation_score": 5.0}
"""The range of ADK's metrics where it is not 0 to 1."""

_PERCENT = 100

_LIST_METRICS: Mapping[str, str | None] = {
    "tool_trajectory_avg_score": "expected_tool_use",
    "response_match_score": "reference",
    "response_evaluation_score": None,
    "safety_v1": None,
}
"""The metrics that AgentEvaluator takes with a flat list, and the key that the list's first turn then must have."""


def missing_args(cases: CaseSet, config: Config) -> Iterator[Problem]:
    """Find calls without arguments in flat lists; what ADK recorded is as the model called it."""
    if any(criterion.options.get("ignore_args") for criterion in config.criteria):
        return
    key = "tool_input" if cases.form else "args"
    steps = (
        step for case in cases.cases for turn in case.turns or () if turn.layout == "flat" for step in turn.steps or ()
    )
    for call in (call for step in steps for call in step.calls if "args" in call.extra):
        path = read_path(call.where)
        message = f"a call without `{key}` equals no actual call in ADK, not even one with empty arguments"
        hint = f'write "{key}": {{}}, or the arguments that are expected'
        fixes = (Replace((*path, key), {}), Add(path, key, {}))
        yield fault("missing-args", cases.file, call.where, message, hint, fixes)


def list_criteria(cases: CaseSet, config: Config) -> Iterator[Problem]:
    """Find a flat list that AgentEvaluator, the only one of ADK's readers for it, refuses with these criteria."""
    if cases.form is None or cases.form.kind != "flat":
        return
    for name in (criterion.name for criterion in config.criteria):
        needed = _LIST_METRICS.get(name)
        if name in _LIST_METRICS and (needed is None or needed in cases.form.first_turn):
            continue
        refused = f"wants `{needed}` in the first turn of such a list" if needed else "takes no such list"
        message = f"for `{name}` ({config.origin}) AgentEvaluator {refused}, and `adk eval` takes none at all"
        yield replace(fault("legacy-form", cases.file, "$", message), severity="error")
        return


def conflicting_rubrics(cases: CaseSet, config: Config) -> Iterator[Problem]:
    """Find rubrics of cases and turns with the id of one that a criterion has for every turn."""
    for criterion in config.criteria:
        kind = RUBRIC_TYPES.get(metric_of(criterion) or "")
        if kind is None:  # what a metric without rubrics has under the key can be anything
            continue
        names = {*rubric_ids(criterion.options.get("rubrics"))}
        for where, rubrics in rubrics_of(cases):
            for name in rubric_ids(rubric for rubric in rubrics if rubric.get("type") == kind):
                if name in names:
                    message = f"`{criterion.name}` ({config.origin}) has a rubric `{name}` too; ADK refuses to judge"
                    yield fault(
                        "duplicate-rubric", cases.file, f"{where}.rubrics", message, "give each rubric its own id"
                    )


def odd_thresholds(config: Config) -> Iterator[Problem]:
    """Find thresholds outside the range of their metric's scores."""
    for criterion in config.criteria:
        metric, threshold = METRICS.get(criterion.name), criterion.threshold
        if metric is None or criterion.custom_function or threshold is None:
            continue
        lowest, highest = _LOWEST.get(criterion.name, 0.0), _HIGHEST.get(criterion.name, 1.0)
        if lowest < threshold <= highest:
            continue
        always = "passes always" if threshold <= lowest else "never passes"
        message = f"with a threshold of {threshold:g} the metric {always}; it scores from {lowest:g} to {highest:g}"
        percent = threshold / _PERCENT
        hint = f"write {percent:g}" if highest == 1 < threshold <= _PERCENT else None
        yield fault("odd-threshold", config.origin, f"$.criteria{write_step(criterion.name)}", message, hint)
