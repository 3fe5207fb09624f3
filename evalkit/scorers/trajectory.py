"""`tool_trajectory_avg_score`: were the expected calls made?

The value equals that of ADK's `TrajectoryEvaluator` on the same calls: each turn scores 1 or 0, the case their average.
It differs, and says so, where ADK's answer would mislead:

- Absent `args` equal `{}`. (ADK tells them apart, so a call written without `args` never matches.)
- A turn without `intermediate_data` expects nothing and is not applicable. (ADK takes it as expecting no call.)
- A turn that explicitly lists no calls expects none, also under IN_ORDER and ANY_ORDER. (ADK accepts any call there.)
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter

from evalkit.cases import Case, Criterion, Json, ToolCall, Turn
from evalkit.matching import show
from evalkit.results import Score, TurnScore
from evalkit.scorers.alignment import Row, align, count, one_by_one, render
from evalkit.scorers.calls import show_call
from evalkit.scorers.nesting import inner_calls
from evalkit.scorers.per_turn import combine, place_of, played
from evalkit.scorers.required import Required
from evalkit.traces import ToolEvent, Trace, TurnTrace

MATCH_TYPES = ("EXACT", "IN_ORDER", "ANY_ORDER")
"""In the order of the numbers that ADK accepts for them."""

_FLAGS = {
    **dict.fromkeys(("1", "t", "true", "y", "yes", "on"), True),
    **dict.fromkeys(("0", "f", "false", "n", "no", "off"), False),
}
_NAME, _ARGS = attrgetter("name"), attrgetter("args")

_CONFIRMATION = "adk_request_confirmation"
_PATTERNS_LIMIT = 400
"""Characters of a proposed pattern that the reason shows."""


@dataclass(frozen=True, slots=True)
class Rule:
    """How calls are compared."""

    match_type: str = "EXACT"
    ignore_args: bool = False

    @classmethod
    def of(cls, criterion: Criterion) -> "Rule":
        """Read the criterion's options, in every spelling that ADK takes.

        Raises:
            ValueError: An option has a value that ADK refuses, too.
        """
        options = criterion.options
        if not options:
            return _EXACT
        return cls(_match_type(options.get("match_type", 0)), _flag(options.get("ignore_args", False)))

    def same(self, expected: ToolCall, actual: ToolCall) -> bool:
        """Tell whether a call is the expected one."""
        return expected.name == actual.name and (self.ignore_args or expected.args == actual.args)

    def holds(self, expected: Sequence[ToolCall], actual: Sequence[ToolCall]) -> bool:
        """Tell whether the calls are as expected."""
        if self.match_type == "EXACT" or not expected:
            # A comparison of lists takes half the time of one call after the other.
            if [*map(_NAME, expected)] != [*map(_NAME, actual)]:
                return False
            return self.ignore_args or [*map(_ARGS, expected)] == [*map(_ARGS, actual)]
        if self.match_type == "IN_ORDER":
            rest = iter(actual)
            return all(any(self.same(wanted, call) for call in rest) for wanted in expected)
        left = list(actual)
        return all(self._take(wanted, left) for wanted in expected)

    def _take(self, wanted: ToolCall, left: list[ToolCall]) -> bool:
        for index, call in enumerate(left):
            if self.same(wanted, call):
                del left[index]
                return True
        return False


_EXACT = Rule()


def score(case: Case, trace: Trace, criterion: Criterion) -> Score:
    """Compare the calls as ADK sees them with the case's `tool_uses` or recorded events."""
    if not criterion.options and trace.mode != "golden" and _are_plainly_right(case.turns, trace.turns):
        return _all_right(len(trace.turns))
    rule = Rule.of(criterion)
    pairs = played(case, trace)
    scores = tuple(_turn_score(turn, happened, rule) for turn, happened in pairs)
    failed = any(one.value == 0.0 for one in scores)
    return combine(
        scores,
        "no turn has intermediate_data, so no calls are expected or ruled out",
        wrong_calls=tuple(_wrong_calls(pairs, rule)) if failed else (),
        by_construction=trace.mode == "golden" and all(_compared_with_itself(*pair) for pair in pairs),
    )


def _are_plainly_right(turns: Sequence[Turn] | None, happened: Sequence[TurnTrace]) -> bool:
    """Tell at a glance whether all turns were played, each made exactly its calls, and nothing needs to be said.

    Most turns of most cases are like that; the rules are those of `Rule.holds`.
    """
    if not turns or len(turns) != len(happened):
        return False
    for turn in turns:
        expected, made = turn.calls, happened[turn.index].adk_calls
        if turn.steps is None or len(expected) != len(made):
            return False
        for index, call in enumerate(expected):  # quicker than to zip
            actual, args = made[index], call.args
            if args != actual.args or call.name != actual.name or not args:
                return False
    return True


@cache
def _all_right(turns: int) -> Score:
    """The score of so many turns that are right; one for all cases, since building it costs more than the rest."""
    return combine([TurnScore(turn=index, value=1.0) for index in range(turns)], "")


def _turn_score(turn: Turn, happened: TurnTrace, rule: Rule) -> TurnScore:
    if turn.steps is None:
        reason = "no intermediate_data: not applicable (ADK would take it as expecting no call)"
        return TurnScore(turn=turn.index, value=None, reason=reason)
    calls = turn.calls
    if rule.holds(calls, happened.adk_calls):
        return TurnScore(turn=turn.index, value=1.0, reason="\n".join(_without_args(calls, rule)))
    return TurnScore(turn=turn.index, value=0.0, reason="\n".join(_explain(turn, happened, rule)))


def _without_args(calls: Sequence[ToolCall], rule: Rule) -> Iterator[str]:
    """Name the calls that match here and not in ADK, because the file leaves their `args` out."""
    for call in calls:
        if call.extra and "args" in call.extra and not call.args and not rule.ignore_args:
            yield f'{call.where or call.name}: absent args are taken as {{}}; ADK would score 0, so write "args": {{}}'


def _compared_with_itself(turn: Turn, happened: TurnTrace) -> bool:
    if turn.steps is None:
        return True
    changed = happened.golden is None or happened.golden.changed
    return not changed and _EXACT.holds(turn.calls, happened.adk_calls)


def _explain(turn: Turn, happened: TurnTrace, rule: Rule) -> Iterator[str]:
    calls, made = turn.calls, happened.adk_calls
    required = [Required.recorded(call, args_match="ignore" if rule.ignore_args else "exact") for call in calls]
    rows = align(required, made, None if rule.match_type == "ANY_ORDER" else one_by_one(len(calls), len(made)))
    first = next((row.required for row in rows if row.mark in "~-" and row.required), None)
    place = (first and first.where) or place_of(turn)
    yield f"{place}: {count(rows)['=']} of {len(calls)} expected calls were made as {_demanded(rule)}"
    yield from render(rows, inner_calls(happened))
    if not calls and rule.match_type != "EXACT":
        yield f"no call is expected: the case lists none (ADK's {rule.match_type} would accept any)"
    yield from _hints(happened, rule, rows)
    asked = _asked_otherwise(rows, happened)
    if asked:
        patterns = show({agent: {"request": {"$any": True}} for agent in asked}, _PATTERNS_LIMIT)
        where = f"evalkit.expect[{turn.index}].trajectory.args"
        yield f'only what an agent was asked differs: write {where}: {patterns}, and "gate": false for this metric'


def _demanded(rule: Rule) -> str:
    return f"{rule.match_type} demands" + (" (arguments ignored)" if rule.ignore_args else "")


def _hints(happened: TurnTrace, rule: Rule, rows: Sequence[Row[ToolCall]]) -> Iterator[str]:
    extra = [row.made for row in rows if row.mark == "+" and row.made]
    missing = [row.required for row in rows if row.mark == "-" and row.required]
    for call in extra:
        if rule.match_type == "EXACT" and any(event.added and _is(event, call) for event in happened.tools):
            yield f"golden mode added {show_call(call.name, call.args)}: write it into tool_uses, where it happens"
    if rule.match_type == "EXACT" and any(call.name == _CONFIRMATION for call in extra):
        yield f'ADK counts its own {_CONFIRMATION} as a call: list it, or use "match_type": "IN_ORDER"'
    parents = {event.id: event.name for event in happened.tools}
    for wanted in missing:
        inner = next((event for event in happened.tools if event.parent and wanted.accepts(event)), None)
        if inner:
            within = parents.get(inner.parent or "", inner.agent)
            where = f"{wanted.name} was called inside {within}, where ADK does not look"
            yield f'{where}: leave it out of tool_uses, or keep it for replay and set "gate": false for this metric'
    if rule.match_type != "ANY_ORDER" and any(wanted.accepts(other) for wanted in missing for other in extra):
        yield 'the same calls were made in another order: "match_type": "ANY_ORDER" accepts that'


def _asked_otherwise(rows: Sequence[Row[ToolCall]], happened: TurnTrace) -> list[str]:
    """Name the agent tools that were asked in other words, if nothing else differs: those words are the model's own."""
    agents = {event.name for event in happened.tools if event.status == "agent"}
    differing = [(row.required, row.made) for row in rows if row.mark != "="]
    asked = [call.name for call, made in differing if call and made and call.name in agents and _same_but(call, made)]
    return list(dict.fromkeys(asked)) if len(asked) == len(differing) else []


def _same_but(call: Required, made: ToolCall, argument: str = "request") -> bool:
    """Tell whether two calls of one tool differ in this argument alone."""
    return {**call.literal, argument: None} == {**made.args, argument: None}


def _is(event: ToolEvent, call: ToolCall) -> bool:
    return event.name == call.name and event.args == call.args


def _wrong_calls(pairs: Sequence[tuple[Turn, TurnTrace]], rule: Rule) -> Iterator[str]:
    """Yield the first call of each turn that no later call could make good, up to the first one without a mock.

    What an agent does after a miss may come of the miss.
    """
    for turn, happened in pairs:
        miss = _first_miss(happened)
        made = happened.adk_calls if miss is None else happened.adk_calls[: miss + 1]
        if turn.steps is not None and (rule.match_type == "EXACT" or not turn.calls):
            wrong = _first_wrong(turn.calls, made, rule)
            if wrong:
                yield show_call(wrong.name, wrong.args)
        if miss is not None:
            return


def _first_wrong(expected: Sequence[ToolCall], made: Sequence[ToolCall], rule: Rule) -> ToolCall | None:
    for index, call in enumerate(made):
        if index >= len(expected) or not rule.same(expected[index], call):
            return call
    return None


def _first_miss(happened: TurnTrace) -> int | None:
    """Return the index in ADK's view of the first call that no mock answered, or inside which that happened."""
    events = {event.id: event for event in happened.tools}
    missed = next((event for event in happened.tools if event.status == "missed"), None)
    while missed and missed.parent in events:
        missed = events[missed.parent]
    if missed is None:
        return None
    calls = enumerate(happened.adk_calls)
    return next((index for index, call in calls if _is(missed, call)), len(happened.adk_calls))


def _match_type(value: Json) -> str:
    if isinstance(value, str):
        spelled = value.strip().upper().replace("-", "_").replace(" ", "_")
        if spelled in MATCH_TYPES:
            return spelled
    elif value in (0, 1, 2):
        return MATCH_TYPES[int(value)]
    raise ValueError(f"match_type is {value!r}; write one of {', '.join(MATCH_TYPES)}")


def _flag(value: Json) -> bool:
    if isinstance(value, str) and value.lower() in _FLAGS:
        return _FLAGS[value.lower()]
    if value in (0, 1):
        return bool(value)
    raise ValueError(f"ignore_args is {value!r}; write true or false")
