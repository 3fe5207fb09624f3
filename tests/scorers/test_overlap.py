"""`rouge`: overlap of the final answer with the expected one; ADK's own figures are compared under adk_eval."""

import random

import pytest

from evalkit.scorers.overlap import overlap
from evalkit.scorers.words import stem, words

METRIC = "rouge"
TEXT = "the lag lags lagging of order topic a b c 75 支付 服务 ระบบล่ม топик héllo भुगतान خدمة 한글 ✅"
SPACES = " ", "  ", ".", "\n"


@pytest.fixture
def compare(make, score):
    """Score one turn with this expected and this actual answer."""

    def compare(expected, actual, mode="live", **options):
        happened = make.happened(final=actual, golden=make.report() if mode == "golden" else None)
        return score(METRIC, make.case(make.turn(final=expected)), make.trace(happened, mode=mode), **options)

    return compare


class Tokenizer:
    """ADK's, for `rouge-score`."""

    def tokenize(self, text):
        return [stem(word) for word in words(text)]


def text_of(dice):
    """Up to 24 words, with something between each two."""
    return "".join(word + dice.choice(SPACES) for word in dice.choices(TEXT.split(), k=dice.randrange(25)))


@pytest.mark.parametrize("kind", ["1", "2", "L", "Lsum"])
def test_every_figure_equals_that_of_rouge_score(kind):
    from rouge_score.rouge_scorer import RougeScorer

    dice = random.Random(6)  # noqa: S311 - the same texts in every run, nothing secret
    reference = RougeScorer([f"rouge{kind}"], tokenizer=Tokenizer())
    for _ in range(300):
        said, wanted = text_of(dice), text_of(dice)
        expected = reference.score(wanted, said)[f"rouge{kind}"]
        assert tuple(overlap(kind, said, wanted)) == (expected.precision, expected.recall, expected.fmeasure)


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ({}, 2 * (2 / 4) * (2 / 3) / (2 / 4 + 2 / 3)),
        ({"statistic": "P"}, 2 / 4),
        ({"statistic": "precision"}, 2 / 4),
        ({"statistic": "R"}, 2 / 3),
        ({"type": 1, "statistic": "F"}, 2 * (2 / 4) * (2 / 3) / (2 / 4 + 2 / 3)),
        ({"type": 2, "statistic": "P"}, 1 / 3),
        ({"type": "rouge2", "statistic": "R"}, 1 / 2),
        ({"type": "L", "statistic": "R"}, 2 / 3),
        ({"type": "Lsum", "statistic": "P"}, 2 / 4),
    ],
)
def test_type_and_statistic_choose_the_figure(compare, options, value):
    assert compare("order lag grows", "the order lag fell", **options).value == value


def test_without_options_it_is_adks_metric(compare, make, score):
    pair = "The group order-processor is 75 behind.", "order-processor lags by 75 records"
    adks = score("response_match_score", make.case(make.turn(final=pair[0])), make.trace(make.happened(final=pair[1])))
    assert compare(*pair).value == adks.value


def test_order_counts_for_subsequences_and_not_across_lines(compare):
    swapped = "b b2\na a2", "a a2\nb b2"
    assert compare(*swapped, type="L").value == 0.5
    assert compare(*swapped, type="Lsum").value == 1.0


def test_the_reason_has_all_three_figures(compare):
    found = compare("order lag grows", "the order lag fell", type=2, statistic="R")
    headline = "conversation[0]: ROUGE-2 of the answer has precision 0.333, recall 0.500, F 0.400"
    assert found.reason.splitlines() == [
        headline,
        '  expected "order lag grows"',
        '  actual   "the order lag fell"',
    ]


def test_identical_text_scores_one_whatever_the_script(compare):
    assert compare("✅", "✅", type=2).value == 1.0


def test_a_turn_without_a_final_response_is_not_applicable(compare):
    assert compare(None, "anything").state == "not_applicable"


@pytest.mark.parametrize(("actual", "itself"), [("All good.", True), ("All well.", False)])
def test_a_golden_answer_compared_with_itself_holds_by_construction(compare, actual, itself):
    assert compare("All good.", actual, mode="golden").by_construction is itself
