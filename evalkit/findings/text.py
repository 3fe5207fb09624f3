"""A line a problem, for people."""

import re

from evalkit.check import CheckReport

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]|\r(?!\n)")
"""What would move the cursor, or hide or reorder text; a file's keys and values stand in messages."""


def render(report: CheckReport, _refusal: str | None) -> str:
    """Render the problems; why there are none is told on standard error."""
    return "\n".join(visible(str(problem)).replace("\n", "\\u000a") for problem in report.problems)


def visible(text: str) -> str:
    """A text of a file's without what steers a terminal, but for line ends."""
    return _CONTROL.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)
