"""What model calls cost, estimated from the tokens that the models report and from list prices.

It is an estimate: cached input, batch rates and discounts are not known. Everything that a model counts beyond its
input is taken for output, thoughts too, because that is how it is charged.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from evalkit.prices import Prices, price_of
from evalkit.traces import Trace, TurnTrace, Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """An estimated cost.

    Attributes:
        usd: US dollars; None if it cannot be told.
        unpriced: Models that were asked and have no price.
        uncounted: Agents whose model did not report its tokens.
    """

    usd: float | None
    unpriced: tuple[str, ...] = ()
    uncounted: tuple[str, ...] = ()

    @property
    def unknown(self) -> str:
        """Say what is not known; empty if everything is."""
        lacking = [f"the price of {', '.join(self.unpriced)} is unknown"] if self.unpriced else []
        if self.uncounted:
            lacking.append(f"the model of {', '.join(self.uncounted)} reports no tokens")
        return " and ".join(lacking)


def cost_of(turns: Sequence[TurnTrace], models: Mapping[str, str], prices: Prices) -> Cost:
    """Estimate what some turns cost.

    Args:
        turns: The turns.
        models: The model of each agent, as in `Trace.models`.
        prices: The prices that are known.
    """
    usd = 0.0
    unpriced: dict[str, None] = {}
    uncounted: dict[str, None] = {}
    for agent, usage in _usages(turns, models):
        model = models.get(agent, agent)
        price = price_of(model, prices)
        if not usage.total_tokens and not usage.input_tokens:
            uncounted[agent] = None  # a call without a token there is not, so its model keeps them to itself
        elif price is None:
            unpriced[model] = None
        else:
            usd += price.of(usage.input_tokens, max(usage.output_tokens, usage.total_tokens - usage.input_tokens))
    known = not unpriced and not uncounted
    return Cost(usd=usd if known else None, unpriced=tuple(unpriced), uncounted=tuple(uncounted))


def cost_of_trace(trace: Trace, prices: Prices) -> Cost:
    """Estimate what a whole case cost."""
    return cost_of(trace.turns, trace.models, prices)


def _usages(turns: Sequence[TurnTrace], models: Mapping[str, str]) -> Iterator[tuple[str, Usage]]:
    """Yield what each agent used. What is not told apart is taken for the use of the only model, if there is one."""
    for turn in turns:
        if turn.usage_by_agent:
            yield from turn.usage_by_agent.items()
        elif turn.usage.model_calls or turn.said or turn.tools:
            only_one = len({*models.values()}) == 1
            yield (next(iter(models)) if only_one else ", ".join(models) or turn.final_agent or "the agent"), turn.usage
