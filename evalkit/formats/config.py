"""Eval configs (`test_config.json`): which metrics judge a file, by which thresholds and options."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from evalkit.cases import Config, Criterion, Json
from evalkit.errors import Problem
from evalkit.formats.documents import MAX_DEPTH, Document, nesting
from evalkit.formats.files import CONFIG_NAME, Loaded, has_errors, read_bytes
from evalkit.formats.json_text import parse_json
from evalkit.formats.metrics import METRICS, suggest_metric
from evalkit.formats.paths import read_path
from evalkit.formats.shapes import conform, spelled_twice
from evalkit.formats.spelling import to_camel, to_snake
from evalkit.formats.faults import load_schema
from evalkit.formats.validation import schema_problems

ADK_DEFAULTS = "ADK's defaults"
"""The origin of the criteria that apply where there is no config."""

_DEFAULTS = (
    Criterion(name="tool_trajectory_avg_score", threshold=1.0),
    Criterion(name="response_match_score", threshold=0.8),
)
_TOP_KEYS = ("criteria", "custom_metrics", "user_simulator_config", "live_model_config")
_BASE_OPTIONS = (
    "threshold",
    "gate",
    "include_intermediate_responses_in_final",
    "includeIntermediateResponsesInFinal",
)
_INSTRUCTION_VARIABLES = ("stop_signal", "conversation_plan", "conversation_history")
_MATCH_TYPES = ("EXACT", "IN_ORDER", "ANY_ORDER")


def config_for(evalset: str | Path) -> Loaded[Config]:
    """Read the config that belongs to an evalset: `test_config.json` beside it, else ADK's defaults."""
    path = Path(evalset).parent / CONFIG_NAME
    return read(path) if path.exists() else Loaded(Config(criteria=_DEFAULTS, origin=ADK_DEFAULTS))


def read(path: str | Path, name: str | None = None) -> Loaded[Config]:
    """Read an eval config; `name` is what to call it in problems, its path by default."""
    file = name or str(path)
    data = read_bytes(Path(path), file)
    return Loaded(None, data.problems) if data.value is None else parse(data.value, file=file)


def parse(data: str | bytes, *, file: str) -> Loaded[Config]:
    """Read an eval config from text or UTF-8 bytes; `file` is what to call it in problems."""
    parsed = parse_json(data, file)
    document = parsed.value
    if document is None:
        return Loaded(None, parsed.problems)
    problems = (*parsed.problems, *(_wrong_kind(document) or _problems(document)))
    if not has_errors(problems) and nesting(document.value) > MAX_DEPTH:
        message = f"the values are nested deeper than the {MAX_DEPTH} levels that ADK reads"
        problems = (*problems, document.problem("too-deep", (), message))
    return Loaded(None if has_errors(problems) else _config(document), problems)


def _wrong_kind(document: Document) -> tuple[Problem, ...]:
    value = document.value
    if not isinstance(value, dict) or "criteria" in value or not value.keys() & {"eval_cases", "evalCases"}:
        return ()
    message = "this is an evalset, not an eval config, so nothing would be judged"
    hint = 'name it *.evalset.json, and write {"criteria": {"tool_trajectory_avg_score": 1.0}} here'
    return (document.problem("wrong-kind", (), message, hint),)


def _problems(document: Document) -> Iterator[Problem]:
    """Find what is wrong with a config."""
    value = document.value
    custom = _custom_metrics(value)
    for problem in schema_problems("config", document):
        if not _free_option(problem, custom):
            yield problem
    if not isinstance(value, dict):
        return
    yield from spelled_twice(document, "config")
    yield from _simulator_problems(document, value)
    criteria = value.get("criteria")
    for name in criteria if isinstance(criteria, dict) else ():
        metric = METRICS.get(name)
        if name in custom:
            continue
        if metric is None:
            yield document.problem("unknown-metric", ("criteria", name), f"unknown metric `{name}`", _metric_hint(name))
        elif metric.kind == "adk-informational":
            message = f"ADK reports `{name}` on every run and fails when it is given a threshold"
            yield document.problem("not-a-gate", ("criteria", name), message, "remove it")


def _custom_metrics(value: Json) -> Mapping[str, Any]:
    """The metrics that a config defines itself, as far as it is one."""
    found = _get(value, "custom_metrics") if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def _free_option(problem: Problem, custom: Collection[str]) -> bool:
    """Whether a problem is about an option of a metric that the config defines anew: only its author knows those."""
    match read_path(problem.path):
        case ("criteria", metric, option, *inner):
            known = option in _BASE_OPTIONS or (problem.rule == "unknown-key" and not inner)
            return metric in custom and not known
    return False


def _metric_hint(name: str) -> str:
    near = suggest_metric(name)
    own = "or define it under `custom_metrics`"
    return f"did you mean `{near}`? {own[0].upper()}{own[1:]}" if near else f"write a metric that ADK has, {own}"


def _simulator_problems(document: Document, value: Mapping[str, Any]) -> Iterator[Problem]:
    """Check the user simulator's instructions as ADK does: a Jinja template that uses three variables."""
    key = "user_simulator_config" if "user_simulator_config" in value else "userSimulatorConfig"
    simulator = value.get(key)
    if not isinstance(simulator, dict) or not isinstance(text := _get(simulator, "custom_instructions"), str):
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


def _config(document: Document) -> Config:
    value: Mapping[str, Any] = document.value
    custom = _custom_metrics(value)
    return Config(
        criteria=tuple(_criterion(name, given, custom.get(name)) for name, given in value["criteria"].items()),
        origin=document.file,
        extra={key: item for key, item in _snake(value).items() if key != "criteria"},
    )


def _snake(value: Mapping[str, Any]) -> dict[str, Any]:
    """The top of a config with its keys in snake_case, and the parts that ADK knows conformed."""
    parts = {"user_simulator_config": "UserSimulator", "live_model_config": "LiveModel"}
    named = {(to_snake(key) if to_snake(key) in _TOP_KEYS else key): item for key, item in value.items()}
    return {
        key: conform(item, "config", parts[key]) if key in parts and item is not None else item
        for key, item in named.items()
    }


def _criterion(name: str, given: Json, custom: Mapping[str, Any] | None) -> Criterion:
    function = None if custom is None else _get(custom, "code_config")["name"]
    if not isinstance(given, dict):
        return Criterion(name=name, threshold=float(given), custom_function=function)
    options = conform(given, "config", _definition(name, function))
    if function is None and "match_type" in options:
        options["match_type"] = _match_type(options["match_type"])
    threshold, gate = options.pop("threshold"), options.pop("gate", True)
    return Criterion(name=name, threshold=float(threshold), gate=gate, options=options, custom_function=function)


def _definition(name: str, function: str | None) -> str:
    """Which definition of the schema the options of a metric follow."""
    by_metric = load_schema("config")["properties"]["criteria"]["properties"]
    if function is not None or name not in by_metric:
        return "OpenCriterion"
    return str(by_metric[name]["then"]["$ref"]).rpartition("/")[2]


def _get(value: Mapping[str, Any], key: str) -> Any:
    return value[key] if key in value else value.get(to_camel(key))


def _match_type(value: str | float) -> str:
    """Write a match type as ADK names it; it also takes other spellings, and the enumeration's numbers."""
    if isinstance(value, str):
        return value.strip().upper().replace("-", "_").replace(" ", "_")
    return _MATCH_TYPES[int(value)]
