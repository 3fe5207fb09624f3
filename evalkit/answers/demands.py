"""What `expect[].response` demands of an answer, held against its text."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import jsonschema_rs

from evalkit.answers.numerals import other_readings, read_token
from evalkit.answers.tokens import tokens
from evalkit.cases import Json, NumberRule, ResponseRule, same_answer
from evalkit.matching import show

_WHOLE_LIMIT = 400
"""Characters of a demanded answer that are shown."""


@dataclass(frozen=True, slots=True)
class Demand:
    """One thing that an answer must or must not say.

    Attributes:
        key: What it stands under: `contains`, `number` and so on.
        index: Which of them it is, counted from 0.
        fault: What is wrong with the answer, in words; empty if nothing is.
    """

    key: str
    index: int
    fault: str

    def __str__(self) -> str:
        """Render as `contains: "75" is not in the answer`."""
        return f"{self.key}: {self.fault}"


def held_against(rule: ResponseRule, text: str) -> Iterator[Demand]:
    """Yield each demand with what is wrong with the answer."""
    for key, check in _CHECKS.items():
        for index, wanted in enumerate(getattr(rule, key)):
            yield Demand(key, index, check(wanted, text))
    if rule.json_schema is not None:
        yield Demand("json_schema", 0, _json_schema(rule.json_schema, text))


def _contains(part: str, text: str) -> str:
    return "" if part in text else f"{show(part)} is not in the answer"


def _not_contains(part: str, text: str) -> str:
    return f"{show(part)} is in the answer" if part in text else ""


def _regex(pattern: str, text: str) -> str:
    return "" if re.search(pattern, text, re.MULTILINE) else f"{show(pattern)} is not found in the answer"


def _equals(whole: str, text: str) -> str:
    return "" if same_answer(whole.strip(), text.strip()) else f"the answer is not {show(whole, _WHOLE_LIMIT)}"


def _number(rule: NumberRule, text: str) -> str:
    """Look for a number of the answer that is near enough; several readings of one, such as `1.240`, are all tried."""
    given = [number for token, _ in tokens(text) for number in _readings(token)]
    margin = _margin(rule)
    if any(abs(number - Decimal(str(rule.value))) <= margin for number in given):
        return ""
    wanted = f"{Decimal(str(rule.value)).normalize():f}" + (f" ± {margin.normalize():f}" if margin else "")
    found = ", ".join(dict.fromkeys(f"{number:f}" for number in given)) or "no number"
    return f"{wanted} is not in the answer, which has {found}"


def _readings(token: str) -> Iterator[Decimal]:
    for quantity in (*read_token(token), *other_readings(token)):
        yield quantity.number


def _margin(rule: NumberRule) -> Decimal:
    if isinstance(rule.tolerance, str):
        share = Decimal(rule.tolerance.strip().rstrip("%").strip()) / 100
        return abs(Decimal(str(rule.value))) * share
    return Decimal(str(rule.tolerance))


def _json_schema(schema: Mapping[str, Json], text: str) -> str:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        return f"the answer is not JSON: {error}"
    validator = jsonschema_rs.validator_for(dict(schema), offline=True)
    try:
        return "; ".join(f"{_path(error)}: {error.message}" for error in validator.iter_errors(value))
    except UnicodeEncodeError:
        return "the answer has half a surrogate pair, which is no text"


def _path(error: jsonschema_rs.ValidationError) -> str:
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.instance_path)


_CHECKS: Mapping[str, Callable[[Any, str], str]] = {
    "contains": _contains,
    "not_contains": _not_contains,
    "regex": _regex,
    "equals": _equals,
    "number": _number,
}
"""By the key of a demand, what says what is wrong with an answer."""
