"""How far a judge agrees with people, as text and as JSON."""

import json
from collections.abc import Iterator

from evalkit.judges.calibration import Agreement, Compared, interval
from evalkit.report.escape import one_line

SCHEMA = "evalkit.calibration/1"
_WORDS = {True: "yes", False: "no", None: "none"}


def as_text(agreement: Agreement) -> str:
    """Lay the figures out for people, the disagreements below them."""
    return "".join(f"{line}\n" for line in _lines(agreement))


def as_json(agreement: Agreement) -> str:
    """Write everything for programs; a figure that is not defined is null."""
    figures = {
        "schema": SCHEMA,
        "judge": agreement.judge,
        "samples": agreement.samples,
        "labels": len(agreement.compared),
        "judged": len(agreement.judged),
        "accuracy": _share(agreement.accuracy),
        "kappa": agreement.kappa,
        "false_passes": _share(agreement.false_passes),
        "false_failures": _share(agreement.false_failures),
        "disagreements": [_told(one) for one in agreement.disagreements],
        "unjudged": [_told(one) for one in agreement.unjudged],
    }
    return json.dumps(figures, ensure_ascii=False, indent=2) + "\n"


def _lines(agreement: Agreement) -> Iterator[str]:
    kappa = "not defined" if agreement.kappa is None else f"{agreement.kappa:.3f}"
    yield f"judge: {agreement.judge}, {agreement.samples} sample{'s' if agreement.samples > 1 else ''} a question"
    yield f"labels: {len(agreement.compared)}, of which judged: {len(agreement.judged)}"
    yield f"accuracy: {_in_words(agreement.accuracy)}"
    yield f"Cohen's kappa: {kappa}"
    yield f"false passes, among answers that people do not pass: {_in_words(agreement.false_passes)}"
    yield f"false failures, among those that they do: {_in_words(agreement.false_failures)}"
    for one in agreement.disagreements:
        yield one_line(
            f"disagrees: {_place(one)}: label {_WORDS[one.label]}, judge {_WORDS[one.verdict]}: {one.reason}"
        )
    for one in agreement.unjudged:
        yield one_line(f"not judged: {_place(one)}: {one.reason}")


def _in_words(share: tuple[int, int]) -> str:
    bounds = interval(share)
    if bounds is None:
        return "not known, none was judged"
    return f"{share[0]}/{share[1]} ({share[0] / share[1]:.1%}, 95% interval {bounds.low:.1%} to {bounds.high:.1%})"


def _share(share: tuple[int, int]) -> dict[str, float | int | None]:
    bounds = interval(share)
    rate = share[0] / share[1] if share[1] else None
    low, high = (None, None) if bounds is None else (bounds.low, bounds.high)
    return {"count": share[0], "of": share[1], "rate": rate, "low": low, "high": high}


def _told(one: Compared) -> dict[str, str | None]:
    return {
        "place": one.place,
        "rubric_id": one.rubric_id,
        "label": _WORDS[one.label],
        "verdict": None if one.verdict is None else _WORDS[one.verdict],
        "reason": one.reason,
    }


def _place(one: Compared) -> str:
    return f"{one.place}: {one.rubric_id}"
