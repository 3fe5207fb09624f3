import pytest

from evalkit.formats.case_ids import id_to_add


def case(text, **keys):
    return {"conversation": [{"user_content": {"parts": [{"text": text}]}}], **keys}


def name_for(index, *cases):
    return id_to_add({"eval_cases": [*cases]}, ("eval_cases", index)).removeprefix('add "eval_id": ').strip('"')


def test_a_case_is_named_by_the_first_words_of_its_prompt():
    assert name_for(0, case("What's the lag of group orders, please?")) == "whats_the_lag_of"


def test_a_name_that_another_case_has_gets_a_number():
    assert name_for(1, case("Hi", eval_id="hello_there"), case("Hello there")) == "hello_there_2"
    assert name_for(1, case("Hi", evalId="hello_there"), case("Hello there!")) == "hello_there_2"


def test_several_cases_without_a_name_are_told_the_same():
    cases = case("Hi", eval_id="a"), case("Ho"), case("Hello")
    assert id_to_add({"eval_cases": [*cases]}, ("eval_cases", 1)) == 'add "eval_id": "case_1", "case_2" and so on'
    assert name_for(1, *cases) == name_for(2, *cases)


def test_a_place_whose_number_is_taken_gets_the_next():
    assert name_for(1, case("Hi", eval_id="case_2"), case("…")) == "case_3"


@pytest.mark.parametrize("odd", [{}, {"conversation": []}, {"conversation": "?"}, case("…"), case("Привет"), case(5)])
def test_a_case_whose_prompt_makes_no_name_is_named_by_its_place(odd):
    assert name_for(0, odd) == "case_1"
