"""Which cases of a stored run are scored again: `--evalset` names its files as the run knew them, or where they are."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from evalkit.cases import CaseSet
from evalkit.errors import SelectionError
from evalkit.repeats import CaseKey
from evalkit.selection import check_ids

_LISTED = 10


def choose(case_sets: Sequence[CaseSet], wanted: Sequence[str]) -> frozenset[CaseKey]:
    """Find the cases that are asked for; all of them where nothing is.

    Args:
        case_sets: The cases as the run used them.
        wanted: Files or folders, perhaps with ids of cases after a colon.

    Raises:
        SelectionError: One names nothing of the run.
    """
    known = {found.file: [case.eval_id for case in found.cases] for found in case_sets}
    if not wanted:
        return frozenset((file, eval_id) for file, ids in known.items() for eval_id in ids)
    return frozenset(key for text in wanted for key in _named(text, known))


def _named(text: str, known: Mapping[str, Sequence[str]]) -> Collection[CaseKey]:
    path, ids = _parted(text, known)
    files = [file for file in known if _is_or_holds(path, file)]
    if not files:
        more = f" and {len(known) - _LISTED} more" if len(known) > _LISTED else ""
        raise SelectionError(
            f"--evalset {text}: the run has no such evalset; it has {', '.join([*known][:_LISTED])}{more}"
        )
    if not ids:
        return [(file, eval_id) for file in files for eval_id in known[file]]
    if len(files) > 1:
        raise SelectionError(f"--evalset {text}: names {len(files)} evalsets of the run; case ids go with one file")
    check_ids(files[0], known[files[0]], ids)
    return [(files[0], eval_id) for eval_id in ids]


def _parted(text: str, known: Mapping[str, Sequence[str]]) -> tuple[str, tuple[str, ...]]:
    """Part a selector at the last colon that leaves something of the run before it; paths may have colons too."""
    for end in (len(text), *(place for place in reversed(range(1, len(text))) if text[place] == ":")):
        if any(_is_or_holds(text[:end], file) for file in known):
            ids = (part.strip() for part in text[end:].lstrip(":").split(","))
            return text[:end], tuple(part for part in ids if part)
    return text, ()


def _is_or_holds(path: str, file: str) -> bool:
    """Tell whether a path is that of an evalset, its last part, or a folder around it; the file may be gone by now."""
    if Path(file).is_relative_to(path) or Path(file).resolve().is_relative_to(Path(path).resolve()):
        return True
    return Path(file).parts[-len(Path(path).parts) :] == Path(path).parts
