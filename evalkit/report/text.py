"""The report as plain aligned lines, for files, pipes and CI logs."""

from evalkit.report.layout import layout
from evalkit.report.model import Report


def render(report: Report) -> str:
    """Render without colour and without breaking lines, so that `grep` finds whole ones."""
    return "".join("".join(text for text, _ in line).rstrip() + "\n" for line in layout(report))
