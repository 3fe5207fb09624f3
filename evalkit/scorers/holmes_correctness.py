"""`holmes_correctness`: does the answer say what the case's gold expects?

The gold is read only after the answer; `Case.opened` has it. As in HolmesGPT the score is 1 or 0: in strict mode each
expected text must be met, in loose mode all of them together, and sections and form as the gold says. What is looked at
is what the agent said in the last turn: everything, or with `include_intermediate: false` the final answer alone.

A judge decides if there is one. Without one the deterministic baseline looks for the texts (see `correctness.rulings`).
One plain text that is missing fails the case, whatever a judge might say of the others; while one expectation is open
nothing passes. In golden mode the answer is compared with something else than itself, so this is no construction; where
the case has no golden answer there is none to judge.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from evalkit.cases import Case, Criterion, Turn
from evalkit.gold import Gold
from evalkit.results import Score, TurnScore
from evalkit.scorers.correctness.rulings import BASELINE, Item, items_of
from evalkit.scorers.per_turn import place_of, played
from evalkit.scorers.rubrics.checks import Ruling
from evalkit.scorers.rubrics.effective import Rubric
from evalkit.scorers.rubrics.offline import no_judge
from evalkit.scorers.rubrics.tally import RUBRICS, Found, Key, as_json, told
from evalkit.traces import Trace, TurnTrace


def score(case: Case, trace: Trace, criterion: Criterion) -> Score:
    """Score a case by the deterministic baseline."""
    return weigh(case, trace, criterion, None)


def questions(case: Case, trace: Trace, criterion: Criterion) -> tuple[tuple[int, tuple[Rubric, ...]], ...]:
    """List the rubrics that a judge is to decide, with the index of the turn that they are about."""
    last, items = _items(case, trace, criterion)
    rubrics = tuple(item.rubric for item in items if not item.fixed)
    return ((last.index, rubrics),) if last is not None and rubrics else ()


def weigh(case: Case, trace: Trace, criterion: Criterion, said: Mapping[Key, Ruling] | None) -> Score:
    """Score a case.

    Args:
        case: What should happen, with its gold.
        trace: What did.
        criterion: The criterion.
        said: What a judge said; None if none was asked.
    """
    if case.gold is None and case.opened is None:
        return Score(state="not_applicable", reason="the case names no gold file")
    if case.opened is None or case.opened.unread is not None:
        why = "nobody opened it" if case.opened is None else case.opened.unread
        return Score(state="not_judged", reason=f"the gold file {case.gold} was not read: {why}")
    last, items = _items(case, trace, criterion)
    if last is None:
        return Score(state="not_judged", reason=_unanswered(case, trace))
    ruled = [item if item.fixed or said is None else _by_judge(item, said, last.index) for item in items]
    return _summed(last, ruled, case.opened, _how(criterion, trace, said))


def output_of(happened: TurnTrace, criterion: Criterion) -> str:
    """Return what the agent said in a turn, as far as it is judged: everything, or the final answer alone."""
    before: list[str] = []
    if criterion.options.get("include_intermediate", True):
        before = [one.text for one in happened.said if one.parent is None and not one.final and one.text]
    return "\n\n".join([*before, _answer(happened)])


def _answer(happened: TurnTrace) -> str:
    return happened.final.text if happened.final else ""


def _items(case: Case, trace: Trace, criterion: Criterion) -> tuple[Turn | None, tuple[Item, ...]]:
    """Return the last turn, None if there is no answer to judge, and what is expected of it."""
    pairs = played(case, trace)
    if case.opened is None or case.opened.unread or not pairs or len(pairs) < len(case.turns or ()):
        return None, ()
    turn, happened = pairs[-1]
    if trace.mode == "golden" and turn.final is None and happened.usage.model_calls:
        return None, ()  # golden mode has made up what its models said
    return turn, items_of(case.opened, output_of(happened, criterion), _answer(happened))


def _unanswered(case: Case, trace: Trace) -> str:
    """Say why there is no answer to judge."""
    if len(played(case, trace)) < len(case.turns or ()):
        return "the last turn, whose answer is judged, was not played"
    return "the case has no final_response that golden mode could play: play it by --mode live"


def _by_judge(item: Item, said: Mapping[Key, Ruling], turn: int) -> Item:
    ruling = said.get((turn, item.rubric.id), Ruling(value=None, reason="the judge was not asked", by="the judge"))
    return replace(item, ruling=ruling)


def _how(criterion: Criterion, trace: Trace, said: object) -> str:
    """Say what could be done about what is open."""
    return no_judge(criterion, trace.mode) if said is None else ""


def _summed(turn: Turn, items: Sequence[Item], gold: Gold, remedy: str) -> Score:
    failed = [item for item in items if item.ruling.value == 0]
    unjudged = [item for item in items if item.ruling.value is None]
    lines = [told(place_of(turn), Found(turn=turn.index, rubric=item.rubric, ruling=item.ruling)) for item in failed]
    value = 0.0 if failed else None if unjudged else 1.0
    by_baseline = any(item.ruling.by == BASELINE for item in items)
    details = {
        "by": "baseline" if by_baseline else "judge" if any(not item.fixed for item in items) else "check",
        "mode": gold.mode,
        "expected": list(gold.expected),
        "missing": [text for item in failed for text in item.texts],
        RUBRICS: [as_json(Found(turn=turn.index, rubric=item.rubric, ruling=item.ruling)) for item in items],
    }
    if value is None:
        reason = _open(unjudged, len(items), remedy)
        turns = (TurnScore(turn=turn.index, value=None, reason=reason),)
        return Score(state="not_judged", reason=reason, turns=turns, details=details)
    reason = "\n".join(lines) if lines else _passed(len(items), by_baseline=by_baseline)
    return Score(
        value=value, reason=reason, turns=(TurnScore(turn=turn.index, value=value, reason=reason),), details=details
    )


def _passed(count: int, *, by_baseline: bool) -> str:
    return f"{count} of {count} expectations are met, by {BASELINE}: no judge was asked" if by_baseline else ""


def _open(unjudged: Sequence[Item], count: int, remedy: str) -> str:
    """Tell what is open, each reason once."""
    by_reason: dict[str, list[str]] = {}
    for item in unjudged:
        by_reason.setdefault(item.ruling.reason, []).append(item.rubric.id)
    why = "; ".join(f"{', '.join(ids)}: {reason}" for reason, ids in by_reason.items())
    return "; ".join(filter(None, (f"{len(unjudged)} of {count} expectations are open ({why})", remedy)))
