"""Routes and declarations as a mocks file, and the files of replies that are too large to read in it."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from evalkit.adapters.holmes.routes import MockRoute
from evalkit.cases import Json
from evalkit.formats.yaml_values import member, on_one_line

REPLIES: Final = "replies"
_READABLE: Final = 2_000
"""Characters of a reply, as JSON, that may still stand in the mocks file."""


def mocks_files(path: str, routes: Sequence[MockRoute], declared: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Write a fixture's mocks: `mocks.yaml`, and files under `replies/`.

    Args:
        path: The fixture, `suite/name`.
        routes: In the order in which they are asked, within each tool.
        declared: What agents that lack a tool are given.

    Returns:
        The text of each file by its name.
    """
    replies = _reply_files(routes)
    lines = [
        f"# What the recordings of {_comment(path)} answer; of a tool's routes the first that matches.\n\n",
        "tools:\n",
    ]
    for tool in dict.fromkeys(route.tool for route in routes):
        lines.append(f"  {on_one_line(tool)}:\n")
        for route in routes:
            if route.tool == tool:
                lines += _route(route, replies)
    lines += ["\n", "# Tools for agents that have none of these names.\n", "provides:\n", *map(_declaration, declared)]
    files = dict(replies.values())
    return {"mocks.yaml": "".join(lines), **files}


def _reply_files(routes: Iterable[MockRoute]) -> dict[int, tuple[str, str]]:
    """Name a file for each reply that is too large: by the route's identity, the name and the text."""
    found: dict[int, tuple[str, str]] = {}
    taken: set[str] = set()
    for route in routes:
        text = (
            route.returns if isinstance(route.returns, str) else json.dumps(route.returns, indent=2, ensure_ascii=False)
        )
        if len(text) > _READABLE:
            suffix = ".txt" if isinstance(route.returns, str) else ".json"
            name = _free(f"{REPLIES}/{route.source.removesuffix('.txt').removesuffix('.json')}", suffix, taken)
            found[id(route)] = name, text if suffix == ".txt" else f"{text}\n"
    return found


def _free(stem: str, suffix: str, taken: set[str]) -> str:
    """A name that no file has yet, also where a file system knows no case."""
    name, number = f"{stem}{suffix}", 2
    while name.lower() in taken:
        name, number = f"{stem}-{number}{suffix}", number + 1
    taken.add(name.lower())
    return name


def _route(route: MockRoute, replies: Mapping[int, tuple[str, str]]) -> Iterator[str]:
    """Write a route as an item of a list, under the file that it was made of."""
    yield f"    # {_comment(route.source)}\n"
    answer: tuple[str, Json] = ("returns", route.returns)
    if id(route) in replies:
        answer = ("returns_file", replies[id(route)][0])
    members = [("args", route.args), answer] if route.args else [answer]
    for index, (key, value) in enumerate(members):
        yield ("    - " if index == 0 else "      ") + member(key, value, indent=6)


def _declaration(declared: Mapping[str, Any]) -> str:
    lines = [member(key, value, indent=4) for key, value in declared.items()]
    return "".join(("  - " if index == 0 else "    ") + line for index, line in enumerate(lines))


def _comment(text: str) -> str:
    """A text that cannot end a comment, whatever a file is called."""
    return text if text.isprintable() else repr(text)
