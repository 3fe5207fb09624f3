"""Replacing names for a while, and putting everything back as it was."""

import functools
from collections.abc import Callable
from typing import Any, Self

_ABSENT = object()

Wrap = Callable[[Callable[..., Any]], Callable[..., Any]]
"""Takes the original function and returns what stands in for it."""


class Patches:
    """A stack of replacements; leaving the `with` block undoes them in reverse order."""

    def __init__(self) -> None:
        self._undo: list[tuple[Any, str, Any]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        while self._undo:
            owner, name, before = self._undo.pop()
            if before is _ABSENT:
                delattr(owner, name)
            else:
                setattr(owner, name, before)

    def set(self, owner: Any, name: str, value: Any) -> None:
        """Replace `owner.name` by `value`."""
        self._undo.append((owner, name, vars(owner).get(name, _ABSENT)))
        setattr(owner, name, value)

    def wrap(self, owner: Any, name: str, wrap: Wrap) -> None:
        """Replace the function `owner.name` by what `wrap` makes of it."""
        original = getattr(owner, name)
        self.set(owner, name, functools.wraps(original)(wrap(original)))

    def wrap_family(self, base: type, name: str, wrap: Wrap, *, born: str = "__init_subclass__") -> None:
        """Wrap the method in `base` and in every subclass that defines its own, also in those made later.

        Args:
            base: The family's root.
            name: The method.
            wrap: Makes the stand-in out of each class's own function.
            born: The class method that Python, or pydantic, calls for each new subclass.
        """
        for member in _family(base):
            self._wrap_own(member, name, wrap)
        announce = getattr(base, born)

        def hook(cls: type, /, **kwargs: Any) -> None:
            if hasattr(announce, "__func__"):
                announce.__func__(cls, **kwargs)
            else:
                announce(**kwargs)
            self._wrap_own(cls, name, wrap)

        self.set(base, born, classmethod(hook))

    def _wrap_own(self, member: type, name: str, wrap: Wrap) -> None:
        original = vars(member).get(name)
        if original is not None:
            self.set(member, name, functools.wraps(original)(wrap(original)))


def _family(base: type[Any]) -> list[type[Any]]:
    found: dict[type[Any], None] = {base: None}
    waiting: list[type[Any]] = [base]
    while waiting:
        for member in waiting.pop().__subclasses__():
            if member not in found:
                found[member] = None
                waiting.append(member)
    return list(found)
