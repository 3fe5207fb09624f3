"""Eval configs (`test_config.json`): which metrics judge a file, by which thresholds and options."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evalkit.cases import Config, Criterion, Json
from evalkit.formats.config_faults import MATCH_TYPES, config_problems, custom_function
from evalkit.formats.documents import MAX_DEPTH, Document, nesting
from evalkit.formats.faults import load_schema
from evalkit.formats.files import CONFIG_NAME, Loaded, has_errors, read_bytes
from evalkit.formats.json_text import parse_json
from evalkit.formats.metrics import custom_metrics
from evalkit.formats.secret_shapes import secret_problems
from evalkit.formats.shapes import conform
from evalkit.formats.spelling import to_snake

ADK_DEFAULTS = "ADK's defaults"
"""The origin of the criteria that apply where there is no config."""

_DEFAULTS = (
    Criterion(name="tool_trajectory_avg_score", threshold=1.0),
    Criterion(name="response_match_score", threshold=0.8),
)
_TOP_KEYS = ("criteria", "custom_metrics", "user_simulator_config", "live_model_config")


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
    problems = (*parsed.problems, *config_problems(document), *secret_problems(document, data))
    if not has_errors(problems) and nesting(document.value) > MAX_DEPTH:
        message = f"the values are nested deeper than the {MAX_DEPTH} levels that ADK reads"
        problems = (*problems, document.problem("too-deep", (), message))
    return Loaded(None if has_errors(problems) else _config(document), problems)


def _config(document: Document) -> Config:
    value: Mapping[str, Any] = document.value
    custom = custom_metrics(value)
    criteria = value["criteria"].items()
    return Config(
        criteria=tuple(_criterion(name, given, custom_function(custom, name)) for name, given in criteria),
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


def _criterion(name: str, given: Json, function: str | None) -> Criterion:
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


def _match_type(value: Json) -> Json:
    """Write a match type as ADK names it; it also takes other spellings, and the enumeration's numbers.

    What is none stays: metrics that know no match type may be given anything under that name.
    """
    if isinstance(value, str):
        return value.strip().upper().replace("-", "_").replace(" ", "_")
    return MATCH_TYPES[int(value)] if value in range(len(MATCH_TYPES)) else value
