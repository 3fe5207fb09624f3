"""How comparisons put things, the same in every renderer that people read."""

from collections.abc import Callable, Iterator

from evalkit.compare.model import CaseChange, Comparison, Difference, FigureChange, Figures, Finding, Side, Tally
from evalkit.repeats import CaseKey
from evalkit.report.escape import one_line
from evalkit.report.repeated import interval

FINDINGS: tuple[Finding, ...] = ("regression", "undecided", "improvement", "unclear", "edited")
"""What is told of cases, in that order; those that are unchanged are counted only."""

HEADINGS: dict[Finding, str] = {
    "regression": "Regressions",
    "undecided": "Not judged on one side",
    "improvement": "Improvements",
    "unclear": "Different, but not enough runs to tell",
    "edited": "Edited, so not comparable",
}

FURTHER = ("Not judged in every run any more", "Same verdict, other figures")
"""Headings of what is told of cases of which nothing was found."""

_SMALL = 0.01
_WITHOUT_A_TEST = "each a fact: replays are deterministic"


def figure_rows(comparison: Comparison) -> Iterator[tuple[str, list[str]]]:
    """Yield the rows of the table of sides: what they count, and a value for each side."""
    found = [comparison.figures[side.label] for side in comparison.sides]
    yield "model", [", ".join(side.models) or "-" for side in comparison.sides]
    yield "cases", [_verdicts(one) for one in found]
    yield "pass rate", [_rate(one, side) for one, side in zip(found, comparison.sides, strict=True)]
    yield "tool calls a run", [f"{one.tool_calls:.1f}" for one in found]
    if any(one.tokens for one in found):
        yield "tokens a run", [f"{one.tokens:,.0f}" for one in found]
        yield "$ a run, estimated", [_usd(one.usd) for one in found]
    yield "seconds a run, median", [f"{one.seconds:.2f}" for one in found]


def verdict_sentence(one: Difference) -> str:
    """Say what changed over all cases: `9 cases judged on both sides: 2 worse, 0 better; 95% passed, now 73%`."""
    verdicts = one.verdicts
    if verdicts.first_rate is None or verdicts.second_rate is None:
        return "no case was judged on both sides"
    counted = f"{verdicts.cases} case{'' if verdicts.cases == 1 else 's'} judged on both sides"
    rates = f"{verdicts.first_rate:.0%} of runs passed, now {verdicts.second_rate:.0%}"
    test = _WITHOUT_A_TEST if verdicts.p is None else f"exact test, {p_value(verdicts.p)}"
    changed = verdicts.worse or verdicts.better
    return f"{counted}: {verdicts.worse} worse, {verdicts.better} better; {rates}" + (f" ({test})" if changed else "")


def case_phrase(case: CaseChange, quote: Callable[[str], str] = one_line) -> str:
    """Say what a case did on both sides: `passed, now failed; grounding 1.00, now 0.67`.

    Args:
        case: The case.
        quote: Makes names of criteria safe to show.
    """
    first, second = _tally(case.first), _tally(case.second)
    parts = [first if first == second else f"{first}, now {second}"]
    parts += [f"{quote(one.name)} {_number(one.first)}, now {_number(one.second)}" for one in case.figures]
    if case.p is not None:
        parts.append(p_value(case.p))
    if case.edited:
        parts.append(case.edited)
    if not case.gates:
        parts.append("does not gate")
    return "; ".join(parts)


def figure_phrase(change: FigureChange) -> str:
    """Say how a figure changed: `0.95, now 0.83 (-0.12, 95% interval -0.20 to -0.04, p = 0.01)`."""
    moved = f"{_number(change.first)}, now {_number(change.second)}"
    if change.shift is None:
        return moved
    shift = change.shift
    p = "" if change.p is None else f", {p_value(change.p)}"
    ends = f"{_signed(shift.interval.low)} to {_signed(shift.interval.high)}"
    return f"{moved} ({_signed(shift.difference)}, 95% interval {ends}{p})"


def score_finding(change: FigureChange) -> str:
    """Name what was found of a score."""
    phrase = "not enough runs to tell" if change.finding == "unclear" else change.finding
    return phrase if change.gates else f"{phrase}; informative"


def effort_finding(change: FigureChange) -> str:
    """Name what was found of an effort."""
    return "may be noise" if change.finding == "unclear" else change.finding


def further(one: Difference) -> Iterator[tuple[str, tuple[CaseChange, ...]]]:
    """Yield what else is to be told of cases: those judged less often, and those that differ in other figures alone.

    Figures count where they do not differ by chance.
    """
    same = [case for case in one.cases if case.finding == "unchanged"]
    less_often = tuple(
        case for case in same if case.second.decided * case.first.runs < case.first.decided * case.second.runs
    )
    others = tuple(case for case in same if case.certain and case.figures and case not in less_often)
    yield from ((heading, cases) for heading, cases in zip(FURTHER, (less_often, others), strict=True) if cases)


def key_label(key: CaseKey) -> str:
    """Name a case as `evalkit run` takes it."""
    return ":".join(key)


def p_value(p: float) -> str:
    """Write a p-value with as many digits as matter: `p = 0.031`."""
    if p < 0.001:  # noqa: PLR2004 - where readers stop to care
        return "p < 0.001"
    return f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"  # noqa: PLR2004 - likewise


def _tally(tally: Tally) -> str:
    if tally.runs == 1:
        return tally.verdict
    remarks: list[str] = [tally.standing] if tally.standing not in ("passed", "failed") else []
    if tally.decided < tally.runs:
        remarks.append(f"{tally.runs - tally.decided} undecided")
    return f"{tally.passed} of {tally.runs} runs passed" + (f" ({', '.join(remarks)})" if remarks else "")


def _verdicts(figures: Figures) -> str:
    return ", ".join(f"{number} {verdict}" for verdict, number in figures.verdicts.items()) or "none"


def _rate(figures: Figures, side: Side) -> str:
    """Write a pass rate, with its interval where another run could have come to something else."""
    if figures.pass_rate is None:
        return "-"
    rate = f"{figures.pass_rate:.0%}"
    return rate if side.replayed else f"{rate} ({interval(figures.low, figures.high)})"


def _usd(usd: float | None) -> str:
    if usd is None:
        return "-"
    return f"{usd:.4f}" if usd >= _SMALL / 10 or not usd else f"{usd:.2g}"


def _number(value: float) -> str:
    if value and abs(value) < _SMALL:
        return f"{value:.2g}"
    return f"{value:,.2f}"


def _signed(value: float) -> str:
    return f"{value:+.2g}" if value and abs(value) < _SMALL else f"{value:+,.2f}"
