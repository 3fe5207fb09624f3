"""Conversations that are a chat: told once, and made into turns where that needs no judgement."""

import json

import pytest

from evalkit.formats import evalset as evalset_format
from evalkit.formats.edits import apply_fixes

TOLD = "each item is a message, where a turn has the user's message and the answer together"


def text_of(*messages):
    return json.dumps({"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [*messages]}]})


def problems(*messages):
    return evalset_format.parse(text_of(*messages), file="f").problems


def said(role, text):
    return {"role": role, "parts": [{"text": text}]}


@pytest.mark.parametrize(("role", "key"), [("assistant", "content"), ("model", "text"), ("ai", "content")])
def test_each_question_becomes_a_turn_with_the_answer_behind_it(role, key):
    chat = [{"role": "user", key: "How far?"}, {"role": role, key: "75."}, {"role": "user", key: "Thanks."}]
    (problem,) = problems(*chat)
    assert (problem.message, problem.path) == (TOLD, "$.eval_cases[0].conversation[0]")
    mended = apply_fixes(text_of(*chat), problem.fixes)
    assert json.loads(mended)["eval_cases"][0]["conversation"] == [
        {"user_content": said("user", "How far?"), "final_response": said("model", "75.")},
        {"user_content": said("user", "Thanks.")},
    ]


@pytest.mark.parametrize(
    "chat",
    [
        [said("system", "Be brief."), said("user", "How far?")],
        [said("user", "How far?"), said("model", "I look."), said("model", "75.")],
        [said("model", "Hello."), said("user", "How far?")],
        [said("user", "How far?"), {"role": "tool", "content": "75"}],
        [said("user", "How far?"), {"role": "assistant", "content": [{"type": "text", "text": "75"}]}],
    ],
)
def test_what_fits_into_no_turn_is_left_to_the_author(chat):
    (problem,) = problems(*chat)
    assert (problem.message, problem.fixes) == (TOLD, ())


def test_what_else_is_wrong_with_the_messages_is_told_too():
    chat = [{"role": "user", "parts": [{"txet": "How far?"}]}, said("model", "75.")]
    assert [problem.rule for problem in problems(*chat)] == ["missing-key", "unknown-key"]


def test_a_list_of_turns_is_no_chat():
    assert problems({"user_content": said("user", "How far?")}, {"user_content": said("user", "And now?")}) == ()


def test_a_message_with_two_texts_is_no_message_of_a_chat():
    chat = [{"role": "user", "parts": [{"text": "A"}], "content": "B"}, said("model", "75.")]
    assert TOLD not in [problem.message for problem in problems(*chat)]
