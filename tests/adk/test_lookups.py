"""What an agent's own code looks up in its environment, and what it takes instead."""

import importlib.util
import os

import pytest

from evalkit.adk.lookups import noted_lookups

UNSET = "EVALKIT_TEST_MODEL"


@pytest.fixture
def lookups(tmp_path, monkeypatch):
    """Import a module with this code, and return what it looked up, by variable."""
    monkeypatch.delenv(UNSET, raising=False)

    def looked_up(code):
        file = tmp_path / "own.py"
        file.write_text(f"import os\n{code}\n")
        spec = importlib.util.spec_from_file_location("own", file)
        with noted_lookups() as found:
            spec.loader.exec_module(importlib.util.module_from_spec(spec))
        return {lookup.name: lookup for lookup in found}

    return looked_up


@pytest.mark.parametrize(
    "code",
    [
        f'MODEL = os.environ.get("{UNSET}", "house-7b")',
        f'MODEL = os.getenv("{UNSET}", "house-7b")',
        f'MODEL = os.environ.get("{UNSET}") or "house-7b"',
        f'DEFAULT = "house-7b"\nMODEL = os.getenv("{UNSET}") or DEFAULT',
        f'class Names:\n    best = "house-7b"\nMODEL = os.getenv("{UNSET}") or Names.best',
        f'MODEL = os.getenv("{UNSET}", "").strip() or "house-7b"',
        f'MODEL = os.getenv("{UNSET}", os.getenv("{UNSET}_2", "house-7b"))',
        f'MODEL = (\n    os.getenv("{UNSET}")\n    or "house-7b"\n)',
        f'def name(variable, default):\n    return os.getenv(variable, default)\nMODEL = name("{UNSET}", "house-7b")',
        f'options = dict(model=os.getenv("{UNSET}") or "house-7b", instruction="other")',
    ],
    ids=[
        "environ.get",
        "getenv",
        "or a text",
        "or a name",
        "or a dotted name",
        "after a method",
        "after another variable",
        "over several lines",
        "in a function",
        "as an argument",
    ],
)
def test_the_text_that_stands_in_for_a_variable_is_found(lookups, code):
    lookup = lookups(code)[UNSET]
    assert lookup.value is None
    assert "house-7b" in lookup.instead
    assert "other" not in lookup.instead


def test_a_variable_that_is_set_is_noted_with_its_value_and_place(lookups, tmp_path, monkeypatch):
    monkeypatch.setenv(UNSET, "house-7b")
    lookup = lookups(f'\nMODEL = os.environ["{UNSET}"]')[UNSET]
    assert (lookup.value, lookup.place, lookup.instead) == ("house-7b", f"{tmp_path / 'own.py'}:3", frozenset())


def test_an_empty_variable_leaves_it_to_what_stands_in(lookups, monkeypatch):
    monkeypatch.setenv(UNSET, "")
    lookup = lookups(f'MODEL = os.getenv("{UNSET}") or "house-7b"')[UNSET]
    assert lookup.value == ""
    assert "house-7b" in lookup.instead


def test_what_libraries_look_up_is_not_the_agents_affair(lookups):
    found = lookups("import tempfile\ntempfile.tempdir = None\ntempfile.gettempdir()")
    assert "TMPDIR" not in found


def test_a_missing_variable_is_as_missing_as_ever(lookups):
    with pytest.raises(KeyError, match=UNSET):
        lookups(f'os.environ["{UNSET}"]')


def test_afterwards_nothing_is_noted_any_more():
    with noted_lookups() as found:
        pass
    os.environ.get(UNSET)
    assert found == []
