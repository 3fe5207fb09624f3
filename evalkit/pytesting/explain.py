"""A case that did not pass, in words: what pytest shows instead of a traceback."""

from collections.abc import Iterator

from evalkit.report.escape import one_line, printable
from evalkit.report.wording import criteria_to_explain, explanation, score_phrase
from evalkit.results import CaseResult

EXERCISED = {
    "golden": "golden replay: the model was not exercised",
    "live": "live: the agents' own models were asked",
}
"""What is said of the model once cases have been played."""


_LIMIT = 20_000
"""Characters of one text that are shown; there is no other place to look for the rest."""


def explain(result: CaseResult, mode: str) -> str:
    """Write the reasons, then the scores and what the criteria have to add; the first line stands in summaries."""
    return "\n".join(_lines(result, mode))


def _lines(result: CaseResult, mode: str) -> Iterator[str]:
    yield f"{result.verdict}: " + printable("\n".join(result.reasons) or "no reason given", _LIMIT)
    if result.criteria:
        yield ""
        yield ", ".join(f"{one_line(item.criterion.name)} {score_phrase(item)}" for item in result.criteria)
    for item in criteria_to_explain(result):
        yield f"{one_line(item.criterion.name)} {score_phrase(item)}:"
        yield from (f"  {line}" for line in printable(explanation(item.score), _LIMIT).splitlines())
    yield ""
    yield from (f"note: {one_line(note, _LIMIT)}" for note in result.notes)
    yield f"({EXERCISED[mode]})"
