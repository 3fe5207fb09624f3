"""The report for a terminal: the lines of `text` in colour and broken to its width.

Colour repeats what words and marks say.
"""

from evalkit.report.layout import layout
from evalkit.report.lines import coloured, terminal_width
from evalkit.report.model import Report


def render(report: Report) -> str:
    """Render with the escape sequences that this terminal understands."""
    width = terminal_width()
    return coloured(layout(report, width), width)
