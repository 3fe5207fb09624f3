import pytest

from evalkit.formats.spelling import closest, instead, to_camel, to_snake

CALL = ("args", "id", "name")
TURN = ("user_content", "final_response", "intermediate_data", "rubrics")


@pytest.mark.parametrize(
    ("wrong", "known", "right", "hint"),
    [
        ("tool_name", CALL, "name", "write `name`"),
        ("toolInput", CALL, "args", "write `args`"),
        ("arg", CALL, "args", "did you mean `args`?"),
        ("userContent", TURN, "user_content", "write `user_content`"),
        ("final-response", TURN, "final_response", "write `final_response`"),
        ("query", TURN, "user_content", 'write "user_content": {"role": "user", "parts": [{"text": "…"}]}'),
        ("expected_tool_use", ("tool_uses",), "tool_uses", "write `tool_uses`"),
        ("initial_state", ("state",), "state", "write `state`"),
        ("zebra", CALL, None, None),
    ],
)
def test_the_key_that_was_meant_is_found(wrong, known, right, hint):
    assert instead(wrong, known) == (right, hint)


def test_what_adk_has_no_key_for_is_sent_where_evalkit_has_one():
    meant, hint = instead("expected_response_contains", TURN)
    assert meant is None
    assert hint == 'write "evalkit": {"expect": [{"response": {"contains": ["…"]}}]} in the case'


def test_a_far_word_is_not_suggested():
    assert closest("temperature", ["match_type", "ignore_args"]) is None


@pytest.mark.parametrize("snake", ["eval_id", "evaluate_intermediate_nl_responses", "state", "safety_v1"])
def test_spellings_lead_back_to_each_other(snake):
    assert to_snake(to_camel(snake)) == snake
