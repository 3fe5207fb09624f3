"""The `evalkit` block of a case: what only evalkit reads."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, NamedTuple

import jsonschema_rs

from evalkit.cases import (
    ALWAYS,
    Budget,
    CallPattern,
    Expectation,
    Gate,
    Json,
    NumberRule,
    ResponseRule,
    TrajectoryRule,
)
from evalkit.expectations import RubricRule
from evalkit.formats.paths import JsonPath, read_path
from evalkit.formats.setups import read_live, read_prior_events, write_live, write_prior_events
from evalkit.formats.spelling import to_snake
from evalkit.matching.faults import OPERATORS, args_faults, compile_regex, pattern_faults
from evalkit.setups import LiveSetup, PriorEvent

JsonObject = Mapping[str, Any]


class Block(NamedTuple):
    """What the block says."""

    tags: tuple[str, ...] = ()
    skip: str | None = None
    known_failing: str | None = None
    gate: Gate = ALWAYS
    mocks: str | None = None
    expect: tuple[Expectation, ...] = ()
    source: JsonObject | None = None
    prior_events: tuple[PriorEvent, ...] = ()
    live: LiveSetup | None = None
    gold: str | None = None


def read_block(block: JsonObject) -> Block:
    """Read a valid block."""
    return Block(
        tags=tuple(block.get("tags", ())),
        skip=block.get("skip"),
        known_failing=block.get("known_failing"),
        gate=Gate(min_pass_rate=block.get("min_pass_rate"), min_lower_bound=block.get("min_lower_bound")),
        mocks=block.get("mocks"),
        expect=tuple(_read_expectation(entry or {}) for entry in block.get("expect", ())),
        source=block.get("source"),
        prior_events=read_prior_events(block.get("prior_events") or ()),
        live=read_live(block["live"]) if block.get("live") is not None else None,
        gold=block.get("gold"),
    )


def write_block(block: Block) -> dict[str, Any]:
    """Write a block; empty if it says nothing."""
    expect = [_write(entry) for entry in block.expect]
    said = {
        "tags": [*block.tags],
        "skip": block.skip,
        "known_failing": block.known_failing,
        "min_pass_rate": block.gate.min_pass_rate,
        "min_lower_bound": block.gate.min_lower_bound,
        "mocks": block.mocks,
        "expect": expect if any(expect) else None,
        "source": block.source,
        "prior_events": write_prior_events(block.prior_events),
        "live": None if block.live is None else write_live(block.live),
        "gold": block.gold,
    }
    return {key: value for key, value in said.items() if value is not None and value != []}


def pattern_problems(block: JsonObject) -> Iterator[tuple[JsonPath, str]]:
    """Yield what is wrong with the patterns of a valid block: a path inside the block, and a message."""
    for index, entry in enumerate(block.get("expect", ())):
        for path, message in _entry_faults(entry or {}):
            yield ("expect", index, *path), message


def _entry_faults(entry: JsonObject) -> Iterator[tuple[JsonPath, str]]:
    trajectory = entry.get("trajectory") or {}
    for tool, given in trajectory.get("args", {}).items():
        for step, patterns in _sets(given):
            path = ("trajectory", "args", tool, *step)
            if patterns and patterns.keys() <= OPERATORS.keys():
                name = next(iter(patterns))
                order = f'{{"TOOL": {{"ARGUMENT": {{"{name}": …}}}}}}'
                yield (*path, name), f"{name} stands where an argument belongs: here tools come first, as in {order}"
            else:
                yield from _located(path, args_faults(patterns))
    for key in ("optional", "forbid", "blocked", "worked"):
        yield from _call_faults(("trajectory", key), trajectory.get(key, ()))
    for index, path in enumerate(trajectory.get("any_of", ())):
        yield from _call_faults(("trajectory", "any_of", index), path)
    response = entry.get("response") or {}
    for index, source in enumerate(_texts(response.get("regex", ()))):
        if (message := regex_fault(source)) is not None:
            step = (index,) if isinstance(response["regex"], list) else ()
            yield ("response", "regex", *step), message
    if (schema := response.get("json_schema")) and (message := schema_fault(schema)) is not None:
        yield ("response", "json_schema"), message
    yield from state_faults(entry.get("state") or {}, ("state",))
    for index, rubric in enumerate(entry.get("rubrics", ())):
        for path, message in _entry_faults(rubric.get("check") or {}):
            yield ("rubrics", index, "check", *path), message


def regex_fault(source: str) -> str | None:
    """Say what is wrong with a regular expression; None if nothing is."""
    try:
        compile_regex(source)
    except (re.error, OverflowError, RecursionError) as error:
        return f"not a valid regular expression: {error}"
    return None


def schema_fault(schema: JsonObject) -> str | None:
    """Say what is wrong with a JSON Schema; None if nothing is. What it refers to elsewhere is not fetched."""
    try:
        jsonschema_rs.validator_for(dict(schema), offline=True)
    except ValueError as error:
        return f"not a valid JSON Schema: {str(error).splitlines()[0]}"
    return None


def state_faults(state: JsonObject, path: JsonPath) -> Iterator[tuple[JsonPath, str]]:
    """Yield what is wrong with the patterns for a state: a path that begins with `path`, and a message."""
    for key, pattern in state.items():
        if key in OPERATORS:
            yield (*path, key), f"{key} stands where a key of the state belongs; put it at the key that it is about"
        else:
            yield from _located((*path, key), pattern_faults(pattern))


def _sets(given: Json) -> Iterator[tuple[JsonPath, JsonObject]]:
    """Yield each set of patterns that stands under a tool in `args`, with its index in a list."""
    if isinstance(given, dict):
        yield (), given
    elif isinstance(given, list):
        yield from (((index,), patterns) for index, patterns in enumerate(given) if patterns)


def _call_faults(path: JsonPath, calls: Sequence[str | JsonObject]) -> Iterator[tuple[JsonPath, str]]:
    for index, call in enumerate(calls):
        if isinstance(call, dict) and call.get("args"):
            yield from _located((*path, index, "args"), args_faults(call["args"]))


def _located(path: JsonPath, faults: Sequence[tuple[str, str]]) -> Iterator[tuple[JsonPath, str]]:
    for inner, message in faults:
        yield (*path, *read_path("$" + inner)), message


def _read_expectation(entry: JsonObject) -> Expectation:
    trajectory, response, budget = entry.get("trajectory"), entry.get("response"), entry.get("budget")
    return Expectation(
        trajectory=None if trajectory is None else read_trajectory(trajectory),
        route=_texts(entry["route"]) if "route" in entry else None,
        response=None if response is None else _read_response(response),
        state=entry.get("state"),
        budget=None if budget is None else Budget(**budget),
        rubrics=read_rubrics(entry.get("rubrics", ())),
    )


def read_rubrics(rubrics: Sequence[JsonObject]) -> tuple[RubricRule, ...]:
    """Read `expect[].rubrics`, or the rubrics of a criterion, whose keys ADK takes in camelCase too."""
    return tuple(_read_rubric({to_snake(key): value for key, value in rubric.items()}) for rubric in rubrics)


def _read_rubric(rubric: JsonObject) -> RubricRule:
    content = rubric.get("rubric_content") or {}
    return RubricRule(
        rubric_id=rubric["rubric_id"],
        rubric_content={to_snake(key): value for key, value in content.items()},
        description=rubric.get("description"),
        type=rubric.get("type"),
        check=_read_expectation(rubric["check"]) if rubric.get("check") else None,
    )


def read_trajectory(rule: JsonObject) -> TrajectoryRule:
    """Read `expect[].trajectory`, or the options of a criterion that say the same of every turn."""
    return TrajectoryRule(
        order=rule.get("order"),
        args_match=rule.get("args_match"),
        args=rule.get("args", {}),
        optional=_read_calls(rule.get("optional", ())),
        forbid=_read_calls(rule.get("forbid", ())),
        any_of=tuple(_read_calls(path) for path in rule.get("any_of", ())),
        blocked=_read_calls(rule.get("blocked", ())),
        worked=_read_calls(rule.get("worked", ())),
    )


def _read_response(rule: JsonObject) -> ResponseRule:
    return ResponseRule(
        contains=_texts(rule.get("contains", ())),
        not_contains=_texts(rule.get("not_contains", ())),
        regex=_texts(rule.get("regex", ())),
        equals=_texts(rule.get("equals", ())),
        number=tuple(_read_numbers(rule.get("number", ()))),
        json_schema=rule.get("json_schema"),
    )


def _read_numbers(given: Json) -> Iterator[NumberRule]:
    for item in given if isinstance(given, list | tuple) else (given,):
        yield NumberRule(**item) if isinstance(item, Mapping) else NumberRule(value=item)


def _read_calls(calls: Sequence[str | JsonObject]) -> tuple[CallPattern, ...]:
    return tuple(
        CallPattern(name=call)
        if isinstance(call, str)
        else CallPattern(name=call["name"], args=call.get("args"), status=call.get("status"))
        for call in calls
    )


def _texts(value: str | Sequence[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _write(value: Any) -> Json:
    """Write an expectation or a part of one, without what it does not say."""
    if isinstance(value, CallPattern) and value == CallPattern(name=value.name):
        return value.name
    if isinstance(value, tuple):
        return [_write(item) for item in value]
    if not is_dataclass(value):
        return value
    return {
        item.name: _write(said)
        for item in fields(value)
        if (said := getattr(value, item.name)) != (item.default if item.default is not MISSING else {})
    }
