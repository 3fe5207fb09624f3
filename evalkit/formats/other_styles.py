"""Styles of evalsets that ADK refuses and that mean something all the same: each is one problem, and the rest is read.

- camelCase at the top, where ADK's `EvalSet` reads snake_case alone, unlike every model below it;
- turns with the keys of the old list forms (`query`, `expected_tool_use`, `reference`);
- turns that are a message, instead of having one;
- conversations that are a chat, a message an item (see `chat_style`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from evalkit.cases import Json
from evalkit.errors import Fix, Problem, Remove, Rename, Replace
from evalkit.formats.chat_style import is_chat, todays_chat
from evalkit.formats.documents import Document
from evalkit.formats.legacy import TURN_KEYS
from evalkit.formats.paths import JsonPath
from evalkit.formats.spelling import to_camel
from evalkit.formats.steps import spelled
from evalkit.formats.wording import listed

JsonObject = Mapping[str, Any]

_TOP_KEYS = ("eval_set_id", "eval_cases", "creation_timestamp")
_NEEDED = {"evalSetId", "evalCases"}
_MESSAGE_KEYS = {"role", "parts"}
_HINTS = {
    "query": '"user_content": {"role": "user", "parts": [{"text": "…"}]}',
    "reference": '"final_response": {"role": "model", "parts": [{"text": "…"}]}',
    "expected_tool_use": '"tool_uses": [{"name": "…", "args": {}}]',
    "expected_intermediate_agent_responses": '"intermediate_responses": [["agent", [{"text": "…"}]]]',
}


def snake_case_top(document: Document) -> tuple[Document, tuple[Problem, ...]]:
    """Give the top keys of an evalset the names that ADK reads."""
    value: JsonObject = document.value
    renamed = {key: to_camel(key) for key in _TOP_KEYS if key not in value and to_camel(key) in value}
    if not _NEEDED & {*renamed.values()}:
        return document, ()
    back = {camel: key for key, camel in renamed.items()}
    problem = document.problem(
        "camel-case",
        (next(key for key in value if key in back),),
        f"ADK reads no camelCase at the top of an evalset: {listed([*back])}",
        f"write {listed([*renamed])}",
        fixes=tuple(Rename((camel,), key) for camel, key in back.items()),
    )
    snake = {back.get(key, key): item for key, item in value.items()}
    return replace(document, value=snake, renamed=renamed), (problem,)


def todays_turns(document: Document) -> tuple[Document, tuple[Problem, ...]]:
    """Bring turns that have another style into today's, as far as is needed to find what else is wrong with them."""
    problems: list[Problem] = []

    def turns(case: Json, path: JsonPath) -> Json:
        if not isinstance(case, dict) or not isinstance(case.get("conversation"), list):
            return case
        if is_chat(case["conversation"]):
            chat, problem = todays_chat(document, case["conversation"], (*path, "conversation"))
            problems.append(problem)
            return {**case, "conversation": chat}
        conversation = [
            _turn(document, turn, (*path, "conversation", index), problems)
            for index, turn in enumerate(case["conversation"])
        ]
        return {**case, "conversation": conversation}

    cases = document.value.get("eval_cases") if isinstance(document.value, dict) else None
    if not isinstance(cases, list):
        return document, ()
    todays = [turns(case, ("eval_cases", index)) for index, case in enumerate(cases)]
    return replace(document, value={**document.value, "eval_cases": todays}), tuple(problems)


def _turn(document: Document, turn: Json, path: JsonPath, problems: list[Problem]) -> Json:
    if not isinstance(turn, dict):
        return turn
    if "parts" in turn and turn.keys() <= _MESSAGE_KEYS:
        return _wrapped(document, turn, path, problems)
    old = [key for key in turn if key in TURN_KEYS]
    if not old:
        return turn
    todays = _todays(turn)
    problems.append(
        document.problem(
            "old-keys",
            (*path, old[0]),
            f"{listed(old)} in a turn {'is a key' if len(old) == 1 else 'are keys'} of the old list form",
            f"write {', '.join(_hints(old))}",
            fixes=() if todays is None else tuple(_fixes(document.written(path), old, todays)),
        )
    )
    rest = {key: item for key, item in turn.items() if key not in old}
    return {**({"user_content": {}} if "query" in old else {}), **rest, **(todays or {})}


def _fixes(path: JsonPath, old: Sequence[str], todays: JsonObject) -> Iterator[Fix]:
    """Give each old key its new name and value; of two that become one, the first."""
    left = dict(todays)
    for key in old:
        name = _TODAYS[key][0]
        if name in left:
            yield Rename((*path, key), name)
            yield Replace((*path, key), left.pop(name))
        else:
            yield Remove((*path, key))


def _wrapped(document: Document, turn: JsonObject, path: JsonPath, problems: list[Problem]) -> JsonObject:
    """A turn that is a message of the user's, as its `user_content`."""
    todays = {"user_content": turn}
    users = turn.get("role") in (None, "user")  # no set: the role may be a list, which is in none
    fixes = (Replace(document.written(path), todays),) if users else ()
    hint = 'write {"user_content": {"role": "user", "parts": […]}}'
    problems.append(
        document.problem("missing-key", path, "the turn is a message, where it should have one", hint, fixes=fixes)
    )
    return todays


def _todays(turn: JsonObject) -> dict[str, Json] | None:
    """What a turn says by old keys, by today's; None if that takes judgement."""
    todays: dict[str, Json] = {}
    data: dict[str, Json] = {}
    for key in (key for key in turn if key in TURN_KEYS):
        name, convert = _TODAYS[key]
        value = convert(turn[key])
        if value is None or spelled(turn, name) in turn:
            return None
        if name != "intermediate_data":
            todays[name] = value
        elif value or key == "expected_tool_use":
            data["tool_uses" if key == "expected_tool_use" else "intermediate_responses"] = value
            todays[name] = data
    return todays


def _message(role: str) -> Callable[[Json], Json]:
    def message(text: Json) -> Json:
        return {"role": role, "parts": [{"text": text}]} if isinstance(text, str) else None

    return message


def _calls(uses: Json) -> list[Json] | None:
    """Calls for the tool uses of the old form; those that are today's already stay as they are."""
    if not isinstance(uses, list):
        return None
    names = {"tool_name": "name", "tool_input": "args"}
    calls = [{names.get(key, key): item for key, item in use.items()} for use in uses if isinstance(use, dict)]
    fine = len(calls) == len(uses) and all(call.keys() <= {"name", "args"} and "name" in call for call in calls)
    return calls if fine else None


def _responses(said: Json) -> list[Json] | None:
    """Intermediate responses for those of the old form."""
    if not isinstance(said, list):
        return None
    fine = all(isinstance(item, dict) and item.keys() == {"author", "text"} for item in said)
    return [[item["author"], [{"text": item["text"]}]] for item in said] if fine else None


_TODAYS: Mapping[str, tuple[str, Callable[[Json], Json]]] = {
    "query": ("user_content", _message("user")),
    "reference": ("final_response", _message("model")),
    "expected_tool_use": ("intermediate_data", _calls),
    "expected_intermediate_agent_responses": ("intermediate_data", _responses),
}
"""Today's key for each old one, and how to write its value, None if that takes judgement."""


def _hints(old: Sequence[str]) -> Iterator[str]:
    """What to write for old keys, those that go into the same object together."""
    yield from (_HINTS[key] for key in TURN_KEYS[:2] if key in old)
    inside = [_HINTS[key] for key in TURN_KEYS[2:] if key in old]
    if inside:
        yield f'"intermediate_data": {{{", ".join(inside)}}}'
