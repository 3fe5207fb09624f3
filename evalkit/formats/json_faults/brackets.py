"""Brackets of a text that is not JSON: one too few, one too many, or the wrong one.

Where a parser stops says little about that: the place may be lines behind the cause. So every repair that is likely is
tried, and the one that lets a parser read on the furthest names the cause.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from evalkit.formats.json_faults.fault import Fault
from evalkit.formats.positions import Lines

_TOKENS = re.compile(r'"(?:[^"\\\n]|\\.)*"?|[{}\[\]]')
_CLOSING = {"{": "}", "[": "]"}
_LONG = 4_000_000
"""Characters of a text in which repairs are no longer tried: the first is taken."""


class _RepeatedKeyError(Exception):
    """An object has a key twice."""


class _Repair(NamedTuple):
    """Other characters in place of those from `start` to before `end`, and the fault that this would mend."""

    start: int
    end: int
    text: str
    fault: Fault


def truncated(text: str) -> Fault:
    """Name the bracket that is still open where the text ends."""
    opened = _opened(text, len(text))
    end = len(text.rstrip())
    if not opened:
        return Fault(end, "the file ends in the middle of a value", "it may have been cut off")
    message = f"the file ends before the {_named(text, opened[-1])} is closed"
    return Fault(end, message, "close it; the file may have been cut off")


def wrong_bracket(text: str, offset: int) -> Fault:
    """Explain a closing bracket that does not close the innermost one that is open."""
    return _best(text, offset, _closing_repairs(text, offset))


def key_in_list(text: str, offset: int) -> Fault | None:
    """Explain a colon that stands behind a string in a list, as if that were a key; None if it does not."""
    opened = _opened(text, offset)
    if not opened or text[opened[-1]] != "[":
        return None
    return _best(text, offset, _key_repairs(text, offset, opened[-1]))


def object_for_key(text: str, offset: int) -> Fault | None:
    """Explain an object that stands where a key should, if that is because a list lacks its bracket."""
    end = len(text[:offset].rstrip().removesuffix(",").rstrip())
    if text[end - 1 : end] != "}":
        return None
    start = _opened(text, end - 1)[-1]
    fault = Fault(start, "several objects stand here and no list around them", "write [ before this {")
    return _first_that_helps(text, offset, [_Repair(start, start, "[", fault)])


def early_end(text: str, offset: int) -> Fault | None:
    """Explain why there is more text behind the whole value, if that is because of a bracket."""
    if text[offset] in "}]":
        return Fault(offset, f"this {text[offset]} closes nothing", "remove it")
    end = len(text[:offset].rstrip())
    rest = text[offset:].removeprefix(",").lstrip()
    if text[offset] == "," and rest.startswith("{"):
        hint = "write [ before the first and ] after the last"
        return Fault(offset, "several objects stand here and no list around them", hint)
    if text[end - 1 : end] not in {"}", "]"} or not rest.startswith('"'):
        return None
    fault = Fault(end - 1, f"this {text[end - 1]} ends the whole value, and more follows", "remove it")
    return _first_that_helps(text, offset, [_Repair(end - 1, end, "", fault)])


def _closing_repairs(text: str, offset: int) -> Iterator[_Repair]:
    """Yield what may be meant by a closing bracket that is not the one that should come."""
    opened, found = _opened(text, offset), text[offset]
    missing: list[str] = []
    for start in reversed(opened):
        if _CLOSING[text[start]] == found:
            message = f"the {_named(text, opened[-1])} is not closed before this {found}"
            fault = Fault(offset, message, f"write {''.join(missing)} before it")
            yield _Repair(offset, offset, "".join(missing), fault)
            break
        missing.append(_CLOSING[text[start]])
    if opened:
        meant = _CLOSING[text[opened[-1]]]
        fault = Fault(offset, f"the {_named(text, opened[-1])} is closed by this {found}", f"write {meant}")
        yield _Repair(offset, offset + 1, meant, fault)
    yield _Repair(offset, offset + 1, "", Fault(offset, f"this {found} closes nothing", "remove it"))


def _key_repairs(text: str, colon: int, opened: int) -> Iterator[_Repair]:
    """Yield what may have put a key into a list."""
    *_, key = (token.start() for token in _TOKENS.finditer(text, opened + 1, colon) if token[0].startswith('"'))
    yield _Repair(key, key, "{", Fault(key, "a key stands in a list", "write { before it"))
    before = len(text[:key].rstrip().removesuffix(",").rstrip())
    if before > opened + 1:
        fault = Fault(before, f"the {_named(text, opened)} is not closed before the next key", "write ] here")
        yield _Repair(before, before, "]", fault)
        if text[before - 1] == "}":
            fault = Fault(before - 1, "this } is one too many: the key behind it stands in a list", "remove it")
            yield _Repair(before - 1, before, "", fault)


def _best(text: str, offset: int, repairs: Iterable[_Repair]) -> Fault:
    """The fault whose repair leaves the least of the text unread, the last of several; the first if none helps."""
    choices = [*repairs]
    best, start = choices[0], len(text) - offset
    least = start
    for repair in choices if len(text) <= _LONG else ():
        unread = _unread(text, repair)
        if unread < start and unread <= least:
            best, least = repair, unread
    return best.fault


def _first_that_helps(text: str, offset: int, repairs: Iterable[_Repair]) -> Fault | None:
    """The first fault whose repair lets a parser read on, if any does."""
    if len(text) > _LONG:
        return None
    return next((repair.fault for repair in repairs if _unread(text, repair) < len(text) - offset), None)


def _unread(text: str, repair: _Repair) -> int:
    """How many characters a parser leaves unread after a repair; less than none if it reads them all.

    A repair after which an object has a key twice has put together what does not belong together: it leaves everything.
    """
    mended = f"{text[: repair.start]}{repair.text}{text[repair.end :]}"
    try:
        json.loads(mended, object_pairs_hook=_without_repeats)
    except json.JSONDecodeError as error:
        return len(mended) - error.pos
    except (_RepeatedKeyError, RecursionError, ValueError):
        return len(mended)
    return -1


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _RepeatedKeyError
    return value


def _opened(text: str, end: int) -> list[int]:
    """Where the brackets stand that are open at a place, the innermost last."""
    opened: list[int] = []
    for token in _TOKENS.finditer(text, 0, end):
        if token[0] in _CLOSING:
            opened.append(token.start())
        elif token[0] in {"}", "]"} and opened:
            opened.pop()
    return opened


def _named(text: str, start: int) -> str:
    """A bracket and its line."""
    return f"{text[start]} of line {Lines(text).place(start).line}"
