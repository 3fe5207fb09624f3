"""From the name of an exception in a mocks file to an exception that can be raised."""

import builtins
import importlib
from functools import lru_cache

from evalkit.routes import Reply, reply_faults


def mocked_exception(type_name: str, message: str) -> Exception:
    """Build the exception that a mock names, with `message` as its text; the caller raises it.

    A built-in exception and the dotted path of an importable class are what they name. Any other name, also that of a
    class whose package is not installed, becomes an exception class of that name, the same one each time.
    """
    cls = _exception_class(type_name)
    try:
        return cls(message)
    except Exception:  # noqa: BLE001 - the constructor is somebody else's and may want, or do, anything
        return _unconstructed(cls, message)


@lru_cache(maxsize=256)
def _exception_class(type_name: str) -> type[Exception]:
    module, _, name = type_name.rpartition(".")
    found = None if reply_faults(Reply(raises=type_name)) else _look_up(module, name)
    if isinstance(found, type) and issubclass(found, Exception):
        return found
    return type(name, (Exception,), {"__module__": module or __name__})


def _look_up(module: str, name: str) -> object:
    if not module:
        return getattr(builtins, name, None)
    try:
        return getattr(importlib.import_module(module), name, None)
    except ImportError:
        return None


def _unconstructed(cls: type[Exception], message: str) -> Exception:
    """Make an instance of a class that cannot be built from a message alone, without running its constructor."""

    def text(_error: Exception) -> str:
        return message  # the class's own `__str__` may read what its constructor would have set

    subclass: type[Exception] = type(cls.__name__, (cls,), {"__module__": cls.__module__, "__str__": text})
    return subclass.__new__(subclass, message)
