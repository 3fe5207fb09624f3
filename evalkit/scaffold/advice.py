"""What was written, and what to do with it, in order: for people, and as JSON for programs."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from evalkit.formats.files import EVALSET_SUFFIXES, MOCKS_NAMES
from evalkit.scaffold.cases import EDIT_ME
from evalkit.scaffold.drafts import Draft
from evalkit.scaffold.files import NewFile
from evalkit.scaffold.refusals import refusal_of
from evalkit.scaffold.start import Start

SCHEMA = "evalkit.init/1"

_MOST_NAMED = 5
"""Names that are listed where there are many."""


def steps(start: Start) -> Iterator[str]:
    """Yield what to edit and to run, a step each."""
    mocks = [file.path for file in start.files if file.path.name in MOCKS_NAMES]
    evalsets = [file.path for file in start.files if file.path.name.endswith(EVALSET_SUFFIXES)]
    yield f"{_named(mocks)}: every reply is made up; write what your tools really answer"
    yield (
        f"{_named(evalsets)}: write what your users say, which calls you expect and what is to be answered; then take"
        f' "skip": "{EDIT_ME}" out of each case that is ready'
    )
    yield from _of_refusals(start)
    yield from (f"{draft.eval_id} cannot be replayed yet: {draft.fault}" for draft in start.drafts if draft.fault)
    by_reason: dict[str, list[str]] = {}
    for name, reason in start.left_out.items():
        by_reason.setdefault(reason, []).append(name)
    yield from (f"no case was written for {_listed(names)}: {reason}" for reason, names in by_reason.items())
    if start.unlisted:
        yield f"what {_listed(start.unlisted)} may bring in could not be listed: write its cases and mocks by hand"
    yield f"evalkit check --with-agents {start.target.as_posix()}"
    yield f"evalkit run {start.target.as_posix()}"


def as_text(start: Start, *, written: bool) -> str:
    """Say what was written, or would be, and what to do next."""
    verb = "wrote" if written else "would write"
    lines = [f"{verb} {file.path.as_posix()}{_inside(start, file.path)}" for file in start.files]
    numbered = [f"{number:3}. {step}" for number, step in enumerate(steps(start), start=1)]
    return "\n".join([*lines, "", "To do, in this order:", *numbered])


def as_json(start: Start, *, written: bool, diff: bool = False) -> str:
    """Say the same to a program.

    Args:
        start: What was made.
        written: Whether the files were written.
        diff: Whether to add what changes in each file.
    """
    document = {
        "schema": SCHEMA,
        "error": None,
        "written": written,
        "agent": start.name,
        "target": start.target.as_posix(),
        "files": [_file(file, diff=diff) for file in start.files],
        "cases": [_case(draft) for draft in start.drafts],
        "left_out": dict(start.left_out),
        "unlisted": [*start.unlisted],
        "steps": [*steps(start)],
    }
    return json.dumps(document, indent=2)


def _file(file: NewFile, *, diff: bool) -> dict[str, Any]:
    change = {"diff": file.diff()} if diff else {}
    return {"path": file.path.as_posix(), "replaces": file.before is not None, **change}


def _case(draft: Draft) -> dict[str, Any]:
    return {
        "eval_id": draft.eval_id,
        "agent": draft.agent,
        "subject": draft.subject,
        "ending": draft.ending,
        "refusal": refusal_of(draft) if draft.ending == "blocked" else None,
        "fault": draft.fault,
    }


def _of_refusals(start: Start) -> Iterator[str]:
    """Say which calls callbacks stood in the way of, in the words of the first."""
    refused = [draft for draft in start.drafts if draft.ending == "blocked"]
    if refused:
        yield (
            f'callbacks refused {_listed(draft.subject for draft in refused)} (the first: "{refusal_of(refused[0])}");'
            " these cases expect that. For calls that go through, run this again with --state KEY=VALUE, or give"
            " session_input.state what it needs and take `blocked` out"
        )


def _inside(start: Start, path: Path) -> str:
    """Say how many cases there are in an evalset."""
    if not path.name.endswith(EVALSET_SUFFIXES):
        return ""
    (folder,) = (one for one in start.folders if (start.target / one.name).resolve() == path.parent.resolve())
    count = len(folder.drafts)
    return f"  ({count} case{'s' if count != 1 else ''})"


def _named(paths: Iterable[Path]) -> str:
    return " and ".join(path.as_posix() for path in paths)


def _listed(names: Iterable[str]) -> str:
    every = [*names]
    rest = len(every) - _MOST_NAMED
    return ", ".join(every[:_MOST_NAMED]) + (f" and {rest} more" if rest > 0 else "")
