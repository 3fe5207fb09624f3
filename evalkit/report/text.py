"""The report as plain aligned lines, for files, pipes and CI logs."""

from evalkit.report.layout import layout
from evalkit.report.lines import plain
from evalkit.report.model import Report


def render(report: Report) -> str:
    """Render without colour and without breaking lines."""
    return plain(layout(report))
