"""Brackets of a text that is not JSON: one too few, one too many, or the wrong one.

Where a parser stops says little about that: the place may be lines behind the cause. So every repair that is likely is
tried, and the one that lets a parser read on the furthest names the cause.
"""

import re
from collections.abc import Iterator, Sequence

from evalkit.formats.json_faults.fault import Fault
from evalkit.formats.json_faults.layout import by_layout
from evalkit.formats.json_faults.nesting import CLOSING, TOKENS, named, opened_before, opener_of
from evalkit.formats.json_faults.repairs import Repair, best, mending

_STRING_BEFORE = re.compile(r'"(?:[^"\\\n]|\\.)*"\s*\Z')
_KEY_BEFORE = re.compile(r'"(?:[^"\\\n]|\\.)*"\s*:\s*\Z')


def truncated(text: str) -> Fault:
    """Name the bracket that is still open where the text ends, or the one whose other half is missing before."""
    opened = opened_before(text, len(text))
    end = len(text.rstrip())
    if not opened:
        return Fault(end, "the file ends in the middle of a value", "it may have been cut off")
    message = f"the file ends before the {named(text, opened[-1])} is closed"
    cut = Fault(end, message, "close it; the file may have been cut off")
    return mending(text, by_layout(text, end)) or cut


def wrong_bracket(text: str, offset: int) -> Fault:
    """Explain a closing bracket that does not close the innermost one that is open."""
    opened, found = opened_before(text, offset), text[offset]
    nothing = Repair(offset, offset + 1, "", Fault(offset, f"this {found} closes nothing", "remove it"))
    closing = [*_missing_before(text, offset, opened), *_other_bracket(text, offset, opened)]
    # Of two that stand side by side one is too many; one that begins a line closes what was meant to be open.
    ends = [nothing, *_list_without_start(text, offset)]
    side_by_side = text[offset - 1] in "}]"
    ends = ends if side_by_side else ends[::-1]
    repairs = [*_doubled(text, opened), *by_layout(text, offset), *closing, *ends]
    return best(text, offset, repairs) or [*closing, nothing][0].fault


def key_in_list(text: str, offset: int) -> Fault | None:
    """Explain a colon that stands behind a string in a list, as if that were a key; None if it does not."""
    opened = opened_before(text, offset)
    if not opened or text[opened[-1]] != "[" or not _is_behind_string(text, offset):
        return None
    repairs = [*_key_repairs(text, offset, opened[-1])]
    likelier = [*_doubled(text, opened), *by_layout(text, offset)]
    return best(text, offset, [*likelier, *repairs]) or repairs[-1].fault


def key_for_value(text: str, offset: int) -> Fault | None:
    """Explain a colon that stands behind a string in an object, as if that were a key and no value."""
    if not _is_behind_string(text, offset):
        return None
    *_, start = (token.start() for token in TOKENS.finditer(text, 0, offset) if token[0].startswith('"'))
    key = _KEY_BEFORE.search(text, max(0, start - _LONGEST_KEY), start)
    fault = Fault(
        key.start() if key else start, "an object stands behind this key and lacks its bracket", "write { before it"
    )
    return mending(text, [Repair(start, start, "{", fault)])


def object_for_key(text: str, offset: int) -> Fault | None:
    """Explain an object that stands where a key should, if that is because of another bracket."""
    end = len(text[:offset].rstrip())
    if text[end - 1 : end] == "{":
        if found := best(text, offset, [*_doubled(text, opened_before(text, offset))]):
            return found
        fault = Fault(end - 1, "a list stands here and begins with {", "write [ in place of this {")
        return best(text, offset, [Repair(end - 1, end, "[", fault)])
    end = len(text[:end].removesuffix(",").rstrip())
    if text[end - 1 : end] not in {"}", "]"}:
        return None
    start = opener_of(text, end - 1)
    opened = opened_before(text, offset)
    several = Fault(start, "several objects stand here and no list around them", f"write [ before this {text[start]}")
    unclosed = Fault(end, f"the {named(text, opened[-1])} is not closed before the next object", "write } here")
    repairs = [Repair(end, end, "}", unclosed), Repair(start, start, "[", several)]
    return best(text, offset, [*by_layout(text, offset), *repairs])


def no_start(text: str, offset: int) -> Fault | None:
    """Explain a closing bracket in the place of a value, if only the opening one before it is missing."""
    opening = {"}": "{", "]": "["}.get(text[offset], "")
    if not opening or not _KEY_BEFORE.search(text, max(0, offset - _LONGEST_KEY), offset):
        return None
    fault = Fault(
        offset, f"this {text[offset]} has no {opening} before it", f"write {opening}{text[offset]}, or the value"
    )
    return mending(text, [Repair(offset, offset, opening, fault)])


def early_end(text: str, offset: int) -> Fault | None:
    """Explain why there is more text behind the whole value, if that is because of a bracket."""
    repairs = by_layout(text, offset)
    end = len(text[:offset].rstrip())
    rest = text[offset:].removeprefix(",").lstrip()
    if text[offset] == ":" and text.lstrip().startswith('"'):
        fault = Fault(0, "the object lacks its bracket", "write { before it")
        return mending(text, [Repair(0, 0, "{", fault)])
    if text[offset] == "," and rest.startswith("{"):
        hint = "write [ before the first and ] after the last"
        return Fault(offset, "several objects stand here and no list around them", hint)
    if text[offset] in "}]":
        nothing = Fault(offset, f"this {text[offset]} closes nothing", "remove it")
        return mending(text, repairs) or nothing
    if text[end - 1 : end] not in {"}", "]"} or not rest.startswith('"'):
        return None
    fault = Fault(end - 1, f"this {text[end - 1]} ends the whole value, and more follows", "remove it")
    return mending(text, repairs) or best(text, offset, [Repair(end - 1, end, "", fault)])


_LONGEST_KEY = 200
"""So many characters before a value may be its key."""


def _is_behind_string(text: str, offset: int) -> bool:
    """Whether what stands before a place is a string, as a key is."""
    return _STRING_BEFORE.search(text, max(0, offset - _LONGEST_KEY), offset) is not None


def _missing_before(text: str, offset: int, opened: Sequence[int]) -> Iterator[Repair]:
    """Yield the repair for brackets that should be closed before this closing one, which closes one further out."""
    missing = ""
    for start in reversed(opened):
        if CLOSING[text[start]] == text[offset]:
            message = f"the {named(text, opened[-1])} is not closed before this {text[offset]}"
            yield Repair(offset, offset, missing, Fault(offset, message, f"write {missing} before it"))
            return
        missing += CLOSING[text[start]]


def _doubled(text: str, opened: Sequence[int]) -> Iterator[Repair]:
    """Yield the repair for an opening bracket that stands twice."""
    if opened and text[opened[-1] + 1] == text[opened[-1]]:
        start = opened[-1]
        yield Repair(start, start + 1, "", Fault(start, f"this {text[start]} is one too many", "remove it"))


def _other_bracket(text: str, offset: int, opened: Sequence[int]) -> Iterator[Repair]:
    """Yield the repair for a closing bracket of the wrong kind."""
    if not opened:
        return
    start = opened[-1]
    meant = CLOSING[text[start]]
    fault = Fault(offset, f"the {named(text, start)} is closed by this {text[offset]}", f"write {meant}")
    yield Repair(offset, offset + 1, meant, fault)


def _list_without_start(text: str, offset: int) -> Iterator[Repair]:
    """Yield the repair for a list that ends here and lacks the bracket before its one item."""
    end = len(text[:offset].rstrip())
    if text[offset] != "]" or text[end - 1 : end] not in {"}", "]"}:
        return
    start = opener_of(text, end - 1)
    fault = Fault(start, "the list that begins here lacks its bracket", f"write [ before this {text[start]}")
    yield Repair(start, start, "[", fault)


def _key_repairs(text: str, colon: int, opened: int) -> Iterator[Repair]:
    """Yield what may have put a key into a list, the likeliest first."""
    *_, key = (token.start() for token in TOKENS.finditer(text, opened + 1, colon) if token[0].startswith('"'))
    before = len(text[:key].rstrip().removesuffix(",").rstrip())
    if before == opened + 1:
        fault = Fault(opened, "an object stands here and begins with [", "write { in place of this [")
        yield Repair(opened, opened + 1, "{", fault)
    elif text[before - 1] == "}":
        fault = Fault(before - 1, "this } is one too many: the key behind it stands in a list", "remove it")
        yield Repair(before - 1, before, "", fault)
    if before > opened + 1:
        fault = Fault(before, f"the {named(text, opened)} is not closed before the next key", "write ] here")
        yield Repair(before, before, "]", fault)
    yield Repair(key, key, "{", Fault(key, "a key stands in a list", "write { before it"))
