"""Finding and importing an agent, the way `adk eval` finds it, but under its own package name.

`adk eval` imports every agent as a module called `agent`, so a process can hold only one, and a package cannot import
itself by name. Here a folder is imported as the package it is, with the folders above it that are packages too.
"""

import asyncio
import contextlib
import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from google.adk.agents import BaseAgent
from google.adk.apps import App
from google.adk.workflow import BaseNode

from evalkit.adk.frames import is_users, place_of
from evalkit.errors import AgentLoadError

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedAgent:
    """An agent that has been imported.

    Attributes:
        name: The name of its folder or module, ADK's app name.
        app: Its `App`, if it has one.
        root: The agent or workflow that runs.
        reset: Its `reset_data` hook, to be called before each case.
        package: The name under which it was imported, from which relative names are resolved.
    """

    name: str
    app: App | None
    root: BaseNode
    reset: Callable[[], Any] | None
    package: str | None = None


@contextlib.contextmanager
def loaded_agent(reference: str) -> Iterator[LoadedAgent]:
    """Import an agent, and take its modules and its entry on the import path back at the end.

    Args:
        reference: A folder, or a dotted module name.

    Raises:
        AgentLoadError: It is not there, its import fails, or it exposes no agent.
    """
    path_before, modules_before = list(sys.path), set(sys.modules)
    folder = Path(reference).resolve() if Path(reference).is_dir() else None
    home = _package_root(folder) if folder else Path.cwd()
    try:
        module = _import_folder(folder) if folder else _import_name(reference)
        yield _agent_of(module, folder.name if folder else reference.rpartition(".")[2])
    finally:
        sys.path[:] = path_before
        for name in set(sys.modules) - modules_before:
            if _is_beside(sys.modules[name], home):
                del sys.modules[name]  # so that the next agent cannot meet it


def _is_beside(module: ModuleType, home: Path) -> bool:
    """Tell whether a module is the agent's own: it lies in `home`, and not in a virtual environment that lies there."""
    known = vars(module)
    places = [known["__file__"]] if known.get("__file__") else list(known.get("__path__") or ())
    return any(Path(place).is_relative_to(home) and is_users(place) for place in places)


def _package_root(folder: Path) -> Path:
    """Return the folder that must be on the import path so that `folder` is found under its own name."""
    parent = folder.parent
    while (parent / "__init__.py").is_file():
        parent = parent.parent
    return parent


def _import_folder(folder: Path) -> ModuleType:
    if not any((folder / name).is_file() for name in ("__init__.py", "agent.py")):
        raise AgentLoadError(f"{folder.name}: no agent here: neither __init__.py nor agent.py in {folder}")
    root = _package_root(folder)
    sys.path.insert(0, str(root))
    name = ".".join(folder.relative_to(root).parts)
    if _importing(folder.name, lambda: _finds(name, folder)):
        package = _importing(folder.name, lambda: importlib.import_module(name))
    else:
        name = "agent_" + re.sub(r"\W", "_", folder.name)
        package = _importing(folder.name, lambda: _import_oddly_named(folder, name))
    if not hasattr(package, "agent") and (folder / "agent.py").is_file():
        _importing(folder.name, lambda: importlib.import_module(f"{name}.agent"))
    return package


def _finds(name: str, folder: Path) -> bool:
    """Tell whether importing `name` would import the folder, and not some other module of that name."""
    if not all(part.isidentifier() for part in name.split(".")):
        return False
    spec = importlib.util.find_spec(name)
    return spec is not None and str(folder) in (spec.submodule_search_locations or ())


def _import_oddly_named(folder: Path, name: str) -> ModuleType:
    """Import a package whose folder has no Python name, such as `kafka-health`, or a name that is taken."""
    spec = importlib.util.spec_from_file_location(
        name,
        folder / "__init__.py" if (folder / "__init__.py").is_file() else None,
        submodule_search_locations=[str(folder)],
    )
    if spec is None:
        spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
    module = importlib.util.module_from_spec(spec)
    module.__path__ = [str(folder)]
    sys.modules[name] = module
    if spec.loader is not None:
        spec.loader.exec_module(module)
    return module


def _import_name(name: str) -> ModuleType:
    if not all(part.isidentifier() for part in name.split(".")):
        raise AgentLoadError(f"{name}: no such agent folder, and no module could be called that")
    sys.path.insert(0, str(Path.cwd()))
    return _importing(name, lambda: importlib.import_module(name))


def _importing(name: str, load: Callable[[], T]) -> T:
    try:
        return load()
    except Exception as error:
        raise AgentLoadError(f"{name}: importing the agent failed: {_in_one_line(error)}") from error
    except SystemExit as error:
        raise AgentLoadError(f"{name}: importing the agent ended with SystemExit({error.code!r})") from error


def _in_one_line(error: Exception) -> str:
    """Say what was raised and where in the user's own code."""
    text = " ".join(str(error).split()) or "no message"
    where = place_of(error.__traceback__)
    return f"{type(error).__name__}: {text}" + (f" (at {where})" if where else "")


def _agent_of(module: ModuleType, name: str) -> LoadedAgent:
    inner = getattr(module, "agent", None)
    holder = inner if isinstance(inner, ModuleType) else module
    reset = getattr(holder, "reset_data", None)
    if reset is not None and not callable(reset):
        raise AgentLoadError(
            f"{name}: `reset_data` is of type {type(reset).__name__}; ADK calls it, so make it a function"
        )
    app = getattr(holder, "app", None)
    if isinstance(app, App):
        if app.root_agent is None:
            raise AgentLoadError(f"{name}: its `app` has no root_agent")
        return LoadedAgent(name=name, app=app, root=app.root_agent, reset=reset, package=module.__name__)
    root = getattr(holder, "root_agent", None)
    if root is None and hasattr(holder, "get_agent_async"):
        root = _from_coroutine(holder.get_agent_async)
    if root is None:
        raise AgentLoadError(f"{name}: exposes no agent: expected `app`, `root_agent` or `get_agent_async` in agent.py")
    if not isinstance(root, BaseAgent | BaseNode):
        raise AgentLoadError(f"{name}: `root_agent` is of type {type(root).__name__}, not an agent or workflow")
    return LoadedAgent(name=name, app=None, root=root, reset=reset, package=module.__name__)


def _from_coroutine(get_agent_async: Callable[[], Any]) -> Any:
    made = get_agent_async()
    if inspect.isawaitable(made):

        async def wait() -> Any:
            return await made

        made = asyncio.run(wait())
    return made[0] if isinstance(made, tuple) else made
