"""`route` from hand-made traces of one crew: agent tools, transfers, a sequence with parallel members, a graph."""

import pytest

from evalkit.cases import CallPattern
from evalkit.scorers.routing import ROUTES

TRANSFER = "transfer_to_agent"


@pytest.fixture
def routed(make, score, crew):
    """Score turns against their expected routes, told in pairs: a route, a story."""

    def routed(*pairs, agents=crew, **rule):
        turns = [
            make.turn(index=index, expect=make.expecting(route=route, **rule)) for index, (route, _) in enumerate(pairs)
        ]
        trace = make.trace(*(story.happened() for _, story in pairs), agents=agents)
        return score("route", make.case(*turns), trace)

    return routed


def actual(found, turn=0):
    return found.details[ROUTES][turn]["actual"]


def test_an_agent_tool_and_a_transfer_are_entries_in_order(routed, story):
    told = story().asks("crew", "kafka").call("kafka", "get_lag", parent="c1").transfers("crew", "k8s")
    found = routed((("kafka", "k8s"), told.call("k8s", "list_pods").speaks("k8s")))
    assert (found.value, found.reason) == (1.0, "")
    assert found.details == {
        ROUTES: [{"turn": 0, "expected": ["kafka", "k8s"], "actual": ["kafka", "k8s"], "by_construction": False}]
    }


@pytest.mark.parametrize("route", [("crew", "k8s"), ("k8s",), ("crew", "k8s", "crew")])
def test_the_root_may_be_listed_or_left_out(routed, story, route):
    told = story().call("crew", "whoami").transfers("crew", "k8s").call("k8s", "list_pods")
    assert routed((route, told)).value == 1.0


@pytest.mark.parametrize("route", [(), ("crew",)])
def test_an_empty_route_wants_nobody_but_the_root(routed, story, route):
    assert routed((route, story().call("crew", "whoami").speaks("crew"))).value == 1.0
    found = routed((route, story().transfers("crew", "k8s").speaks("k8s")))
    headline = (
        "evalkit.expect[0].route: expected nobody but the root, actual k8s: k8s came, though no specialist should"
    )
    assert (found.value, found.reason.splitlines()[0]) == (0.0, headline)


@pytest.mark.parametrize(
    ("wanted", "came", "parting"),
    [
        ("kafka", "docker", "docker came in place of kafka"),
        ("kafka", "", "kafka was not brought into play"),
        ("kafka", "kafka docker", "docker came too"),
        ("kafka k8s", "docker kafka k8s", "docker came too"),
        ("kafka docker", "docker", "kafka was not brought into play"),
        ("kafka docker", "docker kafka", "docker came before kafka"),
        ("kafka docker", "kafka docker kafka", "kafka came again"),
        ("kafka docker kafka", "kafka docker", "kafka was not brought into play again"),
    ],
)
def test_the_reason_says_where_the_routes_part(routed, story, wanted, came, parting):
    told = story()
    for agent in came.split():
        told = told.transfers("crew", agent) if agent == "k8s" else told.asks("crew", agent)
    found = routed((tuple(wanted.split()), told))
    shown = " → ".join(wanted.split()), " → ".join(came.split()) or "nobody but the root"
    assert found.value == 0.0
    assert found.reason.splitlines()[0] == "evalkit.expect[0].route: expected {}, actual {}: {}".format(*shown, parting)


def test_the_reason_tells_the_turn_with_nested_calls_beneath_their_parent(routed, story):
    told = story().asks("crew", "kafka", request="lag?").asks("crew", "docker", group=1)
    told.asks("kafka", "dns", parent="c1").call("docker", "ps", parent="c2").call("dns", "lookup", parent="c3")
    found = routed((("k8s",), told.speaks("docker", parent="c2").speaks("crew")))
    assert found.reason.splitlines()[1:] == [
        '  crew: kafka(request="lag?")',
        "      kafka: dns()",
        "          dns: lookup()",
        "  crew: docker()",
        "      docker: ps()",
        '      docker: "Done."',
        '  crew: "Done."',
    ]


def test_an_agent_that_is_asked_again_at_once_counts_once(routed, story):
    told = story().asks("crew", "kafka").call("kafka", "get_lag", parent="c1").speaks("crew").asks("crew", "kafka")
    assert routed((("kafka",), told)).value == 1.0


def test_agents_called_together_have_no_order_and_stay_apart(routed, story):
    told = story().asks("crew", "kafka", group=1).asks("crew", "docker", group=1)
    told.call("kafka", "get_lag", parent="c1").call("docker", "ps", parent="c2").call("kafka", "x", parent="c1")
    assert routed((("kafka", "docker"), told)).value == 1.0
    assert routed((("docker", "kafka"), told)).value == 1.0
    one_after_the_other = story().asks("crew", "kafka").asks("crew", "docker")
    assert routed((("docker", "kafka"), one_after_the_other)).value == 0.0


def test_calls_of_which_nobody_knows_the_model_turn_keep_their_order(make, score, crew):
    tools = [make.event(name, "agent", "crew") for name in ("kafka", "docker")]
    case = make.case(make.turn(expect=make.expecting(route=("docker", "kafka"))))
    assert score("route", case, make.trace(make.happened(tools=tools), agents=crew)).value == 0.0


def test_a_call_inside_one_of_an_earlier_turn_stands_at_the_top(routed, story):
    assert actual(routed(((), story().call("docker", "ps", parent="of an earlier turn")))) == ["docker"]


def test_who_works_on_after_its_own_agent_tool_is_no_new_visit(routed, story):
    told = story().asks("crew", "kafka").asks("kafka", "dns", parent="c1").call("kafka", "get_lag", parent="c1")
    assert routed((("kafka", "dns"), told)).value == 1.0


@pytest.mark.parametrize("status", ["blocked", "refused", "waiting", "rejected", "unknown", "unanswered"])
def test_a_call_that_arrives_nowhere_brings_in_nobody(routed, story, status):
    assert actual(routed(((), story().call("crew", "kafka", status)))) == []


@pytest.mark.parametrize("status", ["answered", "missed", "raised", "real"])
def test_an_agent_counts_as_called_also_where_a_mock_stands_in(routed, story, status):
    assert actual(routed((("kafka",), story().call("crew", "kafka", status)))) == ["kafka"]


def test_a_plain_tool_that_is_called_like_somebody_elses_agent_tool_is_none(routed, story):
    assert actual(routed((("k8s",), story().transfers("crew", "k8s").call("k8s", "docker")))) == ["k8s"]


def test_an_agent_that_was_made_at_run_time_counts(routed, story):
    assert actual(routed(((), story().asks("crew", "made_up").transfers("crew", "stranger")))) == [
        "made_up",
        "stranger",
    ]


def test_an_agent_that_an_earlier_turn_handed_over_to_counts_once_it_works(routed, story):
    first = (("k8s",), story().transfers("crew", "k8s").speaks("k8s"))
    assert routed(first, (("k8s",), story().speaks("k8s"))).value == 1.0
    assert routed(first, ((), story().speaks("k8s"))).value == 0.5


@pytest.mark.parametrize("route", [("kafka",), ("k8s", "kafka")])
def test_an_agent_in_charge_that_only_hands_over_may_be_left_out(routed, story, route):
    told = story().transfers("k8s", "crew").asks("crew", "kafka")
    assert routed((("k8s",), story().transfers("crew", "k8s")), (route, told)).value == 1.0


def test_who_was_entered_and_handed_on_counts(routed, story):
    told = story().transfers("crew", "docker").transfers("docker", "k8s").speaks("k8s")
    assert actual(routed((("k8s",), told))) == ["docker", "k8s"]


@pytest.mark.parametrize(
    "route", [("triage",), ("summary",), ("triage", "summary"), ("check_disk", "check_lag", "summary"), ("checks",)]
)
def test_a_workflow_or_any_of_its_members_may_be_named(routed, story, route):
    told = story().transfers("crew", "triage").call("check_lag", "get_lag").call("check_disk", "df").speaks("check_lag")
    assert routed((route, told.speaks("summary"))).value == 1.0


def test_a_member_that_is_named_must_have_acted(routed, story):
    found = routed((("check_lag", "summary"), story().transfers("crew", "triage").speaks("check_lag")))
    assert "actual check_lag: summary was not brought into play" in found.reason


def test_what_a_workflow_does_is_its_own(routed, story):
    told = story().transfers("crew", "triage").speaks("check_lag").asks("crew", "kafka")
    assert actual(routed((("triage", "kafka"), told))) == ["triage", "kafka"]


def test_where_code_chooses_members_no_other_may_act(routed, story):
    def told(*members):
        written = story().transfers("crew", "graph")
        for member in members:
            written.speaks(member)
        return written

    assert routed((("sort", "billing"), told("sort", "billing"))).value == 1.0
    assert routed((("graph", "billing", "sort"), told("sort", "billing"))).value == 1.0
    assert routed((("graph",), told("sort", "refund"))).value == 1.0
    assert actual(routed((("sort", "billing"), told("sort", "refund", "billing")))) == ["sort", "billing", "refund"]


def test_workflows_inside_a_graph_need_no_mention_beside_their_members(routed, story, make):
    agents = (
        make.agent("root"),
        make.agent("graph", "graph", members=("sort", "steps")),
        make.agent("sort"),
        make.agent("steps", "sequence", members=("one", "two")),
        *map(make.agent, ("one", "two")),
    )
    told = story().transfers("root", "graph").speaks("sort").speaks("one").speaks("two")
    assert routed((("sort", "one", "two"), told), agents=agents).value == 1.0
    assert actual(routed((("sort", "two"), told), agents=agents)) == ["sort", "two", "one"]


def test_an_agent_of_the_users_own_class_chooses_only_if_it_has_members(routed, story, make):
    agents = (
        make.agent("root"),
        make.agent("steps", "sequence", members=("one", "own")),
        make.agent("one"),
        make.agent("own", "custom"),
    )
    told = story().transfers("root", "steps").speaks("one").speaks("own")
    assert routed((("own",), told), agents=agents).value == 1.0


def test_members_that_code_made_run_belong_to_their_workflow(routed, story):
    assert actual(routed((("triage",), story().speaks("check_lag").speaks("summary")))) == ["triage"]


def test_of_a_graph_as_the_root_the_members_are_named(routed, story, crew):
    graph = [agent for agent in crew if agent.name in ("graph", "sort", "refund", "billing")]
    told = story().call("sort", "x").speaks("billing")
    assert routed((("sort", "billing"), told), agents=graph).value == 1.0
    assert routed((("graph",), told), agents=graph).value == 1.0
    assert actual(routed(((), told), agents=graph)) == ["sort", "billing"]


def test_members_of_a_loop_are_named_once_however_often_it_goes_round(routed, story, make):
    agents = (
        make.agent("root"),
        make.agent("loop", "loop", members=("act", "check")),
        *map(make.agent, ("act", "check")),
    )
    told = story().transfers("root", "loop").speaks("act").speaks("check").speaks("act").speaks("check")
    for route in (("loop",), ("act", "check"), ("act", "check", "act", "check")):
        assert routed((route, told), agents=agents).value == 1.0


def test_an_optional_agent_neither_helps_nor_hurts(routed, story):
    optional = (CallPattern(name="docker"), CallPattern(name=TRANSFER, args={"agent_name": "k8s"}))
    told = story().asks("crew", "docker").call("docker", "ps", parent="c1").transfers("crew", "k8s").speaks("k8s")
    assert actual(routed(((), told), optional=optional)) == []
    assert actual(routed((("k8s",), told), optional=optional)) == ["k8s"]


def test_an_expected_agent_that_does_not_exist_is_named(routed, story):
    found = routed((("k9s",), story().transfers("crew", "k8s")))
    assert found.reason.splitlines()[-1] == "no agent is named k9s (did you mean k8s?)"


def test_without_knowing_the_tree_authors_and_transfers_still_tell(routed, story):
    told = story().transfers("crew", "k8s").call("k8s", "list_pods")
    assert routed((("crew", "k8s"), told), agents=()).value == 1.0


# Golden mode, and misses.


@pytest.fixture
def golden(make, score, crew):
    """Score a golden turn that went as told; keywords are those of its report."""

    def golden(route, told, agents=crew, **report):
        turn = make.turn([make.call("x")], expect=make.expecting(route=route))
        trace = make.trace(told.happened(golden=make.report(**report)), mode="golden", agents=agents)
        return score("route", make.case(turn), trace)

    return golden


@pytest.mark.parametrize(
    ("made_by", "report", "by_construction"),
    [
        ({"golden": "$.tool_uses[0]"}, {}, True),
        ({"added": True}, {"guided": True}, True),
        ({"added": True}, {}, False),
        ({}, {}, False),
    ],
    ids=["the case lists it", "the route decided", "the tree decided", "a callback made it"],
)
def test_a_golden_route_is_learned_where_the_case_did_not_make_it(golden, story, made_by, report, by_construction):
    found = golden(("k8s",), story().transfers("crew", "k8s", **made_by), **report)
    assert (found.value, found.by_construction) == (1.0, by_construction)
    assert found.details[ROUTES][0]["by_construction"] is by_construction


def test_a_golden_route_that_is_wrong_never_holds_by_construction(golden, story):
    found = golden(("k8s",), story().asks("crew", "kafka"), guided=True)
    assert (found.value, found.by_construction) == (0.0, False)


def test_what_code_chose_is_learned_in_golden_mode_too(golden, story, crew):
    graph = [agent for agent in crew if agent.name in ("graph", "sort", "refund", "billing")]
    found = golden(("sort", "billing"), story().speaks("sort").speaks("billing"), graph)
    assert (found.value, found.by_construction) == (1.0, False)


@pytest.mark.parametrize(
    ("route", "names", "wrong"),
    [
        (("k8s",), "kafka get_lag!", ["kafka came in place of k8s"]),
        (("kafka", "k8s"), "kafka get_lag!", []),  # the rest may come of the miss
        (("kafka",), "kafka get_lag! docker", []),  # so may what follows
        (("k8s",), "kafka!", ["kafka came in place of k8s"]),  # an agent without a mock was chosen all the same
        (("summary",), "triage get_lag!", []),
    ],
)
def test_agents_that_were_wrong_before_a_miss_are_told_apart(routed, story, route, names, wrong):
    told = story()
    for name in names.split():
        status = "missed" if name.endswith("!") else "agent"
        plain = name.rstrip("!")
        told = told.transfers("crew", plain) if plain == "triage" else told.call("crew", plain, status)
    found = routed((route, told))
    assert found.details.get("wrong_calls", []) == wrong


def test_words_after_a_miss_are_not_held_against_the_agent(routed, story):
    missed = story().asks("crew", "kafka").call("kafka", "get_lag", "missed", parent="c1").speaks("stranger")
    found = routed((("kafka",), missed))
    assert (found.value, "wrong_calls" in found.details) == (0.0, False)


def test_turns_after_a_miss_are_not_held_against_the_agent(routed, story):
    missed = story().call("crew", "get_lag", "missed")
    found = routed(((), missed), ((), story().asks("crew", "kafka")))
    assert "wrong_calls" not in found.details
