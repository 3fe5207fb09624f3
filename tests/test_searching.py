import pytest

from evalkit.searching import searcher


@pytest.mark.parametrize(
    ("text", "occurs"),
    [("a lag of 75", True), ("lag", False), ("", False), ("\ud800 lag of 7", True), ("\ud800", False)],
)
def test_it_tells_whether_a_pattern_occurs_in_a_text_of_any_kind(text, occurs):
    assert searcher(r"lag of \d")(text) == occurs


def test_a_searcher_is_made_once():
    assert searcher("lag") is searcher("lag")
