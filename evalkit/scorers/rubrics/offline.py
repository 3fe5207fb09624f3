"""The metrics that may need a judge, as far as they can be scored without one: rubrics with a check."""

from evalkit.cases import Case, Criterion
from evalkit.results import Score
from evalkit.scorers.rubrics.effective import RubricConflict
from evalkit.scorers.rubrics.tally import tally
from evalkit.traces import Trace

EXAMPLE = "gemini-2.5-flash"


def score(case: Case, trace: Trace, criterion: Criterion) -> Score:
    """Score a case by the checks of its rubrics; one without a check leaves the criterion not judged."""
    try:
        return tally(case, trace, criterion, {}, no_judge(criterion, trace.mode))
    except RubricConflict as conflict:
        return Score(state="not_judged", reason=str(conflict))


def no_judge(criterion: Criterion, mode: str) -> str:
    """Say that there is nobody to ask, and each way out."""
    leave = f'to let it be absent offline, write `optional_offline = ["{criterion.name}"]` under [tool.evalkit]'
    remedy = 'add "gate": false to the criterion to go without it' if mode == "live" else leave
    return f'it needs a judge: write `judge = "{EXAMPLE}"` under [tool.evalkit], or add --judge {EXAMPLE}; {remedy}'
