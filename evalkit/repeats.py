"""Several runs of a case into one verdict.

A case that is played several times passes if its *gate* holds: the share of its runs that must pass (all of them unless
the case, the settings or a flag say otherwise), or what the lower bound of that share's interval must reach. See
`pass_rates` for the verdict, `suites` for all runs together.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from evalkit.cases import ALWAYS, Gate
from evalkit.pass_rates import BREAKING, holds, told, verdict_by
from evalkit.quarantine import Quarantine
from evalkit.results import CaseResult, Effort, Repeats, Verdict
from evalkit.stats import pass_at_k, pass_hat_k, wilson

CaseKey = tuple[str, str]
"""A case: its file and its id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Under what terms the cases of a run gate.

    Attributes:
        gate: Of cases without a gate of their own.
        own: The gates of those that have one.
        quarantine: The cases in quarantine.
        suite: The gate of all runs together; cases without a gate of their own then do not decide by themselves.
        replayed: Whether model turns were replayed: a single replay needs no lower bound, as another would be the same.
        require_judged: Whether a run that judged nothing is not good enough.
        today: The day on which quarantines are looked at; None for today.
    """

    gate: Gate = ALWAYS
    own: Mapping[CaseKey, Gate] = field(default_factory=dict)
    quarantine: Mapping[CaseKey, Quarantine] = field(default_factory=dict)
    suite: Gate = ALWAYS
    replayed: bool = True
    require_judged: bool = False
    today: date | None = None

    def gate_of(self, key: CaseKey) -> Gate:
        """The gate that holds for a case."""
        return self.own.get(key) or self.gate

    def applied(self, gate: Gate, runs: int) -> Gate:
        """The gate as it holds for so many runs."""
        if runs == 1 and self.replayed:
            return replace(gate, min_lower_bound=None)
        return gate

    def marked(self, result: CaseResult) -> CaseResult:
        """The result, marked if its case is in quarantine today."""
        entry = self.quarantine.get((result.file, result.eval_id))
        return result if entry is None or entry.has_expired(self.today) else replace(result, quarantine=entry)

    def decides(self, result: CaseResult) -> bool:
        """Tell whether a settled case decides about the run by itself."""
        key = (result.file, result.eval_id)
        return result.aside is None and (not self.suite or key in self.own or key in self.quarantine)


def settle(results: Iterable[CaseResult], terms: Terms) -> list[CaseResult]:
    """Make one result of all runs of each case with each model, in the order of their first runs; again, no change."""
    runs: dict[tuple[str, str, str | None], list[CaseResult]] = {}
    for result in results:
        runs.setdefault((result.file, result.eval_id, result.model), []).append(result)
    return [
        _settled(sorted(found, key=lambda run: run.run), (file, eval_id), terms)
        for (file, eval_id, _), found in runs.items()
    ]


def hopeless(runs: Sequence[CaseResult], planned: int, gate: Gate) -> bool:
    """Tell whether a case cannot pass its gate any more, whatever becomes of its runs that are still to come."""
    broken = sum(run.verdict in ("failed", "error") for run in runs)
    return broken > 0 and not holds(gate, planned - broken, planned)


def ranges(numbers: Sequence[int]) -> str:
    """Write ascending numbers with runs of them joined: `1-3, 5`."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1] = [parts[-1][0], number]
        else:
            parts.append([number])
    return ", ".join("-".join(map(str, part)) for part in parts)


def _settled(runs: Sequence[CaseResult], key: CaseKey, terms: Terms) -> CaseResult:
    gate = terms.applied(terms.gate_of(key), len(runs))
    found = Counter(run.verdict for run in runs)
    verdict = runs[0].verdict if found["skipped"] else verdict_by(gate, found)
    result = runs[0] if len(runs) == 1 else _together(runs, verdict, gate)
    if verdict != result.verdict:  # a single run that passed, and too few to show it
        result = replace(result, verdict=verdict, reasons=(told(gate, found, "runs"), *result.reasons))
    return _quarantined(terms.marked(result), terms.quarantine.get(key))


def _together(runs: Sequence[CaseResult], verdict: Verdict, gate: Gate) -> CaseResult:
    passed = sum(run.verdict == "passed" for run in runs)
    interval = wilson(passed, len(runs))
    repeats = Repeats(
        runs=tuple(runs),
        passed=passed,
        low=interval.low,
        high=interval.high,
        pass_at_k=tuple(pass_at_k(passed, len(runs), k) for k in range(1, len(runs) + 1)),
        pass_hat_k=tuple(pass_hat_k(passed, len(runs), k) for k in range(1, len(runs) + 1)),
    )
    shown = next((run for run in runs if run.verdict == verdict), runs[0])
    reasons = [*_reasons_of(runs)]
    if verdict not in ("passed", "skipped"):
        reasons.insert(0, told(gate, Counter(run.verdict for run in runs), "runs"))
    return replace(
        shown,
        run=0,
        verdict=verdict,
        reasons=shown.reasons if verdict == "skipped" else tuple(reasons),
        notes=tuple(dict.fromkeys(note for run in runs for note in run.notes)),
        seconds=math.fsum(run.seconds for run in runs),
        effort=_sum(run.effort for run in runs),
        repeats=repeats,
    )


def _sum(efforts: Iterable[Effort]) -> Effort:
    efforts = tuple(efforts)
    costs = [effort.usd for effort in efforts if effort.usd is not None]
    return Effort(
        tool_calls=sum(effort.tool_calls for effort in efforts),
        model_calls=sum(effort.model_calls for effort in efforts),
        tokens=sum(effort.tokens for effort in efforts),
        usd=math.fsum(costs) if len(costs) == len(efforts) else None,
    )


def _quarantined(result: CaseResult, entry: Quarantine | None) -> CaseResult:
    """Say of a case in quarantine what is news: that it passes, or that its time is over."""
    if entry is None:
        return result
    if result.quarantine is None:
        what = f"its quarantine ended on {entry.expires} ({entry.owner}: {entry.reason})"
        reason = f"{what}: mend the case, then take it off the list, or give it another date"
        return replace(result, verdict="failed", reasons=(reason, *result.reasons), known_failing=None)
    if result.verdict == "passed":
        return replace(result, notes=(*result.notes, "in quarantine, but it passes now: take it off the list"))
    return result


def _reasons_of(runs: Sequence[CaseResult]) -> Iterator[str]:
    """Yield each reason once, with the runs that it is from."""
    where: dict[tuple[Verdict, str], list[int]] = {}
    for run in runs:
        if run.verdict in BREAKING:
            for reason in run.reasons or ("no reason given",):
                where.setdefault((run.verdict, reason), []).append(run.run + 1)
    for (verdict, reason), numbers in where.items():
        several = "s" if len(numbers) > 1 else ""
        yield f"run{several} {ranges(numbers)} ({verdict}): {reason}"
