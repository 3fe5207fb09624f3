"""A conversion in lines: one for each case, and the totals."""

from collections.abc import Iterator
from pathlib import Path

from evalkit.adapters.holmes.conversion import Conversion
from evalkit.adapters.holmes.ledger import LEDGER_FILE, STATUSES, Entry
from evalkit.adapters.holmes.notes import codes
from evalkit.adapters.holmes.nouns import Note

_WIDTH = max(map(len, STATUSES))


def lines(done: Conversion, target: Path) -> Iterator[str]:
    """Say of each case what came of it, and count."""
    yield from map(_line, done.entries)
    totals = done.totals
    counts = ", ".join(f"{totals[status]} {status.replace('_', ' ')}" for status in STATUSES if totals[status])
    yield ""
    cases = "1 case" if totals["cases"] == 1 else f"{totals['cases']} cases"
    yield f"{cases}: {counts}"
    if done.kept:
        yield f"{done.kept} fixtures of earlier conversions are kept"
    yield f"written to {target}; all notes are in {target / LEDGER_FILE}"


def _line(entry: Entry) -> str:
    name = f"{entry['suite']}/{entry['eval_id']}" if entry["suite"] else entry["eval_id"]
    about = entry["reason"] if entry["status"] == "error" else ""
    noted = " ".join(codes(Note(**note) for note in entry["notes"]))
    return "  ".join(part for part in (f"{entry['status']:<{_WIDTH}}", name, about, noted) if part)
