"""What `check` found, in each format of `--format`: one renderer a file.

A renderer is a module with `render(report, refusal) -> str`; a new one is one new file and one line in `RENDERERS`.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import cast

from evalkit.check import CheckReport

RENDERERS: Mapping[str, str] = {
    "text": "evalkit.findings.text",
    "json": "evalkit.findings.json",
    "github": "evalkit.findings.github",
    "gitlab": "evalkit.findings.gitlab",
    "sarif": "evalkit.findings.sarif",
}
"""Each renderer's module, loaded when it is asked for."""


def render(name: str, report: CheckReport, refusal: str | None = None) -> str:
    """Render what was found, and the reason why not everything was looked at, if so."""
    module = import_module(RENDERERS[name])
    return cast("Callable[[CheckReport, str | None], str]", module.render)(report, refusal)
