"""A comparison as plain lines."""

from evalkit.compare.model import Comparison
from evalkit.report.comparison.layout import layout
from evalkit.report.lines import plain


def render(comparison: Comparison) -> str:
    """Render without colour."""
    return plain(layout(comparison))
