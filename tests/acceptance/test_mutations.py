"""Break the cases of the sample evalsets one place at a time: that case turns red, and the reason says where.

Every breakage is a real edit of a real file, and all of them are played in one run. The README lists what a golden
replay cannot see; what it can see is here. Breakages of what the tools are answered are in `test_mock_mutations.py`.
"""

import copy
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

NOT_SEEN = {"remediation_until_it_is_healthy: call 4 removed": "what scaling replies, the status replies too"}
"""Breakages over which a case stays green, and why there is no way to see them."""

REFUSED_BY_THE_TOOL = {
    "alerts_that_fire_in_prometheus: argument value of call 0",
    "rules_and_notifications_at_once: argument value of call 0",
}
"""Breakages that the tool's own check of its arguments meets, so that the reason says the place and not the value."""

PLACE = "$.eval_cases[0]."


@dataclass(frozen=True)
class Breakage:
    """One edit: what it does, the case as it then is, and a word that the reason must hold."""

    name: str
    case: dict[str, Any]
    named: str


def calls_in(case: dict[str, Any]) -> Iterator[tuple[list[Any], int, dict[str, Any]]]:
    """Yield each expected call with the list that holds it and its place there."""
    for turn in case["conversation"]:
        data = turn.get("intermediate_data") or {}
        for index, call in enumerate(data.get("tool_uses", [])):
            yield data["tool_uses"], index, call
        for event in data.get("invocation_events", []):
            for index, part in enumerate((event.get("content") or {}).get("parts", [])):
                if "function_call" in part:
                    yield event["content"]["parts"], index, part["function_call"]


def other_value(value: Any) -> Any:
    """Return another value of the same type."""
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else f"{value}zz"


def other_type(value: Any) -> Any:
    """Return a value of another type."""
    return 12345 if isinstance(value, str) else "twelve"


def _rename_tool(call: dict[str, Any]) -> str:
    call["name"] = call["name"] + "_x"
    return call["name"]


def _rename_argument(call: dict[str, Any]) -> str | None:
    if not call["args"]:
        return None
    first = next(iter(call["args"]))
    call["args"] = {(f"{name}_x" if name == first else name): value for name, value in call["args"].items()}
    return f"{first}_x"


def _add_argument(call: dict[str, Any]) -> str:
    call["args"] = {**call["args"], "surplus": 1}
    return "surplus"


def _wrong_type(call: dict[str, Any]) -> str | None:
    for name, value in call["args"].items():
        call["args"][name] = other_type(value)
        return name
    return None


def _wrong_value(call: dict[str, Any]) -> str | None:
    for name, value in call["args"].items():
        call["args"][name] = other_value(value)
        return json.dumps(call["args"][name]).strip(chr(34))
    return None


CALL_EDITS: dict[str, Callable[[dict[str, Any]], str | None]] = {
    "tool name": _rename_tool,
    "argument name": _rename_argument,
    "added argument": _add_argument,
    "wrong type": _wrong_type,
    "argument value": _wrong_value,
}


def broken_calls(case: dict[str, Any], agents: frozenset[str]) -> Iterator[Breakage]:
    """Yield the breakages of a case's calls; how a request to an agent is worded is free, and a loop ends by itself."""
    for index, (_, _, original) in enumerate(calls_in(case)):
        for kind, edit in CALL_EDITS.items():
            broken = copy.deepcopy(case)
            named = edit(list(calls_in(broken))[index][2])
            free = kind == "argument value" and original["name"] in agents
            if named is not None and not free:
                name = f"{case['eval_id']}: {kind} of call {index}"
                vague = name in REFUSED_BY_THE_TOOL or original["name"] == "transfer_to_agent"
                yield Breakage(name, broken, PLACE if vague else named)
        broken = copy.deepcopy(case)
        holder, place, _ = list(calls_in(broken))[index]
        del holder[place]
        if original["name"] != "exit_loop":
            yield Breakage(f"{case['eval_id']}: call {index} removed", broken, PLACE)


def broken_answers(case: dict[str, Any], number: re.Pattern[str]) -> Iterator[Breakage]:
    """Yield the breakages of the numbers that a case's answers give."""
    for index in range(len(list(_numbers_in_answers(case, number)))):
        broken = copy.deepcopy(case)
        part, match = list(_numbers_in_answers(broken, number))[index]
        changed = str(int(float(match.group())) + 7919)
        part["text"] = part["text"][: match.start()] + changed + part["text"][match.end() :]
        yield Breakage(f"{case['eval_id']}: {match.group()} in the answer", broken, changed)


def _numbers_in_answers(
    case: dict[str, Any], number: re.Pattern[str]
) -> Iterator[tuple[dict[str, Any], re.Match[str]]]:
    for turn in case["conversation"]:
        for part in (turn.get("final_response") or {}).get("parts", []):
            for match in number.finditer(part.get("text", "")):
                yield part, match


@pytest.fixture
def agents(samples) -> frozenset[str]:
    return frozenset(agent.name for outcome in samples.outcomes for agent in outcome.trace.agents)


def test_each_breakage_of_a_case_turns_that_case_red_and_names_the_place(workbench, agents, said):
    broken: dict[str, Breakage] = {}
    for path in workbench.evalsets():
        for case in json.loads(path.read_text())["eval_cases"]:
            for breakage in (*broken_calls(case, agents), *broken_answers(case, workbench.number)):
                name = f"b{len(broken)}"
                workbench.evalset(workbench.folder(path.parent), name, breakage.case)
                broken[name] = breakage
    results = {name: next(iter(cases.values())) for name, cases in workbench.play().items()}
    assert len(results) == len(broken) > 100
    green = [broken[name].name for name, result in results.items() if result.verdict == "passed"]
    assert green == list(NOT_SEEN)
    silent = {
        broken[name].name: said(result)
        for name, result in results.items()
        if result.verdict != "passed" and broken[name].named not in said(result)
    }
    assert silent == {}
