"""What turns cost, by each agent's tokens and its model's price."""

import pytest

from evalkit.cases import Message
from evalkit.costs import cost_of, cost_of_trace
from evalkit.prices import Price
from evalkit.traces import Trace, TurnTrace, Usage, Utterance

PRICES = {"flash": Price(input=1.0, output=10.0), "pro": Price(input=2.0, output=20.0)}
MODELS = {"root": "flash", "kafka": "pro"}
MILLION = 1_000_000


def used(input_tokens=0, output_tokens=0, total=None):
    total = input_tokens + output_tokens if total is None else total
    return Usage(model_calls=1, input_tokens=input_tokens, output_tokens=output_tokens, total_tokens=total)


def turn(**usage):
    return TurnTrace(user=Message(), usage=sum(usage.values(), start=Usage()), usage_by_agent=usage)


def test_each_agent_pays_its_own_models_price():
    turns = [turn(root=used(MILLION), kafka=used(MILLION, MILLION)), turn(root=used(MILLION))]
    cost = cost_of(turns, MODELS, PRICES)
    assert (cost.usd, cost.unknown) == (24.0, "")
    assert cost_of_trace(Trace(mode="live", turns=tuple(turns), models=MODELS), PRICES) == cost


def test_thoughts_which_models_count_in_the_total_alone_cost_like_output():
    assert cost_of([turn(root=used(MILLION, 0, total=2 * MILLION))], MODELS, PRICES).usd == 11.0


def test_a_model_without_a_price_leaves_the_cost_unknown():
    cost = cost_of([turn(root=used(5), kafka=used(5))], MODELS, {"flash": PRICES["flash"]})
    assert (cost.usd, cost.unpriced, cost.unknown) == (None, ("pro",), "the price of pro is unknown")


def test_a_model_that_reports_no_tokens_leaves_the_cost_unknown():
    cost = cost_of([turn(root=used(5), kafka=used())], MODELS, PRICES)
    assert (cost.usd, cost.uncounted, cost.unknown) == (None, ("kafka",), "the model of kafka reports no tokens")


@pytest.mark.parametrize(("models", "usd"), [({"root": "flash", "kafka": "flash"}, 1.0), (MODELS, None), ({}, None)])
def test_use_that_is_not_told_apart_is_that_of_the_only_model(models, usd):
    whole = TurnTrace(user=Message(), usage=used(MILLION))
    assert cost_of([whole], models, PRICES).usd == usd


def test_words_without_a_counted_model_call_are_not_free():
    silent_model = TurnTrace(user=Message(), said=(Utterance(agent="root", text="Hi"),), final_agent="root")
    assert cost_of([silent_model], {}, PRICES).uncounted == ("root",)


def test_a_turn_in_which_nothing_happened_costs_nothing():
    assert cost_of([TurnTrace(user=Message())], MODELS, PRICES).usd == 0.0
