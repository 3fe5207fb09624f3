"""Arguments that the prompt states and the expectation leaves out, though the tool's default is another value.

Only plain statements count: a value right behind the words of the argument's name (`to version 0.8.7`), a date with the
word that goes with it (`since 2026-11-01`), a period (`the last 30 minutes`), a number of what the argument counts
(`the last 20 lines`), and a pair for an argument that takes pairs (`the label team=payments`). Only a prompt that is
one plain request is looked at. Where two arguments could be meant, where another call, argument or accepted path has
the value, or where more arguments than the expected ones are accepted, nothing is said.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import NamedTuple

from evalkit.agent_lint import words
from evalkit.agent_lint.defaults import noted
from evalkit.agent_lint.known import as_number
from evalkit.agent_lint.plain import is_plain_request
from evalkit.agent_lint.problems import below, problem, shortened
from evalkit.agent_lint.scene import OwnedCall, OwnedTurn, Scene
from evalkit.cases import Json, TrajectoryRule
from evalkit.errors import Problem
from evalkit.models.facts import ToolFacts

_DATE = re.compile(r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:?\d\d)?)?(?![\w-])")
_DATED = frozenset({"date", "datetime", "day", "since", "timestamp", "until"})
_DATE_NOTE = re.compile(r"\b(?:dates?|iso|timestamps?|rfc ?3339)\b", re.IGNORECASE)
_BEGINNINGS = frozenset({"after", "begin", "from", "since", "start"})
_ON = frozenset({"date", "day", "for", "on"})

_TIMES = """
after ago before date datetime day days duration end from hours interval last lookback minutes period range seconds
since start time timeframe timerange timestamp until weeks window
"""
_TIMED = frozenset(_TIMES.split())
"""Words in the names of arguments that bound the time, in which a date or a period may stand in another form."""

_NO_SPAN = frozenset({"delay", "grace", "interval", "resolution", "step", "timeout", "ttl", "wait"})
"""Words in the names of arguments in a unit of time that are not about how far back."""

_SPAN_BEFORE = re.compile(r"\b(?:last|past|previous|within)\s+$", re.IGNORECASE)
_SPAN = re.compile(r"(?:last|past|previous)\b", re.IGNORECASE)
_COUNTS = re.compile(r"\b(?:how many|number of|maximum|at most)\b", re.IGNORECASE)
_COUNTED = re.compile(
    r"\b(?:last|first|top|latest|newest|at most|up to)\s+(?P<count>\d+)\s+(?P<things>[a-z]+(?:\s+[a-z]+){0,2})",
    re.IGNORECASE,
)
_BETWEEN = frozenset(["and", "at", "by", "for", "from", "in", "of", "on", "or", "per", "that", "to", "which", "with"])
_OTHER_SIDE = re.compile(r"\b(?:above|after|before|below|from|not|since|than|until)\s+(?:the\s+)?$", re.IGNORECASE)
_NUMBERED = frozenset({"build", "id", "number", "release", "revision", "version"})


class _Argument(NamedTuple):
    """An argument that a call may have and has not."""

    owned: OwnedCall
    tool: ToolFacts
    name: str
    kinds: frozenset[str]

    @property
    def parts(self) -> list[str]:
        return words.parts(self.name)


class _Statement(NamedTuple):
    """What a prompt says of an argument: its words, and the value to pass."""

    said: str
    value: Json


def left_out_arguments(scene: Scene) -> Iterator[Problem]:
    """Report each argument that the prompt states and no expected call of the turn passes."""
    for owned_turn in scene.turns:
        prompt, rule = owned_turn.turn.user.text, owned_turn.turn.expect.trajectory or TrajectoryRule()
        if not prompt or rule.any_of or not is_plain_request(prompt):
            continue
        found: dict[tuple[str, str], tuple[_Argument, _Statement]] = {}
        for argument in _free(scene, owned_turn, rule):
            if (stated := _stated(prompt, argument)) and not _is_passed(stated, owned_turn, rule):
                found.setdefault((argument.tool.name, argument.name), (argument, stated))
        values = [stated.value for _, stated in found.values()]
        for argument, stated in found.values():
            if values.count(stated.value) == 1:  # else nobody can tell which argument is meant
                yield _problem(scene, argument, stated)


def _free(scene: Scene, owned_turn: OwnedTurn, rule: TrajectoryRule) -> Iterator[_Argument]:
    """Yield the optional arguments that the expected calls lack and that a run must not have either."""
    for owned in owned_turn.calls:
        tools, name = scene.fitting(owned), owned.call.name
        if len(tools) != 1 or not tools[0].declaration or rule.args_match_for(name) in ("ignore", "superset"):
            continue
        schema = tools[0].declaration.schema
        given = {*owned.call.args, *rule.replaced(name), *schema.get("required", ())}
        for parameter, declared in tools[0].declaration.parameters.items():
            if parameter not in given:
                yield _Argument(owned, tools[0], parameter, _kinds(declared))


def _kinds(declared: Mapping[str, Json]) -> frozenset[str]:
    """Return the types that an argument may have, null left out; none for a choice or where they are not known."""
    if "enum" in declared or "$ref" in declared:
        return frozenset()
    branches = [_kinds(branch) for branch in declared.get("anyOf", ())]
    kinds = declared.get("type", ())
    own = {kinds} if isinstance(kinds, str) else set(kinds)
    return frozenset(own.union(*branches)) - {"null"}


def _stated(prompt: str, argument: _Argument) -> _Statement | None:
    """Return what the prompt states of an argument, unless that is the default."""
    for kinds, readers in _READERS.items():
        if argument.kinds and argument.kinds <= kinds:
            found = next((said for read in readers if (said := read(prompt, argument))), None)
            same = found is not None and _as_default(found.value) == _as_default(
                argument.tool.defaults.get(argument.name)
            )
            return None if same else found
    return None


def _as_default(value: Json) -> Json | Decimal:
    number = as_number(value)
    return value if number is None else number


def _date(prompt: str, argument: _Argument) -> _Statement | None:
    """Find the only date of the prompt, for the only argument that takes dates, behind a word that goes with it."""
    declaration = argument.tool.declaration
    takers = [name for name in (declaration.parameters if declaration else ()) if _takes_dates(argument.tool, name)]
    dates = {*_DATE.findall(prompt)}
    if takers != [argument.name] or len(dates) != 1:
        return None
    date = dates.pop()
    before = re.search(rf"(\w+)\s+{re.escape(date)}", prompt)
    word, parts = before[1].lower() if before else "", {*argument.parts}
    begins = word in _BEGINNINGS and parts & _BEGINNINGS
    return _Statement(f"{word} {date}", date) if word in parts or begins or (word in _ON and parts & _ON) else None


def _takes_dates(tool: ToolFacts, name: str) -> bool:
    return bool({*words.parts(name)} & _DATED or _DATE_NOTE.search(" ".join(noted(tool, name))))


def _named(prompt: str, argument: _Argument) -> _Statement | None:
    """Find a text with a digit in it right behind the words of the argument's name: `to version 0.8.7`."""
    found = _behind_name(prompt, argument, r"[\w./@-]*\d[\w./@-]*")
    if found is None or {*argument.parts} & _TIMED:
        return None
    value = found[1].rstrip("./-")
    return None if value.isdigit() and not {*argument.parts} & _NUMBERED else _Statement(found[0].rstrip("./-"), value)


def _figure(prompt: str, argument: _Argument) -> _Statement | None:
    """Find a number that is set like an option: `tail=20`, `limit: 50`."""
    found = _behind_name(prompt, argument, r"\d+(?:\.\d+)?(?![\w.]*\w)(?!\s?%)", sign=r"\s*[=:]")
    return found and _statement(found[0], Decimal(found[1]), argument)


def _behind_name(prompt: str, argument: _Argument, value: str, sign: str = r"\s*[=:]?") -> tuple[str, str] | None:
    name = r"[\s_-]+(?:the\s+)?".join(map(re.escape, argument.parts))
    found = re.search(rf"(?<![\w-])({name}{sign}\s*[`'\"]?({value}))", prompt, re.IGNORECASE)
    if found is None or _OTHER_SIDE.search(prompt[: found.start()]):
        return None
    return found[1], found[2]


def _span(prompt: str, argument: _Argument) -> _Statement | None:
    """Find the only period of the prompt, for an argument that says how far back in a unit of time."""
    unit, spans = words.unit_of(argument.parts), words.periods(prompt)
    if unit is None or len(spans) != 1 or {*argument.parts} & _NO_SPAN:
        return None
    said, seconds = spans[0]
    if _SPAN.match(said) or _SPAN_BEFORE.search(prompt[: prompt.index(said)]):
        return _statement(said, seconds / unit, argument)
    return None


def _count(prompt: str, argument: _Argument) -> _Statement | None:
    """Find a number of the things that the argument counts, going by its note: `the last 20 lines`."""
    note = " ".join(noted(argument.tool, argument.name))
    things = {words.stem(word) for word in words.words(_COUNTS.split(note, maxsplit=1)[-1])} - {*words.UNITS}
    for found in _COUNTED.finditer(prompt) if _COUNTS.search(note) else ():
        said = found["things"].split()
        for index, word in enumerate(said):
            if word.lower() in _BETWEEN:
                break
            if words.stem(word.lower()) in things - _BETWEEN:
                whole = f"{found['count']} {' '.join(said[: index + 1])}"
                return _statement(whole, Decimal(found["count"]), argument)
    return None


def _pair(prompt: str, argument: _Argument) -> _Statement | None:
    """Find a pair behind a word of the name of an argument that takes pairs: `the label team=payments`."""
    for found in re.finditer(r"(\w+)\s+([\w./-]+)=([\w./:-]*\w)", prompt):
        if words.stem(found[1].lower()) in map(words.stem, argument.parts):
            return _Statement(found[0], {found[2]: found[3]})
    return None


def _statement(said: str, number: Decimal, argument: _Argument) -> _Statement | None:
    whole = number == number.to_integral_value()
    return _Statement(said, int(number) if whole else float(number)) if whole or "number" in argument.kinds else None


_READERS: Mapping[frozenset[str], tuple[Callable[[str, _Argument], _Statement | None], ...]] = {
    frozenset({"string"}): (_date, _named),
    frozenset({"integer", "number"}): (_figure, _span, _count),
    frozenset({"object"}): (_pair,),
}
"""By the types that an argument may have, what looks for a statement of it."""


def _is_passed(stated: _Statement, owned_turn: OwnedTurn, rule: TrajectoryRule) -> bool:
    """Tell whether an expected call has the value, or what may be the same in another form."""
    args = [dict(owned.call.args) for owned in owned_turn.calls]
    text = json.dumps([*args, dict(rule.args)], ensure_ascii=False, default=str)
    names = {part for call in args for name in call for part in words.parts(name)}
    if isinstance(stated.value, dict):
        return all(words.fold(part) in words.fold(text) for pair in stated.value.items() for part in pair)
    if names & _TIMED and (_DATE.search(stated.said) or words.periods(stated.said)):
        return True
    number = as_number(stated.value)
    if number is None:
        return words.fold(stated.value) in words.fold(text)
    same = {seconds for _, seconds in words.periods(stated.said)} & {seconds for _, seconds in words.periods(text)}
    return bool(same) or number in words.numbers(text)


def _problem(scene: Scene, argument: _Argument, stated: _Statement) -> Problem:
    message = (
        f'the prompt says "{shortened(stated.said)}", so the model passes `{argument.name}`; the expected call of'
        f" `{argument.tool.name}` leaves it out"
    )
    hint = f'add "{argument.name}": {json.dumps(stated.value, ensure_ascii=False)}'
    return problem("left-out-argument", scene.file, below(argument.owned.call.where, "args"), message, hint)
