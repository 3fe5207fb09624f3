"""`efficiency`: did the agent get there without detours?

Three kinds of waste are told apart, in calls of tools; those of ADK's own, such as transfers, do not count, and neither
does what `optional` names:

- *repeated*: the same agent makes the same call again in a turn, more often than the path lists it, and gets the same
  reply; polling until something has changed is no waste;
- *repeated after an error*: likewise, and what it gets is the same error; a retry that works is no waste;
- *beyond the shortest path*: calls more than the shortest accepted path has.

The value of a turn is the smaller of two shares: of the calls made, those that are no repeats; and the length of the
shortest path by the number of calls made, where the case says which are expected. Repeats are looked for at any depth,
lengths compared in the view that the case lists (see `made`). A turn without calls is not judged.

In golden mode the case makes its own calls, so this holds by construction.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evalkit.cases import Case, Criterion, Turn
from evalkit.formats.orders import ORDERS
from evalkit.models.known import tree_of
from evalkit.models.tree import CONTROL_TOOLS
from evalkit.results import Score, TurnScore
from evalkit.scorers.calls import error_of, fits_any, show_call
from evalkit.scorers.golden_calls import made_by_the_case
from evalkit.scorers.made import of_tools
from evalkit.scorers.paths import Accepted, Attempt, accepted, nearest
from evalkit.scorers.per_turn import combine, place_of, played
from evalkit.traces import ToolEvent, Trace

_FREE = ORDERS["any_order"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What a turn took.

    Attributes:
        calls: Calls at any depth.
        compared: Those of them that stand beside the shortest path.
        shortest: The length of the shortest accepted path; None if the case does not say which calls are expected.
        repeats: The calls that brought nothing new.
    """

    calls: int
    compared: int
    shortest: int | None
    repeats: tuple[ToolEvent, ...]

    @property
    def value(self) -> float:
        fresh = 1 - len(self.repeats) / self.calls
        return fresh if self.shortest is None else min(fresh, self.shortest / max(self.compared, self.shortest, 1))


def score(case: Case, trace: Trace, criterion: Criterion) -> Score:
    """Count the calls of each turn, and those that brought nothing."""
    tree = tree_of(trace.agents)
    turns: list[TurnScore] = []
    figures: list[dict[str, Any]] = []
    for turn, happened in played(case, trace):
        accepts = replace(accepted(case, turn, criterion), order=_FREE)
        made = [event for event in of_tools(happened) if not fits_any(accepts.optional, event)]
        if not made:
            turns.append(TurnScore(turn=turn.index, value=None, reason="not applicable: no tool was called"))
            continue
        tries = accepts.attempts(happened, tree)
        found = _found(made, accepts, nearest(tries) if tries else None)
        turns.append(TurnScore(turn=turn.index, value=found.value, reason="\n".join(_explain(turn, found))))
        figures.append({"turn": turn.index, **_figures(found)})
    whole = combine(turns, "no turn called a tool", by_construction=made_by_the_case(case, trace))
    return replace(whole, details={**whole.details, "turns": figures}) if figures else whole


def _found(made: Sequence[ToolEvent], accepts: Accepted, best: Attempt | None) -> _Found:
    compared = [row.made for row in best.rows if row.made and row.mark != "o"] if best else []
    lengths = [sum(call.name not in CONTROL_TOOLS for call in path.calls) for path in accepts.paths]
    return _Found(
        calls=len(made),
        compared=sum(event.name not in CONTROL_TOOLS for event in compared),
        shortest=min(lengths) if lengths else None,
        repeats=tuple(_repeats(made, best)),
    )


def _repeats(made: Sequence[ToolEvent], best: Attempt | None) -> Iterator[ToolEvent]:
    """Yield the calls that an agent had made before, to get the same again."""
    for index, event in enumerate(made):
        same = [one for one in made[:index] if (one.agent, one.name, one.args) == (event.agent, event.name, event.args)]
        listed = sum(call.accepts(event) for call in best.path.calls) if best else 0
        if same and len(same) >= listed and _reply(same[-1]) == _reply(event):
            yield event


def _reply(event: ToolEvent) -> tuple[str | None, Any]:
    """Return what a call brought: its error, of which a raised one is no reply, and its reply."""
    return error_of(event), event.reply


def _explain(turn: Turn, found: _Found) -> Iterator[str]:
    if found.value == 1.0:
        return
    place = place_of(turn)
    if found.repeats:
        yield f"{place}: {len(found.repeats)} of {found.calls} calls were made before, and brought the same again"
        for event in found.repeats:
            error = error_of(event)
            yield f"  {show_call(event.name, event.args)}: {f'the same error, {error}' if error else 'the same reply'}"
    if found.shortest is not None and found.compared > found.shortest:
        yield f"{place}: {found.compared} calls were made, where the shortest accepted path has {found.shortest}"


def _figures(found: _Found) -> dict[str, Any]:
    failed = [event for event in found.repeats if error_of(event) is not None]
    return {
        "calls": found.compared if found.shortest is not None else found.calls,
        "shortest": found.shortest,
        "repeated": len(found.repeats) - len(failed),
        "repeated_after_error": len(failed),
    }
