import json

import pytest
from google.adk.evaluation.eval_set import EvalSet

from evalkit.cases import Case, CaseSet, Message, SessionInput, Step, ToolCall, ToolReply, Turn
from evalkit.formats import evalset as evalset_format

EVENTS = [
    {
        "author": "router",
        "content": {
            "role": "model",
            "parts": [
                {"function_call": {"name": "lag", "id": "1"}, "thought_signature": "aGk="},
                {"text": "Looking.", "thought": True},
                {"function_call": {"name": "list", "args": {"all": True}}},
            ],
        },
        "usage_metadata": {"prompt_token_count": 3},
        "invocationIndex": 0,
    },
    {
        "author": "router",
        "content": {"parts": [{"function_response": {"name": "lag", "response": {"n": 75}, "id": "1"}}]},
    },
    {"author": "router", "content": {"parts": [], "role": "model"}},
    {"author": "router", "content": None},
]


@pytest.fixture
def load():
    """Read a value as an evalset that has no errors."""

    def read(value: object) -> CaseSet:
        loaded = evalset_format.parse(json.dumps(value), file="f.evalset.json")
        assert loaded.value is not None, loaded.problems
        return loaded.value

    return read


def test_a_set_is_read_into_cases(load, evalset, case):
    case |= {
        "session_input": {"app_name": "kafka", "user_id": "u", "state": {"role": "viewer"}},
        "final_session_state": {"x": 1},
    }
    assert load(evalset | {"name": "Kafka"}) == CaseSet(
        eval_set_id="kafka",
        name="Kafka",
        file="f.evalset.json",
        cases=(
            Case(
                eval_id="lag",
                turns=(
                    Turn(
                        index=0,
                        invocation_id="turn-1",
                        user=Message(role="user", parts=({"text": "How far behind is the group orders?"},)),
                        final=Message(role="model", parts=({"text": "It is 75 behind."},)),
                        steps=(Step(calls=(ToolCall(name="get_lag", args={"group": "orders"}),)),),
                    ),
                ),
                session=SessionInput(app_name="kafka", user_id="u", state={"role": "viewer"}),
                final_state={"x": 1},
            ),
        ),
    )


def test_a_flat_list_is_one_step_a_call_then_the_replies_and_what_was_said(load, evalset, turn):
    turn["intermediate_data"] = {
        "tool_uses": [{"name": "a", "args": {"x": 1}, "id": "1"}, {"name": "b"}],
        "tool_responses": [{"name": "a", "response": {"y": 2}, "id": "1"}],
        "intermediate_responses": [["helper", [{"text": "Found it."}]]],
    }
    (read,) = load(evalset).cases[0].turns
    assert read.layout == "flat"
    assert read.steps == (
        Step(calls=(ToolCall(name="a", args={"x": 1}, id="1"),)),
        Step(calls=(ToolCall(name="b"),)),
        Step(replies=(ToolReply(name="a", response={"y": 2}, id="1"),)),
        Step(agent="helper", message=Message(parts=({"text": "Found it."},))),
    )


def test_recorded_events_are_one_step_each(load, evalset, turn):
    turn["intermediate_data"] = {"invocation_events": EVENTS}
    (read,) = load(evalset).cases[0].turns
    assert read.layout == "events"
    assert read.steps == (
        Step(
            agent="router",
            calls=(
                ToolCall(name="lag", agent="router", id="1"),
                ToolCall(name="list", args={"all": True}, agent="router"),
            ),
            message=Message(role="model", parts=({"text": "Looking.", "thought": True},)),
        ),
        Step(agent="router", replies=(ToolReply(name="lag", response={"n": 75}, agent="router", id="1"),)),
        Step(agent="router"),
        Step(agent="router"),
    )


def test_absent_intermediate_data_is_not_an_empty_trajectory(load, evalset, turn):
    turn["intermediate_data"] = {}
    assert load(evalset).cases[0].turns[0].steps == ()
    del turn["intermediate_data"]
    assert load(evalset).cases[0].turns[0].steps is None


def test_values_know_where_they_stand_in_the_spelling_of_the_file(load, evalset, turn):
    turn["intermediateData"] = {"toolUses": turn.pop("intermediate_data")["tool_uses"]}
    evalset["eval_cases"].insert(0, {"evalId": "other", "conversation": [{"userContent": {"parts": []}}]})
    _, case = load(evalset).cases
    assert case.where == "$.eval_cases[1]"
    assert case.turns[0].where == "$.eval_cases[1].conversation[0]"
    assert case.turns[0].calls[0].where == "$.eval_cases[1].conversation[0].intermediateData.toolUses[0]"


def test_calls_in_events_know_where_they_stand(load, evalset, turn):
    turn["intermediate_data"] = {"invocationEvents": EVENTS}
    (read,) = load(evalset).cases[0].turns
    assert [call.where for call in read.calls] == [
        "$.eval_cases[0].conversation[0].intermediate_data.invocationEvents[0].content.parts[0].function_call",
        "$.eval_cases[0].conversation[0].intermediate_data.invocationEvents[0].content.parts[2].function_call",
    ]
    assert [reply.where for reply in read.replies] == [
        "$.eval_cases[0].conversation[0].intermediate_data.invocationEvents[1].content.parts[0].function_response"
    ]


@pytest.mark.parametrize("distraction", [{}, {"eval_id": "not one"}], ids=["plain", "with another eval_id key"])
def test_a_case_knows_the_line_of_its_id(distraction, evalset, case, turn):
    turn["intermediate_data"]["tool_uses"][0]["args"] = distraction
    text = json.dumps(evalset | {"eval_cases": [case, case | {"eval_id": "second"}]}, indent=2)
    cases = evalset_format.parse(text, file="f").value.cases
    lines = text.splitlines()
    assert [lines[case.line - 1].strip() for case in cases] == ['"eval_id": "lag",', '"eval_id": "second",']


def test_parts_are_in_snake_case_and_flags_are_flags(load, evalset, turn):
    turn["user_content"]["parts"] = [
        {"inlineData": {"mimeType": "image/png", "data": "aGk="}},
        {"text": "…", "thought": "no"},
        {"functionResponse": {"name": "ask", "response": {"camelKey": 1}, "willContinue": 0}},
    ]
    assert load(evalset).cases[0].turns[0].user.parts == (
        {"inline_data": {"mime_type": "image/png", "data": "aGk="}},
        {"text": "…", "thought": False},
        {"function_response": {"name": "ask", "response": {"camelKey": 1}, "will_continue": False}},
    )


def test_a_scenario_is_in_snake_case(load, evalset, case):
    del case["conversation"]
    case["conversationScenario"] = {"startingPrompt": "hi", "conversationPlan": "ask", "userPersona": "NOVICE"}
    (read,) = load(evalset).cases
    assert read.turns is None
    assert read.scenario == {"starting_prompt": "hi", "conversation_plan": "ask", "user_persona": "NOVICE"}


ROUND_TRIPS = {
    "events": {"intermediate_data": {"invocation_events": EVENTS}},
    "camel case": {"intermediateData": {"invocationEvents": EVENTS}},
    "no parts": {"user_content": {"role": "user"}},
    "no list of parts": {"user_content": {"parts": []}},
    "no role": {"final_response": {"parts": [{"text": "x"}]}},
    "no arguments": {"intermediate_data": {"tool_uses": [{"name": "a"}, {"name": "a", "args": {}}]}},
    "streamed arguments": {"intermediate_data": {"tool_uses": [{"name": "a", "partialArgs": [{"jsonPath": "$"}]}]}},
    "nameless response": {"intermediate_data": {"tool_responses": [{}, {"name": "", "response": {}}]}},
    "images": {"final_response": {"parts": [{"inlineData": {"data": "aGk=", "mimeType": "image/png"}}]}},
    "times": {"creation_timestamp": "1.5", "duration": 2},
    "details": {"appDetails": {"agentDetails": {"a": {"name": "a", "toolDeclarations": [{"x": 1}]}}}},
    "rubrics": {"rubrics": [{"rubricId": "r", "rubricContent": {"textProperty": "x"}, "type": None}]},
    "an empty list of rubrics": {"rubrics": []},
}


@pytest.mark.parametrize("change", ROUND_TRIPS.values(), ids=ROUND_TRIPS)
def test_a_set_that_is_written_back_is_the_same_to_adk(change, load, evalset, turn):
    if "intermediateData" in change:
        del turn["intermediate_data"]
    turn |= change
    written = evalset_format.write(load(evalset))
    assert EvalSet.model_validate_json(written) == EvalSet.model_validate_json(json.dumps(evalset))
    assert load(json.loads(written)) == load(evalset)


CASES = {
    "unread keys": {"expected_outputs": [1], "Notes": {"a": 1}},
    "state is null": {"final_session_state": None},
    "a state": {"finalSessionState": {"camelKey": {"$any": True}}},
    "a session": {"session_input": {"appName": "a", "userId": "u", "sessionId": "s", "extra": {"x": 1}}},
    "a block": {"evalkit": {"tags": [], "expect": [{"response": {"contains": "75", "regex": ["a"]}}]}},
    "an empty block": {"evalkit": {}},
    "no block": {"evalkit": None},
}


@pytest.mark.parametrize("change", CASES.values(), ids=CASES)
def test_a_case_that_is_written_back_is_the_same_to_adk(change, load, evalset, case):
    case |= change
    written = evalset_format.write(load(evalset))
    assert EvalSet.model_validate_json(written) == EvalSet.model_validate_json(json.dumps(evalset))
    assert load(json.loads(written)) == load(evalset)


def test_what_adk_drops_from_a_set_is_kept(load, evalset):
    assert json.loads(evalset_format.write(load(evalset | {"metadata": {"a": 1}})))["metadata"] == {"a": 1}


def test_files_and_their_names_are_read(write, evalset):
    path = write("lag.evalset.json", evalset)
    assert evalset_format.read(path).value.file == str(path)
    assert evalset_format.read(path, name="lag").value.file == "lag"


def test_a_file_with_warnings_has_a_value_and_one_with_errors_has_none(evalset, case):
    case["expected_outputs"] = []
    loaded = evalset_format.parse(json.dumps(evalset), file="f")
    assert loaded.value is not None
    assert [problem.rule for problem in loaded.problems] == ["unread-key"]
    del case["eval_id"]
    assert evalset_format.parse(json.dumps(evalset), file="f").value is None


DEEP = {
    "arguments": ({"intermediate_data": {"tool_uses": [{"name": "a", "args": {"x": 0}}]}}, 192),
    "a response": ({"intermediate_data": {"tool_responses": [{"name": "a", "response": {"x": 0}}]}}, 192),
    "a part": ({"user_content": {"parts": [{"part_metadata": {"x": 0}}]}}, 192),
    "an event": ({"intermediate_data": {"invocation_events": [{"author": "a", "note": {"x": 0}}]}}, 192),
    "what was said": ({"intermediate_data": {"intermediate_responses": [["a", [{"part_metadata": {"x": 0}}]]]}}, 190),
    "details": ({"app_details": {"agent_details": {"a": {"name": "a", "tool_declarations": [{"x": 0}]}}}}, 191),
}


@pytest.mark.parametrize(("change", "levels"), DEEP.values(), ids=DEEP)
def test_adks_limit_of_nesting_is_ours(change, levels, evalset, turn):
    turn |= change

    def nested(depth):
        return json.dumps(evalset).replace('"x": 0', f'"x": {"[" * depth}{"]" * depth}')

    EvalSet.model_validate_json(nested(levels))
    assert {problem.rule for problem in evalset_format.parse(nested(levels), file="f").problems} <= {"unread-key"}
    with pytest.raises(ValueError, match="recursion limit"):
        EvalSet.model_validate_json(nested(levels + 1))
    assert "too-deep" in {problem.rule for problem in evalset_format.parse(nested(levels + 1), file="f").problems}


@pytest.mark.parametrize("depth", range(900, 1000, 7))
def test_nesting_near_pythons_own_limit_is_an_error_and_no_traceback(depth, evalset, case):
    case["evalkit"] = {"source": {"x": 0}}
    text = json.dumps(evalset | {"zz": 1}).replace('"x": 0', f'"x": {"[" * depth}{"]" * depth}')
    assert "too-deep" in {problem.rule for problem in evalset_format.parse(text, file="f").problems}


def test_a_key_may_be_spelled_with_escapes(evalset, case, turn):
    case["evalId"] = case.pop("eval_id")
    turn["userContent"] = turn.pop("user_content")
    text = json.dumps(evalset).replace('"evalId"', '"eval\\u0049d"').replace('"userContent"', '"user\\u0043ontent"')
    (read,) = evalset_format.parse(text, file="f").value.cases
    assert (read.eval_id, read.turns[0].user.text) == ("lag", "How far behind is the group orders?")
