"""What is wrong with an eval config, beyond its text."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice
from typing import Any

from evalkit.cases import Json
from evalkit.errors import Problem, Replace
from evalkit.formats.criteria_faults import criteria_by_another_name, no_metrics, unusable_metrics
from evalkit.formats.documents import MOST_FAULTS, Document
from evalkit.formats.metrics import METRICS, custom_metrics
from evalkit.formats.own_metrics import own_metric_problems
from evalkit.formats.paths import JsonPath, read_path
from evalkit.formats.shapes import spelled_twice
from evalkit.formats.spelling import either_spelling
from evalkit.formats.validation import schema_problems

JsonObject = Mapping[str, Any]

MATCH_TYPES = ("EXACT", "IN_ORDER", "ANY_ORDER")
"""ADK's ways to compare tool calls, by the number that its enumeration gives them."""

_BASE_OPTIONS = (
    "threshold",
    "gate",
    "include_intermediate_responses_in_final",
    "includeIntermediateResponsesInFinal",
)
_INSTRUCTION_VARIABLES = ("stop_signal", "conversation_plan", "conversation_history")
_RUBRIC_METRICS = frozenset(name for name, metric in METRICS.items() if metric.reference == "rubrics")


def config_problems(document: Document) -> tuple[Problem, ...]:
    """Find everything that is wrong with a config."""
    value = document.value
    if not isinstance(value, dict):
        return schema_problems("config", document)
    if "criteria" not in value and (elsewhere := _criteria_elsewhere(document, value)):
        return (elsewhere,)
    misplaced = dict(_misplaced_rubrics(document, value))
    renamed = dict(criteria_by_another_name(document, value))
    options = dict(islice(no_metrics(document, value), MOST_FAULTS + 1))
    rest = {key: item for key, item in value.items() if key not in misplaced and key not in renamed}
    if renamed or options:
        rest["criteria"] = {name: item for name, item in rest.get("criteria", {}).items() if name not in options}
    unknown = _unknown_metrics(rest)
    others = (
        problem
        for problem in _problems(replace(document, value=rest), rest)
        if problem.rule == "unknown-metric" or read_path(problem.path)[:2] not in unknown
        if problem.rule != "no-criteria" or not (renamed or options)
    )
    return tuple(document.most(chain(misplaced.values(), renamed.values(), options.values(), others)))


def _unknown_metrics(value: JsonObject) -> Collection[JsonPath]:
    """The criteria of metrics that nobody knows; what else is wrong with them does not matter."""
    criteria = value.get("criteria")
    known = METRICS.keys() | custom_metrics(value).keys()
    return {("criteria", name) for name in (criteria if isinstance(criteria, dict) else ()) if name not in known}


def custom_function(custom: JsonObject, name: str) -> str | None:
    """The dotted path of the function that a config defines a metric by; None if it does not, or not as it should."""
    metric = custom.get(name)
    code = either_spelling(metric, "code_config") if isinstance(metric, dict) else None
    function = code.get("name") if isinstance(code, dict) else None
    return function if isinstance(function, str) else None


def _criteria_elsewhere(document: Document, value: JsonObject) -> Problem | None:
    """Recognize an evalset under the name of a config, and a config whose criteria stand one level down."""
    if value.keys() & {"eval_cases", "evalCases"}:
        message = "this is an evalset, not an eval config, so nothing would be judged"
        hint = 'name it *.evalset.json, and write {"criteria": {"tool_trajectory_avg_score": 1.0}} here'
        return document.problem("wrong-kind", (), message, hint)
    around = next((key for key, item in value.items() if isinstance(item, dict) and item.get("criteria")), None)
    if around is None:
        return None
    message = f"the criteria stand inside `{around}`, where ADK does not look, so nothing would be judged"
    return document.problem("no-criteria", (around, "criteria"), message, "move them to the top of the file")


def _misplaced_rubrics(document: Document, value: JsonObject) -> Iterator[tuple[str, Problem]]:
    """Find rubrics that stand beside the criteria while a metric in there has none: the key and its problem."""
    criteria = value.get("criteria")
    without = [
        name
        for name, given in (criteria.items() if isinstance(criteria, dict) else ())
        if name in _RUBRIC_METRICS.difference(custom_metrics(value))
        and not (isinstance(given, dict) and given.get("rubrics"))
    ]
    for key, item in value.items():
        own = key in without and isinstance(item, dict) and "rubrics" in item
        if without and (own or (key == "rubrics" and isinstance(item, list))):
            metric = key if own else without[0]
            message = f"the rubrics of `{metric}` stand beside the criteria, where nothing reads them; ADK then refuses"
            hint = f'write "criteria": {{"{metric}": {{"threshold": …, "rubrics": […]}}}}'
            yield key, document.problem("misplaced-rubrics", (key,), message, hint)


def _problems(document: Document, value: JsonObject) -> Iterator[Problem]:
    custom = custom_metrics(value)
    for problem in schema_problems("config", document):
        if not _free_option(problem, custom):
            yield problem
    yield from spelled_twice(document, "config")
    yield from _simulator_problems(document, value)
    criteria = value.get("criteria")
    if not isinstance(criteria, dict):
        return
    yield from _unused_metrics(document, custom, criteria)
    for name, given in criteria.items():
        yield from own_metric_problems(document, name, custom_function(custom, name), given)
        if name not in custom:
            yield from _option_problems(document, name, given)
    yield from unusable_metrics(document, [name for name in criteria if name not in custom])


def _free_option(problem: Problem, custom: Collection[str]) -> bool:
    """Whether a problem is about an option of a metric that the config defines anew: only its author knows those."""
    match read_path(problem.path):
        case ("criteria", metric, option, *inner):
            known = option in _BASE_OPTIONS or (problem.rule == "unknown-key" and not inner)
            return metric in custom and not known
    return False


def _option_problems(document: Document, name: str, given: Json) -> Iterator[Problem]:
    """Check options that the schema accepts and ADK refuses, or takes for something else than they seem to say."""
    if not isinstance(given, dict):
        return
    key = "match_type" if "match_type" in given else "matchType"
    number = given.get(key)
    if name == "tool_trajectory_avg_score" and isinstance(number, int) and 0 <= number < len(MATCH_TYPES):
        path = ("criteria", name, key)
        meant = MATCH_TYPES[number]
        message = f"to ADK {number:d} means {meant}, to readers nothing"
        yield document.problem("match-type-number", path, message, f'write "{meant}"', fixes=(Replace(path, meant),))
    yield from repeated_rubrics(document, given.get("rubrics"), ("criteria", name, "rubrics"))


def repeated_rubrics(document: Document, rubrics: Json, path: tuple[str | int, ...]) -> Iterator[Problem]:
    """Find rubrics of one list that have the id of an earlier one."""
    seen: set[str] = set()
    for index, rubric in enumerate(rubrics if isinstance(rubrics, list) else ()):
        name = either_spelling(rubric, "rubric_id") if isinstance(rubric, dict) else None
        if isinstance(name, str) and name in seen:
            message = f"another rubric has the id `{name}` too; ADK refuses to judge"
            yield document.problem("duplicate-rubric", (*path, index), message, "give each rubric its own id")
        elif isinstance(name, str):
            seen.add(name)


def _unused_metrics(document: Document, custom: JsonObject, criteria: JsonObject) -> Iterator[Problem]:
    key = "custom_metrics" if "custom_metrics" in document.value else "customMetrics"
    for name in custom:
        if name not in criteria:
            message = f"the metric `{name}` is defined and no criterion names it, so it judges nothing"
            yield document.problem("unused-metric", (key, name), message, f'add "{name}": 0.8 to the criteria')


def _simulator_problems(document: Document, value: JsonObject) -> Iterator[Problem]:
    """Check the user simulator's instructions as ADK does: a Jinja template that uses three variables."""
    key = "user_simulator_config" if "user_simulator_config" in value else "userSimulatorConfig"
    simulator = value.get(key)
    text = either_spelling(simulator, "custom_instructions") if isinstance(simulator, dict) else None
    if not isinstance(simulator, dict) or not isinstance(text, str):
        return
    from jinja2 import TemplateSyntaxError, meta
    from jinja2.sandbox import SandboxedEnvironment

    name = "custom_instructions" if "custom_instructions" in simulator else "customInstructions"
    try:
        used = meta.find_undeclared_variables(SandboxedEnvironment().parse(text))
    except TemplateSyntaxError as error:
        yield document.problem("wrong-value", (key, name), f"not a Jinja template: {error.message}")
        return
    lacking = [variable for variable in _INSTRUCTION_VARIABLES if variable not in used]
    if lacking:
        needed = ", ".join(f"{{{{ {variable} }}}}" for variable in lacking)
        yield document.problem("wrong-value", (key, name), f"the instructions lack {needed}", "ADK needs each of them")
