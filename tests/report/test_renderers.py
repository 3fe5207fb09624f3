"""The table of renderers."""

import subprocess
import sys

import pytest

from evalkit.errors import SettingsError
from evalkit.report import RENDERERS, render


@pytest.mark.parametrize("name", RENDERERS)
def test_every_renderer_names_every_verdict_and_that_the_model_was_not_exercised(mixed_report, name):
    shown = render(name, mixed_report)

    assert "1 passed, 1 failed, 1 error, 1 inconclusive, 1 skipped, 2 known failing in 1.9 s" in shown
    assert "golden replay: the model was not exercised" in shown
    assert shown.endswith("\n")


def test_an_unknown_format_lists_those_there_are(mixed_report):
    with pytest.raises(SettingsError) as raised:
        render("pdf", mixed_report)

    assert (
        str(raised.value) == "no report format is called 'pdf'; there are: text, terminal, json, markdown, html, junit"
    )


def test_rich_is_loaded_for_a_terminal_only(clean_env):
    program = """
import sys
from importlib import import_module
import evalkit.report.progress
from evalkit.report import RENDERERS
for module in RENDERERS.values():
    import_module(module)
print("rich" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], env=clean_env, capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "False"
