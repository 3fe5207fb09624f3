"""Routes in use during one case: which one answers, with which of its replies, and which came closest."""

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from evalkit.cases import Json
from evalkit.fakes import CommandReply, CommandRoute, HttpReply, HttpRoute
from evalkit.matching import Members
from evalkit.mocks.below.patterns import command_matcher, http_matcher
from evalkit.mocks.misses import Call, no_match, used_up
from evalkit.traces import Miss

R = TypeVar("R", HttpReply, CommandReply)

View = Mapping[str, Json]
"""What patterns see of a request or a call."""

_INPUT = ("stdin", "stdin_text")


@dataclass(frozen=True, slots=True)
class Asked(Call):
    """A request or a program's call, worded as a message has it; `args` is its view."""

    wording: str

    def __str__(self) -> str:
        return self.wording


class RouteInUse(Generic[R]):
    """A route with the number of times that it has answered; its pattern is compiled when first needed."""

    agent = None
    """Below the tools nobody knows which agent asks."""

    def __init__(self, route: HttpRoute | CommandRoute, replies: Sequence[R], compile_: Callable[[], Members]) -> None:
        self.label = route.label or "a route"
        self.answered = 0
        self.replies: Sequence[R] = replies
        self._repeat_last = route.repeat_last
        self._compile = compile_
        self._gist = _gist(route)

    @cached_property
    def matcher(self) -> Members:
        """What it wants."""
        return self._compile()

    @cached_property
    def before_input(self) -> Members:
        """What it wants of everything but the program's input."""
        return Members({part: wanted for part, wanted in self.matcher.members.items() if part not in _INPUT}, free=True)

    @property
    def reads_input(self) -> bool:
        """Whether it wants anything of the program's input."""
        return len(self.before_input.members) < len(self.matcher.members)

    def next_reply(self) -> R | None:
        """Give the next reply; None once a sequence is used up."""
        if self.answered < len(self.replies):
            reply = self.replies[self.answered]
        elif self.replies and self._repeat_last:
            reply = self.replies[-1]
        else:
            return None
        self.answered += 1
        return reply

    def likeness(self, gist: Sequence[str]) -> float:
        """Say how much the route's own words look like a request's, from 0 to 1; only to find the closest one."""
        return difflib.SequenceMatcher(None, self._gist, gist, autojunk=False).ratio()


def http_route(route: HttpRoute, prefix: str) -> RouteInUse[HttpReply]:
    """Put a route of a service that lives below a path in use."""
    return RouteInUse(route, route.replies, lambda: http_matcher(route.request, prefix))


def command_route(route: CommandRoute) -> RouteInUse[CommandReply]:
    """Put a route of a program in use."""
    return RouteInUse(route, route.replies, lambda: command_matcher(route.call))


def explain(asked: Asked, routes: Sequence[RouteInUse[R]], gist: Sequence[str]) -> Miss:
    """Explain why no route answered; the closest one is among those whose own words look most like the request's.

    Args:
        asked: What was asked.
        routes: All that were tried; at least one.
        gist: The words that say what it is about: method and path, or the arguments.
    """
    likeness = [route.likeness(gist) for route in routes]
    closest = max(likeness)
    return no_match(asked, [route for route, found in zip(routes, likeness, strict=True) if found == closest])


def exhausted(asked: Asked, route: RouteInUse[R]) -> Miss:
    """Explain a request that a route matches whose sequence is at its end."""
    return used_up(asked, route, len(route.replies))


def miss(asked: Asked, message: str) -> Miss:
    """Make a miss that no route came close to."""
    return Miss(
        turn=asked.turn, tool=asked.tool, agent="", args=asked.args, closest=None, differences=(), message=message
    )


def gist_of_path(method: str, path: str) -> list[str]:
    """The words of a request: its path's segments count, its method a little."""
    return [method, *path.strip("/").split("/")]


def _gist(route: HttpRoute | CommandRoute) -> list[str]:
    if isinstance(route, CommandRoute):
        argv = route.call.get("argv")
        return list(map(_word, argv)) if isinstance(argv, list | tuple) else []
    return gist_of_path(_word(route.request.get("method")), _word(route.request.get("path")))


def _word(pattern: Json) -> str:
    """The text that a pattern is or that its operator takes."""
    found = next(iter(pattern.values()), None) if isinstance(pattern, Mapping) else pattern
    return found if isinstance(found, str) else ""
