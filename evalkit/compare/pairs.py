"""The cases that two sides have in common, and what each side knows of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from evalkit.cases import ALWAYS, Case
from evalkit.compare.model import Side, Tally
from evalkit.repeats import CaseKey
from evalkit.results import CaseResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One case on two sides.

    Attributes:
        edited: What is not the same any more, if anything.
        replayed: Whether both sides replayed it, and always to the same verdict.
    """

    key: CaseKey
    first: CaseResult
    second: CaseResult
    edited: str
    replayed: bool

    @property
    def gates(self) -> bool:
        """Whether it gates on both sides."""
        return self.first.aside is None and self.second.aside is None

    @property
    def comparable(self) -> bool:
        """Whether it may speak for or against a change."""
        return self.gates and not self.edited and bool(decided(self.first)) and bool(decided(self.second))


def decided(result: CaseResult) -> tuple[CaseResult, ...]:
    """The runs of a case that say something of the agent: judged, or crashed by its doing."""
    return tuple(run for run in result.plays if _speaks(run))


def tally(result: CaseResult) -> Tally:
    """Sum up the runs of a case."""
    return Tally(
        verdict=result.verdict,
        standing=result.standing,
        passed=sum(run.verdict == "passed" for run in result.plays),
        decided=len(decided(result)),
        runs=len(result.plays),
    )


def played(side: Side) -> dict[CaseKey, CaseResult]:
    """The cases that were played; one that was skipped is as good as absent."""
    return {(result.file, result.eval_id): result for result in side.results if result.verdict != "skipped"}


def pairs(first: Side, second: Side) -> Iterator[Pair]:
    """Yield the cases that were played on both sides, in the order of the second."""
    before = played(first)
    for key, result in played(second).items():
        if key in before:
            yield Pair(
                key=key,
                first=before[key],
                second=result,
                edited=_edited(first, second, key),
                replayed=first.replayed and second.replayed and _agrees(before[key]) and _agrees(result),
            )


def _speaks(run: CaseResult) -> bool:
    return run.verdict in ("passed", "failed") or (run.verdict == "error" and run.standing == "broken")


def _agrees(result: CaseResult) -> bool:
    return len({run.verdict for run in decided(result)}) <= 1


def _edited(first: Side, second: Side, key: CaseKey) -> str:
    """Say what is not the same any more; nothing where a side does not know."""
    changes = []
    if _differ(first.cases, second.cases, key):
        changes.append("the case was edited")
    file, _ = key
    before, after = first.criteria.get(file), second.criteria.get(file)
    if before is not None and after is not None and before.criteria != after.criteria:
        changes.append("its criteria were edited")
    return " and ".join(changes)


def _differ(first: Mapping[CaseKey, Case], second: Mapping[CaseKey, Case], key: CaseKey) -> bool:
    return key in first and key in second and _essence(first[key]) != _essence(second[key])


def _essence(case: Case) -> Case:
    """A case without what changes nothing about how it is played and judged."""
    return replace(case, tags=(), skip=None, known_failing=None, gate=ALWAYS, source=None)
