"""What a run comes to, with everything that its renderers show; they read, and compute nothing."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from evalkit.cases import Config
from evalkit.compare.model import Comparison
from evalkit.repeats import Terms, settle
from evalkit.report.counts import Counts, count, exit_status
from evalkit.report.models import ModelMatrix
from evalkit.report.plays import Plays
from evalkit.report.repeated import DETERMINISTIC
from evalkit.report.routing import RoutingFigures, routing_figures
from evalkit.report.wording import case_label, duration
from evalkit.results import CaseResult
from evalkit.runs import RunInfo
from evalkit.suites import SuiteFigures, suite_figures

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
        model: In a run with several models, the one that was asked.
    """

    file: str
    config: str
    results: tuple[CaseResult, ...]
    counts: Counts
    known_failing: Counts
    not_applicable: Mapping[str, int]
    routing: RoutingFigures | None = None
    model: str | None = None


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
        models: In a run with several models, all of them side by side.
        suite: All runs of all gating cases together; None in a run with several models, where each has its own.
        comparison: What changed since another run, if that was asked for.
        plays: What happened in each play of each case, for renderers that show it; empty where it was not read.
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
    models: ModelMatrix | None = None
    suite: SuiteFigures | None = None
    comparison: Comparison | None = None
    plays: Plays = field(default_factory=dict)

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
        """Cases that passed although they are known to fail, or in quarantine."""
        return tuple(result for result in self.results if result.aside is not None and result.verdict == "passed")

    @property
    def quarantined(self) -> tuple[CaseResult, ...]:
        """Cases that do not gate for now."""
        return tuple(result for result in self.results if result.quarantine is not None)

    @property
    def repeated(self) -> bool:
        """Whether a case was played more than once."""
        return any(result.repeats for result in self.results)

    @property
    def closing(self) -> str:
        """The last line: counts of all verdicts, duration, and what the exit code and the mode mean."""
        known_failing = self.known_failing.total - len(self.quarantined)
        known = f", {known_failing} known failing" if known_failing else ""
        known += f", {len(self.quarantined)} in quarantine" if self.quarantined else ""
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
    terms: Terms | None = None,
) -> Report:
    """Sum up a run.

    Args:
        results: Every run of every selected case, also those skipped; files stand in the order of their first case.
        info: The run, with its end.
        configs: The criteria in force, by evalset file.
        uncalled_tools: For each agent its tools that no case called.
        notes: Facts about the run as a whole.
        terms: Under which terms the cases gate; by default each must pass in every run.
    """
    terms = terms or Terms(replayed=info.mode != "live")
    settled = settle(results, terms)
    suite = suite_figures(settled, terms)
    report = summed_up(settled, info, terms, [suite])
    return replace(
        report,
        suite=suite,
        files=tuple(replace(group, config=_origin(configs, group.file)) for group in report.files),
        uncalled_tools={agent: tools for agent, tools in (uncalled_tools or {}).items() if tools},
        routing=routing_figures(run for result in settled for run in result.plays),
        notes=(*(Note(text=text) for text in (*notes, *_about_repeats(report), *_about_gold(settled))), *report.notes),
    )


def summed_up(results: Sequence[CaseResult], info: RunInfo, terms: Terms, suites: Sequence[SuiteFigures]) -> Report:
    """Sum up settled cases.

    Args:
        results: Every case.
        info: The run, with its end.
        terms: Under which terms the cases gate.
        suites: All runs together, for each model.
    """
    gating, known_failing = count(results)
    code, meaning = _exit(results, info, terms, [suite for suite in suites if suite.verdict])
    return Report(
        info=info,
        files=_by_file(results),
        counts=gating,
        known_failing=known_failing,
        exit_code=code,
        exit_meaning=meaning,
        seconds=_seconds(results, info),
        slowest=_slowest(run for result in results for run in result.plays),
        notes=tuple(_case_notes(results)),
    )


def _exit(
    results: Sequence[CaseResult], info: RunInfo, terms: Terms, suites: Sequence[SuiteFigures]
) -> tuple[int, str]:
    """Decide the exit code and say why: by the cases that decide by themselves, and by suites that have a gate."""
    deciding = Counts.of(
        result for result in results if terms.decides(result) or (result.aside is None and result.verdict == "skipped")
    )
    for suite in suites:
        deciding = deciding.plus(suite.verdict or "inconclusive")
    _, aside = count(results)
    code, meaning = exit_status(deciding, aside, interrupted=info.interrupted, require_judged=terms.require_judged)
    return code, "; ".join(part for part in (meaning, *(suite.reason for suite in suites)) if part)


def _about_repeats(report: Report) -> Iterator[str]:
    if report.repeated and not report.model_exercised:
        yield f"{report.info.mode} {DETERMINISTIC}"


def _about_gold(results: Iterable[CaseResult]) -> Iterator[str]:
    """Say how many answers were there before what is expected of them was read."""
    audits = [run.audit for result in results for run in result.plays if run.audit]
    if audits:
        first = sum(audit.answered_first is True for audit in audits)
        yield f"gold: {first} of {len(audits)} answers were there before what is expected of them was read"


def _origin(configs: Mapping[str, Config], file: str) -> str:
    config = configs.get(file)
    return config.origin if config else ""


def _by_file(results: Sequence[CaseResult]) -> tuple[FileReport, ...]:
    groups: dict[tuple[str | None, str], list[CaseResult]] = {}
    for result in results:
        groups.setdefault((result.model, result.file), []).append(result)
    return tuple(replace(_file_report(file, tuple(found)), model=model) for (model, file), found in groups.items())


def _file_report(file: str, results: tuple[CaseResult, ...]) -> FileReport:
    gating, known_failing = count(results)
    return FileReport(
        file=file,
        config="",
        results=results,
        counts=gating,
        known_failing=known_failing,
        not_applicable=Counter(
            item.criterion.name
            for result in results
            for item in result.criteria
            if item.score.state == "not_applicable"
        ),
        routing=routing_figures(run for result in results for run in result.plays),
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
