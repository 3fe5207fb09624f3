"""The results of a stored run, read back from its `results.json`."""

from collections.abc import Mapping
from typing import Any

from evalkit.cases import Criterion, Json
from evalkit.errors import InputError
from evalkit.quarantine import Quarantine, read_entry
from evalkit.report.json import SCHEMA
from evalkit.results import CaseResult, CriterionResult, Effort, Repeats, Score, TurnScore
from evalkit.runs import RunFolder
from evalkit.storage import read_json

_Table = Mapping[str, Any]


def stored_results(folder: RunFolder) -> tuple[CaseResult, ...]:
    """Read every case of a run; of where a case stands in its file nothing is stored.

    Raises:
        InputError: The run never came to its end, or another version of evalkit wrote it.
    """
    path = folder.path / "results.json"
    if not path.is_file():
        raise InputError(f"{folder.path}: has no results.json, so the run did not come to its end; run it again")
    return read_results(read_json(path), str(path))


def read_results(data: Json, place: str) -> tuple[CaseResult, ...]:
    """Read the cases out of the content of a `results.json`.

    Args:
        data: The content.
        place: What to call it in messages.
    """
    schema = data.get("schema") if isinstance(data, dict) else None
    if schema != SCHEMA:
        raise InputError(f"{place}: has the schema {schema!r}, but this evalkit reads {SCHEMA!r}")
    try:
        return tuple(_case(file, case) for file in data["files"] for case in file["cases"])
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{place}: is not what evalkit wrote ({error!r}); run the evaluation again") from error


def _case(file: _Table, case: _Table) -> CaseResult:
    repeats = case["repeats"]
    return CaseResult(
        **_played(file, case),
        known_failing=case["known_failing"],
        quarantine=None if case["quarantine"] is None else _quarantine(case["quarantine"]),
        repeats=None if repeats is None else _repeats(file, {"eval_id": case["eval_id"]}, repeats),
    )


def _played(file: _Table, played: _Table) -> dict[str, Any]:
    """Read what cases and their single runs have in common."""
    return {
        "file": file["file"],
        "model": file["model"],
        "eval_id": played["eval_id"],
        "run": played["run"],
        "verdict": played["verdict"],
        "reasons": tuple(played["reasons"]),
        "notes": tuple(played["notes"]),
        "seconds": played["seconds"],
        "fault": played["fault"],
        "effort": Effort(**played["effort"]),
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
