"""Why a call was not answered: the closest mock, and everything in which the call differs from it."""

import difflib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from evalkit.cases import Json
from evalkit.matching import Members, show
from evalkit.traces import Miss

_MOST_NAMED = 5
"""Mocks, tools or differences that a message names; a message with more than these is not read."""


class Mock(Protocol):
    """What a miss reads of a route or a recorded reply."""

    @property
    def label(self) -> str:
        """What a message calls it."""

    @property
    def agent(self) -> str | None:
        """The agent whose calls it answers; None for any."""

    @property
    def matcher(self) -> Members:
        """What it wants of the arguments."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call as it reached the backend."""

    agent: str
    tool: str
    args: Mapping[str, Json]
    turn: int

    def __str__(self) -> str:
        args = ", ".join(f"{name}={show(value, 60)}" for name, value in self.args.items())
        return f"{self.agent} called {self.tool}({args})"


def no_match(call: Call, mocks: Sequence[Mock]) -> Miss:
    """Explain a call of a tool that has mocks, none of which matches."""
    closest, differences = _closest(call, mocks)
    others = [_name(mock) for mock in mocks if mock is not closest]
    beside = f"; {call.tool} also has {', '.join(others)}" if 0 < len(others) <= _MOST_NAMED else ""
    message = f"{call}, which no mock answers: the closest is {closest.label} ({_listed(differences, '; ')}){beside}"
    return _miss(call, message, closest.label, differences)


def used_up(call: Call, route: Mock, replies: int) -> Miss:
    """Explain a call that matches a route whose sequence is at its end."""
    times = "its one reply is" if replies == 1 else f"its {replies} replies are"
    difference = f"sequence exhausted: {times} used up"
    message = f"{call}, which {route.label} matches, but {times} used up (add one, or set repeat_last: true)"
    return _miss(call, message, route.label, (difference,))


def no_mock(call: Call, tools: Collection[str]) -> Miss:
    """Explain a call of a tool that no mock names; `tools` are those that have mocks."""
    similar = difflib.get_close_matches(call.tool, tools, n=3)
    if similar:
        remedy = f"did you mean {' or '.join(similar)}?"
    elif tools:
        remedy = f"there are mocks for {_listed(sorted(tools), ', ')}"
    else:
        remedy = "there are no tool mocks at all"
    return _miss(call, f"{call}, but no mock names {call.tool}: {remedy}", None, ())


def _closest(call: Call, mocks: Sequence[Mock]) -> tuple[Mock, tuple[str, ...]]:
    """Find the mock with the fewest differences; among equals one that this agent may use, then the first."""
    compared = [(mock, _differences(call, mock)) for mock in mocks]
    return min(compared, key=lambda pair: (len(pair[1]), pair[0].agent not in (None, call.agent)))


def _differences(call: Call, mock: Mock) -> tuple[str, ...]:
    wrong_agent = () if mock.agent in (None, call.agent) else (f"agent: wanted {mock.agent}, found {call.agent}",)
    return (*wrong_agent, *map(str, mock.matcher.differences(call.args, "$")))


def _name(mock: Mock) -> str:
    return f"{mock.label} {mock.matcher.listing()}" if mock.matcher.members else mock.label


def _listed(names: Sequence[str], separator: str) -> str:
    rest = len(names) - _MOST_NAMED
    return separator.join(names[:_MOST_NAMED]) + (f"{separator}{rest} more" if rest > 0 else "")


def _miss(call: Call, message: str, closest: str | None, differences: tuple[str, ...]) -> Miss:
    return Miss(
        turn=call.turn,
        tool=call.tool,
        agent=call.agent,
        args=call.args,
        closest=closest,
        differences=differences,
        message=message,
    )
