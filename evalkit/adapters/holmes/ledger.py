"""`conversion.json`: every case with its status and notes, and every file that conversions have written."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, get_args

from evalkit.adapters.holmes.cases import SYSTEM
from evalkit.adapters.holmes.nouns import Options, Status
from evalkit.adapters.holmes.outcome import Outcome
from evalkit.adapters.holmes.test_case import CASE_FILE
from evalkit.cases import Json
from evalkit.errors import InputError
from evalkit.storage import explained, read_json, write_atomically

LEDGER_FILE: Final = "conversion.json"
VERSION: Final = 1
STATUSES: Final[tuple[Status, ...]] = get_args(Status)

Entry = dict[str, Any]


@dataclass(slots=True)
class Ledger:
    """What the file says.

    Attributes:
        cases: The entries of each fixture's cases, by `suite/name`.
        written: What was written for each fixture, and for `shared`: how, and each file with its SHA-256.
        complete: Whether the conversion that wrote it came to its end.
    """

    cases: dict[str, list[Entry]] = field(default_factory=dict)
    written: dict[str, Entry] = field(default_factory=dict)
    complete: bool = True

    def files(self, path: str) -> Mapping[str, str]:
        """The files that are known to be written for a fixture, with their SHA-256."""
        files: Mapping[str, str] = self.written.get(path, {}).get("files", {})
        return files

    def record(self, outcome: Outcome, options: Options, files: Mapping[str, str]) -> None:
        """Take in what came of a fixture."""
        self.cases[outcome.path] = case_entries(outcome)
        self.written.pop(outcome.path, None)
        if files:
            how = {key: value for key, value in asdict(options).items() if value != getattr(Options(), key)}
            self.written[outcome.path] = {
                "options": how,
                "shared": outcome.shared,
                "files": dict(sorted(files.items())),
            }


def case_entries(outcome: Outcome) -> list[Entry]:
    """Say of each case of a fixture what came of it."""
    evalset = f"{outcome.path}/{outcome.name}.evalset.json"
    has_evalset = evalset.rpartition("/")[2] in outcome.texts
    return [
        {
            "eval_id": eval_id,
            "suite": outcome.suite,
            "base_id": outcome.name,
            "status": outcome.status,
            "reason": outcome.reason,
            "path": outcome.path if outcome.status == "not_a_case" else f"{outcome.path}/{CASE_FILE}",
            "evalset": evalset if has_evalset else None,
            "notes": [asdict(note) for note in outcome.notes],
        }
        for eval_id in outcome.eval_ids
    ]


def totals(entries: Iterable[Entry]) -> dict[str, int]:
    """Count entries by status; `cases` are those that are cases."""
    counts = Counter(entry["status"] for entry in entries)
    cases = sum(counts.values()) - counts["not_a_case"]
    return {"cases": cases, **{status: counts[status] for status in STATUSES}}


def read_ledger(folder: Path) -> Ledger:
    """Read what earlier conversions wrote into a folder; nothing if it is empty or not there.

    Raises:
        InputError: The folder holds something else.
    """
    file = folder / LEDGER_FILE
    with explained(folder, "cannot read"):
        if not file.exists() and (not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))):
            return Ledger()
    if not file.is_file():
        what = "holds other files" if folder.is_dir() else "is no folder"
        raise InputError(f"{folder}: {what} and no {LEDGER_FILE} of a conversion; name a new or an empty folder")
    value = read_json(file)
    system, version = (value.get("system"), value.get("version")) if isinstance(value, dict) else (None, None)
    if system != SYSTEM:
        raise InputError(f"{file}: is not of a conversion from {SYSTEM}; name another folder")
    if version != VERSION:
        raise InputError(f"{file}: has version {version!r}, this evalkit writes {VERSION}; name another folder")
    return _ledger(value, file)


def _ledger(value: Mapping[str, Any], file: Path) -> Ledger:
    ledger = Ledger(complete=value.get("complete") is True)
    try:
        for entry in value["cases"]:
            path = f"{entry['suite']}/{entry['base_id']}" if entry["suite"] else entry["base_id"]
            ledger.cases.setdefault(path, []).append(entry)
        ledger.written = {path: {**one, "files": dict(one["files"])} for path, one in value["written"].items()}
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise InputError(f"{file}: was changed and cannot be used: {error!r}; convert into a new folder") from error
    return ledger


def write_ledger(folder: Path, ledger: Ledger, *, complete: bool) -> None:
    """Write the file; twice the same gives the same bytes."""
    entries = [entry for path in sorted(ledger.cases) for entry in ledger.cases[path]]
    value: dict[str, Json] = {
        "version": VERSION,
        "system": SYSTEM,
        "complete": complete,
        "totals": totals(entries),
        "cases": entries,
        "written": {path: ledger.written[path] for path in sorted(ledger.written)},
    }
    text = json.dumps(value, indent=1, ensure_ascii=False) + "\n"
    file = folder / LEDGER_FILE
    if not (file.is_file() and file.read_bytes() == text.encode()):
        write_atomically(file, text)
