"""A record for each play of each case: what was asked, expected and said, and what is missing."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from evalkit.cases import Case
from evalkit.formats.own_metrics import metric_of
from evalkit.gold import Gold
from evalkit.report.holmes.gold import Golds
from evalkit.report.holmes.shapes import Shapes
from evalkit.report.model import Report
from evalkit.report.plays import Played, play_key
from evalkit.results import CaseResult, Score, Verdict
from evalkit.scorers.conduct import as_played
from evalkit.scorers.rubrics.tally import RUBRICS

OUTPUT_LIMIT = 2_000
"""Characters of an answer that are shown."""

TRUNCATED = "(truncated)"

_CORRECTNESS = "holmes_correctness"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One play of one case; nothing in its texts needs hiding.

    Attributes:
        run: 1-based repeat.
        path: Where the fixture is, in the collection that it was converted from.
        prompt: What was asked.
        expected: What the answer was to say, element by element.
        output: The answer, word for word; a long one is cut, and says so.
        verdict: What evalkit says of it.
        skip_reason: Why it was not played, if so.
        mode: Whether each element must be there, or all of them count together.
        missing: The elements that the answer lacks.
        unjudged: Those of which nobody could tell.
        judged_by: `judge`, or `baseline` where only the words were compared.
        answered_at: When the agent was done, if that is known.
        scored_at: When what is expected was read.
        working_directory: Where the agent worked.
        files_created: What it left there.
        exposed: Where the agent could have read what is expected, what its tools say included.
    """

    eval_id: str
    file: str
    run: int
    model: str | None
    path: str | None
    tags: tuple[str, ...]
    prompt: str
    expected: tuple[str, ...]
    output: str
    verdict: Verdict
    reasons: tuple[str, ...]
    skip_reason: str | None
    known_failing: str | None
    mode: str | None
    score: float | None
    missing: tuple[str, ...]
    unjudged: tuple[str, ...]
    judged_by: str | None
    answered_at: datetime | None
    scored_at: datetime | None
    working_directory: str | None
    files_created: tuple[str, ...]
    exposed: tuple[str, ...]
    seconds: float
    tool_calls: int
    tokens: int
    usd: float | None

    @property
    def passed(self) -> bool:
        """Whether it passed."""
        return self.verdict == "passed"

    @property
    def skipped(self) -> bool:
        """Whether it was not played."""
        return self.verdict == "skipped"


def records_of(report: Report, golds: Golds, shapes: Shapes) -> tuple[Record, ...]:
    """Make the records of a run, in its order."""
    runs = (run for result in report.results for run in result.plays)
    return tuple(_record(run, report.plays.get(play_key(run)), golds, shapes) for run in runs)


def _record(run: CaseResult, played: Played | None, golds: Golds, shapes: Shapes) -> Record:
    case = as_played(played.case, played.outcome.trace) if played else Case(eval_id=run.eval_id)
    gold = golds.of(run.file, case)
    found = _score(run)
    details = found.details if found else {}
    stage, audit = run.stage, run.audit

    def texts(given: Sequence[str]) -> tuple[str, ...]:
        return tuple(map(shapes.hide, given))

    return Record(
        eval_id=run.eval_id,
        file=run.file,
        run=run.run + 1,
        model=run.model,
        path=(case.source or {}).get("path"),
        tags=case.tags,
        prompt=shapes.hide(_prompt(case)),
        expected=texts(_expected(case, gold, details)),
        output=_cut(shapes.hide(_output(played))),
        verdict=run.verdict,
        reasons=texts(run.reasons),
        skip_reason=shapes.hide(next(iter(run.reasons), "no reason given")) if run.verdict == "skipped" else None,
        known_failing=run.known_failing,
        mode=details.get("mode") or (gold.mode if gold else None),
        score=found.value if found else None,
        missing=texts(details.get("missing", ())),
        unjudged=texts(tuple(_unjudged(gold, details))),
        judged_by=details.get("by"),
        answered_at=audit.answered_at if audit else None,
        scored_at=audit.scored_at if audit else None,
        working_directory=(audit.workdir if audit else None) or (stage.workdir if stage else None),
        files_created=stage.files_created if stage else audit.files_created if audit else (),
        exposed=tuple(dict.fromkeys(texts([one.place for one in audit.exposed]))) if audit else (),
        seconds=run.seconds,
        tool_calls=run.effort.tool_calls,
        tokens=run.effort.tokens,
        usd=run.effort.usd,
    )


def _score(run: CaseResult) -> Score | None:
    return next((item.score for item in run.criteria if metric_of(item.criterion) == _CORRECTNESS), None)


def _prompt(case: Case) -> str:
    return "\n\n".join(turn.user.text for turn in case.turns or ())


def _expected(case: Case, gold: Gold | None, details: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what was expected: by the gold file, by what was read of it when it was judged, else the golden answer."""
    if gold is not None:
        return gold.expected
    if "expected" in details:
        return tuple(details["expected"])
    answers = [turn.final.text for turn in case.turns or () if turn.final]
    return tuple(answers[-1:])


def _output(played: Played | None) -> str:
    """Return the answer to the last turn that was played."""
    trace = played.outcome.trace if played else None
    final = trace.turns[-1].final if trace and trace.turns else None
    return final.text if final else ""


def _cut(text: str) -> str:
    return text if len(text) <= OUTPUT_LIMIT else f"{text[:OUTPUT_LIMIT]} {TRUNCATED}"


def _unjudged(gold: Gold | None, details: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts of rubrics that nobody could judge; where the gold is gone, their ids."""
    known = {rubric.rubric_id: rubric.text for rubric in gold.rubrics} if gold else {}
    for one in details.get(RUBRICS, ()):
        if one["value"] is None:
            yield known.get(one["rubric_id"], one["rubric_id"])
