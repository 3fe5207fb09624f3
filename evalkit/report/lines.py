"""Lines of styled text, plain or in colour.

A line is a tuple of spans, a span is a text and the name of its style: a verdict, `faint`, `strong` or none. Whoever
lays them out has made every text that comes from outside printable.
"""

import io
import shutil
from collections.abc import Iterable

Span = tuple[str, str]
Line = tuple[Span, ...]

STYLES = {
    "passed": "green",
    "failed": "bold red",
    "error": "bold magenta",
    "inconclusive": "yellow",
    "skipped": "dim",
    "faint": "dim",
    "strong": "bold",
    "": "",
}


def plain(lines: Iterable[Line]) -> str:
    """Write lines without colour and without breaking them, so that `grep` finds whole ones."""
    return "".join("".join(text for text, _ in line).rstrip() + "\n" for line in lines)


def terminal_width() -> int | None:
    """The columns of this terminal; None where there is none, so that lines are left whole."""
    return shutil.get_terminal_size(fallback=(0, 0)).columns or None


def coloured(lines: Iterable[Line], width: int | None) -> str:
    """Write lines with the escape sequences that this terminal understands; rich heeds NO_COLOR and TERM."""
    from rich.console import Console
    from rich.text import Text

    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, legacy_windows=False, width=width)
    text = Text()
    for line in lines:
        for part, style in line:
            text.append(part, STYLES[style])
        text.append("\n")
    console.print(text, end="", soft_wrap=True, highlight=False)
    return screen.getvalue()
