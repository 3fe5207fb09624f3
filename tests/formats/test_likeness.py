import pytest

from evalkit.formats.likeness import is_slip, opposed


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("contains", "not_contains"),
        ("icontains", "not_contains"),
        ("containsNot", "contains"),
        ("no_contains", "contains"),
        ("ordered", "unordered"),
        ("enable_alert", "disable_alert"),
        ("never_calls", "calls"),
        ("valid", "invalid"),
    ],
)
def test_names_that_differ_by_a_negation_say_the_opposite(one, other):
    assert opposed(one, other)
    assert opposed(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("notcontain", "not_contains"),
        ("nto_contains", "not_contains"),
        ("conatins", "contains"),
        ("unordred", "unordered"),
        ("dscription", "description"),
        ("inptu", "input"),
        ("IN_ODER", "IN_ORDER"),
        ("notes", "note"),
    ],
)
def test_a_slip_in_a_name_makes_no_opposite_of_it(one, other):
    assert not opposed(one, other)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("min_tool_calls", "tool_calls"),
        ("tokens_in", "tokens"),
        ("known_passing", "known_failing"),
        ("contains_any", "contains"),
        ("ncontains", "contains"),
        ("skip_if", "skip"),
        ("repeat_first", "repeat_last"),
        ("firstResponse", "lastResponse"),
        ("min_pass_rate", "max_pass_rate"),
        ("decode_conversation", "encode_conversation"),
        ("final_quality_v2", "final_quality_v1"),
    ],
)
def test_a_name_with_another_word_or_a_word_more_is_no_slip(wrong, right):
    assert not is_slip(wrong, right)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("second", "seconds"),
        ("ap_name", "app_name"),
        ("session_imput", "session_input"),
        ("min_pass_rat", "min_pass_rate"),
        ("toolUsse", "tool_uses"),
        ("user-contents", "user_content"),
        ("treshhold", "threshold"),
        ("user_ontent", "user_content"),
        ("user_ccontent", "user_content"),
    ],
)
def test_the_same_words_with_a_letter_wrong_are_a_slip(wrong, right):
    assert is_slip(wrong, right)
