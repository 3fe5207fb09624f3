"""Golden turns on plain data: who takes which call, who speaks, and what is reported when it does not come out even."""

from dataclasses import replace

import pytest

from evalkit.cases import Expectation, Message, Step, ToolCall, ToolReply, Turn
from evalkit.models.golden import SPARE_TURNS, GoldenOverrunError, GoldenTurn
from evalkit.models.owners import UnplayableCaseError, own_steps
from evalkit.models.tree import Agent, AgentTree

ANSWER = Message(role="model", parts=({"text": "the lag is 75"},))


def turn(*steps: Step | ToolCall, final: Message | None = ANSWER, route: tuple[str, ...] | None = None) -> Turn:
    return Turn(
        index=0,
        user=Message(role="user", parts=({"text": "go"},)),
        final=final,
        steps=tuple(Step(calls=(step,)) if isinstance(step, ToolCall) else step for step in steps),
        expect=Expectation(route=route),
    )


def call(name: str, agent: str | None = None, **args: object) -> ToolCall:
    return ToolCall(name=name, args=args, agent=agent, where=f"$.{name}")


@pytest.fixture
def single() -> AgentTree:
    return AgentTree(root="one", agents={"one": Agent(name="one", tools=("get_lag", "get_disk"))})


@pytest.fixture
def pair() -> AgentTree:
    agents = (
        Agent(name="root", tools=("kafka", "whoami"), agent_tools={"kafka": "kafka"}, transfers=("k8s", "db")),
        Agent(name="kafka", tools=("get_lag",), parent="root"),
        Agent(name="k8s", tools=("list_pods",), transfers=("root", "db"), parent="root"),
        Agent(name="db", tools=("list_pods",), transfers=("root", "k8s"), parent="root"),
    )
    return AgentTree(root="root", agents={agent.name: agent for agent in agents})


OFFERED = frozenset({"get_lag", "get_disk", "list_pods", "kafka", "whoami"})


def test_a_flat_list_is_one_call_a_turn_and_then_the_answer(single):
    golden = GoldenTurn(turn(call("get_lag"), call("get_disk")), single)
    asked = [golden.ask("one", OFFERED) for _ in range(3)]
    assert [[made.name for made in model_turn.calls] for model_turn in asked] == [["get_lag"], ["get_disk"], []]
    assert asked[2].message == ANSWER
    assert golden.final_given
    assert golden.leftover() == ()


def test_calls_of_one_recorded_event_are_one_turn(single):
    event = Step(agent="one", calls=(call("get_lag", "one"), call("get_disk", "one")))
    golden = GoldenTurn(turn(event), single)
    assert [made.name for made in golden.ask("one", OFFERED).calls] == ["get_lag", "get_disk"]


def test_without_a_golden_answer_the_agent_says_a_neutral_line(single):
    golden = GoldenTurn(turn(call("get_lag"), final=None), single)
    golden.ask("one", OFFERED)
    assert golden.ask("one", OFFERED).neutral
    assert not golden.final_given


def test_an_agent_tool_answers_with_its_recorded_reply(pair):
    entry = call("kafka", request="lag?")
    reply = Step(replies=(ToolReply(name="kafka", response={"result": "it is 75"}),))
    golden = GoldenTurn(turn(entry, call("get_lag"), reply), pair)
    assert golden.ask("root", OFFERED).calls[0].golden is entry
    assert golden.ask("kafka", OFFERED, nested=True, inside=entry).calls[0].name == "get_lag"
    said = golden.ask("kafka", OFFERED, nested=True, inside=entry)
    assert said.message is not None
    assert said.message.text == "it is 75"
    assert golden.ask("root", OFFERED).message == ANSWER


def test_a_nested_agent_without_a_recorded_reply_does_not_give_the_answer_away(pair):
    entry = call("kafka", request="lag?")
    golden = GoldenTurn(turn(entry), pair)
    golden.ask("root", OFFERED)
    assert golden.ask("kafka", OFFERED, nested=True, inside=entry).neutral


def test_calls_behind_a_second_entry_wait_for_it(pair):
    golden = GoldenTurn(turn(call("kafka"), call("get_lag", g=1), call("kafka"), call("get_lag", g=2)), pair)
    golden.ask("root", OFFERED)
    assert golden.ask("kafka", OFFERED, nested=True).calls[0].args == {"g": 1}
    assert golden.ask("kafka", OFFERED, nested=True).neutral
    golden.ask("root", OFFERED)
    assert golden.ask("kafka", OFFERED, nested=True).calls[0].args == {"g": 2}


def test_an_owner_reached_only_by_transfer_is_transferred_to_and_that_is_reported(pair):
    golden = GoldenTurn(turn(call("list_pods"), route=("root", "k8s")), pair)
    made = golden.ask("root", OFFERED).calls[0]
    assert (made.name, made.args, made.golden) == ("transfer_to_agent", {"agent_name": "k8s"}, None)
    assert golden.added == ("root transfers to k8s",)
    assert golden.ask("k8s", OFFERED).calls[0].name == "list_pods"


def test_the_order_of_the_case_holds_across_a_transfer(pair):
    golden = GoldenTurn(turn(call("list_pods"), call("whoami"), route=("k8s",)), pair)
    assert golden.ask("root", OFFERED).calls[0].args == {"agent_name": "k8s"}
    assert golden.ask("k8s", OFFERED).calls[0].name == "list_pods"
    assert golden.ask("k8s", OFFERED).calls[0].args == {"agent_name": "root"}
    assert golden.ask("root", OFFERED).calls[0].name == "whoami"


def test_a_preceding_transfer_decides_between_two_owners(pair):
    transfer = call("transfer_to_agent", agent_name="db")
    golden = GoldenTurn(turn(transfer, call("list_pods")), pair)
    golden.ask("root", OFFERED)
    assert golden.ask("db", OFFERED).calls[0].name == "list_pods"


def test_a_transfer_of_an_earlier_turn_decides_too(pair):
    golden = GoldenTurn(turn(call("list_pods")), pair, active="db")
    assert golden.ask("db", OFFERED).calls[0].name == "list_pods"


def test_a_recorded_author_decides_whatever_else_is_true(pair):
    golden = GoldenTurn(turn(Step(agent="db", calls=(call("list_pods", "db"),))), pair)
    assert golden.ask("root", OFFERED).calls[0].args == {"agent_name": "db"}


def test_two_owners_and_no_word_about_them_is_an_error_that_says_what_to_write(pair):
    with pytest.raises(UnplayableCaseError) as caught:
        GoldenTurn(turn(call("list_pods")), pair)
    assert str(caught.value) == (
        "$.list_pods: `list_pods` can be called by k8s and db; say who does it: write"
        ' `evalkit.expect[0].route: ["k8s"]`, or put the transfer_to_agent call before it,'
        " or record the turn as invocation_events with authors"
    )


def test_an_agent_made_at_run_time_takes_calls_that_its_request_lists(single):
    golden = GoldenTurn(turn(call("made_tool")), single)
    assert golden.ask("made_later", frozenset({"made_tool"})).calls[0].name == "made_tool"


def test_a_call_that_nobody_has_is_left_over_with_the_nearest_name(single):
    golden = GoldenTurn(turn(call("get_lagg")), single)
    golden.ask("one", frozenset({"get_lag", "get_disk"}))
    assert golden.leftover() == (
        "$.get_lagg: no agent has a tool named `get_lagg` (did you mean get_lag?); asked were one",
    )


def test_a_call_whose_owner_was_never_asked_names_owner_and_asked(pair):
    golden = GoldenTurn(turn(call("get_lag")), pair)
    golden.ask("root", OFFERED)
    (untaken,) = golden.leftover()
    assert untaken == (
        "$.get_lag: `get_lag` was not asked for: it belongs to kafka, which runs when root calls its agent tool"
        " `kafka`: list that call before; asked were root"
    )


def test_an_author_that_does_not_exist_is_named_with_the_nearest(single):
    golden = GoldenTurn(turn(Step(agent="onne", calls=(call("get_lag", "onne"),))), single)
    golden.ask("one", OFFERED)
    assert "no agent is named onne (did you mean one?)" in golden.leftover()[0]


def test_asking_without_end_is_cut_and_reported(single):
    golden = GoldenTurn(turn(call("get_lag")), single)
    for _ in range(1 + SPARE_TURNS):
        golden.ask("one", OFFERED)
    with pytest.raises(GoldenOverrunError, match="more than 21 model turns"):
        golden.ask("one", OFFERED)
    assert "exit_loop" in golden.faults[0]


def test_members_of_a_loop_keep_the_order_of_the_case_between_them(loop):
    golden = GoldenTurn(turn(call("act", n=1), call("verify"), call("act", n=2), call("exit_loop")), loop)
    assert golden.ask("actor", IN_LOOP).calls[0].args == {"n": 1}
    assert golden.ask("actor", IN_LOOP).message == ANSWER  # its turn of the loop ends; this may be the last word
    assert golden.ask("verifier", IN_LOOP).calls[0].name == "verify"
    assert golden.ask("verifier", IN_LOOP).neutral
    assert golden.ask("actor", IN_LOOP).calls[0].args == {"n": 2}
    assert golden.ask("actor", IN_LOOP).message == ANSWER
    assert golden.ask("verifier", IN_LOOP).calls[0].name == "exit_loop"


def texts(agent: str, *said: str) -> list[Step]:
    return [Step(agent=agent, message=Message(role="model", parts=({"text": text},))) for text in said]


def test_recorded_text_is_said_by_an_agent_that_has_nothing_left(pair):
    transfer = call("transfer_to_agent", agent_name="k8s")
    golden = GoldenTurn(turn(transfer, call("kafka"), *texts("kafka", "looking"), route=("k8s",)), pair)
    said = golden.ask("kafka", OFFERED, nested=True)
    assert said.message is not None
    assert said.message.text == "looking"
    assert golden.ask("kafka", OFFERED, nested=True).neutral


def test_recorded_text_neither_replaces_the_answer_nor_makes_a_transfer(pair):
    there, back = call("transfer_to_agent", agent_name="k8s"), call("transfer_to_agent", agent_name="root")
    golden = GoldenTurn(turn(there, back, *texts("k8s", "I will look", "I looked"), *texts("root", "so")), pair)
    assert golden.ask("root", OFFERED).calls[0].golden is there
    assert golden.ask("k8s", OFFERED).calls[0].golden is back
    assert golden.ask("root", OFFERED).message == ANSWER
    assert golden.added == ()


@pytest.fixture
def loop() -> AgentTree:
    agents = (
        Agent(name="loop", kind="loop", members=("actor", "verifier"), repeats=True),
        Agent(name="actor", tools=("act",), parent="loop"),
        Agent(name="verifier", tools=("verify", "exit_loop"), parent="loop"),
    )
    return AgentTree(root="loop", agents={agent.name: agent for agent in agents})


IN_LOOP = frozenset({"act", "verify", "exit_loop"})


def test_an_agent_of_a_loop_says_its_recorded_text_before_the_answer(loop):
    golden = GoldenTurn(turn(*texts("actor", "draft"), call("verify"), call("act"), call("exit_loop")), loop)
    said = golden.ask("actor", IN_LOOP)
    assert said.message is not None
    assert said.message.text == "draft"
    assert golden.ask("verifier", IN_LOOP).calls[0].name == "verify"
    assert golden.ask("verifier", IN_LOOP).neutral
    assert golden.ask("actor", IN_LOOP).calls[0].name == "act"
    assert golden.ask("actor", IN_LOOP).message == ANSWER


def test_recorded_events_order_the_members_of_a_loop_also_where_they_only_speak(loop):
    def made(name: str) -> Step:
        return Step(agent="verifier", calls=(call(name, "verifier"),))

    answered = Step(agent="actor", extra={"content": None})
    recorded = turn(*texts("actor", "draft"), made("verify"), answered, made("exit_loop"))
    golden = GoldenTurn(replace(recorded, layout="events"), loop)
    said = golden.ask("actor", IN_LOOP)
    assert said.message is not None
    assert said.message.text == "draft"
    assert golden.ask("verifier", IN_LOOP).calls[0].name == "verify"
    assert golden.ask("verifier", IN_LOOP).neutral
    assert golden.ask("actor", IN_LOOP).message == ANSWER
    assert golden.ask("verifier", IN_LOOP).calls[0].name == "exit_loop"
    assert golden.leftover() == ()


def test_what_adk_itself_asks_the_user_is_nobodys_model_turn(single):
    golden = GoldenTurn(turn(call("get_lag"), call("adk_request_confirmation", agent="one", x=1)), single)
    golden.ask("one", OFFERED)
    assert golden.ask("one", OFFERED).message == ANSWER
    assert golden.leftover() == ()


def test_a_model_may_ask_the_user_through_adks_tool_for_that():
    tree = AgentTree(root="one", agents={"one": Agent(name="one", tools=("adk_request_input",))})
    golden = GoldenTurn(turn(call("adk_request_input", message="which?")), tree)
    assert golden.ask("one", frozenset({"adk_request_input"})).calls[0].args == {"message": "which?"}


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("k9s", "$.transfer_to_agent: no agent is named k9s (did you mean k8s?)"),
        (
            "kafka",
            "$.transfer_to_agent: no agent can transfer to kafka; root runs it by calling its agent tool `kafka`",
        ),
    ],
)
def test_a_transfer_that_nobody_can_make_is_an_error_that_names_the_way(pair, target, message):
    with pytest.raises(UnplayableCaseError) as caught:
        GoldenTurn(turn(call("transfer_to_agent", agent_name=target)), pair)
    assert str(caught.value) == message


def words_of(
    golden: GoldenTurn, agent: str, turns: int, *, nested: bool = False, offered: frozenset[str] = OFFERED
) -> list[str | None]:
    messages = [golden.ask(agent, offered, nested=nested).message for _ in range(turns)]
    return [message and message.text for message in messages]


def test_who_owes_the_answer_says_its_other_texts_beside_its_calls(single):
    golden = GoldenTurn(turn(call("get_lag"), call("get_disk"), *texts("one", "first", "then")), single)
    assert words_of(golden, "one", 3) == ["first", "then", "the lag is 75"]


@pytest.mark.parametrize("final", [ANSWER, None], ids=["answered", "without an answer"])
def test_who_hands_over_says_its_texts_beside_its_calls(pair, final):
    there, back = call("transfer_to_agent", agent_name="k8s"), call("transfer_to_agent", "k8s", agent_name="root")
    steps = (there, call("list_pods", "k8s"), back, *texts("k8s", "let me look", "and back"))
    golden = GoldenTurn(turn(*steps, final=final), pair)
    golden.ask("root", OFFERED)
    assert words_of(golden, "k8s", 2) == ["let me look", "and back"]
    assert golden.ask("root", OFFERED).message == final


def test_an_agent_of_a_loop_keeps_its_texts_for_the_end_of_each_round(loop):
    steps = (call("act", n=1), call("verify"), call("act", n=2), call("exit_loop"), *texts("actor", "draft"))
    golden = GoldenTurn(turn(*steps), loop)
    assert words_of(golden, "actor", 2, offered=IN_LOOP) == [None, "draft"]


def test_an_added_transfer_may_have_text_beside_it(pair):
    golden = GoldenTurn(turn(call("list_pods"), *texts("root", "over to k8s"), route=("k8s",)), pair)
    assert words_of(golden, "root", 1) == ["over to k8s"]


def test_who_ends_with_words_of_its_own_keeps_its_last_text_for_them(pair):
    golden = GoldenTurn(turn(call("kafka"), call("get_lag"), *texts("kafka", "let me look", "it is 75")), pair)
    golden.ask("root", OFFERED)
    assert words_of(golden, "kafka", 2, nested=True) == ["let me look", "it is 75"]


def test_recorded_events_say_themselves_what_is_said_beside_a_call(single):
    recorded = turn(Step(agent="one", calls=(call("get_lag", "one"),)), *texts("one", "a word"))
    golden = GoldenTurn(replace(recorded, layout="events"), single)
    assert words_of(golden, "one", 2) == [None, "the lag is 75"]


@pytest.mark.parametrize(
    ("steps", "route", "guided"),
    [
        ((call("list_pods"),), ("k8s",), True),
        ((call("list_pods", "k8s"),), None, True),
        ((call("whoami"),), ("root",), False),
        ((call("whoami", "root"),), ("root",), False),
        ((call("transfer_to_agent", agent_name="k8s"), call("list_pods")), ("k8s",), False),
    ],
    ids=["by the route", "by a recorded author", "one agent has it", "one agent has it anyway", "by a transfer"],
)
def test_a_turn_is_guided_where_the_case_had_to_say_who_makes_a_call(pair, steps, route, guided):
    steps = tuple(Step(agent=step.agent, calls=(step,)) for step in steps)
    assert GoldenTurn(turn(*steps, route=route), pair).guided is guided


def test_guidance_is_told_of_each_step(pair):
    steps = own_steps(turn(call("list_pods"), call("whoami"), route=("k8s",)), pair)
    assert [(owned.owner, owned.guided) for owned in steps] == [("k8s", True), ("root", False)]
