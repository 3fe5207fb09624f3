"""Gold files stay closed until the answers are there; what was opened when, and what the agent could see, is kept.

A gold file is opened by the process that judges, never by one that plays, and only once every case that it is about
has been answered and its outcome stored. Then everything that the agent could see is searched for the expected texts.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from evalkit.cases import Case
from evalkit.exposure import Places, find_exposed
from evalkit.formats import gold as gold_format
from evalkit.gold import Gold
from evalkit.results import Audit, CaseResult
from evalkit.routes import MockSet
from evalkit.traces import Outcome

_EVIDENCE = "mocks"
"""What tools say is there to be found, so an expected text in it is no leak."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsealed:
    """A case with its gold, and the account of how it was opened; of a case without gold, neither."""

    case: Case
    audit: Audit | None = None


class Sealed:
    """Holds back the outcomes of cases whose gold file is about other cases, too, until those are answered.

    Args:
        gold: For each play of a run, by its number, the gold file of its case.
    """

    def __init__(self, gold: Mapping[int, Path]) -> None:
        self._gold = gold
        self._open = Counter(gold.values())
        self._waiting: dict[Path, list[tuple[int, Outcome]]] = {}

    def release(self, number: int, outcome: Outcome) -> list[tuple[int, Outcome]]:
        """Take the outcome of a play, and return those that may be judged now."""
        path = self._gold.get(number)
        if path is None:
            return [(number, outcome)]
        self._waiting.setdefault(path, []).append((number, outcome))
        self._open[path] -= 1
        return [] if self._open[path] else self._waiting.pop(path)


def unseal(
    case: Case, outcome: Outcome, base: Path, mocks: Iterable[MockSet] = (), before: Audit | None = None
) -> Unsealed:
    """Open the gold of a case that has been answered.

    Args:
        case: The case.
        outcome: What happened; where nothing was played, nothing is opened.
        base: The folder of its evalset.
        mocks: Its mocks.
        before: The account of an earlier judging of the same outcome: what the agent saw is not there any more.
    """
    if case.gold is None or outcome.trace is None:
        return Unsealed(case=case)
    path = base / case.gold
    scored_at = datetime.now(UTC)
    opened, digest = _read(path, case.eval_id)
    stage = outcome.stage
    audit = Audit(
        answered_at=outcome.answered_at,
        scored_at=scored_at,
        gold=str(path),
        gold_sha256=digest,
        workdir=stage.workdir if stage else outcome.workdir,
        files_created=stage.files_created if stage else (),
    )
    if before is not None and before.gold_sha256 == digest:
        audit = replace(audit, searched=before.searched, exposed=before.exposed)
    else:
        places = Places(case=case, base=base, mocks=tuple(mocks), workdir=audit.workdir, staged=stage is not None)
        audit = replace(audit, searched=places.names, exposed=tuple(find_exposed(opened.texts, places)))
    return Unsealed(case=replace(case, opened=opened), audit=audit)


def audited(result: CaseResult, audit: Audit | None) -> CaseResult:
    """Add the account to a result, and a note where the agent could have read what is expected."""
    return replace(result, audit=audit, notes=(*result.notes, *_leaks(audit))) if audit else result


def _read(path: Path, eval_id: str) -> tuple[Gold, str | None]:
    """Read what a gold file says of a case, and the digest of its bytes; what cannot be read says why."""
    try:
        data = path.read_bytes()
    except OSError as error:
        return Gold(unread=(error.strerror or type(error).__name__).lower()), None
    digest = hashlib.sha256(data).hexdigest()
    loaded = gold_format.parse(data, file=str(path))
    if loaded.value is None:
        first = next(problem for problem in loaded.problems if problem.severity == "error")
        return Gold(unread=f"{first.message} (`evalkit check {path}` says more)"), digest
    return loaded.value.cases.get(eval_id) or Gold(unread=f"it has nothing for `{eval_id}`"), digest


def _leaks(audit: Audit) -> Iterator[str]:
    """Tell where the agent could have read what is expected, save in what its tools say."""
    for exposure in audit.exposed:
        if not exposure.place.startswith(_EVIDENCE):
            yield f"not blind: the expected text {exposure.text!r} stands in the {exposure.place}"
    if audit.answered_first is False:
        yield f"not blind: the answer is not older than the reading of {audit.gold}"
