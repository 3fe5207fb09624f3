"""What models cost: `[tool.evalkit.prices]`, in US dollars per million tokens.

```toml
[tool.evalkit.prices]
"gemini-2.5-flash" = { input = 0.30, output = 2.50 }
"openai/gpt-4o*" = { input = 2.50, output = 10.00 }
```

Evalkit knows no price by itself: they change, and differ by contract. A name may be a shell pattern.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from evalkit.errors import SettingsError

MILLION = 1_000_000

_WANTED = "US dollars per million tokens, such as { input = 0.30, output = 2.50 }"


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """The list price of a model, in US dollars per million tokens."""

    input: float
    output: float

    def of(self, input_tokens: int, output_tokens: int) -> float:
        """What so many tokens cost, in US dollars."""
        return (input_tokens * self.input + output_tokens * self.output) / MILLION


Prices = Mapping[str, Price]
"""By a model's name, or a shell pattern for several."""


def price_of(model: str, prices: Prices) -> Price | None:
    """Find a model's price: under its own name, else under the longest pattern that fits; None if it has none."""
    if model in prices:
        return prices[model]
    fitting = [name for name in prices if fnmatchcase(model, name)]
    return prices[max(fitting, key=len)] if fitting else None


def read_price(value: Any, where: str) -> Price:
    """Read one price from the settings or a criterion's options.

    Args:
        value: What stands under the model's name.
        where: The place, for messages.

    Raises:
        SettingsError: It is no price.
    """
    if not isinstance(value, Mapping) or value.keys() != {"input", "output"}:
        raise SettingsError(f"{where}: expected {_WANTED}, found {value!r}")
    for key, amount in value.items():
        if isinstance(amount, bool) or not isinstance(amount, int | float) or not 0 <= amount < float("inf"):
            raise SettingsError(f"{where}.{key}: expected a price of 0 or more, found {amount!r}")
    return Price(input=float(value["input"]), output=float(value["output"]))
