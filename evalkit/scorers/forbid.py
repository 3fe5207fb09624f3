"""`forbid`: no call that `expect[].trajectory.forbid` names was made, at any depth and whatever came of it."""

import re
from collections.abc import Collection, Iterator
from dataclasses import replace

from evalkit.cases import CallPattern, Case, Criterion
from evalkit.formats.likeness import is_slip
from evalkit.results import Score, TurnScore
from evalkit.scorers.calls import fits, show_call, show_pattern
from evalkit.scorers.per_turn import combine, expected_at, played
from evalkit.traces import Trace, TurnTrace

_PLURAL = re.compile(r"s(?=_|$)")


def score(case: Case, trace: Trace, criterion: Criterion) -> Score:  # noqa: ARG001 - this metric has no options
    """Look for forbidden calls in everything that was called; a misspelt name forbids nothing, so nothing is judged."""
    turns: list[TurnScore] = []
    wrong: list[str] = []
    tools = dict.fromkeys(tool for agent in trace.agents for tool in agent.tools)
    misspelt: list[str] = []
    for turn, happened in played(case, trace):
        if turn.expect.trajectory and turn.expect.trajectory.forbid:
            place = expected_at(case, turn, "trajectory.forbid")
            found = [f"{place}: {fault}" for fault in _forbidden(turn.expect.trajectory.forbid, happened)]
            turns.append(TurnScore(turn=turn.index, value=0.0 if found else 1.0, reason="\n".join(found)))
            wrong += found
            misspelt += [f"{place}: {fault}" for fault in _misspelt(turn.expect.trajectory.forbid, tools)]
    whole = combine(turns, "no turn forbids a call", wrong_calls=wrong)
    if misspelt and not wrong:
        return replace(whole, state="not_judged", value=None, reason="\n".join(misspelt))
    return whole


def _misspelt(patterns: tuple[CallPattern, ...], tools: Collection[str]) -> Iterator[str]:
    """Tell each name that is surely that of a tool, misspelt; a tool that no agent has may be forbidden to come."""
    for pattern in patterns:
        meant = next((tool for tool in tools if pattern.name not in tools and _is_slip(pattern.name, tool)), None)
        if meant:
            yield f"no agent has a tool named `{pattern.name}`; did you mean `{meant}`?"


def _is_slip(name: str, tool: str) -> bool:
    """Tell whether a name is a tool's, mistyped; one that is the plural of the other may well be another tool."""
    one, other = name.casefold(), tool.casefold()
    plural = one != other and _PLURAL.sub("", one) == _PLURAL.sub("", other)
    return not plural and is_slip(name, tool)


def _forbidden(patterns: tuple[CallPattern, ...], happened: TurnTrace) -> Iterator[str]:
    for event in happened.tools:
        pattern = next((pattern for pattern in patterns if fits(pattern, event)), None)
        if pattern:
            yield f"{event.agent} called {show_call(event.name, event.args)}; forbidden is {show_pattern(pattern)}"
