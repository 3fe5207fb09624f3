"""Splitting text into words, and their stems; parity with ADK's tokenizer is tested under adk_eval."""

import importlib.util
import sys

import pytest

from evalkit.scorers.words import _stemmer, stem, words

SUFFIXES = """
s es ies ss sses ed eed ied ing ying y ly ational tional enci anci izer bli alli entli eli ousli ization ation ator
alism iveness fulness ousness aliti iviti biliti fulli logi icate ative alize iciti ical ful ness al ance ence er ic
able ible ant ement ment ent ion sion tion ou ism ate iti ous ive ize e l le
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The lag of order-processor is 75.", ["the", "lag", "of", "order", "processor", "is", "75"]),
        ("支付服务", ["支", "付", "服", "务"]),
        ("ひらカタ한글", ["ひ", "ら", "カ", "タ", "한", "글"]),
        ("ระบบล่ม", ["ร", "ะ", "บ", "บ", "ล่", "ม"]),
        ("भुगतान सेवा", ["भुगतान", "सेवा"]),
        ("خدمة الدفع", ["خدمة", "الدفع"]),
        ("Größe café", ["größe", "café"]),
        ("lag支付lag", ["lag", "支", "付", "lag"]),
        ("ﬁne ½", ["fine", "1", "2"]),  # NFKC takes ligatures and fractions apart
        ("✅ … —", []),
        ("", []),
    ],
)
def test_text_is_split_by_its_script(text, expected):
    assert words(text) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [("running", "run"), ("topics", "topic"), ("was", "was"), ("größen", "größen"), ("die", "die")],
)
def test_only_ascii_words_of_four_characters_and_more_are_stemmed(word, expected):
    assert stem(word) == expected


@pytest.fixture
def forgetful():
    """Forget which stemmer is in use, and what it said, before and after."""
    for remembered in (_stemmer, stem):
        remembered.cache_clear()
    yield
    for remembered in (_stemmer, stem):
        remembered.cache_clear()


def test_without_the_fast_stemmer_the_reference_is_used(monkeypatch, forgetful):
    monkeypatch.setitem(sys.modules, "rouge_score_rs.tokenizers", None)
    assert [stem(word) for word in ("running", "oscillates", "dying")] == ["run", "oscil", "die"]
    assert _stemmer().__self__.__class__.__module__ == "rouge_score.tokenizers"


def test_the_fast_stemmer_equals_the_reference():
    """Whatever stemmer is in use, it gives what NLTK's gives, on every suffix rule of the Porter stemmer."""
    if importlib.util.find_spec("rouge_score_rs") is None:
        pytest.skip("rouge-score-rs is not installed, so the reference itself is in use")
    from rouge_score.tokenizers import DefaultTokenizer
    from rouge_score_rs.tokenizers import DefaultTokenizer as Fast

    stems = ("a", "y", "tr", "sky", "hop", "fall", "relat", "conform", "generali", "p99", "yyy", "controll", "oscill")
    made = [first + end for first in stems for end in SUFFIXES.split()]
    made += ["dying", "skies", "news", "innings", "exceed", "succeed", "howe"]  # irregular forms
    slow, fast = DefaultTokenizer(use_stemmer=True), Fast(use_stemmer=True)
    assert [fast.tokenize(word) for word in made] == [slow.tokenize(word) for word in made]
