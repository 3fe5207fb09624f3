"""Choosing cases: `file:case,case` selectors, names and the beginnings of names, `-k` expressions."""

import difflib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evalkit.cases import Case
from evalkit.errors import SelectionError

_SHOWN = 10
"""How many ids are listed where none is near."""


_NUMBERED = re.compile(r"\[\d+\]$")

CaseKey = tuple[str, str]
"""A case by its file and its id."""


@dataclass(frozen=True, slots=True)
class Selector:
    """A path with the case ids asked for; no ids mean all. In a folder they may be the beginnings of ids."""

    path: Path
    ids: tuple[str, ...] = ()


def parse_selector(text: str) -> Selector:
    """Read `PATH` or `PATH:case,case`; of several colons the last one after which a path is left begins the ids.

    Raises:
        SelectionError: The path does not exist.
    """
    ends = [len(text), *(place for place in reversed(range(len(text))) if text[place] == ":")]
    end = next((end for end in ends if text[:end] and _exists(text[:end])), None)
    if end is None:
        raise SelectionError(f"{text}: no such file or folder{_nearest(text)}")
    ids = tuple(part.strip() for part in text[end:].lstrip(":").split(",") if part.strip())  # `::` as in pytest
    if text[end:] and not ids:
        raise SelectionError(f"{text}: no case id after the colon")
    return Selector(Path(text[:end]), ids)


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except OSError:  # longer than a name may be: a list of ids, and no path
        return False


def _nearest(text: str) -> str:
    """Point at the neighbour that a path which is not there may mean."""
    path = Path(text.partition(":")[0])
    if not path.name or not _exists(str(path.parent)):
        return ""
    near = difflib.get_close_matches(path.name, [item.name for item in path.parent.glob("*")], n=1)
    return f"; {_did_you_mean(near)}" if near else ""


def check_ids(file: str, known: Sequence[str], wanted: Sequence[str]) -> None:
    """Make sure that every id asked for is there.

    Raises:
        SelectionError: One is not; the message names the nearest, or the first few if none is near.
    """
    for name in wanted:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=3)
            raise SelectionError(f"{file}: no case {name!r}; {_did_you_mean(near) or _listed(known)}")


def find_named(known: Sequence[CaseKey], name: str) -> tuple[CaseKey, ...]:
    """Find the case that a name means, by its id or the beginning of it.

    A converted case that was made for each of several prompts, `name[0]`, `name[1]` and so on, is meant as a whole by
    its name without the number.

    Args:
        known: File and id of each case.
        name: What the user wrote.

    Raises:
        SelectionError: It means no case, or may mean several; the message lists them.
    """
    exact = [key for key in known if name in (key[1], _without_number(key[1]))]
    found = exact or [key for key in known if key[1].startswith(name)]
    if not found:
        names = [eval_id for _, eval_id in known]
        near = difflib.get_close_matches(name, names, n=3)
        raise SelectionError(f"no case {name!r}; {_did_you_mean(near) or _listed(names)}")
    candidates = list(dict.fromkeys(f"{file}:{_without_number(eval_id)}" for file, eval_id in found))
    if len(candidates) > 1:
        more = f" and {len(candidates) - _SHOWN} more" if len(candidates) > _SHOWN else ""
        shown = ", ".join(candidates[:_SHOWN])
        raise SelectionError(f"{name!r} may be any of {len(candidates)} cases: {shown}{more}; write more of the name")
    return tuple(found)


def _without_number(eval_id: str) -> str:
    return _NUMBERED.sub("", eval_id)


def _did_you_mean(near: Sequence[str]) -> str:
    return f"did you mean {' or '.join(near)}?" if near else ""


def _listed(known: Sequence[str]) -> str:
    if not known:
        return "it has no cases"
    more = f" and {len(known) - _SHOWN} more" if len(known) > _SHOWN else ""
    return f"its cases: {', '.join(known[:_SHOWN])}{more}"


def keyword_filter(expression: str) -> Callable[[str, Case], bool]:
    """Read a `-k` expression as pytest does: words are parts of `file::case` names or tags, with and, or, not, ().

    Of a path outside the current folder only the file and its folder count: what lies above is the machine's business.

    Raises:
        SelectionError: The expression is not well formed.
    """
    tree = _Parser(re.findall(r"[()]|[^\s()]+", expression), expression).whole()
    here = Path.cwd()

    def keep(file: str, case: Case) -> bool:
        names = [f"{_below(here, Path(file))}::{case.eval_id}".lower(), *(tag.lower() for tag in case.tags)]
        return tree(names)

    return keep


def _below(here: Path, file: Path) -> str:
    if file.is_absolute():
        file = file.relative_to(here) if file.is_relative_to(here) else Path(*file.parts[-2:])
    return file.as_posix()


_Test = Callable[[Sequence[str]], bool]


class _Parser:
    """A recursive descent over `or`, `and`, `not`, parentheses and words."""

    def __init__(self, tokens: Sequence[str], expression: str) -> None:
        self._tokens: Iterator[str] = iter(tokens)
        self._expression = expression
        self._next = next(self._tokens, None)

    def whole(self) -> _Test:
        test = self._or()
        if self._next is not None:
            raise self._unexpected()
        return test

    def _take(self) -> str | None:
        token, self._next = self._next, next(self._tokens, None)
        return token

    def _or(self) -> _Test:
        tests = [self._and()]
        while self._next == "or":
            self._take()
            tests.append(self._and())
        return lambda names: any(test(names) for test in tests)

    def _and(self) -> _Test:
        tests = [self._not()]
        while self._next == "and":
            self._take()
            tests.append(self._not())
        return lambda names: all(test(names) for test in tests)

    def _not(self) -> _Test:
        token = self._take()
        if token == "not":  # noqa: S105 - a word of the grammar
            inner = self._not()
            return lambda names: not inner(names)
        if token == "(":  # noqa: S105 - a sign of the grammar
            inner = self._or()
            if self._next is not None and self._next != ")":
                raise self._unexpected()
            if self._take() is None:
                raise self._fault("a closing parenthesis is missing")
            return inner
        if token is None or token in (")", "and", "or"):
            raise self._fault(f"a word was expected, found {repr(token) if token else 'the end'}")
        word = token.lower()
        return lambda names: any(word in name for name in names)

    def _unexpected(self) -> SelectionError:
        return self._fault(f"unexpected {self._next!r}; join words with `and` or `or`")

    def _fault(self, what: str) -> SelectionError:
        return SelectionError(f"-k {self._expression!r}: {what}")
