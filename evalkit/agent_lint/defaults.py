"""Arguments that the prompt states and the expectation leaves out, because they equal the tool's default.

A model passes what it is told, so the call that it makes has one argument more than the expected one. A number counts
as stated where it stands beside a word for the argument (`the last 100 lines`) or, for an argument in a unit of time,
where the prompt speaks of a period of that length (`the last hour` for 60 minutes).
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise

from evalkit.agent_lint import words
from evalkit.agent_lint.known import as_number
from evalkit.agent_lint.problems import below, problem, shortened
from evalkit.agent_lint.scene import OwnedCall, OwnedTurn, Scene
from evalkit.cases import Json
from evalkit.errors import Problem
from evalkit.models.docstrings import argument_notes
from evalkit.models.facts import ToolFacts

_TOKEN = re.compile(r"[^\s,;?!()\"'`]+")
_SMALL = """
a all an and any are at be by each every for from how in is it its least many maximum minimum most much number of on or
out over return the this time to up with
"""
_SMALL_WORDS = frozenset(_SMALL.split())
"""Words of notes on arguments that say nothing of what the argument counts."""

_LINKS = frozenset({"=", ":", "as", "at", "by", "for", "in", "is", "of", "on", "per", "to"})
"""What may stand between a word and its number: `a limit of 100`."""


def stated_defaults(scene: Scene) -> Iterator[Problem]:
    """Report each argument that the prompt states and the expected call lacks."""
    for owned_turn in scene.turns:
        prompt = owned_turn.turn.user.text
        used = [value for owned in owned_turn.calls for value in owned.call.args.values()]
        for owned in owned_turn.calls if prompt else ():
            tools = scene.fitting(owned)
            absent = _left_out(owned_turn, owned, tools[0]) if len(tools) == 1 else {}
            said = {
                name: words_for
                for name, default in absent.items()
                if not _passed(default, used) and (words_for := _as_stated(prompt, name, default, tools[0]))
            }
            for name, words_for in said.items():
                if [*said.values()].count(words_for) == 1:  # else nobody can tell which argument is meant
                    yield _problem(scene, owned, name, absent[name], words_for)


def noted(tool: ToolFacts, name: str) -> list[str]:
    """Return the words by which the docstring says what an argument is."""
    note = re.split(r"[.;:]", argument_notes(tool.docstring).get(name, ""), maxsplit=1)[0]
    return words.words(note)


def _left_out(owned_turn: OwnedTurn, owned: OwnedCall, tool: ToolFacts) -> dict[str, Json]:
    """Return the defaults of the arguments that the expected call lacks."""
    rule = owned_turn.turn.expect.trajectory
    given = {*owned.call.args, *(rule.replaced(owned.call.name) if rule else ())}
    return {name: default for name, default in tool.defaults.items() if name not in given}


def _passed(default: Json, used: list[Json]) -> bool:
    """Tell whether the value is that of another argument, which it was then stated for."""
    length = words.period(default) if isinstance(default, str) else None
    if length is not None:
        return any(isinstance(value, str) and words.period(value) == length for value in used)
    return any(type(value) is type(default) and value == default for value in used)


def _as_stated(prompt: str, name: str, default: Json, tool: ToolFacts) -> str | None:
    """Return the words by which the prompt states an argument's default; None if it does not."""
    asks_for = words.parts(name)
    number = as_number(default)
    length = words.period(default) if isinstance(default, str) else None
    if number is not None and not isinstance(default, str):
        unit = words.unit_of(asks_for)
        said = _period(prompt, number * unit) if unit else None
        return said or _counted(prompt, number, {*asks_for, *noted(tool, name)})
    if length is not None:
        return _period(prompt, length)
    return _named(prompt, default, asks_for) if isinstance(default, str) else None


def _period(prompt: str, seconds: Decimal) -> str | None:
    return next((said for said, length in words.periods(prompt) if length == seconds), None)


def _counted(prompt: str, number: Decimal, related: set[str]) -> str | None:
    """Find the number close to one of the related words: `100 lines`, `100 log lines`, `a limit of 100`."""
    wanted = {words.stem(word) for word in related} - _SMALL_WORDS
    tokens = [token.rstrip(".:") for token in _TOKEN.findall(prompt)]
    for index in (index for index, token in enumerate(tokens) if as_number(token) == number):
        for first, last in ((index, index + 1), (index - 1, index), (index, index + 2), (index - 2, index)):
            between = tokens[first + 1 : last] if first >= 0 and last < len(tokens) else None
            if between is None or (between and (between[0].lower() in _LINKS) == (first == index)):
                continue  # before the word only a link may stand, behind the number anything but a link
            if words.stem(tokens[last if first == index else first].lower()) in wanted:
                return " ".join(tokens[first : last + 1])
    return None


def _named(prompt: str, default: str, asks_for: list[str]) -> str | None:
    """Find a text right before or behind a word of the argument's name: `the default namespace`."""
    wanted = {words.stem(word) for word in asks_for} - _SMALL_WORDS
    tokens = [token.rstrip(".:") for token in _TOKEN.findall(prompt)]
    for first, second in pairwise(tokens):
        for value, word in ((first, second), (second, first)):
            if value.casefold() == default.casefold() and words.stem(word.lower()) in wanted:
                return f"{first} {second}"
    return None


def _problem(scene: Scene, owned: OwnedCall, name: str, default: Json, said: str) -> Problem:
    message = (
        f'the prompt says "{shortened(said)}", so the model passes `{name}`; the expected call of'
        f" `{owned.call.name}` leaves it out, as if its default were not stated"
    )
    value = f'"{default}"' if isinstance(default, str) else default
    return problem("stated-default", scene.file, below(owned.call.where, "args"), message, f'add "{name}": {value}')
