"""`trajectory_f1`: how many of the required calls were made, and how many of those that were made are required?

Calls are paired in whatever order, as many as possible that are right (see `pairing`); a call with a wrong argument is
not. *Precision* is the share of the calls made that are right, *recall* the share of the required ones. The value of a
turn is F1, their harmonic mean: twice the right calls by the required and the made ones together. It is 1 if nothing is
required and nothing was made. Of several accepted paths the one counts that gives the most.

`details` has for each turn these figures, the tools missing and too many, and a score for each argument: of the pairs
of one tool, right or near misses, the share in which the argument is right.

In golden mode the case makes its own calls, so comparing them with it holds by construction.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evalkit.cases import Case, Criterion, Turn
from evalkit.formats.orders import ORDERS
from evalkit.models.known import tree_of
from evalkit.results import Score, TurnScore
from evalkit.scorers.alignment import count, render
from evalkit.scorers.golden_calls import made_by_the_case
from evalkit.scorers.nesting import inner_events
from evalkit.scorers.paths import Attempt, accepted
from evalkit.scorers.per_turn import average, combine, played
from evalkit.traces import Trace, TurnTrace

FIGURES = ("precision", "recall", "f1")
"""Keys of `Score.details`: the averages of the turns'; `turns` has each turn's own."""

_FREE = ORDERS["unordered"]


@dataclass(frozen=True, slots=True)
class _Counts:
    """How many calls are right, required and made; optional ones that were left over are not counted."""

    right: int
    required: int
    made: int

    @classmethod
    def of(cls, attempt: Attempt) -> "_Counts":
        rows = count(attempt.rows)
        return cls(rows["="], rows["="] + rows["~"] + rows["-"], rows["="] + rows["~"] + rows["+"])

    @property
    def precision(self) -> float:
        return self.right / self.made if self.made else float(not self.required)

    @property
    def recall(self) -> float:
        return self.right / self.required if self.required else float(not self.made)

    @property
    def f1(self) -> float:
        both = self.required + self.made
        return 2 * self.right / both if both else 1.0


def score(case: Case, trace: Trace, criterion: Criterion) -> Score:
    """Count the calls of each turn that are required, made, and both."""
    tree = tree_of(trace.agents)
    turns: list[TurnScore] = []
    figures: list[dict[str, Any]] = []
    for turn, happened in played(case, trace):
        accepts = accepted(case, turn, criterion)
        tries = replace(accepts, order=_FREE).attempts(happened, tree)
        if not tries:
            turns.append(
                TurnScore(turn=turn.index, value=None, reason="not applicable: no calls are expected or ruled out")
            )
            continue
        best = max(tries, key=lambda attempt: _Counts.of(attempt).f1)
        turns.append(_turn_score(turn, happened, best))
        figures.append({"turn": turn.index, **_figures(best)})
    nothing = "no turn says which calls are expected: neither intermediate_data nor trajectory.any_of"
    whole = combine(turns, nothing, by_construction=made_by_the_case(case, trace))
    return replace(whole, details={**whole.details, **_averages(figures), "turns": figures}) if figures else whole


def _turn_score(turn: Turn, happened: TurnTrace, best: Attempt) -> TurnScore:
    counts = _Counts.of(best)
    if counts.f1 == 1.0:
        return TurnScore(turn=turn.index, value=1.0)
    place = best.missing[0].where if best.missing and best.missing[0].where else best.path.place
    headline = (
        f"{place}: F1 is {counts.f1:.3f}: {counts.right} of {counts.required} required calls were made (recall"
        f" {counts.recall:.3f}), and {counts.right} of {counts.made} calls made are required (precision"
        f" {counts.precision:.3f})"
    )
    shown = {row.made.id for row in best.rows if row.made}
    lines = (headline, *render(best.rows, inner_events(happened, shown)))
    return TurnScore(turn=turn.index, value=counts.f1, reason="\n".join(lines))


def _figures(best: Attempt) -> dict[str, Any]:
    counts = _Counts.of(best)
    return {
        "precision": counts.precision,
        "recall": counts.recall,
        "f1": counts.f1,
        "missing": [row.required.name for row in best.rows if row.mark == "-" and row.required],
        "extra": [row.made.name for row in best.rows if row.mark == "+" and row.made],
        "arguments": _arguments(best),
    }


def _arguments(best: Attempt) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, list[bool]]] = {}
    for row in best.rows:
        if row.required and row.made:
            by_name = found.setdefault(row.required.name, {})
            for name, right in row.required.arguments(row.made).items():
                by_name.setdefault(name, []).append(right)
    return {tool: {name: average(right) for name, right in by_name.items()} for tool, by_name in found.items()}


def _averages(figures: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    return {name: average(turn[name] for turn in figures) for name in FIGURES}
