"""`grounding`: does everything in the answer come from somewhere?

Every number and identifier of a final answer must occur in what the agent was shown up to then: the replies of tools
(also of calls inside agent tools, also of earlier turns), the names of the tools it called, the user's words, and the
state that the session began with. What agents say to each other is no source, and neither are the arguments of calls:
both are the model's own words. The value of a turn is the share of its claims that have a source.

Of an answer in JSON, the values are claims and the keys are not: they are the schema's words.
"""

import json
from collections.abc import Iterable, Iterator

from evalkit.cases import Case, Criterion, Json, Turn
from evalkit.results import Score, TurnScore
from evalkit.scorers.claims import Claim, claims
from evalkit.scorers.per_turn import combine, place_of, played
from evalkit.scorers.sources import Sources
from evalkit.traces import CallStatus, Trace, TurnTrace

_OWN_WORDS: frozenset[CallStatus] = frozenset({"agent", "control"})
"""Their replies are what an agent said, or what the model passed to ADK's own tool."""


def score(case: Case, trace: Trace, criterion: Criterion) -> Score:  # noqa: ARG001 - this metric has no options
    """Look for the source of each number and identifier of each final answer."""
    sources = Sources()
    if case.session:
        sources.add(dict(case.session.state))
    turns = []
    for turn, happened in played(case, trace):
        _add_shown(sources, happened)
        stated = claims(_prose(happened.final.text)) if happened.final else ()
        turns.append(_turn_score(turn, stated, sources))
    return combine(turns, "no answer has a number or an identifier to look for")


def _add_shown(sources: Sources, happened: TurnTrace) -> None:
    sources.add(happened.user.text)
    for event in happened.tools:
        sources.add(event.name)
        if event.status not in _OWN_WORDS:
            sources.add(event.reply)


def _prose(answer: str) -> str:
    if not answer.lstrip().startswith(("{", "[")):
        return answer
    try:
        return "\n".join(_leaves(json.loads(answer)))
    except (ValueError, RecursionError):
        return answer


def _leaves(value: Json) -> Iterator[str]:
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _leaves(item)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _turn_score(turn: Turn, stated: tuple[Claim, ...], sources: Sources) -> TurnScore:
    if not stated:
        return TurnScore(turn=turn.index, value=None, reason="the answer has no number or identifier")
    unfounded = [claim for claim in stated if not sources.hold(claim)]
    value = (len(stated) - len(unfounded)) / len(stated)
    reason = f"{place_of(turn)}: {_explain(unfounded, len(stated))}" if unfounded else ""
    return TurnScore(turn=turn.index, value=value, reason=reason)


def _explain(unfounded: Iterable[Claim], stated: int) -> str:
    named = ", ".join(f"{'identifier' if claim.number is None else 'number'} `{claim.text}`" for claim in unfounded)
    return f"no tool reply and no word of the user has the {named} (the answer states {stated})"
