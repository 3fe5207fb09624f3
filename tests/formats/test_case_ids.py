"""Names for cases that have none."""

import pytest

from evalkit.formats.case_ids import id_to_add


def said(text, **fields):
    return {"conversation": [{"user_content": {"parts": [{"text": text}]}}], **fields}


@pytest.mark.parametrize(
    ("cases", "id_"),
    [
        ([said("How far behind is the group orders?")], "how_far_behind_is"),
        ([said("Hi", eval_id="hi"), said("Hi")], "hi_2"),
        ([said("Hi", eval_id=["hi"]), said("Hi")], "hi"),
        ([said("消费者延迟是多少?")], "case_1"),
        ([{}], "case_1"),
    ],
    ids=["its words", "taken", "an id that is none", "other letters", "nothing said"],
)
def test_a_case_is_named_after_what_is_said_first_or_by_its_place(cases, id_):
    assert id_to_add({"eval_cases": cases}, ("eval_cases", len(cases) - 1)) == f'add "eval_id": "{id_}"'


def test_several_without_a_name_are_told_the_same():
    told = {id_to_add({"eval_cases": [{}, {}]}, ("eval_cases", index)) for index in range(2)}
    assert told == {'add "eval_id": "case_1", "case_2" and so on'}
