"""Reports: what a run came to (`model`), one renderer a file, and the progress display.

A renderer is a module with `render(report) -> str`; a new one is one new file and one line in `RENDERERS`.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import cast

from evalkit.errors import SettingsError
from evalkit.report.model import Report

RENDERERS: Mapping[str, str] = {
    "text": "evalkit.report.text",
    "terminal": "evalkit.report.terminal",
    "json": "evalkit.report.json",
    "markdown": "evalkit.report.markdown",
    "html": "evalkit.report.html",
    "junit": "evalkit.report.junit",
}
"""Each renderer's module, loaded when it is asked for."""

RUN_FILES: Mapping[str, str] = {"results.json": "json", "report.md": "markdown"}
"""The files of a run folder that are rendered, and by which renderer."""


def render(name: str, report: Report) -> str:
    """Render a report.

    Raises:
        SettingsError: There is no renderer of this name; the message lists those there are.
    """
    if name not in RENDERERS:
        raise SettingsError(f"no report format is called {name!r}; there are: {', '.join(RENDERERS)}")
    module = import_module(RENDERERS[name])
    return cast("Callable[[Report], str]", module.render)(report)


def render_run_files(report: Report) -> dict[str, str]:
    """Render the files of a run folder, by name."""
    return {file: render(name, report) for file, name in RUN_FILES.items()}
