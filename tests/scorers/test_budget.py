"""`budget`: limits on calls, seconds, tokens and estimated cost."""

import pytest

from evalkit.cases import Budget, Expectation
from evalkit.prices import Price
from evalkit.traces import Usage

METRIC = "budget"
PRICES = {"flash": Price(input=1.0, output=4.0)}
USED = Usage(model_calls=2, input_tokens=1000, output_tokens=200, total_tokens=1500)
"""300 tokens are neither input nor answer: thoughts, which cost like output."""


@pytest.fixture
def one_turn(make, score):
    """Score one turn with these limits."""

    def one_turn(*made, usage=None, mode="live", options=None, golden=None, **limits):
        turn = make.turn([make.call("a")], expect=Expectation(budget=Budget(**limits) if limits else None))
        by_agent = {"root": usage} if usage else {}
        happened = make.happened(
            tools=made,
            usage=usage or Usage(),
            usage_by_agent=by_agent,
            seconds=2.0,
            golden=golden,
            final_agent="root",
        )
        trace = make.trace(happened, mode=mode, models={"root": "flash"})
        return score(METRIC, make.case(turn), trace, **{"prices": PRICES, **(options or {})})

    return one_turn


def test_every_limit_that_is_kept_is_measured(one_turn, make):
    found = one_turn(make.event("a"), usage=USED, tool_calls=1, seconds=3, tokens=1500, usd=0.01)
    assert found.value == 1.0
    (turn,) = found.details["turns"]
    assert turn == {"turn": 0, "tool_calls": 1, "seconds": 2.0, "tokens": 1500, "usd": pytest.approx(0.003)}


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ({"tool_calls": 1}, "tool_calls: 2 tool calls were made, 1 allowed"),
        ({"tokens": 1499}, "tokens: it took 1,500 tokens, 1499 allowed"),
        ({"usd": 0.002}, "usd: it cost an estimated 0.003 US dollars, 0.002 allowed"),
    ],
)
def test_a_limit_that_is_exceeded_is_told(one_turn, make, limits, told):
    found = one_turn(make.event("a"), make.event("b", parent="a"), usage=USED, **limits)
    assert (found.value, found.reason) == (0.0, f"evalkit.expect[0].budget.{told}")


def test_time_that_is_exceeded_is_told(make, score):
    turn = make.turn(expect=Expectation(budget=Budget(seconds=0.5)))
    found = score(METRIC, make.case(turn), make.trace(make.happened(seconds=2.0)))
    assert found.reason == "evalkit.expect[0].budget.seconds: it took 2 s, 0.5 allowed"


def test_the_value_is_the_share_of_the_limits_that_were_kept(one_turn, make):
    found = one_turn(make.event("a"), make.event("b"), usage=USED, tool_calls=1, tokens=2000)
    assert found.value == 0.5


def test_adks_own_tools_are_not_counted(one_turn, make):
    made = [make.event("transfer_to_agent", "control"), make.event("drop", resumed=True), make.event("a")]
    assert one_turn(*made, tool_calls=1).details["turns"][0]["tool_calls"] == 1


def test_a_price_that_is_not_known_is_said_and_not_judged(one_turn):
    found = one_turn(usage=USED, usd=1, options={"prices": {}})
    assert (found.state, found.value) == ("not_judged", None)
    assert found.reason == (
        "evalkit.expect[0].budget.usd: nobody can tell: the price of flash is unknown (set it under"
        " [tool.evalkit.prices])"
    )


def test_tokens_that_no_model_reports_are_said_and_not_judged(one_turn, make):
    found = one_turn(make.event("a"), tokens=10)
    assert found.state == "not_judged"
    assert found.reason == "evalkit.expect[0].budget.tokens: nobody can tell: the model of root reports no tokens"


def test_time_that_nobody_measured_is_not_judged(make, score):
    turn = make.turn(expect=Expectation(budget=Budget(seconds=9)))
    found = score(METRIC, make.case(turn), make.trace(make.happened()))
    assert (found.state, found.reason.rpartition(": ")[2]) == ("not_judged", "its time was not measured")


def test_what_is_not_known_does_not_hide_what_is_exceeded(one_turn, make):
    found = one_turn(make.event("a"), make.event("b"), usage=USED, usd=1, tool_calls=1, options={"prices": {}})
    assert (found.state, found.value) == ("judged", 0.0)


@pytest.mark.parametrize("limits", [{"seconds": 1}, {"tokens": 1}, {"usd": 0.1}])
def test_in_golden_mode_time_and_tokens_say_nothing(one_turn, make, limits):
    found = one_turn(make.event("a"), mode="golden", golden=make.report(), **limits)
    assert (found.state, found.reason) == (
        "not_applicable",
        "in golden mode no model is at work, whose time, tokens and cost could be judged",
    )


def test_golden_calls_within_the_limit_hold_by_construction(one_turn, make):
    assert one_turn(make.event("a"), mode="golden", golden=make.report(), tool_calls=1).by_construction
    made_by_code = make.event("b", golden=None)
    found = one_turn(make.event("a"), made_by_code, mode="golden", golden=make.report(), tool_calls=1)
    assert (found.value, found.by_construction) == (0.0, False)


def test_a_criterion_may_limit_every_turn_and_the_turn_itself_goes_first(one_turn, make):
    made = (make.event("a"), make.event("b"))
    assert one_turn(*made, options={"tool_calls": 1}).value == 0.0
    assert one_turn(*made, options={"tool_calls": 1}, tool_calls=2).value == 1.0


def test_a_config_may_have_prices_of_its_own(one_turn):
    options = {"prices": {"flash": {"input": 0, "output": 0}}}
    assert one_turn(usage=USED, usd=0, options=options).value == 1.0


@pytest.mark.parametrize(("made", "wrong"), [("ab!", True), ("a!b", False)])
def test_too_many_calls_before_a_miss_are_wrong_whatever_missed(one_turn, make, made, wrong):
    tools = [
        make.event(name, "missed" if made[index + 1 : index + 2] == "!" else "answered", id=name)
        for index, name in enumerate(made)
        if name != "!"
    ]
    found = one_turn(*tools, tool_calls=1)
    assert (found.value, bool(found.details.get("wrong_calls"))) == (0.0, wrong)


def test_a_case_without_a_budget_is_not_applicable(one_turn):
    assert one_turn().reason == "no turn has a budget"
