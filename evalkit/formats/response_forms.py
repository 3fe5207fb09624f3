"""Rules for a response in forms that they do not have: patterns where a text belongs, bounds where a number does."""

import json
import re
from collections.abc import Mapping
from decimal import Decimal

from evalkit.cases import Json

_TEXT_RULES = ("contains", "regex", "equals")
_LOWER = ("min", "minimum", "low", "lower", "from", "gt", "gte", "$gt", "$gte")
_UPPER = ("max", "maximum", "high", "upper", "to", "lt", "lte", "$lt", "$lte")
_ANY_CASE = "(?i)"
_HUGE = 10**15


def text_for_pattern(rule: str, pattern: Mapping[str, Json]) -> str | None:
    """Say how a response rule is written that has a pattern where a text belongs; None if it is no pattern.

    Args:
        rule: The rule's key, such as `contains`.
        pattern: What stands in it.
    """
    if not pattern or not all(key.startswith("$") for key in pattern):
        return None
    (name, operand), *more = pattern.items()
    if rule in _TEXT_RULES and isinstance(operand, str) and not more:
        if name == "$icontains":
            return f"write {_member('regex', _ANY_CASE + re.escape(operand))}"
        if name[1:] in _TEXT_RULES:
            return f"write {_member(name[1:], operand)}"
    return f"patterns such as {name} are not taken here: write the text itself, or a rule of its own such as `regex`"


def number_for_bounds(members: Mapping[str, Json]) -> str | None:
    """Say how a number rule is written that gives bounds or patterns in place of a value; None if it has neither."""
    low = next((members[key] for key in _LOWER if key in members), None)
    high = next((members[key] for key in _UPPER if key in members), None)
    if _is_number(low) and _is_number(high):
        one, other = sorted((Decimal(str(low)), Decimal(str(high))))
        return f'write {{"value": {_written((one + other) / 2)}, "tolerance": {_written((other - one) / 2)}}}'
    pattern = next((key for key in members if key.startswith("$")), None)
    if pattern:
        return f'patterns such as {pattern} are not taken here: write {{"value": …, "tolerance": …}}'
    return 'write {"value": …, "tolerance": …}' if low is not None or high is not None else None


def _member(key: str, text: str) -> str:
    return f'"{key}": {json.dumps(text, ensure_ascii=False)} in the response rule'


def _is_number(value: Json) -> bool:
    """Whether a value is a number of a size that people write out."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _HUGE


def _written(number: Decimal) -> str:
    return f"{number.normalize():f}"
