"""The rules for a mocks file alone: routes that never answer, and replies that are not what they look like."""

import builtins
from collections.abc import Iterator, Mapping
from functools import cache

from evalkit.errors import Problem
from evalkit.formats.spelling import squeeze
from evalkit.lint.problems import fault
from evalkit.routes import MockSet, Reply, Route, reply_faults

_FILE = "$file"
_ALIKE = 0.9
"""How alike a name and that of an exception must be, from 0 to 1, for one to be a slip in the other."""
_MOST_COMPARED = 100
"""So many earlier routes of a tool are compared with a later one; a file with more was not written by hand."""


def shadowed_routes(mocks: MockSet) -> Iterator[Problem]:
    """Find routes that never answer, since an earlier one of the same tool and agent takes all their calls.

    An earlier route keeps its calls also when its sequence is used up. A route of an agent and one of all agents are
    left alone: the others' calls reach the second. So are those of two files, which not every case is played with.
    """
    earlier: dict[tuple[str | None, str], list[Route]] = {}
    for route in mocks.routes:
        before = earlier.setdefault((route.agent, route.tool), [])
        if first := _shadowing(before, route):
            yield fault("shadowed-route", mocks.file, route.where, _never(first), _apart(first, route))
        elif len(before) < _MOST_COMPARED:
            before.append(route)


def misspelt_exceptions(mocks: MockSet) -> Iterator[Problem]:
    """Find exceptions under a name that is almost that of a built-in one."""
    for reply in _replies(mocks):
        meant = _misspelt(reply) if reply.raises is not None else None
        if meant:
            message = f"Python has no exception `{reply.raises}`, so a new one of that name is raised"
            yield fault("misspelt-exception", mocks.file, f"{reply.where}.type", message, f"did you mean `{meant}`?")


def unread_references(mocks: MockSet) -> Iterator[Problem]:
    """Find replies that name a file in a way in which none is read."""
    for reply in _replies(mocks):
        value = reply.value
        if isinstance(value, Mapping) and value.keys() == {_FILE} and isinstance(value[_FILE], str):
            message = f"`{_FILE}` is not read here, so the tool answers with this object itself"
            hint = f"write `returns_file: {value[_FILE]}` in place of `returns`"
            yield fault("unread-reference", mocks.file, reply.where, message, hint)


def _replies(mocks: MockSet) -> Iterator[Reply]:
    return (reply for route in mocks.routes for reply in route.replies)


def _shadowing(earlier: list[Route], route: Route) -> Route | None:
    if not earlier:
        return None
    from evalkit.matching.covering import covers_args  # a tool with one route, as most have, does not pay for it

    return next((first for first in earlier if covers_args(first.args, route.args)), None)


def _never(first: Route) -> str:
    message = f"{first.label} comes first and takes all calls of this route, which never answers"
    if first.repeat_last or first.passthrough:
        return message
    return f"{message}: once the sequence there is used up, a call is a miss"


def _apart(first: Route, route: Route) -> str:
    if (first.args or {}) == (route.args or {}):
        return "keep one of the two, or write both replies as one `sequence`"
    return "move this route above it" if not first.args else "move this route above it, or let the two take other calls"


def _misspelt(reply: Reply) -> str | None:
    """Return the built-in exception that is almost called so; a dotted path is a name of somebody else's."""
    name = (reply.raises or "").removeprefix("builtins.")
    if "." in name or name in _exceptions().values():
        return None
    import difflib  # only a mock that raises what is not built in pays for it

    near = difflib.get_close_matches(squeeze(name), _exceptions(), n=1, cutoff=_ALIKE)
    return _exceptions()[near[0]] if near else None


@cache
def _exceptions() -> Mapping[str, str]:
    """The names of the built-in exceptions that a mock can raise, in order of their squeezed form."""
    names = [name for name, kind in vars(builtins).items() if isinstance(kind, type) and issubclass(kind, Exception)]
    return {squeeze(name): name for name in sorted(names) if not reply_faults(Reply(raises=name))}
