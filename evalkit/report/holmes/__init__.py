"""The report as users of HolmesGPT's fixtures know it: what was asked, expected and said, and what is missing.

    results.json        a record of each play
    report.md           the same for people
    latest-results.md   points at the report that was written last

A record passes, fails or is skipped. What could not be judged, or ended in an error, has not passed, so it counts as
failed here; its own verdict stands beside it. What is expected is read from the gold files when the report is written:
no answer could be influenced by it any more.
"""

from collections.abc import Mapping
from pathlib import Path

from evalkit.codec.encoding import pretty
from evalkit.errors import InputError
from evalkit.report.holmes.gold import Golds
from evalkit.report.holmes.markdown import latest_text, report_text
from evalkit.report.holmes.records import records_of
from evalkit.report.holmes.results import SCHEMA, results_data
from evalkit.report.holmes.shapes import Shapes
from evalkit.report.model import Report
from evalkit.storage import explained, read_json, write_atomically

HOLMES_FOLDER = "holmes"
"""The folder within a run that holds these files, where no other is named."""

_RESULTS, _REPORT, _LATEST = "results.json", "report.md", "latest-results.md"


def write_holmes_report(report: Report, run: Path, folder: Path, root: Path) -> Path:
    """Write the files, and return the path of the report.

    Args:
        report: The run, with its plays.
        run: The run's folder.
        folder: Where the files go; an earlier report of this kind is replaced.
        root: The project's folder, where gold files are looked for that are not below the current one.

    Raises:
        InputError: The folder cannot be used, or has files of these names that are something else.
    """
    _must_be_free(folder)
    hide = Shapes()
    records = records_of(report, Golds(root), hide)
    rendered: Mapping[str, str] = {
        _RESULTS: pretty(results_data(report, records, run), levels=3) + "\n",
        _REPORT: report_text(report, records),
        _LATEST: latest_text(report, records, _REPORT),
    }
    with explained(folder, "cannot write a report here"):
        folder.mkdir(parents=True, exist_ok=True)
    for name, text in rendered.items():
        write_atomically(folder / name, text)
    return folder / _REPORT


def _must_be_free(folder: Path) -> None:
    """Make sure that nothing is replaced but an earlier report of this kind: a run has files of these names too."""
    present = [name for name in (_RESULTS, _REPORT, _LATEST) if (folder / name).exists()]
    if present and not _is_ours(folder / _RESULTS):
        raise InputError(f"{folder}: has a {present[0]} that is no report of this kind; name another folder")


def _is_ours(results: Path) -> bool:
    try:
        data = read_json(results)
    except InputError:
        return False
    return isinstance(data, dict) and data.get("schema") == SCHEMA
