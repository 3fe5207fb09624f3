import pytest

from evalkit.formats.faults import load_schema
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
        ("respones", ("trajectory", "response"), "response", "did you mean `response`?", True),
        ("budgte", ("budget", "state"), "budget", "did you mean `budget`?", True),
        ("min_pass_rat", ("min_pass_rate", "skip"), "min_pass_rate", "did you mean `min_pass_rate`?", True),
        ("xresponse", ("trajectory", "response"), "response", "did you mean `response`?", False),
        ("zebra", CALL, None, None, False),
    ],
)
def test_the_key_that_was_meant_is_found(wrong, known, right, hint, respelled):
    brought = (hint or "").startswith("write ") and not respelled
    assert instead(wrong, known) == (right, hint, respelled, brought)


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


def _objects():
    """The keys of every object that a schema of ours knows."""
    for name in ("evalset", "config", "mocks", "gold", "legacy"):
        todo = [load_schema(name)]
        while todo:
            part = todo.pop()
            if isinstance(part, dict):
                if isinstance(part.get("properties"), dict):
                    yield [*part["properties"]]
                todo.extend(part.values())
            elif isinstance(part, list):
                todo.extend(part)


def _denied(key):
    return [f"{word}_{key}" for word in ("not", "no", "never", "without")] + [f"un{key}", f"dis{key}", f"non{key}"]


def test_a_key_and_its_negation_are_never_offered_for_each_other():
    keys = {key for known in _objects() for key in known if key[0].isalpha()}
    for key in keys:
        for denied in _denied(key):
            assert closest(denied, [key]) is None, (denied, key)
            assert closest(key, [denied]) is None, (key, denied)


def test_no_slip_in_a_key_adds_or_removes_a_negation():
    for known in _objects():
        for key in known:
            for wrong in (key[1:], f"i{key}", f"x{key}", f"{key}x"):
                found = instead(wrong, known).key or key
                assert ("not_" in found) == ("not_" in key), (wrong, found)


RULES = ("contains", "not_contains", "regex", "equals", "number")


@pytest.mark.parametrize("wrong", ["icontains", "iContains", "ignore_case", "iregex"])
def test_a_text_whatever_its_case_is_sent_to_a_regular_expression(wrong):
    meant = instead(wrong, RULES)
    assert meant == (None, 'write "regex": "(?i)…", which finds a text whatever its case', False, False)
    assert instead(wrong, CALL).hint is None


def test_an_order_is_not_mended_into_its_opposite():
    assert only("ordered", ["unordered", "exact"]) is None
    assert only("unorderd", ["unordered", "exact"]) == "unordered"
