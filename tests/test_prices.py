"""What models cost."""

import pytest

from evalkit.errors import SettingsError
from evalkit.prices import Price, price_of, read_price


def test_a_price_is_for_a_million_tokens():
    assert Price(input=0.5, output=2.0).of(1_000_000, 500_000) == 1.5


def test_a_models_own_name_comes_before_patterns_and_the_longest_pattern_before_others():
    own, close, wide = (Price(input=amount, output=amount) for amount in (1.0, 2.0, 3.0))
    prices = {"*": wide, "gemini-2.5-*": close, "gemini-2.5-flash": own}
    assert [price_of(name, prices) for name in ("gemini-2.5-flash", "gemini-2.5-pro", "gpt")] == [own, close, wide]
    assert price_of("gpt", {"gemini-*": own}) is None


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (3, "p: expected US dollars per million tokens, such as { input = 0.30, output = 2.50 }, found 3"),
        ({"input": 1}, "p: expected US dollars per million tokens, such as { input = 0.30, output = 2.50 }, found"),
        ({"input": -1, "output": 1}, "p.input: expected a price of 0 or more, found -1"),
        ({"input": 1, "output": True}, "p.output: expected a price of 0 or more, found True"),
        ({"input": float("inf"), "output": 1}, "p.input: expected a price of 0 or more, found inf"),
        ({"input": float("nan"), "output": 1}, "p.input: expected a price of 0 or more, found nan"),
    ],
)
def test_what_is_no_price_is_refused(value, message):
    with pytest.raises(SettingsError) as refusal:
        read_price(value, "p")
    assert str(refusal.value).startswith(message)


def test_a_price_is_read():
    assert read_price({"input": 0, "output": 2.5}, "p") == Price(input=0.0, output=2.5)
