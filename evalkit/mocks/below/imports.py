"""Doing something to a module once it is imported: now, or the moment somebody imports it. Imports nothing itself."""

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import ModuleType

Action = Callable[[ModuleType], None]


@contextmanager
def when_imported(actions: Mapping[str, Action]) -> Iterator[None]:
    """Run each module's action: at once if it is imported already, else right after it is, while the block lasts."""
    for name, action in actions.items():
        if name in sys.modules:
            action(sys.modules[name])
    watcher = _Watcher({name: action for name, action in actions.items() if name not in sys.modules})
    sys.meta_path.insert(0, watcher)
    try:
        yield
    finally:
        sys.meta_path.remove(watcher)


class _Watcher(importlib.abc.MetaPathFinder):
    """Finds modules as the other finders do, and has the loaders of those it watches run an action in the end."""

    def __init__(self, actions: Mapping[str, Action]) -> None:
        self._actions = actions

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        action = self._actions.get(fullname)
        if action is None:
            return None
        others = (finder for finder in sys.meta_path if finder is not self)
        found = (finder.find_spec(fullname, path, target) for finder in others)
        spec = next((spec for spec in found if spec is not None), None)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, action)
        return spec


class _Loader(importlib.abc.Loader):
    """Loads as another loader does, then runs an action; the module never sees that it stood in between."""

    def __init__(self, loader: importlib.abc.Loader, action: Action) -> None:
        self._loader = loader
        self._action = action

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self._loader
        assert module.__spec__ is not None
        module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        self._action(module)
