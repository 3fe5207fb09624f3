"""What is wrong with an eval config, beyond its text."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from evalkit.cases import Json
from evalkit.errors import Problem, Replace
from evalkit.formats.documents import Document
from evalkit.formats.metrics import METRICS, suggest_metric
from evalkit.formats.own_metrics import own_metric_problems
from evalkit.formats.paths import JsonPath, read_path
from evalkit.formats.shapes import spelled_twice
from evalkit.formats.spelling import instead, to_camel
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
_EXAMPLES = 3
"""So many metrics stand in an example."""
_RUBRIC_METRICS = frozenset(name for name, metric in METRICS.items() if metric.reference == "rubrics")


def config_problems(document: Document) -> tuple[Problem, ...]:
    """Find everything that is wrong with a config."""
    value = document.value
    if not isinstance(value, dict):
        return schema_problems("config", document)
    if "criteria" not in value and (elsewhere := _criteria_elsewhere(document, value)):
        return (elsewhere,)
    misplaced: dict[JsonPath, Problem] = {(key,): problem for key, problem in _misplaced_rubrics(document, value)}
    misplaced |= {("criteria", key): problem for key, problem in _no_metrics(document, value)}
    idle = dict(_criteria_by_another_name(document, value))
    misplaced |= {(key,): problem for key, problem in idle.items()}
    rest = {key: item for key, item in value.items() if (key,) not in misplaced} | ({"criteria": {}} if idle else {})
    others = (
        problem
        for problem in _problems(replace(document, value=rest), rest)
        if read_path(problem.path)[:2] not in misplaced and not (idle and problem.rule == "no-criteria")
    )
    return (*misplaced.values(), *document.most(others))


def custom_metrics(value: JsonObject) -> JsonObject:
    """The metrics that a config defines itself, as far as it is one."""
    found = either_spelling(value, "custom_metrics")
    return found if isinstance(found, dict) else {}


def custom_function(custom: JsonObject, name: str) -> str | None:
    """The dotted path of the function that a config defines a metric by; None if it does not, or not as it should."""
    metric = custom.get(name)
    code = either_spelling(metric, "code_config") if isinstance(metric, dict) else None
    function = code.get("name") if isinstance(code, dict) else None
    return function if isinstance(function, str) else None


def either_spelling(value: JsonObject, key: str) -> Any:
    """The value of a key, given in snake_case, in either spelling; None if it is absent."""
    return value[key] if key in value else value.get(to_camel(key))


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


def _criteria_by_another_name(document: Document, value: JsonObject) -> Iterator[tuple[str, Problem]]:
    """Find what stands for the criteria under another key and would be none under theirs: the key and its problem."""
    key = next((key for key in value if instead(key, ["criteria"]).key), None) if "criteria" not in value else None
    if key is None:
        return
    held = value[key]
    named = [name for name in held if isinstance(name, str)] if isinstance(held, dict | list) else []
    known = [name for name in named if name in METRICS or name in custom_metrics(value)]
    if isinstance(held, dict) and any(not isinstance(held[name], dict) or "threshold" in held[name] for name in known):
        return  # criteria but for the name of the key
    known = [name for name in known if name not in METRICS or METRICS[name].kind != "evalkit"]
    example = ", ".join(f'"{name}": 0.8' for name in known[:_EXAMPLES]) or '"tool_trajectory_avg_score": 1.0'
    hint = f'write "criteria": {{{example}}}, each metric with its threshold'
    none = "" if known else ", and it names no metric that ADK has"
    message = f"nothing would be judged: unknown key `{key}` in an eval config{none}"
    yield key, document.problem("unknown-key", (key,), message, hint)


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


def _no_metrics(document: Document, value: JsonObject) -> Iterator[tuple[str, Problem]]:
    """Find what stands among the criteria and is no metric: an option of one, or more metrics a level deeper."""
    criteria = value.get("criteria")
    if not isinstance(criteria, dict):
        return
    known = METRICS.keys() | custom_metrics(value).keys()
    for name, given in criteria.items():
        if name in known:
            continue
        if isinstance(given, dict) and given.keys() & known:
            message = f"metrics stand inside `{name}`, where nothing reads them"
            yield name, document.problem("unknown-metric", ("criteria", name), message, "move them up, into `criteria`")
        elif of_metric := _metrics_with(name):
            metric = next((metric for metric in criteria if metric in of_metric), of_metric[0])
            message = f"`{name}` is an option of a metric and stands beside the metrics, where ADK takes it for one"
            options = '"threshold": …' if name == "threshold" else f'"threshold": …, "{name}": …'
            hint = f'write "{metric}": {{{options}}}'
            yield name, document.problem("unknown-metric", ("criteria", name), message, hint)


def _metrics_with(option: str) -> Sequence[str]:
    """The metrics that have an option, the likeliest first; none if there is no such option."""
    if option in {"match_type", "matchType", "ignore_args", "ignoreArgs"}:
        return ["tool_trajectory_avg_score"]
    if option in {"rubrics", "judge_model_options", "judgeModelOptions", "judge_model", "num_samples"}:
        judged = [name for name, metric in METRICS.items() if metric.kind == "adk-judge"]
        return sorted(judged, key=lambda name: name not in _RUBRIC_METRICS)
    return ["response_match_score", *METRICS] if option == "threshold" else []


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
            yield from _metric_problems(document, name)
            yield from _option_problems(document, name, given)


def _free_option(problem: Problem, custom: Collection[str]) -> bool:
    """Whether a problem is about an option of a metric that the config defines anew: only its author knows those."""
    match read_path(problem.path):
        case ("criteria", metric, option, *inner):
            known = option in _BASE_OPTIONS or (problem.rule == "unknown-key" and not inner)
            return metric in custom and not known
    return False


def _metric_problems(document: Document, name: str) -> Iterator[Problem]:
    metric = METRICS.get(name)
    if metric is None:
        near = suggest_metric(name)
        own = "or define it under `custom_metrics`"
        meant = f"did you mean `{near}`? {own[0].upper()}{own[1:]}" if near else f"write a metric that ADK has, {own}"
        message = f"ADK judges nothing by the unknown metric `{name}`"
        yield document.problem("unknown-metric", ("criteria", name), message, meant)
    elif metric.kind == "adk-informational":
        message = f"ADK reports `{name}` on every run and fails when it is given a threshold"
        yield document.problem("not-a-gate", ("criteria", name), message, "remove it")


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
