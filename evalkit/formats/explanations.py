"""What `check --explain` says: of a rule its section of `rules.md`, of a topic its page."""

import re
from functools import cache
from pathlib import Path

from evalkit.formats import orders
from evalkit.formats.rules import RULES

TOPICS = ("trajectory",)
"""What is explained beside the rules: how to write what a file may say."""

_PAGE = Path(__file__).with_name("rules.md")
_HEADING = re.compile(r"^## ([a-z-]+)\n", re.MULTILINE)


def explanation(name: str) -> str:
    """What a rule finds, why that matters, and an example before and after, as Markdown."""
    return f"{name} ({RULES[name].severity})\n\n{_sections()[name]}"


def topic(name: str) -> str:
    """How to write something, as Markdown."""
    page = Path(__file__).with_name(f"{name}.md").read_text(encoding="utf-8")
    return f"{name}\n\n{page.strip().replace('{orders}', orders.table())}"


def overview() -> str:
    """Every rule with what it finds, a line each."""
    width = max(map(len, RULES))
    return "\n".join(f"{rule.severity:7}  {rule.name:{width}}  {rule.about}" for rule in RULES.values())


@cache
def _sections() -> dict[str, str]:
    """The page by rule; a section ends at the next heading."""
    _, *parts = _HEADING.split(_PAGE.read_text(encoding="utf-8"))
    return {name: text.strip() for name, text in zip(parts[::2], parts[1::2], strict=True)}
