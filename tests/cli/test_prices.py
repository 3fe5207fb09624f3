"""`--price` on the command line."""

import click
import pytest
from click.testing import CliRunner

from evalkit.cli.prices import price_option, with_prices
from evalkit.prices import Price
from evalkit.settings import Settings


@pytest.fixture
def given():
    """Run a command that has the option; returns the finished run and what the command got."""
    got = []

    @click.command()
    @price_option
    def command(prices):
        got.append(prices)

    return lambda *args: (CliRunner().invoke(command, args), got)


def test_prices_are_read_by_model(given):
    done, got = given("--price", "flash=0.30/2.50", "--price", "openai/gpt=4o=1/2")
    assert done.exit_code == 0
    assert got == [{"flash": Price(input=0.3, output=2.5), "openai/gpt=4o": Price(input=1.0, output=2.0)}]


@pytest.mark.parametrize("text", ["flash", "=1/2", "flash=1", "flash=a/b", "flash=-1/2", "flash=1/inf"])
def test_what_is_no_price_is_answered_with_an_example(given, text):
    done, _ = given("--price", text)
    assert done.exit_code == 2
    assert f"'{text}'; write MODEL=IN/OUT, such as gemini-2.5-flash=0.30/2.50" in " ".join(done.output.split())


def test_the_command_line_wins_over_the_settings():
    cheap, dear = Price(input=1, output=1), Price(input=9, output=9)
    settings = Settings(prices={"flash": dear, "pro": dear})
    assert with_prices(settings, {"flash": cheap}).prices == {"flash": cheap, "pro": dear}
    assert with_prices(settings, {}) is settings
