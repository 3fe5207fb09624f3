"""`response_match_score`: how many words do the final answer and the expected one share?

The value is the F measure of ROUGE-1 with ADK's tokenizer, equal to ADK's to the last bit, averaged over the turns that
expect an answer. It differs, and says so, where ADK's answer would mislead:

- Thought parts are not the answer. (ADK scores them as if they were said.)
- A turn without `final_response` expects nothing and is not applicable. (ADK scores it 0.)
- An answer identical to the expected one scores 1, also where it has no words, such as `✅`. (ADK scores that 0.)
"""

from collections import Counter

from evalkit.cases import Case, Criterion, Message, Turn
from evalkit.matching import show
from evalkit.results import Score, TurnScore
from evalkit.scorers.per_turn import combine, place_of, played
from evalkit.scorers.words import stem, words
from evalkit.traces import Trace, TurnTrace


def score(case: Case, trace: Trace, criterion: Criterion) -> Score:  # noqa: ARG001 - this metric has no options
    """Compare each final answer with the expected one, word by word."""
    pairs = played(case, trace)
    return combine(
        tuple(_turn_score(turn, happened) for turn, happened in pairs),
        "no turn has a final_response to compare with",
        by_construction=trace.mode == "golden" and all(_compared_with_itself(*pair) for pair in pairs),
    )


def rouge1_f(candidate: str, reference: str) -> float:
    """Return the F measure of ROUGE-1; 0 where either text has no words."""
    said, wanted = Counter(map(stem, words(candidate))), Counter(map(stem, words(reference)))
    shared = sum(min(count, said[word]) for word, count in wanted.items() if word in said)
    precision = shared / max(said.total(), 1)
    recall = shared / max(wanted.total(), 1)
    return 2 * precision * recall / (precision + recall) if shared else 0.0


def _turn_score(turn: Turn, happened: TurnTrace) -> TurnScore:
    if turn.final is None:
        reason = "no final_response: not applicable (ADK would score it 0)"
        return TurnScore(turn=turn.index, value=None, reason=reason)
    wanted, said = turn.final.text, happened.final.text if happened.final else ""
    thoughts = " (thought parts are left out; ADK counts them)" if _thinks(turn.final, happened.final) else ""
    if said == wanted:
        symbols = "" if words(wanted) else " (identical, though without words; ADK would score it 0)"
        return TurnScore(turn=turn.index, value=1.0, reason=(symbols + thoughts).strip())
    value = rouge1_f(said, wanted)
    headline = f"{place_of(turn)}: the answer shares words with F = {value:.3f}{thoughts}"
    reason = f"{headline}\n  expected {show(wanted)}\n  actual   {show(said)}"
    return TurnScore(turn=turn.index, value=value, reason=reason)


def _thinks(*messages: Message | None) -> bool:
    return any(part.get("thought") and part.get("text") for message in messages if message for part in message.parts)


def _compared_with_itself(turn: Turn, happened: TurnTrace) -> bool:
    if turn.final is None:
        return True
    changed = happened.golden is None or happened.golden.changed
    return not changed and happened.final is not None and happened.final.text == turn.final.text
