"""Which rubrics apply to a turn, merged as ADK does.

A criterion's own rubrics apply to every turn, those of a case to each of its turns, those of a turn to it alone. ADK's
metrics take rubrics of cases and turns by their `type`; `rubric` takes any. On top of that, `expect[].rubrics` gives
one of them a check, or brings a rubric of its own.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from evalkit.cases import Case, Criterion, Expectation, Turn
from evalkit.expectations import RubricRule
from evalkit.formats.expect import read_rubrics
from evalkit.formats.own_metrics import metric_of
from evalkit.formats.paths import write_step
from evalkit.lint.references import RUBRIC_TYPES
from evalkit.scorers.per_turn import place_of

MATCH = "final_response_match_v2"
MATCH_ID = "matches_the_reference"
_MATCH_TEXT = (
    "The agent's final answer gives the user what the reference answer gives: the same facts, figures with the same"
    " units, and the same conclusion. Other wording, order or format and further correct detail do not matter."
)


class RubricConflict(Exception):  # noqa: N818 - a state of the files, which the score tells
    """Two rubrics that apply to one turn have the same id, so nobody could tell their verdicts apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rubric:
    """One rubric that applies to a turn.

    Attributes:
        id: By which a judge names it.
        text: The property.
        check: What decides about it; None if a judge does.
        place: Where it stands, for messages.
    """

    id: str
    text: str
    check: Expectation | None = None
    place: str = ""


MATCH_RUBRIC = Rubric(id=MATCH_ID, text=_MATCH_TEXT)
"""What `final_response_match_v2` asks of an answer."""


def rubrics_of(case: Case, turn: Turn, criterion: Criterion) -> tuple[Rubric, ...]:
    """List the rubrics by which a criterion judges a turn.

    A `rubric` without a threshold is asked for by the case itself, for the sake of its checks: no judge is needed.

    Raises:
        RubricConflict: Two of them have the same id.
    """
    metric = metric_of(criterion)
    if metric == MATCH:
        return (MATCH_RUBRIC,) if turn.final is not None else ()
    found: dict[str, Rubric] = {}
    for rubric in _written(case, turn, criterion, RUBRIC_TYPES.get(metric or "")):
        if rubric.id in found:
            raise RubricConflict(f"{rubric.place}: the rubric `{rubric.id}` stands in {found[rubric.id].place} too")
        found[rubric.id] = rubric
    _add_checks(found, case, turn, metric)
    asked_by_case = metric == "rubric" and criterion.threshold is None
    return tuple(rubric for rubric in found.values() if rubric.check is not None or not asked_by_case)


def _written(case: Case, turn: Turn, criterion: Criterion, kind: str | None) -> Iterator[Rubric]:
    place = f"$.criteria{write_step(criterion.name)}.rubrics"
    yield from (_rubric(rule, place) for rule in read_rubrics(criterion.options.get("rubrics") or ()))
    for where, rubrics in ((place_of(turn), turn.rubrics), (case.where or case.eval_id, case.rubrics)):
        for rule in read_rubrics(rubrics or ()):
            if kind is None or rule.type == kind:
                yield _rubric(rule, f"{where}.rubrics")


def _add_checks(found: dict[str, Rubric], case: Case, turn: Turn, metric: str | None) -> None:
    """Give rubrics the checks that the turn's `expect` has for them; what it brings itself is new."""
    seen: set[str] = set()
    for index, rule in enumerate(turn.expect.rubrics):
        inside = f"evalkit.expect[{turn.index}].rubrics[{index}]"
        place = f"{case.where}.{inside}" if case.where else inside
        if rule.rubric_id in seen:
            raise RubricConflict(f"{place}: another check is about the rubric `{rule.rubric_id}` too")
        seen.add(rule.rubric_id)
        known = found.get(rule.rubric_id)
        if known is not None:
            found[rule.rubric_id] = replace(known, check=rule.check, place=place)
        elif metric == "rubric" or (rule.type is not None and rule.type == RUBRIC_TYPES.get(metric or "")):
            found[rule.rubric_id] = _rubric(rule, place)


def _rubric(rule: RubricRule, place: str) -> Rubric:
    text = str(rule.rubric_content.get("text_property") or "")
    return Rubric(id=rule.rubric_id, text=text, check=rule.check, place=place)
