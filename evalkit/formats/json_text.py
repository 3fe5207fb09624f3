"""JSON text to a document, read as strictly as ADK's own parser reads it, and with more patience for the reader."""

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn

from evalkit.cases import Json
from evalkit.errors import Problem, Splice
from evalkit.formats.documents import MAX_DEPTH, MOCKS_DEPTH, Document, nesting
from evalkit.formats.files import Loaded
from evalkit.formats.paths import JsonPath, write_path
from evalkit.formats.positions import JsonPositions, Lines
from evalkit.formats.text import decode

if TYPE_CHECKING:
    from evalkit.formats.json_faults import Fault

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_MARK = "\ufeff"
"""The byte order mark that some editors begin a file with."""
_MAX_DIGITS = 4300
"""Digits of an integer that Python, and ADK's parser, convert."""


class _BrokenError(Exception):
    """The text is no JSON."""

    def __init__(self, fault: "Fault", rule: str = "bad-json") -> None:
        super().__init__(fault.message)
        self.fault = fault
        self.rule = rule


class _NonFiniteError(ValueError):
    """The text has NaN or an infinity, which JSON has not."""


def parse_json(data: bytes | str, file: str) -> Loaded[Document]:
    """Parse JSON; a repeated key or a byte order mark is an error and does not hide what else is wrong.

    Args:
        data: The file's bytes, or text that was decoded already.
        file: The file as the user named it, for problems.
    """
    whole, problems = decode(data, file)
    if whole is None:
        return Loaded(None, problems)
    text = whole.removeprefix(_MARK)
    marked = len(whole) - len(text)
    try:
        value, repeated = _load(text)
    except _BrokenError as broken:
        fixes = _mending(text, marked) if broken.fault.mechanical else ()
        marks = (_marked(file, fixes=bool(fixes)),) if marked else ()
        return Loaded(None, (*marks, _problem(file, text, broken.rule, broken.fault, fixes)))
    problems = (_marked(file, fixes=True),) if marked else ()
    positions = JsonPositions(text, repeated_keys=repeated)
    document = Document(file, value, positions)
    if repeated:
        problems = (*problems, *document.most(_repeated_keys(file, positions)))
    return Loaded(document, problems)


def object_in_text(text: str) -> dict[str, Json] | None:
    """The object that a text holds as JSON; None if it holds none, or one that ADK's parser would refuse."""
    parsed = parse_json(text, "")
    value = parsed.value.value if parsed.value and not parsed.problems else None
    return value if isinstance(value, dict) else None


def parse_shallow_json(data: bytes | str, file: str) -> Loaded[Document]:
    """Parse JSON that no reader of ADK's but evalkit reads, as deep as a mocks file may be."""
    parsed = parse_json(data, file)
    if parsed.value is None or nesting(parsed.value.value) <= MOCKS_DEPTH + 1:
        return parsed
    problem = parsed.value.problem("too-deep", (), f"the values are nested deeper than {MOCKS_DEPTH} levels")
    return Loaded(None, (*parsed.problems, problem))


def _load(text: str) -> tuple[Json, bool]:
    """Load the text, and tell whether an object has a key twice.

    Raises:
        _BrokenError: The text is no JSON, or JSON that ADK's parser refuses.
    """
    repeated: list[dict[str, Any]] = []

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) != len(pairs):
            repeated.append(value)
        return value

    try:
        value = json.loads(text, object_pairs_hook=members, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise _broken(text, error) from error
    if "\\" in text and _SURROGATE.search(text):
        from evalkit.formats.json_faults import lone_surrogate

        if half := lone_surrogate(text):
            raise _BrokenError(half)
    return value, bool(repeated)


def _broken(text: str, error: ValueError | RecursionError) -> _BrokenError:
    """Find the cause of what the parser raised."""
    from evalkit.formats.json_faults import Fault, explain, non_finite  # most files are JSON, and do not pay for it

    if isinstance(error, _NonFiniteError):
        return _BrokenError(non_finite(text))
    if isinstance(error, json.JSONDecodeError):
        return _BrokenError(explain(text, error.pos, error.msg))
    if isinstance(error, RecursionError):
        fault = Fault(0, f"the values are nested deeper than the {MAX_DEPTH} levels that ADK reads")
        return _BrokenError(fault, "too-deep")
    found = re.search(rf"[0-9]{{{_MAX_DIGITS + 1}}}", text)  # Python refuses an integer with so many digits
    return _BrokenError(Fault(found.start() if found else 0, "the number has too many digits", "write it as a string"))


def _refuse_constant(name: str) -> NoReturn:
    raise _NonFiniteError(name)


def _mending(text: str, marked: int) -> tuple[Splice, ...]:
    """The changes that make JSON of a text, if it is not broken in other ways too.

    Args:
        text: The text without its byte order mark.
        marked: How many characters the mark has.
    """
    from evalkit.formats.json_faults import mechanical

    fixes = [*mechanical(text)]
    pieces: list[str] = []
    done = 0
    for fix in fixes:
        pieces += text[done : fix.start], fix.text
        done = fix.end
    try:
        _load("".join([*pieces, text[done:]]))
    except _BrokenError:
        return ()
    return tuple(Splice(fix.start + marked, fix.end + marked, fix.text) for fix in fixes)


def _marked(file: str, *, fixes: bool) -> Problem:
    """Report a byte order mark, with a fix unless the file would stay unreadable without it."""
    return Problem(
        file=file,
        rule="bad-encoding",
        message="ADK refuses a byte order mark",
        hint="save the file as UTF-8 without a byte order mark",
        line=1,
        column=1,
        fixes=(Splice(0, len(_MARK), ""),) if fixes else (),
    )


def _problem(file: str, text: str, rule: str, fault: "Fault", fixes: tuple[Splice, ...]) -> Problem:
    place = Lines(text).place(fault.offset)
    return Problem(
        file=file,
        rule=rule,
        message=fault.message,
        hint=fault.hint,
        line=place.line,
        column=place.column,
        fixes=fixes,
    )


def _repeated_keys(file: str, positions: JsonPositions) -> Iterator[Problem]:
    """Find every key that its object has already."""
    todo: list[tuple[JsonPath, int]] = [((), positions.start)]
    while todo:
        path, offset = todo.pop()
        first: dict[str | int, int] = {}
        for member in positions.walk(offset):
            todo.append(((*path, member.step), member.value))
            earlier = first.setdefault(member.step, member.key)
            if earlier == member.key:
                continue
            place, line = positions.at(member.key), positions.at(earlier).line
            yield Problem(
                file=file,
                rule="duplicate-key",
                path=write_path((*path, member.step)),
                line=place.line,
                column=place.column,
                message=f"the key `{member.step}` stands already in line {line}, and one of the two is lost",
                hint="keep one of them",
            )
