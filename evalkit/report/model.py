"""What a run comes to, with everything that its renderers show; they read, and compute nothing."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from evalkit.cases import Config
from evalkit.report.counts import Counts, count, exit_status
from evalkit.report.routing import RoutingFigures, routing_figures
from evalkit.report.wording import case_label, duration
from evalkit.results import CaseResult
from evalkit.runs import RunInfo

SLOW = 1.0
"""Seconds from which a case may be listed among the slowest."""

SLOWEST = 3
"""How many of the slowest cases are listed."""

_NOT_EXERCISED = {
    "golden": "golden replay: the model was not exercised",
    "cassette": "cassette replay: recorded turns were played, the model was not exercised",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReport:
    """The cases of one evalset file.

    Attributes:
        file: As the user named it.
        config: Where its criteria come from; empty if unknown.
        results: In the order of the run.
        counts: Of the gating cases.
        known_failing: Of the others.
        not_applicable: By metric, in how many cases it had nothing to compare with.
        routing: What came of the routes; None if none was looked at.
    """

    file: str
    config: str
    results: tuple[CaseResult, ...]
    counts: Counts
    known_failing: Counts
    not_applicable: Mapping[str, int]
    routing: RoutingFigures | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A fact worth telling, and the cases that it was noted for; none if it is about the run."""

    text: str
    cases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A run with everything that its renderers show.

    Attributes:
        exit_code: 0, 1 or 2 by the rule of `exit_status`.
        exit_meaning: Why, in a few words; empty where the counts say it all.
        seconds: Wall-clock time of the run.
        uncalled_tools: For each agent its tools that no case called; agents without any are left out.
        slowest: The cases that took longest, if they took `SLOW` seconds or more.
        routing: What came of the routes of all files; None if none was looked at.
    """

    info: RunInfo
    files: tuple[FileReport, ...]
    counts: Counts
    known_failing: Counts
    exit_code: int
    exit_meaning: str
    seconds: float
    uncalled_tools: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    slowest: tuple[CaseResult, ...] = ()
    routing: RoutingFigures | None = None
    notes: tuple[Note, ...] = ()

    @property
    def model_exercised(self) -> bool:
        """Whether the agent's own model chose what to do."""
        return self.info.mode == "live"

    @property
    def mode_sentence(self) -> str:
        """What must be said of a run that did not exercise the model; empty for a live one."""
        return "" if self.model_exercised else _NOT_EXERCISED.get(self.info.mode, "the model was not exercised")

    @property
    def results(self) -> tuple[CaseResult, ...]:
        """Every case of every file."""
        return tuple(result for group in self.files for result in group.results)

    @property
    def news(self) -> tuple[CaseResult, ...]:
        """Cases that passed although they are known to fail."""
        return tuple(
            result for result in self.results if result.known_failing is not None and result.verdict == "passed"
        )

    @property
    def closing(self) -> str:
        """The last line: counts of all verdicts, duration, and what the exit code and the mode mean."""
        known = f", {self.known_failing.total} known failing" if self.known_failing.total else ""
        interrupted = "the run was interrupted" if self.info.interrupted else ""
        meanings = "; ".join(part for part in (self.exit_meaning, interrupted, self.mode_sentence) if part)
        return f"{self.counts}{known} in {duration(self.seconds)}" + (f" ({meanings})" if meanings else "")


def build_report(
    results: Sequence[CaseResult],
    info: RunInfo,
    *,
    configs: Mapping[str, Config],
    uncalled_tools: Mapping[str, tuple[str, ...]] | None = None,
    notes: Sequence[str] = (),
    require_judged: bool = False,
) -> Report:
    """Sum up a run.

    Args:
        results: Every selected case, also those skipped; files stand in the order of their first case.
        info: The run, with its end.
        configs: The criteria in force, by evalset file.
        uncalled_tools: For each agent its tools that no case called.
        notes: Facts about the run as a whole.
        require_judged: Exit with 2 where no case was judged.
    """
    gating, known_failing = count(results)
    code, meaning = exit_status(gating, known_failing, interrupted=info.interrupted, require_judged=require_judged)
    return Report(
        info=info,
        files=_by_file(results, configs),
        counts=gating,
        known_failing=known_failing,
        exit_code=code,
        exit_meaning=meaning,
        seconds=_seconds(results, info),
        uncalled_tools={agent: tools for agent, tools in (uncalled_tools or {}).items() if tools},
        slowest=_slowest(results),
        routing=routing_figures(results),
        notes=(*(Note(text=text) for text in notes), *_case_notes(results)),
    )


def _by_file(results: Sequence[CaseResult], configs: Mapping[str, Config]) -> tuple[FileReport, ...]:
    groups: dict[str, list[CaseResult]] = {}
    for result in results:
        groups.setdefault(result.file, []).append(result)
    return tuple(_file_report(file, tuple(found), configs.get(file)) for file, found in groups.items())


def _file_report(file: str, results: tuple[CaseResult, ...], config: Config | None) -> FileReport:
    gating, known_failing = count(results)
    return FileReport(
        file=file,
        config=config.origin if config else "",
        results=results,
        counts=gating,
        known_failing=known_failing,
        not_applicable=Counter(
            item.criterion.name
            for result in results
            for item in result.criteria
            if item.score.state == "not_applicable"
        ),
        routing=routing_figures(results),
    )


def _seconds(results: Iterable[CaseResult], info: RunInfo) -> float:
    """The run's own duration, or that of its cases if it never came to its end."""
    if info.finished is not None:
        return (info.finished - info.started).total_seconds()
    return sum(result.seconds for result in results)


def _slowest(results: Iterable[CaseResult]) -> tuple[CaseResult, ...]:
    slow = (result for result in results if result.seconds >= SLOW)
    return tuple(sorted(slow, key=lambda result: -result.seconds)[:SLOWEST])


def _case_notes(results: Iterable[CaseResult]) -> Iterable[Note]:
    """Each note once, with the cases that it was noted for."""
    cases: dict[str, list[str]] = {}
    for result in results:
        for text in result.notes:
            cases.setdefault(text, []).append(case_label(result))
    return (Note(text=text, cases=tuple(labels)) for text, labels in cases.items())
