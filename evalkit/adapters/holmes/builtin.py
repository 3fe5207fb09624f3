"""What HolmesGPT never records because its own tools answer: runbooks, and the list of things to do."""

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, Final

from evalkit.adapters.holmes.fixture import RUNBOOK_CONTENT
from evalkit.adapters.holmes.notes import note
from evalkit.adapters.holmes.nouns import Fixture, Note, Options
from evalkit.adapters.holmes.replies import reply
from evalkit.adapters.holmes.routes import MockRoute
from evalkit.formats.holmes_recording import Recording

RUNBOOK_TOOL: Final = "fetch_runbook"
TODO_TOOL: Final = "TodoWrite"
BUILTIN_TOOLS: Final = (RUNBOOK_TOOL, TODO_TOOL)
_ARGUMENT: Final = "runbook_id"

BUILTIN_TOOLSETS: Final = frozenset({"runbook", "core_investigation"})
"""Toolsets that HolmesGPT runs for real, whatever is recorded."""


def builtin_routes(fixture: Fixture, options: Options) -> list[MockRoute]:
    """Make the routes that every case has, and one for each runbook of the fixture's folder."""
    todo = Recording(file="", tool=TODO_TOOL, status="success", data=_acknowledgement(options))
    routes = [_route(todo, {}, "always fine, as in HolmesGPT", options)]
    for identifier, (text, file) in _runbooks(fixture).items():
        runbook = Recording(file=file, tool=RUNBOOK_TOOL, status="success", data=text)
        routes.append(_route(runbook, {_ARGUMENT: identifier}, file, options))
    return routes


def _acknowledgement(options: Options) -> str | None:
    """What a change of the list comes to: no data, so that it is no evidence of anything; a text must say something."""
    return "The list of tasks is updated." if options.response == "holmes-text" else None


def _route(recording: Recording, args: dict[str, Any], source: str, options: Options) -> MockRoute:
    return MockRoute(tool=recording.tool, match=args, args=args, returns=reply(recording, options), source=source)


def _runbooks(fixture: Fixture) -> dict[str, tuple[str, str]]:
    """By the id that an agent asks for: a runbook's text, and its file."""
    found = {name: (text, name) for name, text in fixture.runbooks.items()}
    for name, content in fixture.sidecars.items():
        if PurePosixPath(name).match(RUNBOOK_CONTENT) and isinstance(content, dict):
            text = content.get("instruction")
            identifier = str(content.get("id") or re.sub(r"^runbook_content_|\.json$", "", name))
            found[identifier] = (text if isinstance(text, str) else str(content), name)
    return found


def with_catalog(declared: Mapping[str, Any], fixture: Fixture) -> dict[str, Any]:
    """Add to the declaration of the runbook tool which runbooks there are, as HolmesGPT tells its model."""
    if declared["name"] != RUNBOOK_TOOL:
        return dict(declared)
    about = _descriptions(fixture)
    listed = [f"- {name}: {about[name]}" if about.get(name) else f"- {name}" for name in _runbooks(fixture)]
    return {**declared, "description": "\n".join([declared["description"], f"The values of {_ARGUMENT}:", *listed])}


def _descriptions(fixture: Fixture) -> dict[str, str]:
    """What the catalogues of the case and of the folder say about runbooks, by id."""
    inline = ((fixture.case or {}).get("runbooks") or {}).get("catalog")
    aside = fixture.sidecars.get("runbook_catalog.json")
    about: dict[str, str] = {}
    for entry in [*(inline if isinstance(inline, list) else []), *(aside if isinstance(aside, list) else [])]:
        if isinstance(entry, dict):
            said = [str(entry[key]) for key in ("title", "name", "description", "symptom") if entry.get(key)]
            for key in ("link", "id", "path"):
                if entry.get(key):
                    about[str(entry[key])] = "; ".join(said)
    return about


def builtin_notes(fixture: Fixture) -> Iterator[Note]:
    """Say which tools answer without recordings, and which recordings HolmesGPT would not look at."""
    runbooks = _runbooks(fixture)
    if runbooks:
        yield note("RUNBOOK_BACKEND", f"{RUNBOOK_TOOL} answers for {', '.join(runbooks)}")
    for recording in fixture.recordings:
        if recording.toolset in BUILTIN_TOOLSETS:
            message = f"HolmesGPT runs {recording.tool} itself and never looks at this recording, which answers here"
            yield note("BUILTIN_TOOL", message, recording.file)
