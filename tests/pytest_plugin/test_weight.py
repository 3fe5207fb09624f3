"""A run of pytest without evaluations pays for next to nothing; `make bench` measures it."""

import pytest

from evalkit import pytest_plugin
from evalkit.formats.files import EVALSET_SUFFIXES
from evalkit.settings import Settings

LOADED = """
import sys


def test_what_is_loaded():
    loaded = {name for name in sys.modules if name.partition(".")[0] == "evalkit"}
    assert loaded == EXPECTED
    assert not {"google.adk", "google.genai", "rich", "click", "jsonschema", "yaml", "nltk"} & set(sys.modules)
"""

THE_PLUGIN = {"evalkit", "evalkit.pytest_plugin", "evalkit.pytesting"}
TO_DECIDE = {
    "evalkit.errors",
    "evalkit.formats",
    "evalkit.formats.files",
    "evalkit.pytesting.asked",
    "evalkit.settings",
}


@pytest.mark.parametrize(
    ("settings", "loaded"),
    [("[tool.other]", THE_PLUGIN), ("[tool.evalkit]", THE_PLUGIN | TO_DECIDE)],
    ids=["any project", "a project with evalsets"],
)
def test_a_plain_run_loads_the_plugin_and_what_decides(project, make_case, settings, loaded):
    project.evalset(make_case("one"))
    project.write("pyproject.toml", settings)
    project.write("test_loaded.py", f"EXPECTED = {loaded!r}\n{LOADED}")

    assert project.run().counts == {"passed": 1}


def test_listing_cases_loads_no_adk(project, make_case):
    project.evalset(make_case("one"))
    project.say_whether_adk_is_loaded()

    assert "ADK is loaded: False" in project.run("--evalkit-mode", "live", "--collect-only", "-s").out


def test_the_plugin_knows_evalsets_by_the_names_that_everything_else_does():
    assert pytest_plugin._SUFFIXES == EVALSET_SUFFIXES
    assert Settings().evalsets == pytest_plugin._FOLDER
