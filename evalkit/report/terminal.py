"""The report for a terminal: the lines of `text` in colour and broken to its width.

Colour repeats what words and marks say. rich decides what the terminal can show, and heeds NO_COLOR and TERM.
"""

import io
import shutil

from evalkit.report.layout import layout
from evalkit.report.model import Report

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


def render(report: Report) -> str:
    """Render with the escape sequences that this terminal understands."""
    from rich.console import Console
    from rich.text import Text

    width = shutil.get_terminal_size().columns
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, legacy_windows=False, width=width)
    text = Text()
    for line in layout(report, width):
        for part, style in line:
            text.append(part, STYLES[style])
        text.append("\n")
    console.print(text, end="", soft_wrap=True, highlight=False)
    return screen.getvalue()
