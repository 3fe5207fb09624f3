"""What happened in each play of each case, beside what should: for renderers that show more than verdicts."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from evalkit.cases import Case
from evalkit.redaction.redactor import Redactor
from evalkit.results import CaseResult
from evalkit.runs import RunFolder
from evalkit.traces import Outcome

PlayKey = tuple[str, str, int, str | None]
"""A play: the file, the case, the 0-based repeat, and in a run with several models the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One play: the case as it was used, and what happened."""

    case: Case
    outcome: Outcome


Plays = Mapping[PlayKey, Played]


def play_key(result: CaseResult) -> PlayKey:
    """Return the key of the play that a result is about."""
    return result.file, result.eval_id, result.run, result.model


def stored_plays(folder: RunFolder, redactor: Redactor) -> dict[PlayKey, Played]:
    """Read every play of a stored run, and of each run in it where it has several models.

    Raises:
        InputError: A file of the run cannot be read.
    """
    if not folder.info.parts:
        return dict(_plays_of(folder, None, redactor))
    parts = ((model, RunFolder.open(folder.path / part)) for model, part in folder.info.parts.items())
    return {key: play for model, part in parts for key, play in _plays_of(part, model, redactor)}


def _plays_of(folder: RunFolder, model: str | None, redactor: Redactor) -> Iterator[tuple[PlayKey, Played]]:
    cases = {(found.file, case.eval_id): case for found in folder.case_sets() for case in found.cases}
    for outcome in folder.outcomes():
        case = cases.get((outcome.file, outcome.eval_id))
        if case is not None:
            played = Played(case=redactor.clear(case), outcome=redactor.clear(outcome))
            yield (outcome.file, outcome.eval_id, outcome.run, model), played
