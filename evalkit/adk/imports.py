"""Noticing that a module is imported, so that modules which are slow to load can be patched without loading them."""

import importlib.util
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

Action = Callable[[ModuleType], None]


@contextmanager
def when_imported(actions: Mapping[str, Action]) -> Iterator[None]:
    """Run an action for each named module: at once if it is loaded, else right after its import inside the block.

    Args:
        actions: What to do, by the module's full name. An exception that it raises comes out of the import.
    """
    watcher = _Watcher({name: action for name, action in actions.items() if name not in sys.modules})
    for name, action in actions.items():
        if name in sys.modules:
            action(sys.modules[name])
    sys.meta_path.insert(0, watcher)
    try:
        yield
    finally:
        sys.meta_path.remove(watcher)


class _Watcher(MetaPathFinder):
    """Finds the modules that are waited for as Python would, and adds the action to their loading."""

    def __init__(self, waiting: Mapping[str, Action]) -> None:
        self._waiting = waiting
        self._searching: set[str] = set()

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 - Python's own signature
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        action = self._waiting.get(fullname)
        if action is None or fullname in self._searching:
            return None
        self._searching.add(fullname)
        try:
            spec = importlib.util.find_spec(fullname)  # asks every finder, this one too
        finally:
            self._searching.discard(fullname)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def load_and_act(module: ModuleType) -> None:
                load(module)
                action(module)

            spec.loader.exec_module = load_and_act  # type: ignore[method-assign]  # this loader serves this module only
        return spec
