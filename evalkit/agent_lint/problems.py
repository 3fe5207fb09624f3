"""How the rules here word and place what they find."""

import difflib
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from evalkit.cases import Json
from evalkit.errors import Problem
from evalkit.formats.paths import JsonPath, write_step
from evalkit.formats.rules import RULES
from evalkit.formats.spelling import closest

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
    near = closest(name, known) or next(iter(difflib.get_close_matches(name, sorted(known), n=1)), None)
    if near:
        return near
    longer = [other for other in sorted(known) if name in other or other in name]
    return longer[0] if len(longer) == 1 else None


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
