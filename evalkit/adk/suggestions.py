"""What to write into a mocks file about a toolset: a name, and a `match` that holds on every machine."""

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import urlsplit

from evalkit.adk.servers import Found, subject, without_secrets
from evalkit.matching import compile_args

Match = dict[str, Any]


def name_for(found: Found) -> str:
    """Return a name for a toolset's entry: its prefix, or what its server is called."""
    if found.prefix:
        return found.prefix
    if "url" in found.facts:
        return urlsplit(found.facts["url"]).hostname or "server"
    return PurePath(_subjects(found)[0]).stem or "server"


def match_for(found: Found, among: Sequence[Found] = ()) -> Match:
    """Return the shortest `match` that tells a toolset's server from the others'.

    It has no folders and, as long as that is enough, no options, secrets or versions of Python.
    """
    others = [one for one in among if one.server is None or one.server != found.server]
    for match in _matches(found):
        matcher = compile_args(match)
        if not any(matcher.accepts(other.facts) for other in others if other is not found):
            return match
    return match


def in_yaml(match: Match) -> str:
    """Write a `match` as one would in a mocks file."""
    ((key, wanted),) = match.items()
    return f'{key}: {{$glob: "{wanted["$glob"]}"}}' if isinstance(wanted, dict) else f'{key}: "{wanted}"'


def _matches(found: Found) -> Iterator[Match]:
    """Yield what names a server, from the shortest to the whole."""
    if "command" in found.facts:
        whole, parts = found.facts["command"], _subjects(found)
        program = whole.partition(" ")[0]
        if parts[0] != whole:
            yield {"command": {"$glob": f"*{parts[0]}*"}}
            yield {"command": {"$glob": f"{program} *{parts[0]}*"}}
            yield {"command": {"$glob": f"{program} *{'*'.join(parts)}*"}}
        yield {"command": whole}
    elif "url" in found.facts:
        whole, address = found.facts["url"], without_secrets(found.facts["url"])
        if address != whole:
            yield {"url": {"$glob": f"{address}*"}}
        yield {"url": whole}
    else:
        yield {"type": found.facts["type"]}


def _subjects(found: Found) -> list[str]:
    """Return what a command runs, and on what: its arguments without options; the command itself if there are none."""
    if "command" not in found.facts:
        return [found.facts["type"]]
    return [PurePath(word).name or word for word in subject(found.server or ())] or [found.facts["command"]]
