"""What to write into a mocks file about a toolset: a name, and a `match` that holds on every machine."""

from pathlib import PurePath
from urllib.parse import urlsplit

from evalkit.adk.servers import Found, subject, without_secrets


def name_for(found: Found) -> str:
    """Return a name for a toolset's entry: its prefix, or what its server is called."""
    if found.prefix:
        return found.prefix
    if "url" in found.facts:
        return urlsplit(found.facts["url"]).hostname or "server"
    return PurePath(_what_runs(found)).stem or "server"


def match_for(found: Found) -> dict[str, object]:
    """Return the shortest `match` that tells a toolset's server: no folders, no secrets, no version of Python."""
    if "command" in found.facts:
        runs = _what_runs(found)
        return {"command": runs if runs == found.facts["command"] else {"$glob": f"*{runs}*"}}
    if "url" in found.facts:
        address = without_secrets(found.facts["url"])
        return {"url": address if address == found.facts["url"] else {"$glob": f"{address}*"}}
    return {"type": found.facts["type"]}


def in_yaml(match: dict[str, object]) -> str:
    """Write a `match` as one would in a mocks file."""
    ((key, wanted),) = match.items()
    return f'{key}: {{$glob: "{wanted["$glob"]}"}}' if isinstance(wanted, dict) else f'{key}: "{wanted}"'


def _what_runs(found: Found) -> str:
    """Return the script, module or package that a command runs; the command itself if it has no such argument."""
    if "command" not in found.facts:
        return found.facts["type"]
    first = next(iter(subject(found.server or ())), None)
    return PurePath(first).name if first else found.facts["command"]
