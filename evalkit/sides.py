"""Stored runs as sides of a comparison."""

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from evalkit.compare import compare
from evalkit.compare.model import Comparison, Side
from evalkit.errors import InputError
from evalkit.repeats import CaseKey
from evalkit.report.stored import stored_results
from evalkit.runs import RUN_FILE, RunFolder

_NEWEST = 3
"""So many stored runs are named to somebody who asks for one that is not there."""

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def open_run(name: str, runs: Path) -> RunFolder:
    """Open a run by its folder, or by its name below the folder of runs, such as `latest`.

    Raises:
        InputError: There is no such run.
    """
    named, below = Path(name), runs / name
    if not named.exists() and not below.exists():
        raise InputError(f"{name}: is no run folder, nor the name of a run in {_shown(runs)}; {_stored(runs)}")
    path = below if below.exists() and not named.exists() else named
    return RunFolder.open(path.resolve())  # `latest` will soon be another


def _stored(runs: Path) -> str:
    """Name the newest runs of a folder of runs."""
    names = sorted(file.parent.name for file in runs.glob(f"*/{RUN_FILE}") if not file.parent.is_symlink())[::-1]
    if not names:
        return "no run is stored there yet: `evalkit run` stores one"
    return f"the newest {'is' if len(names) == 1 else 'are'} {', '.join(names[:_NEWEST])}"


def _shown(folder: Path) -> str:
    relative = os.path.relpath(folder)
    return str(folder) if relative.startswith(os.pardir) else relative


def compare_runs(folders: Sequence[RunFolder]) -> Comparison:
    """Compare stored runs: the first is the measure, for each model its own there if it has one.

    Of a run with several models each is a side; if it is the only run, its first model is the measure.

    Raises:
        InputError: There is nothing to compare, or the runs cannot be compared.
    """
    by_run = [list(_sides(folder)) for folder in folders]
    sides = _labelled([side for found in by_run for side in found])
    if len(sides) < 2:  # noqa: PLR2004 - one side is measured by another
        raise InputError(f"{folders[0].path}: there is nothing to compare it with; name another run")
    measures = sides[: len(by_run[0]) if len(by_run) > 1 else 1]
    own = {side.models: side for side in reversed(measures)}

    def measure_of(side: Side) -> Side | None:
        return None if side in measures else own.get(side.models, measures[0])

    for side in sides:
        if measure := measure_of(side):
            _must_fit(measure, side)
    return compare(sides, measure_of)


def must_be_comparable(baseline: RunFolder, mode: str, keys: Collection[CaseKey]) -> None:
    """Make sure, before it is played, that a run can be compared with another.

    Raises:
        InputError: It cannot.
    """
    coming = Side(label="", name="this run", replayed=mode != "live", models=(), results=())
    for side in _sides(baseline):
        _must_be_of_one_mode(side, coming)
        if not _keys(side) & set(keys):
            raise InputError(f"{side.name} and this run have no case in common")


def _must_fit(measure: Side, side: Side) -> None:
    _must_be_of_one_mode(measure, side)
    if not _keys(measure) & _keys(side):
        raise InputError(f"{measure.name} and {side.name} have no case in common; names of files count, too")


def _must_be_of_one_mode(one: Side, other: Side) -> None:
    if one.replayed == other.replayed:
        return
    replay, live = (one, other) if one.replayed else (other, one)
    raise InputError(
        f"{replay.name} replayed the model and {live.name} asked it, so what differs says nothing of the agent; "
        "compare runs of the same mode"
    )


def _sides(folder: RunFolder) -> Iterator[Side]:
    """Yield the run, or each model of a run with several."""
    name = os.path.relpath(folder.path)
    name = str(folder.path) if name.startswith(os.pardir) else name
    if not folder.info.parts:
        yield _side(name, folder)
    for model, part in folder.info.parts.items():
        yield _side(f"{name} [{model}]", RunFolder.open(folder.path / part))


def _side(name: str, folder: RunFolder) -> Side:
    info = folder.info
    asked = dict.fromkeys(model for models in info.agents.values() for model in models.values())
    return Side(
        label="",
        name=name,
        replayed=info.mode != "live",
        models=(info.model,) if info.model else tuple(asked),
        results=stored_results(folder),
        cases={(found.file, case.eval_id): case for found in folder.case_sets() for case in found.cases},
        criteria=folder.configs(),
    )


def _labelled(sides: Sequence[Side]) -> list[Side]:
    """Give each side a letter, and after the letters a number."""
    labels = [*_LETTERS, *map(str, range(len(_LETTERS) + 1, len(sides) + 1))]
    return [replace(side, label=label) for side, label in zip(sides, labels, strict=False)]


def _keys(side: Side) -> set[CaseKey]:
    return {(result.file, result.eval_id) for result in side.results}
