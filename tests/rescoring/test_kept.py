"""What a judge said before, and when it holds."""

from dataclasses import replace

import pytest

from evalkit.cases import Config, Criterion
from evalkit.rescoring.kept import kept_scores
from evalkit.results import CaseResult, CriterionResult, Score

VOTED = Score(value=1.0, details={"rubrics": [{"rubric_id": "a", "value": 1.0, "by": "judge", "votes": [True]}]})
CHECKED = Score(value=1.0, details={"rubrics": [{"rubric_id": "a", "value": 1.0, "by": "its check"}]})
OPEN = Score(state="not_judged", reason="there is no judge")
RUBRIC = Criterion(name="rubric", threshold=0.5, options={"rubrics": [{"rubric_id": "a"}]})
SAFETY = Criterion(name="safety_v1", threshold=0.8)
GROUNDING = Criterion(name="grounding", threshold=1.0)


def kept(criterion, score, now):
    item = CriterionResult(criterion=criterion, score=score, passed=True, gates=True)
    before = CaseResult(file="f", eval_id="e", run=0, verdict="passed", criteria=(item,))
    return kept_scores(before, Config(criteria=(criterion,), origin="x"), Config(criteria=(now,), origin="x"))


@pytest.mark.parametrize(
    ("criterion", "score", "now", "holds"),
    [
        (RUBRIC, VOTED, RUBRIC, True),
        (RUBRIC, VOTED, replace(RUBRIC, threshold=0.9, gate=False), True),
        (RUBRIC, VOTED, replace(RUBRIC, options={"rubrics": [{"rubric_id": "b"}]}), False),
        (RUBRIC, CHECKED, RUBRIC, False),
        (RUBRIC, OPEN, RUBRIC, False),
        (SAFETY, Score(value=0.9), SAFETY, True),
        (SAFETY, Score(value=0.9), RUBRIC, False),
        (GROUNDING, Score(value=1.0), GROUNDING, False),
    ],
    ids=["as it was", "another threshold", "another rubric", "a check", "not judged", "by ADK", "new", "our own"],
)
def test_a_judgement_holds_while_what_is_asked_is_the_same_and_only_others_could_give_it(criterion, score, now, holds):
    assert kept(criterion, score, now) == ({now.name: score} if holds else {})
