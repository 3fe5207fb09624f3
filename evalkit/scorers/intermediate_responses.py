"""`intermediate_responses`: did each agent say on the way what the case has it say?

Expected are the texts of `intermediate_responses`, or of recorded events, that are not the final answer; each is looked
for among what its author said, the turn's answer left out. One that was said word for word counts 1, else the F measure
of ROUGE-1 with the nearest text of that author, 0 if there is none. The value of a turn is their mean. Whatever else is
said is free.

ADK keeps these texts and compares them with nothing, and no model repeats them to the letter: so the metric applies
wherever a case has some, but decides about the case only if a config names it, with a threshold. In golden mode their
authors say these very texts, which holds by construction unless a callback changed one or its author was never asked.
"""

from collections.abc import Sequence
from typing import NamedTuple

from evalkit.cases import Case, Criterion, Turn
from evalkit.matching import show
from evalkit.results import Score, TurnScore
from evalkit.scorers.per_turn import average, combine, place_of, played
from evalkit.scorers.rouge import rouge1_f
from evalkit.traces import Trace, TurnTrace, Utterance


class _Line(NamedTuple):
    """What an agent is to say; an empty author is anybody."""

    agent: str
    text: str

    def said_by(self, utterance: Utterance) -> bool:
        return self.agent in ("", utterance.agent)


def score(case: Case, trace: Trace, criterion: Criterion) -> Score:  # noqa: ARG001 - this metric has no options
    """Look for each expected text among what its author said."""
    pairs = [(turn, _expected(turn), happened) for turn, happened in played(case, trace)]
    turns = [_turn_score(turn, lines, happened) for turn, lines, happened in pairs if lines]
    verbatim = all(turn.value == 1.0 for turn in turns)
    nothing = "no turn has intermediate_responses to look for"
    return combine(turns, nothing, by_construction=trace.mode == "golden" and verbatim)


def _expected(turn: Turn) -> list[_Line]:
    answer = turn.final.text if turn.final else ""
    said = ((step.agent or "", step.message.text) for step in turn.steps or () if step.message)
    return [_Line(agent, text) for agent, text in said if text not in ("", answer)]


def _turn_score(turn: Turn, lines: Sequence[_Line], happened: TurnTrace) -> TurnScore:
    left = [said for said in happened.said if not said.final]
    missing = [line for line in lines if not _take(line, left)]
    found = [_nearest(line, left) for line in missing]
    values = [*[1.0] * (len(lines) - len(missing)), *(value for value, _ in found)]
    place = f"{place_of(turn)}.intermediate_data"
    return TurnScore(
        turn=turn.index, value=average(values), reason="\n".join(f"{place}: {fault}" for _, fault in found)
    )


def _take(line: _Line, left: list[Utterance]) -> bool:
    """Take the first utterance that is the line, word for word; tell whether there was one."""
    said = next((said for said in left if line.said_by(said) and said.text == line.text), None)
    if said:
        left.remove(said)
    return said is not None


def _nearest(line: _Line, left: list[Utterance]) -> tuple[float, str]:
    """Take the author's utterance that is nearest to the line; return how near it is, and what differs."""
    own = [said for said in left if line.said_by(said)]
    if not own:
        other = next((said.agent for said in left if said.text == line.text), None)
        instead = f"{other} said it" if other else "it said nothing of the kind"
        return 0.0, f"{line.agent or 'somebody'} was to say {show(line.text)}; {instead}"
    nearest = max(own, key=lambda said: rouge1_f(said.text, line.text))
    left.remove(nearest)
    value = rouge1_f(nearest.text, line.text)
    headline = f"what {nearest.agent} said shares words with F = {value:.3f}"
    return value, f"{headline}\n  expected {show(line.text)}\n  actual   {show(nearest.text)}"
