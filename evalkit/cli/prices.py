"""`--price`: what a model costs, from the command line."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click

from evalkit.errors import SettingsError
from evalkit.prices import Price, Prices, read_price
from evalkit.settings import Settings


def with_prices(settings: Settings, prices: Prices) -> Settings:
    """Let prices from the command line win over those of the settings."""
    return replace(settings, prices={**settings.prices, **prices}) if prices else settings


def price_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option to a command, which gets `prices`."""
    option = click.option(
        "--price",
        "prices",
        metavar="MODEL=IN/OUT",
        multiple=True,
        callback=_prices,
        help="What a model costs, in US dollars per million input and output tokens; repeat for others.",
    )
    return option(command)


def _prices(_ctx: click.Context, _option: click.Parameter, given: tuple[str, ...]) -> dict[str, Price]:
    return dict(map(_price, given))


def _price(text: str) -> tuple[str, Price]:
    refusal = click.BadParameter(f"{text!r}; write MODEL=IN/OUT, such as gemini-2.5-flash=0.30/2.50")
    model, _, amounts = text.rpartition("=")
    try:
        inputs, outputs = map(float, amounts.split("/"))
        price = read_price({"input": inputs, "output": outputs}, "--price")
    except (ValueError, SettingsError) as error:
        raise refusal from error
    if not model:
        raise refusal
    return model, price
