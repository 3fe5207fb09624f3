"""Keys that are right and stand in the wrong object: a level too high or too low, or beside where they belong."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from evalkit.cases import Json
from evalkit.formats.json_text import object_in_text

_OWN = "expect prior_events known_failing skip gold live mocks min_pass_rate min_lower_bound"
_CRITERIA = "criteria metrics evaluation_criteria eval_criteria thresholds threshold test_config eval_config"
_SESSION = "session_input initial_session initial_state state app_name user_id"
_CALLS = (
    "intermediate_data tool_uses tool_responses intermediate_responses expected_tool_use expected_tool_uses "
    "expected_tools expected_tool_calls tool_calls expected_trajectory reference_trajectory tool_trajectory"
)
_MESSAGES = "user_content final_response query prompt question reference expected_response expected_output answer"

_IN_CONFIG = "write criteria into test_config.json beside the evalset"
_WHERE: Mapping[str, Mapping[str, str]] = {
    "an evalset": {
        f"evalkit {_OWN}": 'write this into the cases that it is for: "evalkit": {…}',
        _SESSION: 'write this into the cases: "session_input": {"app_name": "…", "user_id": "…", "state": {}}',
        _CRITERIA: _IN_CONFIG,
    },
    "an eval case": {
        _OWN: 'write this into "evalkit": {…}',
        _SESSION: 'write this into "session_input": {"app_name": "…", "user_id": "…", "state": {}}',
        _CALLS: 'write the calls into a turn: "intermediate_data": {"tool_uses": [{"name": "…", "args": {}}]}',
        _MESSAGES: 'write this into a turn: "conversation": [{"user_content": {…}, "final_response": {…}}]',
        _CRITERIA: _IN_CONFIG,
    },
    "a turn": {
        f"evalkit {_OWN}": 'write this into the case: "evalkit": {"expect": […]}, with an entry for each turn',
        _SESSION: 'write this into the case: "session_input": {"app_name": "…", "user_id": "…", "state": {}}',
        _CRITERIA: _IN_CONFIG,
    },
    "a part of a message": {
        "type": "remove it: the other key tells what kind of part it is",
    },
    "an evalkit block": {
        "trajectory route response state budget rubrics": 'write this into "expect": [{…}], one entry for each turn',
        "gate": "a criterion of test_config.json has it; a case that may fail has `known_failing`",
    },
    "a reply": {
        "repeat_last": "write this into the route, beside `sequence`",
    },
    "recorded events": {
        "tool_uses tool_responses intermediate_responses": "ADK reads these or `invocation_events`, not both: keep one",
    },
}
"""By what an object is called: keys that it cannot have, and where they belong."""

_EXPECTED = {"trajectory", "response", "route", "state", "budget", "rubrics"}
"""What an entry of `expect` has."""
_REPLIES = {"returns", "returns_file", "raises", "sequence", "passthrough"}
_ROUTE = {"args", "state", "repeat_last", *_REPLIES}


class Misplaced(NamedTuple):
    """Keys of an object that belong into another, what to do, and whether they are evalkit's own, whose loss is one."""

    keys: tuple[str, ...]
    hint: str
    lost: bool = False


def misplaced(title: str, members: Mapping[str, Json], unknown: Sequence[str]) -> Iterator[Misplaced]:
    """Find keys of an object that are known by their names to belong elsewhere, those that go together at once."""
    for names, hint in _WHERE.get(title, {}).items():
        known = names.split()
        keys = tuple(key for key in unknown if key in known)
        lost = tuple(key for key in keys if _is_ours(key, members[key]))
        if lost:
            yield Misplaced(lost, hint, lost=True)
        if rest := tuple(key for key in keys if key not in lost):
            yield Misplaced(rest, hint)


def by_value(title: str, members: Mapping[str, Json], strange: Sequence[str]) -> str | None:
    """Tell by the values of keys that nobody knows where they belong; None if that is not clear."""
    if title in {"a mocks file", "an agent"} and all(_is_routes(members[key]) for key in strange):
        return f"write {'it' if len(strange) == 1 else 'them'} under `tools`"
    if title not in {"a route", "a reply"}:
        return None
    known = strange[0].partition(" ")[0]
    if known in _ROUTE and known != strange[0]:
        return f"write a colon after `{known}`"
    above = next((key for key in ("args", "returns") if members.get(key, ...) is None), None)
    if above is None and isinstance(members.get("returns"), dict):
        above = "returns"
    if above is not None:
        return f"indent {'it' if len(strange) == 1 else 'them'} under `{above}`"
    return None if _REPLIES & members.keys() or not strange[0] else f"write `returns: {{{strange[0]}: …}}`"


class InnerCall(NamedTuple):
    """A call that stands one level too deep in a tool call, as in a part of a message or in OpenAI's form.

    Attributes:
        around: The key that it stands under.
        call: The call as ADK has it; None if making that of it takes judgement.
    """

    around: str
    call: Mapping[str, Json] | None


def inner_call(members: Mapping[str, Json]) -> InnerCall | None:
    """Recognize a call that stands one level too deep."""
    around = next((key for key in ("function_call", "functionCall", "function") if key in members), None)
    inner = members[around] if around else None
    if around is None or not isinstance(inner, dict) or not isinstance(inner.get("name"), str):
        return None
    if members.keys() - {around, "type", "id"}:
        return None
    args = inner.get("args", inner.get("arguments", {}))
    if isinstance(args, str):
        args = object_in_text(args)
    call_id = inner.get("id", members.get("id"))
    named = {"id": call_id} if isinstance(call_id, str) else {}
    plain = isinstance(args, dict) and inner.keys() <= {"name", "args", "arguments", "id"}
    return InnerCall(around, {**named, "name": inner["name"], "args": args} if plain else None)


def _is_ours(key: str, value: Json) -> bool:
    """Whether a value is what only evalkit has under this key."""
    if key == "evalkit":
        return isinstance(value, dict) and bool(value)
    entries = value if key == "expect" and isinstance(value, list) else []
    return any(isinstance(item, dict) and item.keys() & _EXPECTED for item in entries)


def _is_routes(value: Json) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, dict) and item.keys() & _ROUTE for item in value)
    )
