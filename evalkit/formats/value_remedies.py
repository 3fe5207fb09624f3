"""What a value stands for that has another type than its place: a text for a list of texts, an object for a list."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from evalkit.cases import Json
from evalkit.formats.faults import Fault, fits
from evalkit.formats.json_text import object_in_text
from evalkit.formats.paths import JsonPath
from evalkit.formats.response_forms import text_for_pattern
from evalkit.formats.spelling import only, to_snake

_ROLES = {"user_content": "user", "final_response": "model"}
_WORD = re.compile(r"[\w.:/-]+")
_LONGEST = 60
"""Characters of a value that a hint writes out."""


class Meant(NamedTuple):
    """What a value stands for, and whether that is sure enough to be written unasked."""

    value: Json
    sure: bool


def remedies(fault: Fault, options: Sequence[str]) -> Iterator[Json]:
    """What the value must be, if that is plain: the word that was mistyped, the message whose text stands alone.

    Args:
        fault: What is wrong with it.
        options: The words that it may be, where they can be counted.
    """
    if fault.keyword == "type" and isinstance(fault.value, dict | list) and fault.path:
        yield from _meant_by_container(to_snake(str(fault.path[-1])), fault.value)
    if not isinstance(fault.value, str):
        return
    if fault.keyword in {"enum", "pattern"}:
        meant = only(fault.value, options)
        if meant:
            yield meant
    elif fault.keyword == "type" and fault.path:
        yield from _meant_by_text(fault.path, fault.value)


def listed_value(schema_name: str, fault: Fault, parent: Json) -> Meant | None:
    """Tell which list is meant by a single item in its place.

    Args:
        schema_name: The schema of the file.
        fault: What is wrong with the item.
        parent: What it stands in.
    """
    item = fault.value
    if fault.keyword != "type" or "array" not in fault.operand or not isinstance(item, str | dict):
        return None
    names = [name.strip() for name in item.split(",")] if isinstance(item, str) else []
    if len(names) > 1 and all(map(_WORD.fullmatch, names)) and fits(schema_name, fault.holder, names):
        return Meant(names, sure=False)
    if not item or not fits(schema_name, fault.holder, [item]):
        return None
    # Of several texts in a list of lists nobody can tell whether they are one list or many.
    alone = not isinstance(parent, list) or len(parent) == 1
    return Meant([item], sure=alone and isinstance(item, str) and _WORD.fullmatch(item) is not None)


def hint_for_type(fault: Fault, meant: Meant | None) -> str | None:
    """Say what to write in place of a value of the wrong type."""
    if meant is not None:
        written = json.dumps(meant.value, ensure_ascii=False)
        return f"write {written}" if len(written) <= _LONGEST else "write it as a list: […]"
    if isinstance(fault.value, dict) and fault.owner.get("title") == "a response rule":
        rule = next(step for step in reversed(fault.path) if isinstance(step, str))
        return text_for_pattern(rule, fault.value)
    return None


def _meant_by_text(path: JsonPath, text: str) -> Iterator[Json]:
    """What a text stands for where a message, its parts or a call's arguments should be."""
    key = to_snake(str(path[-1]))
    if key in _ROLES:
        yield {"role": _ROLES[key], "parts": [{"text": text}]}
    elif key == "parts":
        yield [{"text": text}]
    elif path[-2:-1] == ("parts",):
        yield {"text": text}
    elif key == "args" and (args := object_in_text(text)) is not None:
        yield args


def _meant_by_container(key: str, value: dict[str, Json] | list[Json]) -> Iterator[Json]:
    """What an object stands for where a list should be, or the other way round: the two that are plain."""
    if isinstance(value, list):
        if key == "intermediate_data" and all(isinstance(item, dict) and "name" in item for item in value):
            yield {"tool_uses": value}
        elif key in _ROLES and len(value) == 1 and isinstance(value[0], dict) and "parts" in value[0]:
            yield value[0]
    elif (key == "parts" and "text" in value) or (key == "tool_uses" and "name" in value):
        yield [value]
