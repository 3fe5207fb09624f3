"""What no metric asks about: silence, calls that come to nothing, and turns that nobody wrote down."""

import pytest

from evalkit.cases import Case, Message
from evalkit.scorers.conduct import as_played, silent_turns, vain_calls


@pytest.fixture
def silences(make):
    """Tell the silent turns of a live case that expects an answer, unless something else is given."""

    def told(happened, *, final="It is 75.", mode="live"):
        return list(silent_turns(make.case(make.turn(final=final)), make.trace(happened, mode=mode)))

    return told


def test_an_agent_that_does_nothing_at_all_is_silent(silences, make):
    assert silences(make.happened()) == [
        "conversation[0]: no response: the agent neither said nor called anything",
    ]


def test_an_agent_that_calls_a_tool_and_then_says_nothing_is_silent(silences, make):
    assert silences(make.happened(tools=[make.event("get_lag")])) == [
        "conversation[0]: no response: the agent only called tools",
    ]


@pytest.mark.parametrize(
    "parts",
    [({"text": "It is 75."},), ({"inline_data": {"mime_type": "image/png"}},), ({"function_call": {"name": "ask"}},)],
    ids=["words", "an image", "a question to the user"],
)
def test_an_agent_that_shows_something_is_not_silent(silences, make, parts):
    assert silences(make.happened(final=Message(role="model", parts=parts))) == []


@pytest.mark.parametrize("parts", [({"text": ""},), ({"text": "hm", "thought": True},)], ids=["empty", "a thought"])
def test_empty_words_and_thoughts_are_no_answer(silences, make, parts):
    assert len(silences(make.happened(final=Message(role="model", parts=parts)))) == 1


def test_where_no_answer_is_expected_silence_is_fine(silences, make):
    assert silences(make.happened(), final=None) == []


def test_of_a_replay_the_replay_itself_is_judged(silences, make):
    assert silences(make.happened(), mode="golden") == []


def test_calls_of_a_live_model_that_come_to_nothing_are_told(make):
    tools = [make.event("nope", "unknown"), make.event("get_lag", "refused"), make.event("get_lag")]
    assert list(vain_calls(make.trace(make.happened(tools=tools)))) == [
        "root called `nope`, a tool that it does not have",
        "root called `get_lag` with arguments that ADK turned away before the tool",
    ]
    assert list(vain_calls(make.trace(make.happened(tools=tools), mode="golden"))) == []


def test_a_scenario_has_the_turns_that_it_came_to(make):
    case = Case(eval_id="talk", scenario={"starting_prompt": "hi"}, where="$.eval_cases[0]")
    found = as_played(case, make.trace(make.happened(user="hi"), make.happened(user="and now?")))
    assert [(turn.user.text, turn.steps, turn.final) for turn in found.turns] == [
        ("hi", None, None),
        ("and now?", None, None),
    ]
    assert found.turns[1].where == "$.eval_cases[0].conversation_scenario, turn 2"
    assert as_played(case, None) is case


def test_a_case_with_turns_of_its_own_is_left_alone(make):
    case = make.case(make.turn())
    assert as_played(case, make.trace()) is case
