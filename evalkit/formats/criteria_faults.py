"""What stands in the place of the criteria, or among them, and is no metric that anybody can judge by."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from evalkit.errors import Problem
from evalkit.formats.documents import MOST_FAULTS, Document
from evalkit.formats.metrics import METRICS, custom_metrics, suggest_metric
from evalkit.formats.spelling import instead
from evalkit.formats.wording import listed

JsonObject = Mapping[str, Any]

_EXAMPLES = 3
"""So many metrics stand in an example."""
_OF_JUDGES = {"judge_model", "num_samples"}
_TOP_KEYS = {"user_simulator_config", "userSimulatorConfig", "custom_metrics", "customMetrics", "live_model_config"}


def criteria_by_another_name(document: Document, value: JsonObject) -> Iterator[tuple[str, Problem]]:
    """Find what stands for the criteria under another key and would be none under theirs: the key and its problem."""
    keys = islice(value, MOST_FAULTS) if "criteria" not in value else ()  # comparing names takes its time
    key = next((key for key in keys if instead(key, ["criteria"]).key), None)
    if key is None:
        return
    held, own = value[key], custom_metrics(value)
    named = [name for name in held if isinstance(name, str)] if isinstance(held, dict | list) else []
    known = [name for name in named if name in METRICS or name in own]
    if isinstance(held, dict) and any(not isinstance(held[name], dict) or "threshold" in held[name] for name in known):
        return  # criteria but for the name of the key
    known = [name for name in known if name not in METRICS or METRICS[name].kind != "evalkit"]
    example = ", ".join(f'"{name}": 0.8' for name in known[:_EXAMPLES]) or '"tool_trajectory_avg_score": 1.0'
    hint = f'write "criteria": {{{example}}}, each metric with its threshold'
    none = "" if known else ", and it names no metric that ADK has"
    message = f"nothing would be judged: unknown key `{key}` in an eval config{none}"
    yield key, document.problem("unknown-key", (key,), message, hint)


def no_metrics(document: Document, value: JsonObject) -> Iterator[tuple[str, Problem]]:
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
        elif name in _TOP_KEYS:
            message = f"`{name}` stands among the criteria, where ADK takes it for a metric"
            yield name, document.problem("unknown-metric", ("criteria", name), message, "move it up, beside `criteria`")
        elif of_metric := _metrics_with(name):
            metric = next((metric for metric in criteria if metric in of_metric), of_metric[0])
            message = f"`{name}` is an option of a metric and stands beside the metrics, where ADK takes it for one"
            option = f'"judge_model_options": {{"{name}": …}}' if name in _OF_JUDGES else f'"{name}": …'
            options = '"threshold": …' if name == "threshold" else f'"threshold": …, {option}'
            hint = f'write "{metric}": {{{options}}}'
            yield name, document.problem("unknown-metric", ("criteria", name), message, hint)


def unusable_metrics(document: Document, names: Sequence[str]) -> Iterator[Problem]:
    """Find metrics that nobody knows, those without a near name together, and those that take no threshold."""
    unknown = [name for name in names if name not in METRICS][: MOST_FAULTS + 1]
    near = {name: suggest_metric(name) for name in unknown}
    for name, meant in near.items():
        if meant:
            with_rubrics = ", with its rubrics" if METRICS[meant].reference == "rubrics" else ""
            hint = f"did you mean `{meant}`{with_rubrics}? Or define it under `custom_metrics`"
            message = f"ADK judges nothing by the unknown metric `{name}`"
            yield document.problem("unknown-metric", ("criteria", name), message, hint)
    strange = [name for name, meant in near.items() if meant is None]
    if strange:
        message = f"ADK judges nothing by the unknown metric{'s' if strange[1:] else ''} {listed(strange)}"
        hint = "write a metric that ADK has, or define it under `custom_metrics`"
        yield document.problem("unknown-metric", ("criteria", strange[0]), message, hint)
    for name in (name for name in names if name in METRICS and METRICS[name].kind == "adk-informational"):
        message = f"ADK reports `{name}` on every run and fails when it is given a threshold"
        yield document.problem("not-a-gate", ("criteria", name), message, "remove it")


def _metrics_with(option: str) -> Sequence[str]:
    """The metrics that have an option, the likeliest first; none if there is no such option."""
    if option in {"match_type", "matchType", "ignore_args", "ignoreArgs"}:
        return ["tool_trajectory_avg_score"]
    if option in {"rubrics", "judge_model_options", "judgeModelOptions", "judge_model", "num_samples"}:
        judged = [name for name, metric in METRICS.items() if metric.kind == "adk-judge"]
        return sorted(judged, key=lambda name: METRICS[name].reference != "rubrics")
    return ["response_match_score", *METRICS] if option == "threshold" else []
