"""Drafts as cases, read back from the text that is written."""

import json
from dataclasses import replace

import pytest

from evalkit.cases import SessionInput
from evalkit.formats import config as config_format, evalset as evalset_format
from evalkit.models.facts import ToolFacts
from evalkit.models.tree import Agent, AgentTree
from evalkit.scaffold.cases import case_of, case_set, config_text
from evalkit.scaffold.drafts import Draft, Exchange

TREE = AgentTree(
    root="desk",
    agents={
        "desk": Agent(name="desk", tools=("drop",), transfers=("one", "two")),
        "one": Agent(name="one", tools=("look",)),
        "two": Agent(name="two", tools=("look",)),
    },
)
SESSION = SessionInput(app_name="desk", user_id="user", state={"role": "admin"})


def exchange(agent, tool, **args):
    return Exchange(agent=agent, tool=ToolFacts(name=tool), args=args)


DROP = Draft(
    eval_id="drop",
    subject="drop",
    agent="desk",
    prompt="Drop it.",
    exchanges=(exchange("desk", "drop", topic="a"),),
    answer="It is gone.",
    must_say="gone",
    route=(),
)


def written(draft, tree=TREE):
    """The one case of the JSON that is written, after the reader has found nothing wrong with it."""
    text = evalset_format.write(case_set("desk", "Examples.", [case_of(draft, tree, SESSION)]))
    problems = evalset_format.parse(text, file="desk.test.json").problems
    assert {problem.rule for problem in problems} <= {"adk-cannot-play"}
    return json.loads(text)["eval_cases"][0]


def test_a_case_is_skipped_until_it_has_been_edited():
    case = written(DROP)
    (turn,) = case["conversation"]
    assert turn["user_content"]["parts"] == [{"text": "Drop it."}]
    assert turn["intermediate_data"] == {"tool_uses": [{"name": "drop", "args": {"topic": "a"}}]}
    assert turn["final_response"]["parts"] == [{"text": "It is gone."}]
    assert case["session_input"] == {"app_name": "desk", "user_id": "user", "state": {"role": "admin"}}
    assert case["evalkit"] == {"skip": "edit me", "expect": [{"route": [], "response": {"contains": ["gone"]}}]}


def test_a_tool_that_asks_first_makes_two_turns():
    after = exchange("desk", "drop", topic="b")
    case = written(replace(DROP, ending="confirmed", exchanges=(*DROP.exchanges, after)))
    first, second = case["conversation"]
    assert "final_response" not in first
    made = [turn["intermediate_data"]["tool_uses"] for turn in (first, second)]
    assert [[call["args"] for call in calls] for calls in made] == [[{"topic": "a"}], [{"topic": "b"}]]
    yes = {"name": "adk_request_confirmation", "response": {"confirmed": True}}
    assert second["user_content"]["parts"] == [{"function_response": yes}]
    assert second["final_response"]["parts"] == [{"text": "It is gone."}]
    assert case["evalkit"]["expect"] == [{"route": []}, {"route": [], "response": {"contains": ["gone"]}}]


def test_a_call_that_a_callback_answers_is_expected_to_be_blocked_and_says_why():
    refusal = {"error": "Not as a viewer."}
    case = written(replace(DROP, ending="blocked", must_say=None, refusal=refusal))
    assert case["evalkit"]["expect"][0]["trajectory"] == {"blocked": [{"name": "drop", "args": {"topic": "a"}}]}
    (note,) = case["evalkit"]["source"]["notes"]
    assert note.startswith(
        'a callback answered in place of drop: "Not as a viewer."; if the call is to go through, give'
    )


def test_a_case_that_cannot_be_played_yet_says_why():
    case = written(replace(DROP, fault="agent_error: it broke"))
    assert case["evalkit"]["source"]["notes"] == ["golden mode cannot play this yet: agent_error: it broke"]


def test_what_must_not_be_called_is_listed():
    talk = replace(DROP, exchanges=(), must_say=None, forbidden=("drop", "transfer_to_agent"))
    case = written(talk)
    assert case["conversation"][0]["intermediate_data"] == {"tool_uses": []}
    assert case["evalkit"]["expect"] == [{"route": [], "trajectory": {"forbid": ["drop", "transfer_to_agent"]}}]


def test_without_an_answer_there_is_no_final_response():
    assert "final_response" not in written(replace(DROP, answer=None, must_say=None))["conversation"][0]


def test_where_a_list_of_calls_would_leave_open_who_makes_them_events_have_authors():
    flat = replace(
        DROP, route=None, exchanges=(exchange("desk", "transfer_to_agent", agent_name="two"), exchange("two", "look"))
    )
    assert "tool_uses" in written(flat)["conversation"][0]["intermediate_data"]
    events = written(replace(flat, exchanges=flat.exchanges[1:]))["conversation"][0]["intermediate_data"]
    part = {"function_call": {"name": "look", "args": {}}}
    assert events == {"invocation_events": [{"author": "two", "content": {"role": "model", "parts": [part]}}]}


@pytest.mark.parametrize(("exact", "match_type", "gate"), [(True, "EXACT", True), (False, "IN_ORDER", False)])
def test_a_trajectory_gates_only_where_adk_sees_exactly_the_expected_calls(exact, match_type, gate):
    loaded = config_format.parse(config_text(exact=exact), file="test_config.json")
    assert loaded.problems == ()
    trajectory, grounding, response = loaded.value.criteria
    assert (trajectory.options, trajectory.gate) == ({"match_type": match_type}, gate)
    assert (grounding.name, grounding.gate, response.gate) == ("grounding", True, False)
