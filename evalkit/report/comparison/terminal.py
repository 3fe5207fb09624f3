"""A comparison for a terminal, in colour."""

from evalkit.compare.model import Comparison
from evalkit.report.comparison.layout import layout
from evalkit.report.lines import coloured, terminal_width


def render(comparison: Comparison) -> str:
    """Render with the escape sequences that this terminal understands."""
    return coloured(layout(comparison), terminal_width())
