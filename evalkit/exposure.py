"""Looking for expected texts in all that an agent could see before it answered."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evalkit.cases import Case, Json
from evalkit.results import Exposure
from evalkit.routes import MockSet

_FEWEST_WORDS = 3
"""A shorter text, such as a number or a name, says nothing by standing somewhere."""

_LARGEST = 2_000_000
"""Bytes of a file that are searched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """What an agent could see.

    Attributes:
        case: Its prompt, its earlier events, and the state and the environment that it brings.
        base: The folder of its evalset.
        mocks: What its tools answered with.
        workdir: Where it was played; None if that is not known.
        staged: Whether the working directory was a copy of the case's own folder.
    """

    case: Case
    base: Path
    mocks: tuple[MockSet, ...] = ()
    workdir: str | None = None
    staged: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """What is searched, in words."""
        known = ("working directory",) if self.workdir is not None else ()
        return ("prompt", "state", "environment", *(("mocks",) if self.mocks else ()), *known)

    def texts(self) -> Iterator[tuple[str, str]]:
        """Yield each place with the text that stands there."""
        yield "prompt", "\n".join(_said(self.case))
        yield "state", _flat(self.case.session.state if self.case.session else {})
        variables: Mapping[str, str] = {**os.environ, **(self.case.live.env if self.case.live else {})}
        yield from ((f"environment variable {name}", value) for name, value in variables.items())
        for mocks in self.mocks:
            yield from ((f"mocks, {label}", text) for label, text in _answers(mocks))
        yield from self._files()

    def gold_within_reach(self) -> str | None:
        """Name the gold file if it lies in the working directory."""
        if self.workdir is None or self.case.gold is None:
            return None
        path, folder = (self.base / self.case.gold).resolve(), Path(self.workdir).resolve()
        return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else None

    def _files(self) -> Iterator[tuple[str, str]]:
        """Yield the files of which the working directory was a copy; an empty one has none."""
        live = self.case.live
        gold = (self.base / (self.case.gold or "")).resolve()
        for folder in (live.folder, live.shared) if self.staged and live else ():
            for path in sorted((self.base / folder).rglob("*")) if folder else ():
                if path.is_file() and path.resolve() != gold and path.stat().st_size <= _LARGEST:
                    yield f"working directory, {path.name}", path.read_bytes().decode(errors="replace")


def find_exposed(expected: Sequence[str], places: Places) -> Iterator[Exposure]:
    """Find expected texts, whatever their case and spacing."""
    wanted = {_even(text): text for text in expected if len(text.split()) >= _FEWEST_WORDS}
    for place, text in places.texts() if wanted else ():
        even = _even(text)
        yield from (Exposure(text=wanted[one], place=place) for one in wanted if one in even)
    if (file := places.gold_within_reach()) is not None:
        yield Exposure(text=file, place="working directory, as the gold file itself")


def _even(text: str) -> str:
    return " ".join(text.casefold().split())


def _said(case: Case) -> Iterator[str]:
    yield from (turn.user.text for turn in case.turns or ())
    yield from (_flat(event.content) for event in case.prior_events)


def _answers(mocks: MockSet) -> Iterator[tuple[str, str]]:
    for route in mocks.routes:
        yield route.label, "\n".join(_flat(reply.value) + reply.message for reply in route.replies)
    for tool in mocks.provides:
        yield f"the description of {tool.name}", tool.description


def _flat(value: Json) -> str:
    """Write a JSON value as text, strings inside it with their own line breaks."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return "\n".join(f"{key}: {_flat(item)}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return "\n".join(map(_flat, value))
    return json.dumps(value)
