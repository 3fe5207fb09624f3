"""The results of a stored run, read back from its `results.json`."""

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

from evalkit.cases import Criterion, Json
from evalkit.codec.decoding import DecodeError, decode
from evalkit.errors import InputError
from evalkit.quarantine import Quarantine, read_entry
from evalkit.report.json import SCHEMA
from evalkit.results import Audit, CaseResult, CriterionResult, Effort, Repeats, Score, TurnScore
from evalkit.runs import RunFolder
from evalkit.stage_records import StageRecord
from evalkit.storage import read_json

RESULTS_FILE = "results.json"

_Table = Mapping[str, Any]


def stored_results(folder: RunFolder) -> tuple[CaseResult, ...]:
    """Read every case of a run.

    Raises:
        InputError: The run never came to its end, or another version of evalkit wrote it.
    """
    return read_results(results_data(folder), str(folder.path / RESULTS_FILE))


def results_data(folder: RunFolder) -> Json:
    """Read the content of a run's `results.json`, whatever it is.

    Raises:
        InputError: The run never came to its end, or the file is not JSON.
    """
    path = folder.path / RESULTS_FILE
    if not path.is_file():
        remedy = "`evalkit score` judges what was played"
        raise InputError(f"{folder.path}: has no {RESULTS_FILE}, so the run did not come to its end; {remedy}")
    return read_json(path)


def read_results(data: Json, place: str) -> tuple[CaseResult, ...]:
    """Read the cases out of the content of a `results.json`.

    Args:
        data: The content.
        place: What to call it in messages.
    """
    with readable(data, place):
        return tuple(read_case(file, case) for file in data["files"] for case in file["cases"])


@contextlib.contextmanager
def readable(data: Json, place: str) -> Iterator[None]:
    """Turn what goes wrong while `results.json` is read into an `InputError`: first of all, that it is something else.

    Args:
        data: The content.
        place: What to call it in messages.
    """
    schema = data.get("schema") if isinstance(data, dict) else None
    if schema != SCHEMA:
        raise InputError(f"{place}: has the schema {schema!r}, but this evalkit reads {SCHEMA!r}")
    try:
        yield
    except (DecodeError, KeyError, TypeError, AttributeError, ValueError) as error:
        raise InputError(f"{place}: is not what evalkit wrote ({error!r}); run the evaluation again") from error


def read_case(file: _Table, case: _Table) -> CaseResult:
    """Read one case out of a file of `results.json`."""
    repeats = case["repeats"]
    of_case = {"eval_id": case["eval_id"], "known_failing": case["known_failing"], "line": case.get("line")}
    return CaseResult(
        **_played(file, {**case, **of_case}),
        quarantine=None if case["quarantine"] is None else _quarantine(case["quarantine"]),
        repeats=None if repeats is None else _repeats(file, of_case, repeats),
    )


def _played(file: _Table, played: _Table) -> dict[str, Any]:
    """Read what cases and their single runs have in common."""
    return {
        "file": file["file"],
        "model": file["model"],
        "eval_id": played["eval_id"],
        "known_failing": played["known_failing"],
        "line": played["line"],
        "run": played["run"],
        "verdict": played["verdict"],
        "reasons": tuple(played["reasons"]),
        "notes": tuple(played["notes"]),
        "seconds": played["seconds"],
        "fault": played["fault"],
        "effort": Effort(**played["effort"]),
        "stage": None if played.get("stage") is None else decode(StageRecord, played["stage"]),
        "audit": None if played.get("audit") is None else decode(Audit, played["audit"]),
        "criteria": tuple(_criterion(item) for item in played["criteria"]),
    }


def _repeats(file: _Table, case: _Table, repeats: _Table) -> Repeats:
    return Repeats(
        runs=tuple(CaseResult(**_played(file, {**run, **case})) for run in repeats["runs"]),
        passed=repeats["passed"],
        low=repeats["low"],
        high=repeats["high"],
        pass_at_k=tuple(repeats["pass_at_k"]),
        pass_hat_k=tuple(repeats["pass_hat_k"]),
    )


def _quarantine(entry: _Table) -> Quarantine:
    return read_entry(dict(entry), "quarantine")


def _criterion(item: _Table) -> CriterionResult:
    return CriterionResult(
        criterion=Criterion(
            name=item["name"],
            threshold=item["threshold"],
            gate=item["gates"] or item["by_construction"],
            options=item["options"],
            custom_function=item["custom_function"],
        ),
        score=Score(
            state=item["state"],
            value=item["value"],
            reason=item["reason"],
            turns=tuple(TurnScore(**turn) for turn in item["turns"]),
            by_construction=item["by_construction"],
            details=item["details"],
        ),
        passed=item["passed"],
        gates=item["gates"],
        origin=item["origin"],
    )
