"""`response_match_score` from hand-made answers; parity with ADK's own evaluator is tested under adk_eval."""

import pytest

from evalkit.scorers.rouge import rouge1_f

METRIC = "response_match_score"


@pytest.fixture
def compare(make, score):
    """Score one turn with this expected and this actual answer."""

    def compare(expected, actual, **fields):
        return score(METRIC, make.case(make.turn(final=expected)), make.trace(make.happened(final=actual, **fields)))

    return compare


@pytest.mark.parametrize(
    ("candidate", "reference", "value"),
    [
        ("the group lags", "the group lags", 1.0),
        ("it lags", "the group lags", 2 * (1 / 2) * (1 / 3) / (1 / 2 + 1 / 3)),
        ("topics lagging", "topic lagged", 1.0),  # by their stems
        ("a a a b", "a b b b", 0.5),  # each occurrence counts once
        ("lag lags lagging", "lagged lag", 0.8),  # one as written, one by its stem
        ("nothing shared", "at all", 0.0),
        ("", "something", 0.0),
        ("something", "", 0.0),
        ("✅", "❌", 0.0),
    ],
)
def test_words_are_shared_by_their_stems(candidate, reference, value):
    assert rouge1_f(candidate, reference) == value


def test_the_case_scores_the_average_of_the_turns_with_an_answer(make, score):
    turns = [make.turn(final="all good", index=0), make.turn(index=1), make.turn(final="all good", index=2)]
    happened = [make.happened(final="all good"), make.happened(final="bye"), make.happened(final="no")]
    found = score(METRIC, make.case(*turns), make.trace(*happened))
    assert (found.value, [turn.value for turn in found.turns]) == (0.5, [1.0, None, 0.0])
    assert "turn 2: no final_response: not applicable (ADK would score it 0)" in found.reason


def test_a_case_without_a_final_response_is_not_applicable(compare):
    found = compare(None, "anything")
    assert (found.state, found.value) == ("not_applicable", None)


def test_thoughts_are_not_the_answer(compare, make):
    found = compare("It is four.", make.said("It is four.", thought="Let me add two and two"))
    assert (found.value, found.reason) == (1.0, "(thought parts are left out; ADK counts them)")


@pytest.mark.parametrize("text", ["✅", "…", "¯\\_(ツ)_/¯ ✅"])
def test_identical_text_scores_one_whatever_the_script(compare, text):
    assert compare(text, text).value == 1.0


def test_identical_text_without_words_is_named_as_a_difference(compare):
    assert compare("✅", "✅").reason == "(identical, though without words; ADK would score it 0)"


def test_an_answer_as_written_needs_no_stemmer(compare, monkeypatch):
    """So a golden run does not wait for NLTK."""
    monkeypatch.setattr("evalkit.scorers.rouge.stem", None)
    assert compare("It lags by 75 records.", "It lags by 75 records.").value == 1.0


def test_silence_where_an_answer_is_expected_scores_zero(compare):
    found = compare("All good.", None)
    assert found.value == 0.0
    headline = "conversation[0]: the answer shares words with F = 0.000"
    assert found.reason.splitlines() == [headline, '  expected "All good."', '  actual   ""']


@pytest.mark.parametrize(
    ("mode", "actual", "changed", "by_construction"),
    [
        ("golden", "All good.", False, True),
        ("golden", "All good.", True, False),
        ("golden", "All well.", True, False),
        ("live", "All good.", False, False),
    ],
)
def test_a_golden_answer_compared_with_itself_holds_by_construction(
    make, score, mode, actual, changed, by_construction
):
    golden = make.report(changed=changed) if mode == "golden" else None
    turns = make.trace(make.happened(final=actual, golden=golden), mode=mode)
    assert score(METRIC, make.case(make.turn(final="All good.")), turns).by_construction is by_construction


def test_a_turn_that_expects_no_answer_leaves_the_others_by_construction(make, score):
    case = make.case(make.turn(index=0), make.turn(final="All good.", index=1))
    turns = [make.happened(final="Sure?", golden=make.report()), make.happened(final="All good.", golden=make.report())]
    assert score(METRIC, case, make.trace(*turns, mode="golden")).by_construction
