"""The user's message, with the ids of the calls that it answers."""

import pytest

from evalkit.adk.events import OpenCall
from evalkit.adk.user import user_content
from evalkit.cases import Message, Turn
from evalkit.models.owners import UnplayableCaseError


def turn(*parts, where="$.eval_cases[0].conversation[1]", role="user"):
    return Turn(index=1, user=Message(role=role, parts=parts), where=where)


def answer(name, **fields):
    return {"function_response": {"name": name, "response": {"ok": True}, **fields}}


OPEN = {
    "a-1": OpenCall("ask", {}, waits_for_user=True),
    "d-1": OpenCall("drop", {}, waits_for_user=False),
    "a-2": OpenCall("ask", {}, waits_for_user=True),
    "r-1": OpenCall("restart", {}, waits_for_user=True),
}


def ids(content):
    return [part.function_response.id for part in content.parts if part.function_response]


def test_plain_words_are_sent_as_they_are():
    content = user_content(turn({"text": "hello"}, {"inline_data": {"data": "YQ==", "mime_type": "text/plain"}}), {})
    assert content.role == "user"
    assert content.parts[0].text == "hello"
    assert content.parts[1].inline_data.data == b"a"


def test_a_message_without_a_role_is_the_users():
    assert user_content(turn({"text": "hello"}, role=None), {}).role == "user"


def test_an_answer_gets_the_id_of_the_oldest_open_call_of_its_name():
    assert ids(user_content(turn(answer("ask")), OPEN)) == ["a-1"]
    assert ids(user_content(turn(answer("ask"), {"text": "and"}, answer("ask")), OPEN)) == ["a-1", "a-2"]


def test_an_id_that_the_case_gives_is_kept():
    assert ids(user_content(turn(answer("ask", id="mine")), OPEN)) == ["mine"]


def test_an_answer_to_nothing_is_an_error_with_its_place_and_what_is_open():
    with pytest.raises(UnplayableCaseError) as caught:
        user_content(turn(answer("drop")), OPEN)
    assert str(caught.value) == (
        "$.eval_cases[0].conversation[1].user_content: the user answers `drop`, but no such call is open (open: ask,"
        " restart); the turn before must end with the call that asks for it"
    )


def test_one_answer_too_many_is_an_error():
    with pytest.raises(UnplayableCaseError, match=r"\(open: ask\)") as caught:
        user_content(turn(answer("ask"), answer("restart"), answer("restart"), where=""), OPEN)
    assert str(caught.value).startswith("the user answers `restart`")
