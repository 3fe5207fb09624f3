"""Plain cases: those of which no rule of `lint` has anything to say but that an id stands twice.

Most cases are: turns of text, each with its answer and its calls, whose arguments are written out and shallow. `check`
reads one of them for all, because whatever a criterion needs, either each of them has it or none; that takes a third of
the time. Whoever plays or scores cases reads them whole. A test holds that both ways find the same.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache

import jsonschema_rs

from evalkit.cases import Json
from evalkit.formats.contents import JsonObject
from evalkit.formats.faults import Schema


def _closed(properties: Schema, optional: Schema | None = None) -> Schema:
    """An object with some keys, some that it may have, and no other."""
    return {
        "type": "object",
        "properties": {**properties, **(optional or {})},
        "required": [*properties],
        "additionalProperties": False,
    }


_SCALAR: Schema = {"type": ["string", "number", "boolean", "null"]}
_SHALLOW: Schema = {
    "type": "object",
    "additionalProperties": {
        "type": ["string", "number", "boolean", "null", "array", "object"],
        "items": _SCALAR,
        "additionalProperties": _SCALAR,
    },
}
_PARTS: Schema = {"type": "array", "items": _closed({"text": {"type": "string", "pattern": "\\S"}}), "minItems": 1}
_MESSAGE = _closed({"parts": _PARTS}, {"role": True})
_CALL = _closed({"name": True, "args": _SHALLOW}, {"id": True})
_REPLY = _closed({"name": {"type": "string"}, "response": _SHALLOW}, {"id": True})
_DATA = _closed(
    {"tool_uses": {"items": _CALL}},
    {"tool_responses": {"items": _REPLY}, "intermediate_responses": {"maxItems": 0}},
)
_TURN = _closed(
    {"user_content": _MESSAGE, "final_response": _MESSAGE, "intermediate_data": _DATA},
    {"invocation_id": True, "creation_timestamp": True},
)
_SESSION = _closed({"app_name": True, "user_id": True}, {"state": _SHALLOW})
_CASE = _closed(
    {"eval_id": True, "conversation": {"type": "array", "items": _TURN}},
    {"session_input": _SESSION, "creation_timestamp": True},
)
"""A plain case, among those that the evalset schema accepts."""


def are_plain(cases: Sequence[JsonObject]) -> list[bool]:
    """Tell of each case that the evalset schema accepts whether it is plain."""
    return list(map(_validator().is_valid, cases))


def telling(cases: Sequence[JsonObject], plain: Sequence[bool]) -> list[int]:
    """Choose the cases that rules may have something to say of, and one plain one that stands for all.

    Args:
        cases: All cases of a file.
        plain: Which of them are.
    """
    ids: list[Json] = [case.get("eval_id", case.get("evalId")) for case in cases]
    times = Counter(ids)
    first = plain.index(True) if True in plain else None
    return [index for index, name in enumerate(ids) if not plain[index] or index == first or times[name] > 1]


@cache
def _validator() -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(dict(_CASE))
