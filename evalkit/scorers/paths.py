"""The paths that a turn accepts, and how near the calls that were made come to each.

A *path* is what is required: the turn's own `tool_uses` or recorded events, or one of `expect[].trajectory.any_of`. A
turn with neither requires nothing. An *attempt* is a path beside the calls of one view of the trace.

ADK's own tools, such as transfers, confirmations and `exit_loop`, count only where the path names them: whom an agent
hands over to is the business of `route`. What `optional` names is left out unless it is required too.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from evalkit.cases import CallPattern, Case, Criterion, TrajectoryRule, Turn
from evalkit.formats.expect import read_trajectory
from evalkit.formats.orders import DEFAULT, Order, order_named
from evalkit.models.tree import CONTROL_TOOLS, AgentTree
from evalkit.scorers.alignment import Row, align
from evalkit.scorers.calls import fits_any
from evalkit.scorers.made import View, views
from evalkit.scorers.pairing import Sets
from evalkit.scorers.per_turn import expected_at, place_of
from evalkit.scorers.required import Required
from evalkit.traces import ToolEvent, TurnTrace

_OPTIONS = ("order", "args_match", "args", "optional")
"""What a criterion may say for every turn; a turn's own word comes first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """An accepted path: sets of required calls, in order; `place` is its JSON path."""

    place: str
    steps: tuple[tuple[Required, ...], ...]

    @property
    def calls(self) -> tuple[Required, ...]:
        """The required calls in file order."""
        return tuple(call for step in self.steps for call in step)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A path beside the calls that were made, aligned.

    Attributes:
        order: How they are compared.
        rows: The alignment.
    """

    path: Path
    order: Order
    rows: tuple[Row[ToolEvent], ...]

    @property
    def missing(self) -> tuple[Required, ...]:
        """The required calls that were not made, or not as they must be."""
        return tuple(row.required for row in self.rows if row.mark in "-~" and row.required)

    @property
    def extra(self) -> tuple[ToolEvent, ...]:
        """The calls that were made and are neither required nor optional."""
        return tuple(row.made for row in self.rows if row.mark in "+~" and row.made)

    @property
    def holds(self) -> bool:
        """Whether the path was gone as the order demands; where no call is required, none may be made."""
        none_required = not self.path.steps
        return not (self.missing and not self.order.missing) and not (
            self.extra and (none_required or not self.order.extra)
        )

    @property
    def faults(self) -> int:
        """How far the calls are from the path."""
        return len(self.missing) + len(self.extra)


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """What one turn accepts.

    Attributes:
        paths: The paths, its own calls first; none if the turn does not say which calls are expected.
        order: How calls are compared with a path.
        optional: Calls that neither help nor hurt.
    """

    paths: tuple[Path, ...]
    order: Order
    optional: tuple[CallPattern, ...] = ()

    def attempts(self, happened: TurnTrace, tree: AgentTree) -> tuple[Attempt, ...]:
        """Set each path beside each view of what was made."""
        seen = views(happened, tree)
        return tuple(self._attempt(path, view) for path in self.paths for view in seen)

    def can_still_hold(self, happened: TurnTrace, tree: AgentTree) -> bool:
        """Tell whether further calls could make a path of what was made so far."""
        seen = views(happened, tree)
        return any(self._can_still_hold(path, view) for path in self.paths for view in seen)

    def _can_still_hold(self, path: Path, view: View) -> bool:
        if self.order.extra and path.steps:
            return True
        if not self.order.in_sequence:
            return not self._attempt(path, view).extra
        return any(self._ends_in_step(path, view, steps) for steps in range(len(path.steps) + 1))

    def _ends_in_step(self, path: Path, view: View, steps: int) -> bool:
        """Tell whether the calls are all of the first steps but the last of them, and some or all of that."""
        attempt = self._attempt(replace(path, steps=path.steps[:steps]), view)
        begun = path.steps[steps - 1] if steps else ()
        return not attempt.extra and all(any(call is one for one in begun) for call in attempt.missing)

    def _attempt(self, path: Path, view: View) -> Attempt:
        sets = _counted(path, view, self.optional)
        made = [event for calls in sets for event in calls]
        sizes = Sets(tuple(map(len, path.steps)), tuple(map(len, sets))) if self.order.in_sequence else None
        rows = align(path.calls, made, sizes, lambda event: fits_any(self.optional, event))
        return Attempt(path=path, order=self.order, rows=rows)


def accepted(case: Case, turn: Turn, criterion: Criterion) -> Accepted:
    """Read what a turn accepts off its calls, its `expect`, and what the criterion says of every turn.

    Raises:
        PatternError: A pattern has faults.
        ValueError: An order or a way to compare arguments is none.
    """
    rule = _rule_for(turn, criterion)
    order = DEFAULT if rule.order is None else order_named(rule.order)
    own = () if turn.steps is None else (_own_path(turn, rule),)
    others = []
    for index, calls in enumerate(rule.any_of):
        place = f"{expected_at(case, turn, 'trajectory.any_of')}[{index}]"
        steps = tuple((Required.named(call, f"{place}[{nth}]"),) for nth, call in enumerate(calls))
        others.append(Path(place=place, steps=steps))
    return Accepted(paths=(*own, *others), order=order, optional=rule.optional)


def nearest(tries: Sequence[Attempt]) -> Attempt:
    """Return the attempt that holds, else the one with the fewest faults; among equals the first."""
    return min(tries, key=lambda attempt: (not attempt.holds, attempt.faults))


def _rule_for(turn: Turn, criterion: Criterion) -> TrajectoryRule:
    own = turn.expect.trajectory or TrajectoryRule()
    general = read_trajectory({key: criterion.options[key] for key in _OPTIONS if key in criterion.options})
    return replace(
        own,
        order=own.order or general.order,
        args_match=own.args_match or general.args_match,
        args={**general.args, **own.args},
        optional=(*own.optional, *general.optional),
    )


def _counted(path: Path, view: View, optional: tuple[CallPattern, ...]) -> View:
    """Leave out the calls of ADK's own tools that neither the path nor `optional` names."""
    named = {call.name for call in path.calls} | {pattern.name for pattern in optional}
    sets = (tuple(event for event in calls if event.name not in CONTROL_TOOLS or event.name in named) for calls in view)
    return tuple(calls for calls in sets if calls)


def _own_path(turn: Turn, rule: TrajectoryRule) -> Path:
    seen: Counter[str] = Counter()
    steps = []
    for step in turn.steps or ():
        required = []
        for call in step.calls:
            patterns = rule.patterns_for(call.name, seen[call.name])
            required.append(Required.recorded(call, patterns, rule.args_match_for(call.name)))
            seen[call.name] += 1
        if required:
            steps.append(tuple(required))
    return Path(place=place_of(turn), steps=tuple(steps))
