"""How many cases came to which verdict, and the exit code that follows.

A *gating* case is one that is neither known to fail nor in quarantine. Gating cases make the exit code; the others are
counted apart, under the same verdicts, so that every selected case stands in exactly one of the two counts.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from evalkit.results import CaseResult, Verdict

NOT_PASSED: frozenset[Verdict] = frozenset({"failed", "error", "inconclusive"})
"""The verdicts whose reasons are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How many cases came to each verdict, in the order in which they are named."""

    passed: int = 0
    failed: int = 0
    error: int = 0
    inconclusive: int = 0
    skipped: int = 0

    @classmethod
    def of(cls, results: Iterable[CaseResult]) -> "Counts":
        """Count the verdicts of some cases."""
        found = Counter(result.verdict for result in results)
        return cls(
            passed=found["passed"],
            failed=found["failed"],
            error=found["error"],
            inconclusive=found["inconclusive"],
            skipped=found["skipped"],
        )

    def plus(self, verdict: Verdict) -> "Counts":
        """Count one more case."""
        return replace(self, **{verdict: getattr(self, verdict) + 1})

    @property
    def total(self) -> int:
        """All cases, whatever their verdict."""
        return self.passed + self.failed + self.error + self.inconclusive + self.skipped

    def __str__(self) -> str:
        """Name every verdict: `12 passed, 0 failed, 1 error, 0 inconclusive, 0 skipped`."""
        errors = "error" if self.error == 1 else "errors"
        return (
            f"{self.passed} passed, {self.failed} failed, {self.error} {errors}, "
            f"{self.inconclusive} inconclusive, {self.skipped} skipped"
        )


def count(results: Iterable[CaseResult]) -> tuple[Counts, Counts]:
    """Count gating cases and those that do not gate apart."""
    results = tuple(results)
    return (
        Counts.of(result for result in results if result.aside is None),
        Counts.of(result for result in results if result.aside is not None),
    )


def exit_status(
    gating: Counts, known_failing: Counts, *, interrupted: bool = False, require_judged: bool = False
) -> tuple[int, str]:
    """Decide the exit code and what it means in a few words, empty where the counts say it all.

    1 if any gating case failed or had an error; else 2 if the run was interrupted, any gating case is inconclusive or
    nothing was selected; else 0, also if no gating case was judged, which `require_judged` makes 2.
    """
    if gating.failed or gating.error:
        return 1, "exit 1: cases failed or had errors"
    if interrupted:
        return 2, "exit 2: not every case was played"
    if gating.inconclusive:
        return 2, "exit 2: cases could not be judged"
    if not gating.total + known_failing.total:
        return 2, "exit 2: no case was selected"
    if gating.passed:
        return 0, ""
    all_skipped = known_failing.total == known_failing.skipped
    meaning = "every case was skipped, nothing was judged" if all_skipped else "no gating case was judged"
    return (2, f"exit 2: {meaning}") if require_judged else (0, meaning)
