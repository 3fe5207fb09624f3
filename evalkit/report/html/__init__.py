"""The report as one page for a browser: it holds all that it needs, loads nothing and runs no script.

Whatever comes from files, agents and tools is text: the template escapes it, and the page's own policy would not let it
load or run anything. What happened in each case is shown where the report has its plays (`Report.plays`).
"""

from functools import cache
from importlib.resources import files

from evalkit.report.html.page import page_of
from evalkit.report.model import Report


def render(report: Report) -> str:
    """Render as a whole HTML document that ends with a newline."""
    from jinja2 import Environment, StrictUndefined  # costs what no other renderer need pay

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(_resource("page.html.jinja"))
    return template.render(page=page_of(report), style=_resource("style.css")) + "\n"


@cache
def _resource(name: str) -> str:
    return files(__name__).joinpath(name).read_text(encoding="utf-8")
