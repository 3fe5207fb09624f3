"""Comparisons of runs as people and programs read them: one renderer a file, each with `render(comparison) -> str`."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import cast

from evalkit.compare.model import Comparison

RENDERERS: Mapping[str, str] = {
    "text": "evalkit.report.comparison.text",
    "terminal": "evalkit.report.comparison.terminal",
    "json": "evalkit.report.comparison.json",
    "markdown": "evalkit.report.comparison.markdown",
}
"""Each renderer's module, loaded when it is asked for."""


def render(name: str, comparison: Comparison) -> str:
    """Render a comparison."""
    module = import_module(RENDERERS[name])
    return cast("Callable[[Comparison], str]", module.render)(comparison)
