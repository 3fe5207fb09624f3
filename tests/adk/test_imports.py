"""Modules that are acted on when they are imported."""

import importlib
import sys

import pytest

from evalkit.adk.imports import when_imported


@pytest.fixture
def late(tmp_path, monkeypatch):
    """A module that nobody has imported yet, inside a package."""
    (tmp_path / "slow").mkdir()
    (tmp_path / "slow" / "__init__.py").write_text("")
    (tmp_path / "slow" / "late.py").write_text("VALUE = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield "slow.late"
    for name in ("slow.late", "slow"):
        sys.modules.pop(name, None)


def test_a_module_that_is_loaded_is_acted_on_at_once():
    seen = []
    with when_imported({"json": seen.append}):
        assert seen == [sys.modules["json"]]


def test_a_module_that_comes_later_is_acted_on_once_it_is_complete(late):
    values = []
    with when_imported({late: lambda module: values.append(module.VALUE)}):
        assert late not in sys.modules
        importlib.import_module(late)
        importlib.import_module(late)
    assert values == [1]


def test_a_module_that_is_imported_anew_is_acted_on_again(late):
    values = []
    with when_imported({late: lambda module: values.append(module.VALUE)}):
        importlib.import_module(late)
        del sys.modules[late]
        importlib.import_module(late)
    assert values == [1, 1]


def test_afterwards_imports_are_pythons_own(late):
    before, seen = list(sys.meta_path), []
    with when_imported({late: seen.append}):
        pass
    importlib.import_module(late)
    assert (sys.meta_path, seen) == (before, [])


def test_a_module_that_does_not_exist_is_missing_as_ever():
    with when_imported({"slow.never": print}), pytest.raises(ModuleNotFoundError, match="slow"):
        importlib.import_module("slow.never")


def test_what_an_action_raises_comes_out_of_the_import(late):
    def refuse(module):
        raise LookupError("no such name")

    with when_imported({late: refuse}), pytest.raises(LookupError, match="no such name"):
        importlib.import_module(late)
    assert late not in sys.modules
