"""`budget`: did each turn stay within the limits of `expect[].budget`, or of the criterion, which hold for every turn?

`tool_calls` counts calls of tools at any depth, ADK's own such as transfers left out; `seconds` is the wall-clock time
of the turn; `tokens` and `usd` are those of all its model calls, `usd` estimated by the prices in the settings (see
`costs`). The value of a turn is the share of its limits that it kept; it must keep every one.

A limit of which nobody can tell is not judged: tokens that the model does not report, a price that is not known. The
metric then is not judged either, unless another limit is exceeded. Without a live model, time and tokens say nothing
and are left out; in golden mode the calls are the case's own, so that they are within the limit holds by construction.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from evalkit.cases import Budget, Case, Criterion, Turn
from evalkit.costs import cost_of
from evalkit.prices import Price, Prices, read_price
from evalkit.results import Score, TurnScore
from evalkit.scorers.golden_calls import made_by_the_case
from evalkit.scorers.made import of_tools
from evalkit.scorers.misses import first_with_a_miss, up_to_a_miss
from evalkit.scorers.per_turn import combine, expected_at, played
from evalkit.traces import Trace, TurnTrace

LIMITS = tuple(field.name for field in fields(Budget))

_WRITTEN = {
    "tool_calls": "{:g} tool calls were made",
    "seconds": "it took {:.3g} s",
    "tokens": "it took {:,g} tokens",
    "usd": "it cost an estimated {:.4g} US dollars",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Spent:
    """What a turn took of one kind, and how much it may take; if nobody can tell what it took, why."""

    kind: str
    limit: float
    used: float | None
    unknown: str = ""

    @property
    def exceeded(self) -> bool:
        return self.used is not None and self.used > self.limit

    def __str__(self) -> str:
        """Say it: `5 tool calls were made, 4 are allowed`."""
        if self.used is None:
            return f"nobody can tell: {self.unknown}"
        return f"{_WRITTEN[self.kind].format(self.used)}, {self.limit:g} allowed"


def score(case: Case, trace: Trace, criterion: Criterion) -> Score:
    """Compare what each turn took with its limits."""
    prices = _prices(criterion)
    turns: list[TurnScore] = []
    figures: list[dict[str, Any]] = []
    unknown: list[str] = []
    for turn, happened in played(case, trace):
        limits = _limits(turn, criterion)
        spent = [_measured(kind, limit, happened, trace, prices) for kind, limit in limits if _tells(kind, trace.mode)]
        if limits:
            turns.append(_turn_score(case, turn, spent))
            figures.append({"turn": turn.index, **{one.kind: one.used for one in spent}})
            unknown += _told(case, turn, [one for one in spent if one.used is None])
    wrong = list(_made_too_many(case, trace, criterion))
    whole = combine(
        turns, _nothing(turns, trace.mode), wrong_calls=wrong, by_construction=made_by_the_case(case, trace)
    )
    if unknown and whole.value in (None, 1.0):
        whole = replace(whole, state="not_judged", value=None, reason="\n".join(unknown), by_construction=False)
    return replace(whole, details={**whole.details, "turns": figures}) if figures else whole


def _limits(turn: Turn, criterion: Criterion) -> list[tuple[str, float]]:
    """Return the limits of a turn: its own, else those of the criterion."""
    own = turn.expect.budget or Budget()
    limits = {kind: getattr(own, kind) for kind in LIMITS}
    given = {kind: criterion.options.get(kind) if limit is None else limit for kind, limit in limits.items()}
    return [(kind, float(limit)) for kind, limit in given.items() if limit is not None]


def _tells(kind: str, mode: str) -> bool:
    """Tell whether what a run took of this kind is the model's doing."""
    return kind == "tool_calls" or mode == "live" or (mode == "cassette" and kind != "seconds")


def _measured(kind: str, limit: float, happened: TurnTrace, trace: Trace, prices: Prices) -> _Spent:
    if kind == "tool_calls":
        return _Spent(kind=kind, limit=limit, used=len(of_tools(happened)))
    if kind == "seconds":
        return _Spent(kind=kind, limit=limit, used=happened.seconds or None, unknown="its time was not measured")
    cost = cost_of([happened], trace.models, prices)
    if kind == "usd":
        remedy = " (set it under [tool.evalkit.prices])" if cost.unpriced else ""
        return _Spent(kind=kind, limit=limit, used=cost.usd, unknown=f"{cost.unknown}{remedy}")
    used = None if cost.uncounted else happened.usage.total_tokens
    return _Spent(kind=kind, limit=limit, used=used, unknown=cost.unknown)


def _turn_score(case: Case, turn: Turn, spent: Sequence[_Spent]) -> TurnScore:
    known = [one for one in spent if one.used is not None]
    exceeded = [one for one in known if one.exceeded]
    if not known:
        return TurnScore(turn=turn.index, value=None, reason="\n".join(_told(case, turn, spent)))
    value = 1 - len(exceeded) / len(known)
    return TurnScore(turn=turn.index, value=value, reason="\n".join(_told(case, turn, exceeded)))


def _told(case: Case, turn: Turn, spent: Sequence[_Spent]) -> Iterator[str]:
    place = expected_at(case, turn, "budget")
    yield from (f"{place}.{one.kind}: {one}" for one in spent)


def _made_too_many(case: Case, trace: Trace, criterion: Criterion) -> Iterator[str]:
    """Yield where more calls were made than allowed before any call without a mock: no later call mends that."""
    last = first_with_a_miss(trace.turns)
    for turn, happened in played(case, trace)[: last + 1]:
        limit = dict(_limits(turn, criterion)).get("tool_calls")
        if limit is not None:
            spent = _measured("tool_calls", limit, up_to_a_miss(happened), trace, {})
            yield from _told(case, turn, [spent] if spent.exceeded else [])


def _nothing(turns: Sequence[TurnScore], mode: str) -> str:
    if not turns:
        return "no turn has a budget"
    return f"in {mode} mode no model is at work, whose time, tokens and cost could be judged"


def _prices(criterion: Criterion) -> Prices:
    """Return the prices, which a config writes as tables."""
    given = criterion.options.get("prices") or {}
    return {
        model: price if isinstance(price, Price) else read_price(price, f"prices.{model}")
        for model, price in given.items()
    }
