"""Periods and dates that a model could only guess, though such values it mostly finds by itself.

A model turns "recently", "since the deployment" or "next Friday" into minutes and dates, so these are not looked for
where anything speaks of time. Two cases are left: a prompt that states another period than the expected one, and an
argument that may be left out, of a conversation in which nothing speaks of time at all.
"""

import re
from decimal import Decimal

from evalkit.agent_lint import words
from evalkit.agent_lint.known import Known, as_number
from evalkit.agent_lint.scene import OwnedTurn, Scene
from evalkit.cases import Json
from evalkit.models.facts import ToolFacts

_SPANS = """
ago back days duration for hours in last lookback minutes past period range seconds since time timeframe weeks window
"""
_SPAN_WORDS = frozenset(map(words.stem, _SPANS.split()))
"""Words of names that say how far back, and nothing else."""

_DAYS = frozenset({"date", "day"})
_PLAIN_DATE = re.compile(r"\d{4}-\d\d-\d\d")

_CLOCK = (
    r"\d{1,2}:\d\d|\d{4}-\d\d|\d{1,2}[./]\d{1,2}[./]\d\d|(?:sun|mon|tues|wednes|thurs|fri|satur)days?|weekend|today"
    r"|yesterday|tomorrow|tonight|overnight|midnight|noon|morning|afternoon|evening|night|jan(?:uary)?|feb(?:ruary)?"
    r"|march|april|may|june|july|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|recent(?:ly)?"
    r"|lately|now|timestamps?|dates?|times?|seconds?|minutes?|hours?|hourly|days?|daily|weeks?|weekly|months?|monthly"
    r"|quarters?|years?|short|brief|long|quick(?:ly)?"
)
_TIME_TOLD = re.compile(rf"\b(?:{_CLOCK})\b", re.IGNORECASE)
_TIME_SAID = re.compile(
    rf"\b(?:{_CLOCK}|after|ago|already|before|between|christmas|coming|current(?:ly)?|during|easter|eve|first|from"
    r"|holidays?|just|last|latest|next|past|previous(?:ly)?|shift|since|still|then|this|trend|until|upcoming|when"
    r"|while|window|period)\b",
    re.IGNORECASE,
)
"""What users say of time is more than what instructions and replies do: these speak of other things as well."""


def is_guessed_time(scene: Scene, owned_turn: OwnedTurn, tool: ToolFacts, name: str, value: Json, known: Known) -> bool:
    """Tell whether an expected period or date is none that the model is told, or makes of what it is told."""
    number = None if isinstance(value, str) else as_number(value)
    if number is not None and _is_span(name):
        other = _states_another(owned_turn.turn.user.text, name, number)
        return other or (number not in (0, 1) and _is_out_of_nothing(scene, owned_turn, tool, name, known, number))
    if isinstance(value, str) and _PLAIN_DATE.fullmatch(value) and {*words.parts(name)} & _DAYS:
        return _is_out_of_nothing(scene, owned_turn, tool, name, known)
    return False


def _is_span(name: str) -> bool:
    parts = words.parts(name)
    return words.unit_of(parts) is not None and {words.stem(part) for part in parts} <= _SPAN_WORDS


def _states_another(prompt: str, name: str, number: Decimal) -> bool:
    """Tell whether the only period of the prompt, `the last 16 minutes`, is another one in the same unit."""
    found = re.findall(r"\b(?:last|past|previous)\s+(\d+)\s+([a-z]+)\b", prompt, re.IGNORECASE)
    if len(found) != 1 or len(words.periods(prompt)) != 1 or number in words.numbers(prompt):
        return False
    count, unit = found[0]
    same_unit = words.unit_of([unit]) == words.unit_of(words.parts(name))
    return same_unit and number % Decimal(count) != 0  # to compare with what was before takes twice the period


def _is_out_of_nothing(
    scene: Scene, owned_turn: OwnedTurn, tool: ToolFacts, name: str, known: Known, number: Decimal | None = None
) -> bool:
    """Tell whether an argument that may be left out is expected though nothing speaks of time."""
    declared = tool.declaration
    if declared is None or name not in declared.parameters or name in declared.schema.get("required", ()):
        return False
    if number is not None and (known.has_number(number) or as_number(tool.defaults.get(name)) == number):
        return False
    said = (one.turn.user.text for one in scene.turns if one.turn.index <= owned_turn.turn.index)
    return not any(map(_TIME_SAID.search, said)) and not known.says(_TIME_TOLD)
