"""Attributes of the agent's modules that are replaced for a case by what a factory of the user's makes."""

import copy
import difflib
import importlib
import pkgutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from evalkit.errors import FakeError
from evalkit.fakes import PythonFake
from evalkit.mocks.below.replacing import replaced


@contextmanager
def patched(fakes: Iterable[PythonFake], *, root: Path, package: str | None) -> Iterator[None]:
    """Replace what the fakes name, while the block lasts; of two fakes for one attribute the first counts.

    Args:
        fakes: The case's own fakes before its folder's.
        root: The project's root.
        package: The package of the agent, below which a module that starts with a dot is looked for.

    Raises:
        FakeError: A factory or an attribute is not there, or a factory failed.
    """
    done: set[tuple[int, str]] = set()
    with ExitStack() as undo:
        for fake in fakes:
            owner, name = _attribute(fake, package)
            if (id(owner), name) not in done:
                done.add((id(owner), name))
                undo.enter_context(replaced(owner, name, _made(fake, root)))
        yield


def _attribute(fake: PythonFake, package: str | None) -> tuple[Any, str]:
    """Find the owner of the attribute, and its name there."""
    module_name, _, path = fake.patches.partition(":")
    if module_name.startswith("."):
        if package is None:
            raise FakeError(f"{_where(fake)}: `patches: {fake.patches}` is relative, but the agent is no package")
        module_name = package + module_name.rstrip(".") if module_name.strip(".") else package
    owner: Any = _module(fake, module_name)
    *owners, name = path.split(".")
    for step in owners:
        owner = getattr(owner, _present(fake, owner, step))
    return owner, _present(fake, owner, name)


def _module(fake: PythonFake, name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise FakeError(f"{_where(fake)}: importing {name}: {error}") from error
        parent = sys.modules.get(error.name.rpartition(".")[0])
        siblings = [found.name for found in pkgutil.iter_modules(getattr(parent, "__path__", ()))]
        near = _near(error.name.rpartition(".")[2], siblings)
        raise FakeError(f"{_where(fake)}: `patches: {fake.patches}`: there is no module {error.name}{near}") from error


def _present(fake: PythonFake, owner: Any, name: str) -> str:
    """Return the name if the owner has such an attribute.

    Raises:
        FakeError: It has none; a fake in its place would never be used.
    """
    if hasattr(owner, name):
        return name
    holder = f"the module {owner.__name__}" if isinstance(owner, ModuleType) else f"{owner!r}"
    near = _near(name, [known for known in dir(owner) if not known.startswith("__")])
    raise FakeError(f"{_where(fake)}: `patches: {fake.patches}`: {holder} has no {name}{near}")


def _made(fake: PythonFake, root: Path) -> Any:
    """Call the factory, whose module is imported anew, so that what it keeps does not outlive the case."""
    module_name, _, name = fake.factory.partition(":")
    known = module_name in sys.modules
    module = _imported(fake, module_name, (root, Path(fake.folder)))
    if not known:
        del sys.modules[module_name]
    factory = getattr(module, name, None)
    if not callable(factory):
        near = _near(name, [known for known, value in vars(module).items() if callable(value)])
        raise FakeError(f"{_where(fake)}: {module_name} has no function {name}{near}")
    try:
        return factory() if fake.data is None else factory(copy.deepcopy(fake.data))
    except Exception as error:
        raise FakeError(f"{_where(fake)}: {fake.factory} failed: {type(error).__name__}: {error}") from error


def _imported(fake: PythonFake, name: str, folders: Sequence[Path]) -> ModuleType:
    """Import a module from one of the folders, else from where Python would."""
    places = list(dict.fromkeys(str(folder.resolve()) for folder in folders))
    before = list(sys.path)
    sys.path[:0] = places
    try:
        return importlib.import_module(name)
    except Exception as error:
        looked = f" (looked in {' and '.join(places)})" if isinstance(error, ModuleNotFoundError) else ""
        raise FakeError(f"{_where(fake)}: importing {name}: {type(error).__name__}: {error}{looked}") from error
    finally:
        sys.path[:] = before


def _near(name: str, known: Iterable[str]) -> str:
    similar = difflib.get_close_matches(name, list(known), n=3)
    return f"; did you mean {' or '.join(similar)}?" if similar else ""


def _where(fake: PythonFake) -> str:
    return fake.label or "a python backend"
