"""A comparison, read back from what `comparison_data` wrote into a `results.json`."""

from collections.abc import Mapping
from typing import Any

from evalkit.codec.decoding import decode
from evalkit.compare.model import CaseChange, Comparison, Difference, FigureChange, Figures, Side, VerdictChange
from evalkit.stats import Interval, Shift

_Table = Mapping[str, Any]


def read_comparison(data: _Table) -> Comparison:
    """Read a comparison; of its sides only what renderers show is stored.

    Raises:
        KeyError, TypeError: The data is something else.
        DecodeError: Likewise.
    """
    return Comparison(
        sides=tuple(_side(side) for side in data["sides"]),
        figures={side["label"]: decode(Figures, dict(side)) for side in data["sides"]},
        differences=tuple(_difference(one) for one in data["differences"]),
        exit_code=data["exit_code"],
        summary=data["summary"],
    )


def _side(side: _Table) -> Side:
    return Side(
        label=side["label"], name=side["name"], replayed=side["replayed"], models=tuple(side["models"]), results=()
    )


def _difference(one: _Table) -> Difference:
    return Difference(
        first=one["first"],
        second=one["second"],
        finding=one["finding"],
        cases=tuple(decode(CaseChange, case) for case in one["cases"]),
        verdicts=decode(VerdictChange, one["verdicts"]),
        scores=tuple(map(_figure, one["scores"])),
        efforts=tuple(map(_figure, one["efforts"])),
        only_first=tuple((key["file"], key["eval_id"]) for key in one["only_first"]),
        only_second=tuple((key["file"], key["eval_id"]) for key in one["only_second"]),
    )


def _figure(change: _Table) -> FigureChange:
    """Read a figure; what has no interval was too few values for a shift."""
    shift = None
    if change["low"] is not None:
        interval = Interval(change["low"], change["high"])
        shift = Shift(difference=change["difference"], interval=interval, p=change["p"])
    return FigureChange(
        name=change["name"],
        cases=change["cases"],
        first=change["first"],
        second=change["second"],
        finding=change["finding"],
        shift=shift,
        p=change["p"],
        gates=change["gates"],
    )
