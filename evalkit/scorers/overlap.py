"""`rouge`: how much do the final answer and the expected one overlap, by ROUGE as the criterion chooses it?

Options:

- `type`: 1 (the default) or 2, shared words or pairs of words; `L`, the longest common subsequence of words; `Lsum`,
  the same over lines, each expected line against all lines of the answer.
- `statistic`: `F` (the default); `P`, precision, the share of the answer that is expected; `R`, recall, the share of
  what is expected that the answer has.

Words and stems are those of `response_match_score`, that is ADK's tokenizer, so that type 1 with F is its value; every
figure equals that of the package `rouge-score` with this tokenizer to the last bit. Where the answer is the expected
one the value is 1, also where it has no words, such as `✅`. Turns without `final_response` are not applicable.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import NamedTuple

from evalkit.cases import Case, Criterion, Turn
from evalkit.formats.own_metrics import ROUGE_STATISTICS, ROUGE_TYPES
from evalkit.matching import show
from evalkit.results import Score, TurnScore
from evalkit.scorers.per_turn import combine, place_of, played
from evalkit.scorers.words import stem, words
from evalkit.traces import Trace, TurnTrace

Words = Sequence[str]


class Overlap(NamedTuple):
    """What a candidate and a reference share."""

    precision: float = 0.0
    recall: float = 0.0
    f: float = 0.0

    @classmethod
    def of(cls, shared: int, candidate: int, reference: int) -> "Overlap":
        """Compute the three from counts, in the order of operations of `rouge-score`."""
        precision, recall = shared / max(candidate, 1), shared / max(reference, 1)
        both = precision + recall
        return cls(precision, recall, 2 * precision * recall / both if both > 0 else 0.0)


def score(case: Case, trace: Trace, criterion: Criterion) -> Score:
    """Compare each final answer with the expected one.

    Raises:
        KeyError: The criterion has a type or a statistic that there is not; `check` finds it.
    """
    kind = ROUGE_TYPES[str(criterion.options.get("type", 1))]
    statistic = ROUGE_STATISTICS[str(criterion.options.get("statistic", "F"))]
    pairs = played(case, trace)
    itself = trace.mode == "golden" and all(_is_golden(*pair) for pair in pairs)
    turns = [_turn_score(turn, happened, kind, statistic) for turn, happened in pairs]
    return combine(turns, "no turn has a final_response to compare with", by_construction=itself)


def overlap(kind: str, candidate: str, reference: str) -> Overlap:
    """Return precision, recall and F of ROUGE; `kind` is `1`, `2`, `L` or `Lsum`."""
    return _MEASURES[kind](candidate, reference)


def _turn_score(turn: Turn, happened: TurnTrace, kind: str, statistic: str) -> TurnScore:
    if turn.final is None:
        return TurnScore(turn=turn.index, value=None, reason="no final_response: not applicable")
    wanted, said = turn.final.text, happened.final.text if happened.final else ""
    if said == wanted:
        return TurnScore(turn=turn.index, value=1.0)
    found = overlap(kind, said, wanted)
    value: float = getattr(found, statistic)
    figures = f"precision {found.precision:.3f}, recall {found.recall:.3f}, F {found.f:.3f}"
    lines = (
        f"{place_of(turn)}: ROUGE-{kind} of the answer has {figures}",
        f"  expected {show(wanted)}",
        f"  actual   {show(said)}",
    )
    return TurnScore(turn=turn.index, value=value, reason="\n".join(lines))


def _is_golden(turn: Turn, happened: TurnTrace) -> bool:
    if turn.final is None:
        return True
    changed = happened.golden is None or happened.golden.changed
    return not changed and happened.final is not None and happened.final.text == turn.final.text


def _stems(text: str) -> list[str]:
    return list(map(stem, words(text)))


def _by_ngrams(candidate: str, reference: str, size: int) -> Overlap:
    said, wanted = _ngrams(_stems(candidate), size), _ngrams(_stems(reference), size)
    shared = sum(min(count, said[ngram]) for ngram, count in wanted.items())
    return Overlap.of(shared, said.total(), wanted.total())


def _ngrams(stems: Words, size: int) -> Counter[Hashable]:
    return Counter(tuple(stems[start : start + size]) for start in range(len(stems) - size + 1))


def _by_subsequence(candidate: str, reference: str) -> Overlap:
    said, wanted = _stems(candidate), _stems(reference)
    return Overlap.of(_common_length(wanted, said), len(said), len(wanted)) if said and wanted else Overlap()


def _by_lines(candidate: str, reference: str) -> Overlap:
    said, wanted = ([_stems(line) for line in text.split("\n") if line] for text in (candidate, reference))
    in_said, in_wanted = (Counter(word for line in lines for word in line) for lines in (said, wanted))
    shared = 0
    for line in wanted:
        places = sorted(set().union(*(_common_places(line, other) for other in said)))
        for word in (line[place] for place in places):
            if in_said[word] > 0 and in_wanted[word] > 0:  # each word of either side counts once
                shared += 1
                in_said[word] -= 1
                in_wanted[word] -= 1
    return Overlap.of(shared, sum(map(len, said)), sum(map(len, wanted)))


def _common_length(one: Words, other: Words) -> int:
    """Return the length of the longest common subsequence, a row of the usual table in the bits of one integer."""
    masks: dict[str, int] = {}
    for place, word in enumerate(one):
        masks[word] = masks.get(word, 0) | 1 << place
    full = (1 << len(one)) - 1
    row = full
    for word in other:
        matched = row & masks.get(word, 0)
        row = (row + matched | row - matched) & full
    return len(one) - row.bit_count()


def _common_places(one: Words, other: Words) -> list[int]:
    """Return where in `one` a longest common subsequence stands; of several the one that `rouge-score` finds."""
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for row, word in enumerate(one, 1):
        above, here = table[row - 1], table[row]
        for column, match in enumerate(other, 1):
            here[column] = above[column - 1] + 1 if word == match else max(above[column], here[column - 1])
    places: list[int] = []
    row, column = len(one), len(other)
    while row and column:
        if one[row - 1] == other[column - 1]:
            row, column = row - 1, column - 1
            places.append(row)
        elif table[row][column - 1] > table[row - 1][column]:
            column -= 1
        else:
            row -= 1
    return places


_MEASURES: Mapping[str, Callable[[str, str], Overlap]] = {
    "1": lambda candidate, reference: _by_ngrams(candidate, reference, 1),
    "2": lambda candidate, reference: _by_ngrams(candidate, reference, 2),
    "L": _by_subsequence,
    "Lsum": _by_lines,
}
