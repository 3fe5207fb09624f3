"""`intermediate_responses`: what agents say on the way, by author and text."""

from dataclasses import replace

import pytest

from evalkit.cases import Message, Step

METRIC = "intermediate_responses"


def step(agent, text):
    return Step(agent=agent, message=Message(parts=({"text": text},)))


@pytest.fixture
def spoken(make, score):
    """Score what was said, in pairs of author and text, against what was to be said."""

    def spoken(expected, said, *, final="Done.", mode="live", wanted_final="Done."):
        turn = replace(make.turn(final=wanted_final), steps=tuple(step(*line) for line in expected))
        words = [make.spoke(*line) for line in said]
        if final:
            words.append(make.spoke("root", final, final=True))
        happened = make.happened(final=final, said=tuple(words), golden=make.report() if mode == "golden" else None)
        return score(METRIC, make.case(turn), make.trace(happened, mode=mode))

    return spoken


def test_texts_that_their_authors_said_count_whatever_else_was_said(spoken):
    said = [("kafka", "Let me look."), ("docker", "Hm."), ("kafka", "It is 75.")]
    found = spoken([("kafka", "It is 75."), ("kafka", "Let me look.")], said)
    assert (found.value, found.reason) == (1.0, "")


def test_a_text_that_somebody_else_said_does_not_count(spoken):
    found = spoken([("kafka", "It is 75.")], [("docker", "It is 75.")])
    assert found.value == 0.0
    assert found.reason == 'conversation[0].intermediate_data: kafka was to say "It is 75."; docker said it'


def test_an_author_who_never_spoke_is_named(spoken):
    found = spoken([("kafka", "It is 75.")], [("docker", "Hm.")])
    assert found.reason.endswith('kafka was to say "It is 75."; it said nothing of the kind')


def test_other_words_count_as_far_as_they_are_shared(spoken):
    found = spoken([("kafka", "the lag is 75"), ("kafka", "so")], [("kafka", "75 is the lag now"), ("kafka", "so")])
    assert found.value == pytest.approx((8 / 9 + 1) / 2)
    assert found.reason.splitlines() == [
        "conversation[0].intermediate_data: what kafka said shares words with F = 0.889",
        '  expected "the lag is 75"',
        '  actual   "75 is the lag now"',
    ]


def test_each_text_needs_an_utterance_of_its_own(spoken):
    assert spoken([("kafka", "so"), ("kafka", "so")], [("kafka", "so")]).value == 0.5


def test_the_final_answer_is_no_intermediate_response(spoken):
    assert spoken([("root", "Done.")], [("root", "Hm.")]).state == "not_applicable"
    assert spoken([("root", "Fine.")], [], final="Fine.").value == 0.0


def test_symbols_that_are_said_word_for_word_count(spoken):
    assert spoken([("root", "✅")], [("root", "✅")]).value == 1.0


def test_where_the_case_names_no_author_anybody_may_say_it(spoken):
    assert spoken([("", "so")], [("kafka", "so")]).value == 1.0
    assert "somebody was to say" in spoken([(None, "so")], []).reason


def test_a_case_without_any_is_not_applicable(spoken):
    assert spoken([], [("kafka", "so")]).reason == "no turn has intermediate_responses to look for"


@pytest.mark.parametrize(
    ("mode", "said", "itself"), [("golden", "so", True), ("golden", "no", False), ("live", "so", False)]
)
def test_what_golden_mode_had_said_holds_by_construction(spoken, mode, said, itself):
    assert spoken([("kafka", "so")], [("kafka", said)], mode=mode).by_construction is itself
