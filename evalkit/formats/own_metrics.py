"""Our metrics in an eval config: as ADK's custom metrics, by a function's dotted path, and with options of their own.

A config may name `grounding` alone, which only evalkit knows, or give it the function `evalkit.adk.metrics.grounding`
under `custom_metrics`, which plain `adk eval` calls. Either way it is the same metric. A criterion's options demand of
every turn what `expect` demands of one.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any

from evalkit.cases import Criterion, Expectation, Json
from evalkit.errors import Problem
from evalkit.formats.documents import Document
from evalkit.formats.expect import pattern_problems, read_block, regex_fault
from evalkit.formats.faults import Schema, fits, load_schema
from evalkit.formats.metrics import METRICS
from evalkit.formats.orders import NAMES
from evalkit.formats.paths import JsonPath
from evalkit.formats.spelling import closest
from evalkit.formats.wording import listed

MODULE = "evalkit.adk.metrics"
"""Where the functions are."""

SAME: Mapping[str, str] = {"response_checks": "response"}
"""Other names of metrics."""

FUNCTIONS: Mapping[str, str] = {
    name: SAME.get(name, name) for name, metric in METRICS.items() if metric.kind in ("evalkit", "adk-deterministic")
}
"""Each function, and the metric that it computes."""

ROUGE_TYPES: Mapping[str, str] = {
    **{kind: kind for kind in ("1", "2", "L", "Lsum")},
    **{f"rouge{kind}": kind for kind in ("1", "2", "L", "Lsum")},
}
"""What may be written for `type` of `rouge`, and what it means."""

ROUGE_STATISTICS: Mapping[str, str] = {
    **dict.fromkeys(("P", "precision"), "precision"),
    **dict.fromkeys(("R", "recall"), "recall"),
    **dict.fromkeys(("F", "f1", "F1", "fmeasure"), "f"),
}
"""What may be written for its `statistic`."""

GROUNDING_KINDS = ("number", "identifier", "date", "quotation", "status")
"""What `grounding` looks for the source of."""

STRICTNESSES = ("lenient", "normal", "strict")
"""How strictly: see `evalkit.scorers.grounding`."""

_RESPONSE = ("contains", "not_contains", "regex", "equals", "number", "json_schema")
_PATHS = ("order", "args_match", "args", "optional")
_BUDGET = ("tool_calls", "seconds", "tokens", "usd")
_TEXTS: Schema = {"type": "array", "items": {"type": "string"}, "x-expects": "a list of texts"}
_WORDS: Mapping[str, Schema] = {
    "order": {"x-expects": f"one of {', '.join(NAMES)}"},
    "args_match": {"x-expects": "exact, ignore, subset or superset"},
    "args": {"x-expects": "an object with patterns by tool"},
    "optional": {"x-expects": "a list of calls"},
}
_PRICES: Schema = {"type": "object", "x-expects": "a table of models and their prices"}
_RUBRICS: Schema = {
    "type": "array",
    "items": {"anyOf": [{"$ref": "#/$defs/CheckedRubric"}, {"$ref": "#/$defs/Rubric"}]},
    "x-expects": 'a list of rubrics, as [{"rubric_id": "…", "rubric_content": {"text_property": "…"}, "check": {…}}]',
}
_COUNT: Schema = {"type": "integer", "minimum": 1}
_JUDGE: Schema = {
    "type": "object",
    "properties": {
        "judge_model": {"type": "string"},
        "judge_model_config": {"type": ["object", "null"]},
        "num_samples": _COUNT,
        "parallelism_limit": _COUNT,
    },
    "additionalProperties": False,
    "x-expects": "an object with judge_model, judge_model_config, num_samples or parallelism_limit",
}
_FLAG: Schema = {"type": ["boolean", "string", "integer"], "x-expects": "true or false"}


def metric_of(criterion: Criterion) -> str | None:
    """Name the metric that a criterion asks for: its function's, or its own name; None for a function of the user's."""
    return metric_behind(criterion.name, criterion.custom_function)


def metric_behind(name: str, function: str | None) -> str | None:
    """Do the same for a criterion's name and the function that the config gives it, if any."""
    if function is None:
        return SAME.get(name, name)
    module, _, own = function.rpartition(".")
    return FUNCTIONS.get(own) if module == MODULE else None


def demanded(metric: str | None, options: Mapping[str, Any]) -> Expectation:
    """Read what the options of a criterion demand of every turn."""
    return read_block({"expect": [_entry(metric, options)]}).expect[0]


def own_metric_problems(document: Document, name: str, function: str | None, given: Json) -> Iterator[Problem]:
    """Find what is wrong with a criterion that asks for a metric of ours.

    Args:
        document: The config.
        name: The criterion's name.
        function: The function that `custom_metrics` gives it; None if it gives none.
        given: What stands under the name.
    """
    if function is not None and function.startswith(f"{MODULE}."):
        yield from _function_problems(document, name, function)
    metric = metric_behind(name, function)
    known = _options(metric, own_function=function is not None)
    if known is None or not isinstance(given, dict):
        return
    place = ("criteria", name)
    faults = list(_option_problems(document, place, given, known))
    yield from faults
    if not faults:
        yield from _pattern_problems(document, place, metric, given)


def _function_problems(document: Document, name: str, function: str) -> Iterator[Problem]:
    own = function.removeprefix(f"{MODULE}.")
    if own in FUNCTIONS:
        return
    near = closest(own, FUNCTIONS)
    hint = f"did you mean {MODULE}.{near}?" if near else f"there are {listed(FUNCTIONS)}"
    path = document.spelled(("custom_metrics", name, "code_config", "name"))
    yield document.problem("unknown-metric", path, f"evalkit has no metric `{function}`", hint)


def _entry(metric: str | None, options: Mapping[str, Any]) -> dict[str, Any]:
    """Write the options as an entry of `expect`."""
    if metric == "response":
        response = {key: options[key] for key in _RESPONSE if key in options}
        return {"response": response} if response else {}
    if metric in ("forbid", "worked") and metric in options:
        return {"trajectory": {metric: options[metric]}}
    if metric in ("trajectory", "trajectory_f1", "efficiency"):
        trajectory = {key: options[key] for key in _PATHS if key in options}
        return {"trajectory": trajectory} if trajectory else {}
    if metric == "budget":
        budget = {key: options[key] for key in _BUDGET if key in options}
        return {"budget": budget} if budget else {}
    if metric == "route" and "route" in options:
        return {"route": options["route"]}
    return {}


@cache
def _options(metric: str | None, *, own_function: bool) -> Mapping[str, Schema] | None:
    """What each option of a metric may be, for metrics whose options the config's schema cannot know."""
    if metric == "tool_trajectory_avg_score" and own_function:
        known = load_schema("config")["$defs"]["ToolTrajectoryCriterion"]["properties"]
        return {"match_type": known["match_type"], "ignore_args": _FLAG}
    kinds = load_schema("evalset")["$defs"]
    response, budget, calls = (kinds[name]["properties"] for name in ("Response", "Budget", "Trajectory"))
    paths = {key: {**calls[key], **_WORDS[key]} for key in _PATHS}
    by_metric: Mapping[str | None, Mapping[str, Schema]] = {
        "response": {key: response[key] for key in _RESPONSE},
        "rouge": {"type": _one_of(1, 2, *ROUGE_TYPES), "statistic": _one_of(*ROUGE_STATISTICS)},
        "grounding": {
            "strictness": _one_of(*STRICTNESSES),
            "kinds": {"type": "array", "items": {"enum": [*GROUNDING_KINDS]}, "x-expects": _listing(GROUNDING_KINDS)},
            "ignore": _TEXTS,
            "identifiers": _TEXTS,
        },
        "forbid": {"forbid": {**calls["forbid"], "x-expects": "a list of calls"}},
        "worked": {"worked": {**calls["worked"], "x-expects": "a list of calls"}},
        "route": {"route": kinds["Expectation"]["properties"]["route"], "agents": _TEXTS},
        "trajectory": paths,
        "trajectory_f1": paths,
        "efficiency": paths,
        "rubric": {"rubrics": _RUBRICS, "judge_model_options": _JUDGE},
        "holmes_correctness": {
            "include_intermediate": {"type": "boolean", "x-expects": "true or false"},
            "judge_model_options": _JUDGE,
        },
        "evidence_touched": {},
        "budget": {**{key: {**budget[key], "x-expects": "a limit of 0 or more"} for key in _BUDGET}, "prices": _PRICES},
    }
    return by_metric.get(metric)


def _one_of(*choices: str | int) -> Schema:
    return {"enum": [*choices], "x-expects": f"one of {', '.join(dict.fromkeys(map(str, choices)))}"}


def _listing(choices: Collection[str]) -> str:
    return f"a list of {', '.join(choices)}"


def _option_problems(
    document: Document, place: JsonPath, given: Mapping[str, Json], known: Mapping[str, Schema]
) -> Iterator[Problem]:
    any_criterion = load_schema("config")["$defs"]["Criterion"]
    (documentation,) = any_criterion["patternProperties"]
    for key, value in given.items():
        if key in known and not fits("evalset", known[key], value):
            hint = f"write {json.dumps([value])}" if fits("evalset", known[key], [value]) else None
            message = f"must be {known[key].get('x-expects', 'an object')}"
            yield document.problem("wrong-value", (*place, key), message, hint)
        elif key not in known and key not in any_criterion["properties"] and not re.search(documentation, key):
            yield _unknown_option(document, (*place, key), known)


def _unknown_option(document: Document, path: JsonPath, known: Collection[str]) -> Problem:
    near = closest(str(path[-1]), known)
    rule = "misspelt-key" if near else "unread-key"
    others = f"known here: {listed(known)}" if known else "remove it: this metric has no options of its own"
    hint = f"did you mean `{near}`?" if near else others
    message = f"nothing reads the option `{path[-1]}` of this metric, so what it says has no effect"
    return document.problem(rule, path, message, hint)


def _pattern_problems(
    document: Document, place: JsonPath, metric: str | None, given: Mapping[str, Json]
) -> Iterator[Problem]:
    """Find patterns that are none; a path inside an entry of `expect` ends as the one inside the criterion does."""
    if metric == "grounding":
        for index, source in enumerate(given.get("identifiers", ())):
            if (message := regex_fault(source)) is not None:
                yield document.problem("bad-pattern", (*place, "identifiers", index), message)
    if metric == "rubric":
        for path, message in pattern_problems({"expect": [{"rubrics": given.get("rubrics", ())}]}):
            yield document.problem("bad-pattern", (*place, *path[2:]), message)
    for path, message in pattern_problems({"expect": [_entry(metric, given)]}):
        inside = next(index for index, step in enumerate(path) if step in given)
        yield document.problem("bad-pattern", (*place, *path[inside:]), message)
