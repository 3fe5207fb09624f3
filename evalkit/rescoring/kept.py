"""What was judged before and holds still: what a model, a person or ADK said costs something to be said again."""

from dataclasses import replace

from evalkit.cases import Config, Criterion
from evalkit.formats.own_metrics import metric_of
from evalkit.results import CaseResult, CriterionResult, Score
from evalkit.scorers import JUDGED, SCORERS
from evalkit.scorers.rubrics.tally import RUBRICS


def kept_scores(before: CaseResult, old: Config, new: Config) -> dict[str, Score]:
    """Return the scores of criteria that evalkit cannot compute itself and that ask what they asked.

    Args:
        before: What the case, which is as it was, came to before.
        old: The criteria as they were then.
        new: The criteria as they are now; another threshold, or another word on gating, needs no other score.
    """
    asked = {one.name: _question(one) for one in old.criteria}
    scores = {item.criterion.name: item.score for item in before.criteria if _was_asked(item)}
    return {
        one.name: scores[one.name]
        for one in new.criteria
        if metric_of(one) not in SCORERS and one.name in scores and asked.get(one.name) == _question(one)
    }


def _was_asked(item: CriterionResult) -> bool:
    """Tell whether somebody else judged: of what judges decide, the checks of rubrics are evalkit's own."""
    if metric_of(item.criterion) in JUDGED:
        return item.score.state == "judged" and any("votes" in one for one in item.score.details.get(RUBRICS, ()))
    return item.score.state == "judged"


def _question(criterion: Criterion) -> Criterion:
    """Return what a criterion asks, whatever becomes of the score."""
    return replace(criterion, threshold=None, gate=True)
