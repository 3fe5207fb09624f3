"""A stored run's report, read back: every renderer shows of it what it showed when the run ended.

Nothing is judged or counted again: what `results.json` says is what is shown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from evalkit.codec.decoding import decode
from evalkit.redaction.redactor import Redactor
from evalkit.report.comparison.stored import read_comparison
from evalkit.report.counts import Counts
from evalkit.report.model import FileReport, Note, Report
from evalkit.report.models import ModelMatrix, model_matrix
from evalkit.report.plays import stored_plays
from evalkit.report.routing import RoutingFigures
from evalkit.report.stored import RESULTS_FILE, read_case, readable, results_data
from evalkit.results import CaseResult
from evalkit.runs import RunFolder
from evalkit.suites import SuiteFigures

_Table = Mapping[str, Any]


def stored_report(folder: RunFolder, *, with_plays: bool = False) -> Report:
    """Read the report of a run; secrets of this process that the run did not know of are hidden.

    Args:
        folder: The run.
        with_plays: Whether what happened in each case is read too.

    Raises:
        InputError: The run never came to its end, or another version of evalkit wrote it.
    """
    place = str(folder.path / RESULTS_FILE)
    redactor = Redactor.of_process()
    data = redactor.value(results_data(folder))
    with readable(data, place):
        report = _report(folder, data)
    return replace(report, plays=stored_plays(folder, redactor)) if with_plays else report


def _report(folder: RunFolder, data: _Table) -> Report:
    files = tuple(_file(group) for group in data["files"])
    results = [result for group in files for result in group.results]
    return Report(
        info=folder.info,
        files=files,
        counts=Counts(**data["counts"]),
        known_failing=Counts(**data["known_failing"]),
        exit_code=data["exit_code"],
        exit_meaning=data.get("exit_meaning", ""),
        seconds=data["run"]["seconds"],
        uncalled_tools={agent: tuple(tools) for agent, tools in data["uncalled_tools"].items()},
        slowest=tuple(_found(entry, results) for entry in data["slowest"]),
        routing=_routing(data["routing"]),
        notes=tuple(Note(text=note["text"], cases=tuple(note["cases"])) for note in data["notes"]),
        models=_models(data["models"], results),
        suite=_suite(data["suite"]),
        comparison=None if data["comparison"] is None else read_comparison(data["comparison"]),
    )


def _file(group: _Table) -> FileReport:
    return FileReport(
        file=group["file"],
        config=group["config"] or "",
        results=tuple(read_case(group, case) for case in group["cases"]),
        counts=Counts(**group["counts"]),
        known_failing=Counts(**group["known_failing"]),
        not_applicable=group["not_applicable"],
        routing=_routing(group["routing"]),
        model=group["model"],
    )


def _routing(figures: _Table | None) -> RoutingFigures | None:
    if figures is None:
        return None
    return RoutingFigures(
        pairs={(cell["expected"], cell["actual"]): cell["count"] for cell in figures["confusion"]},
        routes=figures["routes"],
        by_construction=figures["by_construction"],
        undecided=figures["undecided"],
    )


def _suite(suite: _Table | None) -> SuiteFigures | None:
    if suite is None:
        return None
    words = ("min_pass_rate", "min_lower_bound")
    gate = {word: suite[word] for word in words}
    return decode(SuiteFigures, {**{name: value for name, value in suite.items() if name not in words}, "gate": gate})


def _models(models: _Table | None, results: Sequence[CaseResult]) -> ModelMatrix | None:
    if models is None:
        return None
    names = [column["model"] for column in models["columns"]]
    return model_matrix({name: [result for result in results if result.model == name] for name in names})


def _found(entry: _Table, results: Sequence[CaseResult]) -> CaseResult:
    """Find one of the slowest among the runs of all cases."""
    key = (entry["file"], entry["model"], entry["eval_id"], entry["run"])
    plays = {(run.file, run.model, run.eval_id, run.run): run for result in results for run in result.plays}
    return plays[key]
