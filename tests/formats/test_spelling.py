import pytest

from evalkit.formats.spelling import closest, instead, only, to_camel, to_snake

CALL = ("args", "id", "name")
TURN = ("user_content", "final_response", "intermediate_data", "rubrics")


@pytest.mark.parametrize(
    ("wrong", "known", "right", "hint", "respelled"),
    [
        ("tool_name", CALL, "name", "write `name`", False),
        ("toolInput", CALL, "args", "write `args`", False),
        ("arg", CALL, "args", "did you mean `args`?", True),
        ("userContent", TURN, "user_content", "write `user_content`", True),
        ("final-response", TURN, "final_response", "write `final_response`", True),
        ("final_respons", TURN, "final_response", "did you mean `final_response`?", True),
        ("query", TURN, "user_content", 'write "user_content": {"role": "user", "parts": [{"text": "…"}]}', False),
        ("expected_tool_use", ("tool_uses",), "tool_uses", "write `tool_uses`", False),
        ("session_inputs", ("session_input",), "session_input", "did you mean `session_input`?", True),
        ("initial_state", ("state",), "state", "write `state`", False),
        ("contain", ("contains", "contained"), "contains", "did you mean `contains` or `contained`?", False),
        ("zebra", CALL, None, None, False),
    ],
)
def test_the_key_that_was_meant_is_found(wrong, known, right, hint, respelled):
    assert instead(wrong, known) == (right, hint, respelled)


def test_what_adk_has_no_key_for_is_sent_where_evalkit_has_one():
    meant = instead("expected_response_contains", TURN)
    assert meant.key is None
    assert meant.hint == 'write "evalkit": {"expect": [{"response": {"contains": ["…"]}}]} in the case'


def test_only_one_word_may_be_near_for_it_to_be_the_one_that_was_meant():
    assert only("IN_ODER", ["IN_ORDER", "EXACT"]) == "IN_ORDER"
    assert only("contain", ["contains", "contained"]) is None
    assert only("nothing", ["IN_ORDER"]) is None


def test_a_far_word_is_not_suggested():
    assert closest("temperature", ["match_type", "ignore_args"]) is None


@pytest.mark.parametrize("snake", ["eval_id", "evaluate_intermediate_nl_responses", "state", "safety_v1"])
def test_spellings_lead_back_to_each_other(snake):
    assert to_snake(to_camel(snake)) == snake
