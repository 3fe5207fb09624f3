"""How the rules here word and place what they find."""

import difflib
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from evalkit.agent_lint.words import parts
from evalkit.cases import Json
from evalkit.errors import Problem
from evalkit.formats.likeness import opposed
from evalkit.formats.paths import JsonPath, write_step
from evalkit.formats.rules import RULES
from evalkit.formats.spelling import closest

_CHANGING = frozenset(
    {"add", "create", "delete", "drop", "patch", "remove", "restart", "scale", "set", "stop", "update"}
)
_ALIKE = 0.8
_MOST_LISTED = 12
_LONGEST = 60


def problem(rule: str, file: str, path: str, message: str, hint: str | None = None) -> Problem:
    """Make a problem with the severity of its rule; `evalkit.check` finds the line."""
    return Problem(file=file, rule=rule, path=path, message=message, hint=hint, severity=RULES[rule].severity)


def below(path: str, *steps: str | int) -> str:
    """Go on from a JSON path."""
    return path + "".join(map(write_step, steps))


def leaves(value: Json, path: JsonPath = ()) -> Iterator[tuple[JsonPath, Json]]:
    """Yield what stands at the ends of a JSON value, each with the keys and indices that lead there."""
    if isinstance(value, Mapping | list):
        for step, item in value.items() if isinstance(value, Mapping) else enumerate(value):
            yield from leaves(item, (*path, step))
    else:
        yield path, value


def nearest(name: str, known: Collection[str]) -> str | None:
    """Return the known name that was probably meant: spelled otherwise, mistyped, or a longer or shorter form."""
    fitting = [
        other
        for other in sorted(known)
        if _may_be_meant(parts(name)[:1], parts(other)[:1]) and not opposed(name, other)
    ]
    near = closest(name, fitting) or next(iter(difflib.get_close_matches(name, fitting, n=1)), None)
    if near:
        return near
    longer = [other for other in fitting if name in other or other in name]
    return longer[0] if len(longer) == 1 else None


def _may_be_meant(verb: list[str], other: list[str]) -> bool:
    """Tell whether one verb may have been written for the other: whoever writes delete does not mean get."""
    return _is_slip(verb, other) or _CHANGING.isdisjoint((*verb, *other))


def is_misspelt(name: str, known: Iterable[str]) -> bool:
    """Tell whether a name is a known one with a slip in it, which is more than being like one: each word is alike."""
    return any(_is_slip(parts(name), parts(other)) for other in known)


def _is_slip(one: list[str], other: list[str]) -> bool:
    if len(one) != len(other):
        return False
    pairs = zip(one, other, strict=True)
    return all(a == b or difflib.SequenceMatcher(None, a, b).ratio() >= _ALIKE for a, b in pairs)


def have(names: Collection[str]) -> str:
    """Write `a has` or `a, b have`."""
    return f"{listed(names)} {'has' if len(names) == 1 else 'have'}"


def remedy(name: str, known: Collection[str], what: str) -> str:
    """Say which known name was meant, or which there are.

    Args:
        name: What was written.
        known: The names that there are.
        what: What they are, such as `the agents`.
    """
    near = nearest(name, known)
    return f"did you mean `{near}`?" if near else f"{what}: {listed(sorted(known))}"


def listed(names: Iterable[str]) -> str:
    """List names, the first few of many."""
    every = list(names)
    rest = len(every) - _MOST_LISTED
    return (", ".join(every[:_MOST_LISTED]) or "none") + (f" and {rest} more" if rest > 0 else "")


def shortened(text: Any) -> str:
    """Quote a text in a message, on one line and not too long."""
    line = " ".join(str(text).split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1].rstrip()}…"
