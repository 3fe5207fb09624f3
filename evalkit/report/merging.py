"""Reports out of other reports: of runs with several models, and with a comparison."""

from collections.abc import Mapping
from dataclasses import replace

from evalkit.compare.model import Comparison
from evalkit.repeats import Terms
from evalkit.report.model import Note, Report, summed_up
from evalkit.report.models import model_matrix
from evalkit.results import CaseResult
from evalkit.runs import RunInfo


def merge_reports(reports: Mapping[str, Report], info: RunInfo, *, terms: Terms | None = None) -> Report:
    """Sum up runs of the same cases with several models.

    Args:
        reports: Each model's own.
        info: The run as a whole, with its end.
        terms: Under which terms the cases gate; a gate for the suite holds for each model.
    """
    results = [_with_model(result, model) for model, report in reports.items() for result in report.results]
    configs = {group.file: group.config for report in reports.values() for group in report.files}
    of_run = dict.fromkeys(note.text for report in reports.values() for note in report.notes if not note.cases)
    suites = [report.suite for report in reports.values() if report.suite]
    whole = summed_up(results, info, terms or Terms(replayed=False), suites)
    return replace(
        whole,
        files=tuple(replace(group, config=configs.get(group.file, "")) for group in whole.files),
        models=model_matrix({model: report.results for model, report in reports.items()}),
        notes=(*(Note(text=text) for text in of_run), *whole.notes),
    )


def _with_model(result: CaseResult, model: str) -> CaseResult:
    repeats = result.repeats
    if repeats:
        repeats = replace(repeats, runs=tuple(replace(run, model=model) for run in repeats.runs))
    return replace(result, model=model, repeats=repeats)


def with_comparison(report: Report, comparison: Comparison) -> Report:
    """Add what changed since another run; a regression makes the exit code 1."""
    codes = {report.exit_code, comparison.exit_code}
    code = next(code for code in (1, 2, 0) if code in codes)
    meaning = "; ".join(part for part in (report.exit_meaning, comparison.summary) if part)
    return replace(report, comparison=comparison, exit_code=code, exit_meaning=meaning)
