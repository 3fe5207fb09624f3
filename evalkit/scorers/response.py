"""`response`: the final answer says what `expect[].response` wants, and nothing that it rules out.

The value of a turn is the share of its demands that are met; every one must be.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

import jsonschema_rs

from evalkit.cases import Case, Criterion, Json, NumberRule, ResponseRule, same_answer
from evalkit.matching import show
from evalkit.results import Score, TurnScore
from evalkit.scorers.grounds.numerals import other_readings, read_token
from evalkit.scorers.grounds.tokens import tokens
from evalkit.scorers.per_turn import combine, expected_at, played
from evalkit.traces import Trace

_ANSWER_LIMIT = 400
"""Characters of the answer that the reason shows."""


def score(case: Case, trace: Trace, criterion: Criterion) -> Score:  # noqa: ARG001 - this metric has no options
    """Check each final answer against the demands of its turn."""
    turns = []
    for turn, happened in played(case, trace):
        if turn.expect.response:
            text = happened.final.text if happened.final else ""
            found = list(_check(turn.expect.response, text))
            turns.append(_turn_score(turn.index, expected_at(case, turn, "response"), found, text))
    return combine(turns, "no turn says what its response must contain")


def _turn_score(turn: int, place: str, found: Sequence[str], text: str) -> TurnScore:
    faults = [f"{place}.{fault}" for fault in found if fault]
    if not found:
        return TurnScore(turn=turn, value=None, reason=f"{place} demands nothing")
    if not faults:
        return TurnScore(turn=turn, value=1.0)
    answer = f"  the answer: {show(text, _ANSWER_LIMIT)}" if text else "  the agent said nothing"
    return TurnScore(turn=turn, value=1 - len(faults) / len(found), reason="\n".join((*faults, answer)))


def _check(rule: ResponseRule, text: str) -> Iterator[str]:
    """Yield for each demand what is wrong, or an empty string where it is met."""
    for part in rule.contains:
        yield "" if part in text else f"contains: {show(part)} is not in the answer"
    for part in rule.not_contains:
        yield f"not_contains: {show(part)} is in the answer" if part in text else ""
    for pattern in rule.regex:
        found = re.search(pattern, text, re.MULTILINE)
        yield "" if found else f"regex: {show(pattern)} is not found in the answer"
    for whole in rule.equals:
        yield (
            ""
            if same_answer(whole.strip(), text.strip())
            else f"equals: the answer is not {show(whole, _ANSWER_LIMIT)}"
        )
    for number in rule.number:
        yield _check_number(number, text)
    if rule.json_schema is not None:
        yield _check_json(rule.json_schema, text)


def _check_number(rule: NumberRule, text: str) -> str:
    """Look for a number of the answer that is near enough; several readings of one, such as `1.240`, are all tried."""
    given = [number for token, _ in tokens(text) for number in _readings(token)]
    margin = _margin(rule)
    if any(abs(number - Decimal(str(rule.value))) <= margin for number in given):
        return ""
    wanted = f"{rule.value:g}" + (f" ± {margin.normalize():f}" if margin else "")
    found = ", ".join(dict.fromkeys(f"{number:f}" for number in given)) or "no number"
    return f"number: {wanted} is not in the answer, which has {found}"


def _readings(token: str) -> Iterator[Decimal]:
    for quantity in (*read_token(token), *other_readings(token)):
        yield quantity.number


def _margin(rule: NumberRule) -> Decimal:
    if isinstance(rule.tolerance, str):
        share = Decimal(rule.tolerance.strip().rstrip("%").strip()) / 100
        return abs(Decimal(str(rule.value))) * share
    return Decimal(str(rule.tolerance))


def _check_json(schema: Mapping[str, Json], text: str) -> str:
    try:
        value = json.loads(text)
    except ValueError as error:
        return f"json_schema: the answer is not JSON: {error}"
    validator = jsonschema_rs.validator_for(dict(schema))
    faults = [f"{_path(error)}: {error.message}" for error in validator.iter_errors(value)]
    return f"json_schema: {'; '.join(faults)}" if faults else ""


def _path(error: jsonschema_rs.ValidationError) -> str:
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.instance_path)
