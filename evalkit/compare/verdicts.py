"""Whether cases pass less often than before, or more often, and whether that can be told from noise."""

from collections.abc import Sequence

from evalkit.compare.figures import case_figures
from evalkit.compare.model import CaseChange, Finding, Tally, VerdictChange
from evalkit.compare.pairs import Pair, tally
from evalkit.stats import ALPHA, Table, attainable, holm, stratified_exact


def case_changes(pairs: Sequence[Pair]) -> tuple[CaseChange, ...]:
    """Say of each case what changed; with several runs a side each has a test of its own."""
    tables = {pair.key: _table(pair) for pair in pairs if pair.comparable and not pair.replayed}
    tested = [key for key, table in tables.items() if attainable(table) < ALPHA]
    p_values = dict(zip(tested, holm([stratified_exact([tables[key]]) for key in tested]), strict=True))
    return tuple(_change(pair, p_values.get(pair.key)) for pair in pairs)


def verdict_change(pairs: Sequence[Pair], changes: Sequence[CaseChange]) -> VerdictChange:
    """Say what changed over all comparable cases together."""
    compared = [pair for pair in pairs if pair.comparable]
    tables = [_table(pair) for pair in compared]
    live = [table for table, pair in zip(tables, compared, strict=True) if not pair.replayed]
    p = stratified_exact(live) if live else None
    first_rate = _rate([(table.first_passed, table.first_runs) for table in tables])
    second_rate = _rate([(table.second_passed, table.second_runs) for table in tables])
    return VerdictChange(
        cases=len(compared),
        worse=sum(_share(pair, second=True) < _share(pair, second=False) for pair in compared),
        better=sum(_share(pair, second=True) > _share(pair, second=False) for pair in compared),
        first_rate=first_rate,
        second_rate=second_rate,
        p=p,
        finding=_together(changes, p, first_rate, second_rate),
    )


def _change(pair: Pair, p: float | None) -> CaseChange:
    first, second = tally(pair.first), tally(pair.second)
    file, eval_id = pair.key
    return CaseChange(
        file=file,
        eval_id=eval_id,
        first=first,
        second=second,
        finding="edited" if pair.edited else _finding(first, second, p, certain=pair.replayed),
        gates=pair.gates,
        edited=pair.edited,
        certain=pair.replayed,
        figures=case_figures(pair),
        p=p,
    )


def _finding(first: Tally, second: Tally, p: float | None, *, certain: bool) -> Finding:
    if not first.decided and not second.decided:
        return "unchanged"
    if not first.decided or not second.decided:
        return "undecided"
    before, after = first.passed / first.decided, second.passed / second.decided
    if before == after:
        return "unchanged"
    if certain or (p is not None and p < ALPHA):
        return "regression" if after < before else "improvement"
    return "unclear"


def _together(
    changes: Sequence[CaseChange], p: float | None, first_rate: float | None, second_rate: float | None
) -> Finding:
    found = {change.finding for change in changes if change.gates}
    if p is not None and p < ALPHA and first_rate is not None and second_rate is not None:
        return "regression" if second_rate < first_rate else "improvement"
    order: tuple[Finding, ...] = ("regression", "improvement", "unclear")
    return next((finding for finding in order if finding in found), "unchanged")


def _table(pair: Pair) -> Table:
    first, second = tally(pair.first), tally(pair.second)
    return Table(
        first_passed=first.passed,
        first_runs=first.decided,
        second_passed=second.passed,
        second_runs=second.decided,
    )


def _share(pair: Pair, *, second: bool) -> float:
    found = tally(pair.second if second else pair.first)
    return found.passed / found.decided


def _rate(counts: Sequence[tuple[int, int]]) -> float | None:
    runs = sum(count for _, count in counts)
    return sum(passed for passed, _ in counts) / runs if runs else None
