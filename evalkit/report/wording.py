"""How reports put things, the same in every renderer that people read."""

from collections.abc import Iterable, Sequence

from evalkit.report.escape import one_line
from evalkit.report.routing import RoutingFigures
from evalkit.results import CaseResult, CriterionResult, Score, TurnScore, Verdict

MARKS: dict[Verdict, str] = {"passed": "+", "failed": "x", "error": "!", "inconclusive": "?", "skipped": "-"}
"""A mark before each verdict word, for the eye that runs down the margin; never the only sign."""


def case_label(result: CaseResult) -> str:
    """Name a case within its file: `lag`, `lag#2` for its second repeat, `lag [gpt-4o]` where there are more models."""
    repeat = f"#{result.run + 1}" if result.run else ""
    model = f" [{result.model}]" if result.model else ""
    return f"{result.eval_id}{repeat}{model}"


def aside(result: CaseResult) -> str:
    """Say in two words why a case does not gate: `known failing`, `in quarantine`."""
    return "known failing" if result.known_failing is not None else "in quarantine"


def although(result: CaseResult) -> str:
    """Say of a case that passes what it is: `known to fail`, `in quarantine`."""
    return "known to fail" if result.known_failing is not None else "in quarantine"


def remedy(result: CaseResult) -> str:
    """Say what to do with a case that does not gate, but passes."""
    return "take `known_failing` out" if result.known_failing is not None else "take it off the list"


def not_gating(results: Iterable[CaseResult]) -> str:
    """Name the cases that do not gate: `Known failing or in quarantine, not gating`."""
    kinds = {aside(result) for result in results if result.aside is not None}
    return f"{' or '.join(sorted(kinds, reverse=True)).capitalize()}, not gating"


def duration(seconds: float) -> str:
    """Write a duration as people read it: `1.9 s`, `3 min 05 s`."""
    if round(seconds, 1) < 60:  # noqa: PLR2004 - seconds in a minute
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02} s"


def score_phrase(result: CriterionResult) -> str:
    """Say what a criterion came to: `0.42 (needs 0.80; informative)`, `1.00 (by construction)`, `not judged`."""
    score, threshold = result.score, result.criterion.threshold
    if score.state != "judged" or score.value is None:
        phrase = "not applicable" if score.state == "not_applicable" else "not judged"
    else:
        phrase = figure(score.value, 1.0 if threshold is None else threshold)
    remarks = []
    if result.passed is False:
        remarks.append("failed" if threshold is None else f"needs {_exactly(threshold)}")
    if score.by_construction:
        remarks.append("by construction")
    elif not result.gates:
        remarks.append("informative")
    return f"{phrase} ({'; '.join(remarks)})" if remarks else phrase


def figure(value: float, threshold: float) -> str:
    """Write a score with two decimals, or with as many as it takes to show on which side of the threshold it lies."""
    for decimals in range(2, 17):
        text = f"{value:.{decimals}f}"
        if (float(text) >= threshold) == (value >= threshold):
            return text
    return repr(value)


def routes_counted(figures: RoutingFigures) -> str:
    """Say how many routes the matrix counts, and which it does not: `14 routes; 3 more hold by construction`."""
    parts = [f"{figures.routes} route{'' if figures.routes == 1 else 's'}"]
    if figures.by_construction:
        parts.append(f"{figures.by_construction} more {_hold(figures.by_construction)} by construction")
    if figures.undecided:
        parts.append(f"{figures.undecided} more {_belong(figures.undecided)} without a verdict")
    return "; ".join(parts)


def share(value: float | None) -> str:
    """Write a precision or recall; a dash where there is nothing to divide by."""
    return "-" if value is None else f"{value:.2f}"


def criteria_to_explain(result: CaseResult) -> tuple[CriterionResult, ...]:
    """The criteria that failed or could not run and have more to say than the case's own reasons do."""
    return tuple(
        item
        for item in result.criteria
        if (item.passed is False or item.score.state == "not_judged")
        and not _is_told(explanation(item.score), result.reasons)
    )


def explanation(score: Score) -> str:
    """Why a score is what it is: its reason, or those of the turns that fell short."""
    return score.reason or "\n".join(_turn_line(turn) for turn in score.turns if turn.reason and turn.value != 1.0)


def account(result: CaseResult) -> str:
    """Tell in full why a case did not pass: its reasons, then what its criteria have to add."""
    lines = [*result.reasons] or ["no reason given"]
    for item in criteria_to_explain(result):
        lines.append(f"{one_line(item.criterion.name)} {score_phrase(item)}:")
        lines.extend(f"  {line}" for line in explanation(item.score).splitlines())
    return "\n".join(lines)


def _hold(number: int) -> str:
    return "holds" if number == 1 else "hold"


def _belong(number: int) -> str:
    return "is of a case" if number == 1 else "are of cases"


def _exactly(threshold: float) -> str:
    text = f"{threshold:.2f}"
    return text if float(text) == threshold else f"{threshold:g}"


def _is_told(text: str, reasons: Sequence[str]) -> bool:
    """Whether every line of a text stands in some reason already; so it is with a text that says nothing."""
    return all(any(line.strip() in reason for reason in reasons) for line in text.splitlines())


def _turn_line(turn: TurnScore) -> str:
    return f"turn {turn.turn + 1}: {turn.reason}"
