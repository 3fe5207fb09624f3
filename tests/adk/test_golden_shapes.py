"""The orchestrator of `crew/` and the workflow of `graph/`, replayed by the golden rule in each shape."""

import pytest

from evalkit.traces import GoldenReport

TRANSFER = "transfer_to_agent"
CLEAN = GoldenReport(final_given=True)


@pytest.fixture(scope="module")
def mocks(make):
    return [make.route(tool) for tool in ("get_lag", "list_pods", "get_disk", "whoami", "write_note")]


@pytest.fixture
def replay(crew, mocks, run):
    """Play one turn on the crew; returns the outcome, which must be without failure or miss."""

    def replay(*turns, agent=crew):
        outcome = run.one(agent, *turns, mocks=mocks)
        assert outcome.failure is None
        assert outcome.trace.misses == ()
        return outcome

    return replay


def adk_calls(outcome, turn=0):
    return [made.name for made in outcome.trace.turns[turn].adk_calls]


def words(outcome, turn=0):
    return [(said.agent, said.text) for said in outcome.trace.turns[turn].said]


def ending(outcome, turn=0):
    played = outcome.trace.turns[turn]
    return played.final_agent, played.final and played.final.text


def test_an_agent_tool_runs_its_agent_inside_its_call(replay, make, run):
    replies = {"kafka": {"result": "the lag is 7"}}
    outcome = replay(make.turn(make.call("kafka", request="lag?"), make.call("get_lag", group="a"), replies=replies))
    assert run.tools(outcome, "id", "agent", "name", "status", "parent", "golden") == [
        ("call-1", "crew", "kafka", "agent", None, "$[0]"),
        ("call-2", "kafka", "get_lag", "answered", "call-1", "$[1]"),
    ]
    assert run.tools(outcome, "reply") == [({"result": "the lag is 7"},), ({"get_lag": "ok"},)]
    assert words(outcome) == [("kafka", "the lag is 7"), ("crew", "the end")]
    assert ending(outcome) == ("crew", "the end")
    assert adk_calls(outcome) == ["kafka"]  # ADK keeps what happens inside to itself
    assert outcome.trace.turns[0].golden == CLEAN


def test_an_agent_tool_that_is_called_twice_takes_its_calls_in_order(replay, make, run):
    calls = [make.call("kafka", request="1"), make.call("get_lag", group="a")]
    calls += [make.call("kafka", request="2"), make.call("get_lag", group="b")]
    outcome = replay(make.turn(*calls))
    assert run.tools(outcome, "name", "args", "parent") == [
        ("kafka", {"request": "1"}, None),
        ("get_lag", {"group": "a"}, "call-1"),
        ("kafka", {"request": "2"}, None),
        ("get_lag", {"group": "b"}, "call-3"),
    ]
    assert words(outcome) == [("kafka", "Done."), ("kafka", "Done."), ("crew", "the end")]


def test_an_agent_that_was_transferred_to_gives_the_answer(replay, make, run):
    outcome = replay(make.turn(make.call(TRANSFER, agent_name="k8s"), make.call("list_pods", namespace="x")))
    assert run.tools(outcome) == [("crew", TRANSFER, "control"), ("k8s", "list_pods", "answered")]
    assert words(outcome) == [("k8s", "the end")]
    assert ending(outcome) == ("k8s", "the end")
    assert adk_calls(outcome) == [TRANSFER, "list_pods"]
    assert outcome.trace.turns[0].golden == CLEAN


def test_a_workflow_with_parallel_members_is_transferred_to(replay, make, run):
    calls = [make.call(TRANSFER, agent_name="triage"), make.call("get_lag", "check_lag", group="a")]
    calls += [make.call("get_disk", "check_disk", host="h"), make.call("write_note", text="n")]
    outcome = replay(make.turn(*calls, route=("summary",)))
    assert run.tools(outcome) == [
        ("crew", TRANSFER, "control"),
        ("check_lag", "get_lag", "answered"),
        ("check_disk", "get_disk", "answered"),
        ("summary", "write_note", "answered"),
    ]
    assert words(outcome) == [("check_lag", "Done."), ("check_disk", "Done."), ("summary", "the end")]
    assert ending(outcome) == ("summary", "the end")
    assert outcome.trace.state == {"lag": "Done.", "disk": "Done."}  # each member's own output_key
    assert outcome.trace.turns[0].golden == CLEAN


def test_the_order_of_the_case_does_not_bind_parallel_members(replay, make, run):
    calls = [make.call(TRANSFER, agent_name="triage"), make.call("get_disk", "check_disk", host="h")]
    outcome = replay(make.turn(*calls, make.call("get_lag", "check_lag", group="a")))
    assert {agent for agent, _, _ in run.tools(outcome)} == {"crew", "check_lag", "check_disk"}
    assert outcome.trace.turns[0].golden == CLEAN


def test_a_loop_goes_round_until_exit_loop(replay, make, run):
    calls = [make.call(TRANSFER, agent_name="repair"), make.call("write_note", "actor", text="a")]
    calls += [make.call("whoami"), make.call("write_note", "actor", text="b"), make.call("exit_loop")]
    outcome = replay(make.turn(*calls))
    assert run.tools(outcome, "agent", "name", "args") == [
        ("crew", TRANSFER, {"agent_name": "repair"}),
        ("actor", "write_note", {"text": "a"}),
        ("verifier", "whoami", {}),
        ("actor", "write_note", {"text": "b"}),
        ("verifier", "exit_loop", {}),
    ]
    assert ending(outcome) == ("actor", "the end")  # the verifier leaves without a word
    assert outcome.trace.turns[0].golden == CLEAN


def test_a_loop_without_exit_ends_by_max_iterations(replay, make, run):
    calls = [make.call(TRANSFER, agent_name="repair"), make.call("write_note", "actor", text="a")]
    outcome = replay(make.turn(*calls))
    assert [agent for agent, _ in words(outcome)] == ["actor", "verifier"] * 3
    assert ending(outcome) == ("verifier", "the end")
    assert outcome.trace.turns[0].golden == CLEAN


def test_a_single_turn_agent_answers_its_caller(replay, make, run):
    replies = {"once": {"result": "90% full"}}
    outcome = replay(
        make.turn(make.call("once", request="?"), make.call("get_disk", "once", host="h"), replies=replies)
    )
    assert run.tools(outcome, "agent", "name", "status", "parent") == [
        ("crew", "once", "agent", None),
        ("once", "get_disk", "answered", "call-1"),
    ]
    assert words(outcome) == [("once", "90% full"), ("crew", "the end")]
    assert ending(outcome) == ("crew", "the end")
    assert adk_calls(outcome) == ["once", "get_disk"]  # unlike an agent tool, it runs in the same session


def test_a_task_agent_finishes_its_task_with_the_recorded_reply(replay, make, run):
    replies = {"task": {"result": "91"}}
    outcome = replay(
        make.turn(make.call("task", request="?"), make.call("get_disk", "task", host="h"), replies=replies)
    )
    assert run.tools(outcome, "agent", "name", "args", "status", "parent") == [
        ("crew", "task", {"request": "?"}, "agent", None),
        ("task", "get_disk", {"host": "h"}, "answered", "call-1"),
        ("task", "finish_task", {"result": "91"}, "control", "call-1"),
    ]
    assert run.tools(outcome, "added") == [(False,), (False,), (True,)]
    assert ending(outcome) == ("crew", "the end")
    assert outcome.trace.turns[0].golden == CLEAN


def test_a_recorded_finish_task_is_played_as_it_is(replay, make, run):
    calls = [make.call("task", request="?"), make.call("get_disk", "task", host="h")]
    outcome = replay(make.turn(*calls, make.call("finish_task", result="91%")))
    assert run.tools(outcome, "name", "golden")[-1] == ("finish_task", "$[2]")
    assert run.tools(outcome, "reply")[0] == ({"result": "91%"},)
    assert outcome.trace.turns[0].golden == CLEAN


@pytest.mark.parametrize(
    ("written", "agent"),
    [
        ({"entry": (TRANSFER, {"agent_name": "k8s"})}, "k8s"),
        ({"entry": ("kafka", {"request": "?"})}, "kafka"),
        ({"route": ("crew", "k8s")}, "k8s"),
        ({"author": "k8s"}, "k8s"),
    ],
    ids=["transfer", "agent tool", "route", "recorded author"],
)
def test_who_calls_a_tool_that_two_agents_have(replay, make, run, written, agent):
    name, args = written.get("entry", ("", {}))
    calls = [make.call(name, **args)] if name else []
    calls.append(make.call("list_pods", written.get("author"), namespace="x"))
    outcome = replay(make.turn(*calls, route=written.get("route")))
    assert run.tools(outcome)[-1] == (agent, "list_pods", "answered")


def test_a_transfer_that_the_case_leaves_out_is_made_and_reported(replay, make, run):
    outcome = replay(make.turn(make.call("list_pods", namespace="x"), route=("k8s",)))
    assert run.tools(outcome, "name", "added", "golden") == [(TRANSFER, True, None), ("list_pods", False, "$[0]")]
    assert outcome.trace.turns[0].golden == GoldenReport(added=("crew transfers to k8s",), final_given=True)
    assert adk_calls(outcome) == [TRANSFER, "list_pods"]  # it counts as it would live


def test_the_order_of_the_case_holds_across_a_transfer_and_back(replay, make, run):
    calls = [make.call(TRANSFER, agent_name="k8s"), make.call("list_pods", namespace="x")]
    calls += [make.call(TRANSFER, agent_name="crew"), make.call("whoami")]
    outcome = replay(make.turn(*calls))
    assert [agent for agent, _, _ in run.tools(outcome)] == ["crew", "k8s", "k8s", "crew"]
    assert ending(outcome) == ("crew", "the end")


def test_calls_of_one_recorded_event_are_one_model_turn(replay, make, run):
    both = make.event("k8s", make.call("list_pods", namespace="a"), make.call("list_pods", namespace="b"), text="Both:")
    outcome = replay(make.turn(make.event("crew", make.call(TRANSFER, agent_name="k8s")), both))
    assert run.tools(outcome, "args", "group") == [
        ({"agent_name": "k8s"}, 1),
        ({"namespace": "a"}, 2),
        ({"namespace": "b"}, 2),
    ]
    assert words(outcome) == [("k8s", "Both:"), ("k8s", "the end")]
    assert outcome.trace.turns[0].usage.model_calls == 3


def test_an_agent_tool_and_a_tool_may_be_called_in_one_event(replay, make, run):
    both = make.event("crew", make.call("kafka", request="?"), make.call("whoami"))
    outcome = replay(make.turn(both, make.event("kafka", make.call("get_lag", group="a"))))
    assert sorted(run.tools(outcome, "name", "parent", "group")) == [
        ("get_lag", "call-1", 2),
        ("kafka", None, 1),
        ("whoami", None, 1),
    ]


def test_intermediate_responses_are_said_by_their_agents_and_never_as_the_answer(replay, make):
    steps = [make.call(TRANSFER, agent_name="triage"), make.call("get_lag", "check_lag", group="a")]
    spoken = [make.said("check_lag", "the lag is 75"), make.said("summary", "summing up")]
    outcome = replay(make.turn(*steps, *spoken))
    assert sorted(words(outcome)) == [("check_disk", "Done."), ("check_lag", "the lag is 75"), ("summary", "the end")]
    assert outcome.trace.state["lag"] == "the lag is 75"
    assert outcome.trace.turns[0].golden == CLEAN


def test_a_workflow_is_replayed_as_the_root(replay, make, run, graph):
    outcome = replay(make.turn(make.call("get_lag", group="a"), make.call("write_note", text="n")), agent=graph)
    assert run.tools(outcome) == [("collect", "get_lag", "answered"), ("report", "write_note", "answered")]
    assert words(outcome) == [("collect", "Done."), ("report", "the end")]
    assert ending(outcome) == ("report", "the end")
    assert outcome.trace.turns[0].golden == CLEAN


def test_the_next_turn_goes_on_with_the_agent_that_was_transferred_to(replay, make, run):
    first = make.turn(make.call(TRANSFER, agent_name="k8s"), make.call("list_pods", namespace="a"))
    second = make.turn(make.call("list_pods", namespace="b"), final="again")
    outcome = replay(first, second)
    assert run.tools(outcome, turn=1) == [("k8s", "list_pods", "answered")]
    assert ending(outcome, turn=1) == ("k8s", "again")
    assert outcome.trace.turns[1].golden == CLEAN


def test_after_a_workflow_the_next_turn_starts_at_the_root_again(replay, make, run):
    first = make.turn(make.call(TRANSFER, agent_name="triage"), make.call("write_note", "summary", text="n"))
    outcome = replay(first, make.turn(make.call("whoami"), final="you are root", route=("crew",)))
    assert run.tools(outcome, turn=1) == [("crew", "whoami", "answered")]
    assert ending(outcome, turn=1) == ("crew", "you are root")


def test_without_a_golden_answer_the_calls_are_played(replay, make, run):
    outcome = replay(make.turn(make.call("kafka", request="?"), final=None))
    assert run.tools(outcome) == [("crew", "kafka", "agent")]
    assert ending(outcome) == ("crew", "Done.")
    assert outcome.trace.turns[0].golden == GoldenReport()


def test_the_model_of_every_agent_that_was_asked_is_named(replay, make):
    outcome = replay(make.turn(make.call("kafka", request="?")))
    assert outcome.trace.models == {"crew": "gemini-2.5-flash", "kafka": "gemini-2.5-flash"}
