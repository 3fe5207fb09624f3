"""One fixture's folder, read into a `Fixture`."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from evalkit.adapters.holmes.encodable import encodable
from evalkit.adapters.holmes.history import history_notes, read_history
from evalkit.adapters.holmes.notes import note
from evalkit.adapters.holmes.nouns import Fixture, Note
from evalkit.adapters.holmes.prompts import included_file
from evalkit.adapters.holmes.recordings import read_recordings
from evalkit.adapters.holmes.test_case import CASE_FILE, read_case
from evalkit.cases import Json
from evalkit.errors import InputError
from evalkit.formats.yaml_text import parse_yaml

GOLDEN_FILE: Final = "evalkit.golden.yaml"
TOOLSETS_FILE: Final = "toolsets.yaml"
_IGNORED: Final = frozenset({"__pycache__", ".git", ".DS_Store"})

_SIDECARS: Final = (
    "issue_data.json",
    "investigate_request.json",
    "resource_instructions.json",
    "workload_health_request.json",
    "issues_metadata.json",
    "global_instructions.json",
    "runbook_catalog.json",
)
RUNBOOK_CONTENT: Final = "runbook_content_*.json"


@dataclass(slots=True)
class _Reader:
    """Reads the parts of one folder; what is noted on the way gathers in `notes`."""

    folder: Path
    names: list[str] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    def text(self, name: str) -> str | None:
        """Read a text file; None and a note if it cannot be."""
        try:
            return (self.folder / name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            self.notes.append(note("BAD_SIDECAR", f"cannot be read: {error}", name))
            return None

    def json(self, name: str) -> Json:
        """Read a JSON file; None and a note if it is not there or no JSON."""
        text = self.text(name)
        try:
            return None if text is None else encodable(json.loads(text))
        except (ValueError, RecursionError) as error:
            self.notes.append(note("BAD_SIDECAR", f"is no JSON: {error}", name))
            return None

    def yaml(self, name: str) -> Json:
        """Read a YAML file; None and a note if it is not there or no YAML."""
        text = self.text(name)
        if text is None:
            return None
        loaded = parse_yaml(text, name)
        self.notes += [note("BAD_SIDECAR", problem.message, name) for problem in loaded.problems]
        return loaded.value.value if loaded.value else None


def read_fixture(suite: str, folder: Path, *, any_mode: bool = False) -> Fixture:
    """Read a fixture; whatever is wrong with it becomes a note, and a case that cannot be used is None.

    Args:
        suite: The suite's name.
        folder: The fixture's folder.
        any_mode: Whether the case may name a mode of judging that HolmesGPT refuses.
    """
    reader = _Reader(folder)
    reader.names = list(_files(folder, reader.notes))
    case = _case(reader, any_mode=any_mode)
    recordings, said, meant = read_recordings(folder, reader.names)
    reader.notes += said
    history, told = _history(reader)
    sidecars = [name for name in reader.names if name in _SIDECARS or _is_runbook(name)]
    return Fixture(
        suite=suite,
        name=folder.name,
        folder=folder,
        case=case,
        recordings=tuple(recordings),
        history=history,
        sidecars={name: reader.json(name) for name in sidecars},
        toolsets=_toolsets(reader) if TOOLSETS_FILE in reader.names else {},
        runbooks={name: reader.text(name) or "" for name in reader.names if name.endswith(".md") and "/" not in name},
        golden=reader.yaml(GOLDEN_FILE) if GOLDEN_FILE in reader.names else None,
        files=tuple(name for name in reader.names if name not in {CASE_FILE, GOLDEN_FILE, *meant, *told}),
        notes=tuple(reader.notes),
    )


def _files(folder: Path, notes: list[Note]) -> list[str]:
    """Name every file of a folder, relative to it and sorted; links that lead out of it are noted and left out."""
    inside = folder.resolve()
    names: list[str] = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if _IGNORED.intersection(path.relative_to(folder).parts) or not (path.is_symlink() or path.is_file()):
            continue
        if encodable(name) != name:
            notes.append(note("FILE_LEFT_OUT", "its name is no text in UTF-8", ascii(name)))
        elif path.is_symlink() and not (path.resolve().is_relative_to(inside) and path.is_file()):
            notes.append(
                note("FILE_LEFT_OUT", "is a link that leads out of the fixture's folder, or to a folder", name)
            )
        else:
            names.append(name)
    return names


def _case(reader: _Reader, *, any_mode: bool) -> Mapping[str, Any] | None:
    if CASE_FILE not in reader.names:
        reader.notes.append(note("NO_TEST_CASE", f"the folder has no {CASE_FILE}"))
        return None
    case, notes = read_case(reader.folder / CASE_FILE, any_mode=any_mode)
    reader.notes += notes
    for name in (case or {}).get("include_files") or ():
        if included_file(reader.folder, name) is None:
            message = f"include_files names {name}, which is no file among the fixtures"
            reader.notes.append(note("MISSING_FILE", message, CASE_FILE))
    return case


def _history(reader: _Reader) -> tuple[tuple[Mapping[str, Any], ...] | None, frozenset[str]]:
    try:
        messages, files = read_history(reader.folder)
    except (InputError, OSError, UnicodeDecodeError) as error:
        reader.notes.append(note("BAD_CASE", f"the conversation before the case {error}"))
        return None, frozenset()
    reader.notes += history_notes(messages) if messages else ()
    return messages, files


def _toolsets(reader: _Reader) -> dict[str, bool]:
    """Read which toolsets are on; one that does not say so is."""
    value = reader.yaml(TOOLSETS_FILE)
    named = value.get("toolsets") if isinstance(value, dict) else None
    if not isinstance(named, dict):
        return {}
    return {name: not isinstance(said, dict) or _is_on(said.get("enabled", True)) for name, said in named.items()}


def _is_on(enabled: Json) -> bool:
    """Whether a flag is on, by YAML 1.1, in which `off` and `no` are false."""
    return enabled is not False and str(enabled).lower() not in ("off", "no")


def _is_runbook(name: str) -> bool:
    return Path(name).match(RUNBOOK_CONTENT) and "/" not in name
