"""`grounding`: does everything in the answer come from somewhere?

Every number, identifier, date, quotation and state of a final answer must have a source in what the agent was shown up
to then: the replies of tools (also of calls inside agent tools, also of earlier turns), the names of the tools it
called, the user's words, and the state and the events that the session began with. What agents say to each other is no
source, and neither are the arguments of calls: both are the model's own words. Only the spans of time in them are, for
a reply to `rate(errors[5m])` is about five minutes. The value of a turn is the share of its claims that have a source.

A number is looked up by value, in other units (1.5 GiB is 1610612736 bytes, 3 days are 259200000 ms, 75 % is 0.75),
with the separators of other countries, in words, rounded as it is written, and as what a reader computes (see
`grounds.derived`). A number, an identifier or a state that is told of one thing has to belong to it: to its record, not
to its sibling's. A state may be told by another word of the same meaning, and is false where the tools show the
contrary. What a tool was asked to do and failed to do was not done, what is compared has to compare so, and there is
nothing of which there is none only if the tools could look. Advice, questions and what is generally so claim nothing.

Of an answer in JSON, the values are claims and the keys are not: they are the schema's words. An answer that states
nothing is not applicable.

Options of the criterion, with their defaults:

- `strictness`: `normal`. `strict` takes no rounded and no computed numbers; `lenient` asks for a source anywhere, no
  matter of what it is told, and leaves states alone.
- `kinds`: `["number", "identifier", "date", "quotation", "status"]`, what is looked for.
- `ignore`: `[]`, texts of claims that need no source; `*` and `?` stand for any characters.
- `identifiers`: `[]`, regular expressions for words that are identifiers besides those that look like one: words with a
  digit or with `_`, `.`, `/`, `:`, `@` or `-` inside, in camel case, or in `code`.
"""

import json
import re
from collections.abc import Iterator, Sequence

from evalkit.cases import Case, Criterion, Json, Turn
from evalkit.formats.own_metrics import GROUNDING_KINDS
from evalkit.prior_events import paired, texts
from evalkit.results import Score, TurnScore
from evalkit.scorers.grounds.doings import errors
from evalkit.scorers.grounds.judging import Fault, Judge, Rules, Verdict
from evalkit.scorers.per_turn import combine, place_of, played
from evalkit.setups import PriorEvent
from evalkit.traces import CallStatus, Trace, TurnTrace

_OWN_WORDS: frozenset[CallStatus] = frozenset({"agent", "control"})
"""Their replies are what an agent said, or what the model passed to ADK's own tool."""


def score(case: Case, trace: Trace, criterion: Criterion) -> Score:
    """Look for the source of each claim of each final answer."""
    judge = Judge(_rules(criterion))
    if case.session:
        judge.facts.add(dict(case.session.state))
    _recall(judge, case.prior_events)
    turns = []
    for turn, happened in played(case, trace):
        _show(judge, happened)
        verdict = judge.judge(_prose(happened.final.text)) if happened.final else Verdict()
        turns.append(_turn_score(turn, verdict, errors(happened.tools)))
    return combine(turns, "no answer has a number, an identifier or anything else to look for")


def _rules(criterion: Criterion) -> Rules:
    options = criterion.options
    patterns = options.get("identifiers", ())
    return Rules(
        strictness=options.get("strictness", "normal"),
        kinds=frozenset(options.get("kinds", GROUNDING_KINDS)),
        ignore=tuple(options.get("ignore", ())),
        identifiers=re.compile("|".join(f"(?:{pattern})" for pattern in patterns)) if patterns else None,
    )


def _recall(judge: Judge, events: Sequence[PriorEvent]) -> None:
    """Show what the session held before the case began: what was said, also by agents, and what tools replied."""
    for text in texts(events):
        judge.facts.say(text)
    for exchange in paired(events).exchanges:
        judge.facts.say(exchange.name)
        judge.facts.add(exchange.reply, tool=exchange.name, args=exchange.args)


def _show(judge: Judge, happened: TurnTrace) -> None:
    judge.facts.say(happened.user.text)
    for event in happened.tools:
        judge.facts.say(event.name)
        if event.status not in _OWN_WORDS:
            judge.facts.calls.append(event.name)
            judge.facts.add(event.reply, tool=event.name, args=event.args)
            if event.error:
                judge.facts.add(event.error)
    judge.doings.see(happened.user.text, happened.tools)


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


def _turn_score(turn: Turn, verdict: Verdict, failed: Sequence[tuple[str, str]]) -> TurnScore:
    if not verdict.stated:
        return TurnScore(turn=turn.index, value=None, reason="the answer states nothing to look for")
    value = (verdict.stated - len(verdict.faults)) / verdict.stated
    reason = f"{place_of(turn)}: {_explain(verdict, failed)}" if verdict.faults else ""
    return TurnScore(turn=turn.index, value=value, reason=reason)


def _explain(verdict: Verdict, failed: Sequence[tuple[str, str]]) -> str:
    missing = [f"{fault.kind} `{fault.text}`" for fault in verdict.faults if not fault.why]
    parts = [f"no tool reply and no word of the user has the {', '.join(missing)}"] if missing else []
    parts += [_contrary(fault) for fault in verdict.faults if fault.why]
    parts += [f"`{tool}` replied with an error: {json.dumps(error, ensure_ascii=False)}" for tool, error in failed]
    return f"{'; '.join(parts)} (the answer states {verdict.stated})"


def _contrary(fault: Fault) -> str:
    joint = " " if fault.why.startswith("is ") else ": "
    return f"the {fault.kind} `{fault.text}`{joint}{fault.why}"
