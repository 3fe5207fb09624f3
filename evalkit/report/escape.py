r"""Text from files, agents and tools, made safe to show: on a terminal, in a table, in Markdown.

Such text may hold anything: sequences that clear the screen, characters that reverse the line, ten thousand of them.
What cannot be seen is shown as its code, such as `\x1b`; what is too long is cut, and says so.
"""

import re
import unicodedata

from evalkit.codec.encoding import INVISIBLE

BLOCK_LIMIT = 2_000
"""Characters of one reason or difference that are shown."""

LINE_LIMIT = 200
"""Characters of a name or of a reason's first line that are shown."""

_UNPRINTABLE = re.compile(f"[\x00-\x08\x0b-\x1f{INVISIBLE}]")


def printable(text: str, limit: int = BLOCK_LIMIT, whole_in: str = "results.json") -> str:
    """Make text of several lines printable and not too long; lines and columns stay.

    Args:
        text: The text.
        limit: Characters of it that are shown.
        whole_in: The file in which all of it stands.
    """
    more = len(text) - limit
    text = _UNPRINTABLE.sub(_code, text[:limit].replace("\r\n", "\n").expandtabs(4))
    return text if more <= 0 else f"{text}... (truncated: {more:,} more characters in {whole_in})"


def one_line(text: str, limit: int = LINE_LIMIT) -> str:
    r"""Make text printable on one line; its line breaks are shown as `\n`."""
    return printable(text, limit).replace("\n", "\\n")


def first_line(text: str) -> str:
    """Only the first line, for a summary of what is told in full elsewhere."""
    return one_line(text.strip().partition("\n")[0])


def cells(text: str) -> int:
    """How many columns text takes on a terminal: wide characters take two, combining ones none."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def pad(text: str, width: int) -> str:
    """Fill text with spaces up to a width in columns."""
    return text + " " * (width - cells(text))


def code_span(text: str) -> str:
    """Quote text as Markdown code within a line, where it then means nothing and mentions nobody."""
    text = one_line(text) or "(empty)"
    ticks = "`" * (_longest_run(text) + 1)
    # A space at both ends is taken off again, unless there is nothing else.
    space = " " if text.strip(" ") and (text[0] in "` " or text[-1] in "` ") else ""
    return f"{ticks}{space}{text}{space}{ticks}"


def fenced(text: str, limit: int = BLOCK_LIMIT) -> str:
    """Quote text of several lines as a Markdown code block that nothing inside can end."""
    text = printable(text, limit)
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}text\n{text}\n{fence}"


def table_row(*columns: str) -> str:
    """Join Markdown texts of one line to a row of a table; pipes inside them, also in code, do not end a column."""
    return "| " + " | ".join(column.replace("|", "\\|") for column in columns) + " |"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


def _code(match: re.Match[str]) -> str:
    number = ord(match[0])
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"  # noqa: PLR2004 - as Python writes them
