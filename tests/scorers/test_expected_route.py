"""Which agents a case without a route of its own wants in play."""

from dataclasses import replace

import pytest

from evalkit.cases import CallPattern, Message, Step
from evalkit.scorers.routing import ROUTES

TRANSFER = "transfer_to_agent"


@pytest.fixture
def derived(make, score, crew):
    """Score a story against the calls that its turn expects; earlier turns expect the calls in `before`."""

    def derived(calls, told, *, before=(), recorded=True, **rule):
        earlier = [make.turn(calls_before, index=index) for index, calls_before in enumerate(before)]
        expect = make.expecting(**rule)
        turn = make.turn(calls, index=len(earlier), recorded=recorded, expect=expect)
        happened = [make.happened() for _ in earlier]
        trace = make.trace(*happened, told.happened(), agents=crew)
        return score("route", make.case(*earlier, turn), trace)

    return derived


def expected(found):
    return found.details[ROUTES][-1]["expected"]


def transfer(make, target, agent=None):
    return make.call(TRANSFER, agent=agent, agent_name=target)


def test_tool_uses_that_name_agents_are_the_expected_route(derived, make, story):
    calls = [make.call("kafka", request="lag?"), make.call("get_lag"), transfer(make, "k8s"), make.call("list_pods")]
    told = story().asks("crew", "kafka", request="How is the lag?").transfers("crew", "k8s").speaks("k8s")
    found = derived(calls, told)
    assert (found.value, expected(found)) == (1.0, ["kafka", "k8s"])


def test_another_accepted_path_may_name_other_agents(derived, make, story):
    other = ((CallPattern(name=TRANSFER, args={"agent_name": "k8s"}),),)
    told = story().transfers("crew", "k8s")
    assert derived([make.call("kafka")], told, any_of=other).value == 1.0
    assert (
        "expected kafka, actual docker"
        in derived([make.call("kafka")], story().asks("crew", "docker"), any_of=other).reason
    )


def test_a_turn_that_lists_no_call_wants_nobody(derived, story):
    assert derived((), story().speaks("crew")).value == 1.0
    assert derived((), story().asks("crew", "kafka")).value == 0.0


def test_a_turn_that_lists_no_call_wants_whoever_is_in_charge(derived, make, story):
    before = [[transfer(make, "k8s")]]
    assert expected(derived((), story().speaks("k8s"), before=before)) == ["k8s"]
    after_a_workflow = [[transfer(make, "triage")]]
    assert expected(derived((), story().speaks("crew"), before=[*before, *after_a_workflow])) == ["k8s"]


def test_recorded_authors_name_agents(derived, make, story):
    calls = [transfer(make, "triage", agent="crew"), make.call("get_lag", agent="check_lag")]
    calls += [make.call("write_note", agent="summary"), make.call("whoami", agent="docker")]
    assert expected(derived(calls, story())) == ["triage", "docker"]
    inside = [make.call("kafka", agent="crew"), make.call("get_lag", agent="kafka"), make.call("whoami", agent="crew")]
    assert expected(derived(inside, story())) == ["kafka"]


def test_recorded_authors_suffice_where_no_call_names_an_agent(derived, make, story):
    assert expected(derived([make.call("list_pods", agent="k8s")], story())) == ["k8s"]
    assert expected(derived([make.call("whoami", agent="crew")], story())) == []


def test_who_works_on_after_its_own_agent_tool_is_named_once(derived, make, story):
    calls = [transfer(make, "kafka"), make.call("dns"), make.call("get_lag")]
    assert expected(derived(calls, story())) == ["kafka", "dns"]
    by = ("crew", "kafka", "dns", "kafka")
    calls = [transfer(make, "kafka"), make.call("dns"), make.call("lookup"), make.call("get_lag")]
    authored = [replace(call, agent=agent) for call, agent in zip(calls, by, strict=True)]
    assert expected(derived(authored, story())) == ["kafka", "dns"]


def test_who_is_in_charge_and_only_hands_over_is_not_named(derived, make, story):
    calls = [transfer(make, "crew"), make.call("kafka")]
    assert expected(derived(calls, story(), before=[[transfer(make, "k8s")]])) == ["kafka"]


def test_who_is_in_charge_works_before_anybody_else_does(derived, make, story):
    calls = [make.call("list_pods"), transfer(make, "crew"), make.call("kafka")]
    assert expected(derived(calls, story(), before=[[transfer(make, "k8s")]])) == ["k8s", "kafka"]


@pytest.mark.parametrize("recorded", [True, False], ids=["calls that name no agent", "no intermediate_data"])
def test_a_case_that_does_not_say_who_is_to_act_is_not_applicable(derived, make, story, recorded):
    found = derived([make.call("get_lag")], story().asks("crew", "kafka"), recorded=recorded)
    assert found.state == "not_applicable"
    assert (
        found.reason
        == "no turn says which agents are to act: write evalkit.expect[].route, or tool_uses that name agents"
    )


def test_a_transfer_without_a_target_says_nothing(derived, make, story):
    assert derived([make.call(TRANSFER)], story()).state == "not_applicable"


def test_words_of_recorded_events_do_not_name_agents(make, score, crew, story):
    steps = (Step(agent="kafka", message=Message(parts=({"text": "hm"},))),)
    turn = replace(make.turn(), steps=steps)
    found = score("route", make.case(turn), make.trace(story().speaks("crew").happened(), agents=crew))
    assert found.value == 1.0
