"""Which environment variables an agent's own code looks up while it is imported: that is where its model comes from.

Every way to look one up, `os.getenv` too, comes down to one method of `os.environ`. Of a variable that is not set, the
expression around the look-up tells what the code takes instead: the second argument of `get`, or what stands after an
`or`.
"""

import ast
import functools
import inspect
import linecache
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from types import CodeType, FrameType
from typing import Any

from evalkit.adk import bare
from evalkit.adk.frames import is_users
from evalkit.adk.patches import Patches

_BETWEEN = frozenset(
    {"<frozen os>", "<frozen _collections_abc>", os.__file__, sys.modules["_collections_abc"].__file__}
)
"""Python's own files between the code that looks a variable up and the method that everything comes down to."""

_LOOK_UPS = frozenset({"get", "getenv"})

Span = tuple[int | None, ...]
"""Where an expression stands in its file: first and last line, first column and the one after the last, in bytes."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """A variable that the agent's own code looked up.

    Attributes:
        value: What it was set to; None if it was not set.
        place: Where, as `file:line`.
        instead: The texts that the code takes where the variable is not set.
    """

    name: str
    value: str | None
    place: str
    instead: frozenset[str] = frozenset()


@contextmanager
def noted_lookups() -> Iterator[list[Lookup]]:
    """Note what the user's code looks up while the block lasts; the list grows meanwhile."""
    found: list[Lookup] = []

    def noting(original: Callable[[Any, str], str]) -> Callable[[Any, str], str]:
        def look_up(self: Any, name: str) -> str:
            try:
                value = original(self, name)
            except KeyError:
                _note(found, name, None)
                raise
            _note(found, name, value)
            return value

        return look_up

    with Patches() as patches:
        patches.wrap(type(os.environ), "__getitem__", noting)
        yield found


def _note(found: list[Lookup], name: str, value: str | None) -> None:
    frame = _asking()
    if frame is not None and (is_users(frame.f_code.co_filename) or frame.f_code.co_filename == bare.__file__):
        place = f"{frame.f_code.co_filename}:{frame.f_lineno}"
        found.append(Lookup(name, value, place, frozenset() if value else _instead(frame)))


def _asking() -> FrameType | None:
    """Return the frame that looks the variable up."""
    frame: FrameType | None = sys._getframe(3)  # noqa: SLF001 - Python's own `logging` and `warnings` look at callers so
    while frame is not None and frame.f_code.co_filename in _BETWEEN:
        frame = frame.f_back
    return frame


def _instead(frame: FrameType) -> frozenset[str]:
    """Return every text in the expression around a look-up, names resolved."""
    around = _expression(frame.f_code.co_filename, _span(frame.f_code, frame.f_lasti))
    if around is None:
        return frozenset()
    values = (_value(node, {**frame.f_globals, **frame.f_locals}) for node in ast.walk(around))
    return frozenset(value for value in values if isinstance(value, str))


def _span(code: CodeType, instruction: int) -> Span:
    return next(islice(code.co_positions(), instruction // 2, None))


def _expression(file: str, span: Span) -> ast.AST | None:
    """Find the expression at a place, and what stands around it up to where its value is put to use."""
    found = _expressions(file).get(span)
    if found is None:
        return None
    node, parents = found
    while True:
        parent = parents.get(node)
        part = isinstance(parent, ast.BoolOp | ast.IfExp | ast.Attribute)
        if not part and not (isinstance(parent, ast.Call) and (parent.func is node or _is_lookup(parent))):
            return node
        assert parent is not None
        node = parent


def _is_lookup(call: ast.Call) -> bool:
    return getattr(call.func, "attr", getattr(call.func, "id", "")) in _LOOK_UPS


@functools.lru_cache(maxsize=16)
def _expressions(file: str) -> Mapping[Span, tuple[ast.AST, Mapping[ast.AST, ast.AST]]]:
    """Return the calls and subscripts of a file by their place, each with the parents of all nodes."""
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):  # the file has changed since it was imported
        return {}
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    return {
        (node.lineno, node.end_lineno, node.col_offset, node.end_col_offset): (node, parents)
        for node in parents
        if isinstance(node, ast.Call | ast.Subscript)
    }


def _value(node: ast.AST, names: Mapping[str, Any]) -> Any:
    """Return the value of a text, a name or a dotted name; None of anything else, which is not evaluated."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute):
        return inspect.getattr_static(_value(node.value, names), node.attr, None)
    return None
