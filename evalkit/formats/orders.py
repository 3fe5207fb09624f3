"""The ways to compare calls, in one table: what each allows, and what ADK and LangChain's agentevals call it.

An *order* says whether required calls may be missing, whether others may be made, and whether their sequence counts.
Names of ADK's and LangChain's are aliases. The table is what `evalkit check --explain trajectory` prints.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple


class Order(NamedTuple):
    """A way to compare calls.

    Attributes:
        about: What it accepts.
        in_sequence: Whether required calls must come one after the other.
        missing: Whether required calls may be missing.
        extra: Whether calls may be made that are not required.
        adk: ADK's `match_type` with this meaning, if it has one.
        langchain: LangChain's `trajectory_match_mode` with this meaning, if it has one.
    """

    name: str
    about: str
    in_sequence: bool = False
    missing: bool = False
    extra: bool = False
    adk: str | None = None
    langchain: str | None = None


_ORDERS = (
    Order(
        name="exact",
        about="the required calls, one after the other, and no others",
        in_sequence=True,
        adk="EXACT",
        langchain="strict",
    ),
    Order(
        name="in_order",
        about="the required calls, one after the other; others may come between",
        in_sequence=True,
        extra=True,
        adk="IN_ORDER",
    ),
    Order(
        name="any_order",
        about="the required calls in whatever sequence; others may be made too",
        extra=True,
        adk="ANY_ORDER",
        langchain="superset",
    ),
    Order(name="unordered", about="the required calls in whatever sequence, and no others", langchain="unordered"),
    Order(
        name="subset",
        about="no others than the required calls, in whatever sequence; some may be missing",
        missing=True,
        langchain="subset",
    ),
)

ORDERS: Mapping[str, Order] = {order.name: order for order in _ORDERS}
"""By evalkit's own names."""

DEFAULT = ORDERS["exact"]
"""What holds where nobody says anything, as in ADK."""

ALIASES: Mapping[str, Order] = {
    alias: order for order in _ORDERS for alias in (order.adk, order.langchain) if alias and alias not in ORDERS
}
"""By the names that others have for them."""

NAMES = (*ORDERS, *ALIASES)
"""Every name that a file may use."""


def order_named(name: str) -> Order:
    """Find an order by its own name or by an alias.

    Raises:
        ValueError: No order has that name; the message lists those that there are.
    """
    found = ORDERS.get(name) or ALIASES.get(name)
    if found is None:
        raise ValueError(f"order is {name!r}; write one of {', '.join(NAMES)}")
    return found


def table() -> str:
    """Write the table that says which name equals which, for people."""
    head = ("order", "ADK match_type", "LangChain agentevals", "missing calls", "other calls", "sequence")
    rows = [
        (
            order.name,
            order.adk or "-",
            order.langchain or "-",
            "allowed" if order.missing else "fail",
            "allowed" if order.extra else "fail",
            "counts" if order.in_sequence else "free",
        )
        for order in _ORDERS
    ]
    return "\n".join(_aligned([head, *rows]))


def _aligned(rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    lines = [*rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
