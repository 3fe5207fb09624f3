"""Which regular expressions are surely decided in a moment."""

import pytest

from evalkit.matching.patience import is_quick


@pytest.mark.parametrize(
    ("source", "length"), [("^(dev|staging)$", 10**6), ("lag.*75", 5_000), (r"\blag\b", 10**7), ("a.*b.*c", 300)]
)
def test_an_expression_without_repeated_groups_is_quick_on_a_text_of_its_size(source, length):
    assert is_quick(source, length)


@pytest.mark.parametrize(("source", "length"), [("^(a+)+$", 10), (r"(\w+\s?)*x", 10), ("a.*b.*c", 5_000)])
def test_one_with_repeated_groups_or_many_repetitions_over_a_long_text_is_not(source, length):
    assert not is_quick(source, length)
