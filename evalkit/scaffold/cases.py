"""Drafts as an evalset and its config."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from evalkit.cases import (
    CallPattern,
    Case,
    CaseSet,
    Expectation,
    Json,
    Message,
    ResponseRule,
    SessionInput,
    Step,
    TrajectoryRule,
    Turn,
)
from evalkit.formats.own_metrics import MODULE
from evalkit.formats.steps import Layout
from evalkit.models.owners import UnplayableCaseError, own_steps
from evalkit.models.tree import REQUEST_CONFIRMATION, AgentTree
from evalkit.scaffold.drafts import Draft, Exchange
from evalkit.scaffold.refusals import refusal_of

EDIT_ME = "edit me"
"""Why the cases are skipped until somebody has looked at them."""

USER = "user"


def case_set(name: str, about: str, cases: Iterable[Case]) -> CaseSet:
    """Put cases into an evalset."""
    return CaseSet(eval_set_id=name, description=about, cases=tuple(cases))


def case_of(draft: Draft, tree: AgentTree, session: SessionInput) -> Case:
    """Write a draft as a case that is skipped.

    Args:
        draft: The case.
        tree: The agents, to see whether it is plain who makes each call.
        session: How the session begins.
    """
    turns = tuple(_turns(draft, "flat"))
    if not all(_is_plain(turn, draft, tree) for turn in turns):
        turns = tuple(_turns(draft, "events"))
    notes = [*_notes(draft)]
    return Case(
        eval_id=draft.eval_id,
        turns=turns,
        session=session,
        skip=EDIT_ME,
        source={"system": "evalkit init", "notes": notes} if notes else None,
    )


def config_text(*, exact: bool) -> str:
    """Write the criteria.

    Args:
        exact: Whether ADK sees every expected call of every case, and no other: only then an equal trajectory can be
            asked for. It does not see calls inside agent tools, and sees the questions that it asks the user itself.
    """
    trajectory: dict[str, Json] = {"threshold": 1.0, "match_type": "EXACT" if exact else "IN_ORDER"}
    criteria = {
        "tool_trajectory_avg_score": trajectory if exact else {**trajectory, "gate": False},
        "grounding": 1.0,
        "response_match_score": {"threshold": 0.6, "gate": False},
    }
    for_adk = {"grounding": {"code_config": {"name": f"{MODULE}.grounding"}}}  # so that plain `adk eval` knows it too
    return json.dumps({"criteria": criteria, "custom_metrics": for_adk}, indent=2) + "\n"


def _turns(draft: Draft, layout: Layout) -> Iterator[Turn]:
    """Yield the turn in which the user asks, and if need be the one in which the user confirms."""
    asked, confirmed = _by_turn(draft)
    first = Turn(
        index=0,
        invocation_id="turn-1",
        user=_text(USER, draft.prompt),
        steps=_steps(asked, layout),
        layout=layout,
        expect=_expected(draft),
    )
    final = None if draft.answer is None else _text("model", draft.answer)
    if draft.ending != "confirmed":
        yield replace(first, final=final)
        return
    yield first
    yes = {"function_response": {"name": REQUEST_CONFIRMATION, "response": {"confirmed": True}}}
    yield Turn(
        index=1,
        invocation_id="turn-2",
        user=Message(role=USER, parts=(yes,)),
        final=final,
        steps=_steps(confirmed, layout),
        layout=layout,
        expect=Expectation(route=draft.route, response=_response(draft)),
    )


def _by_turn(draft: Draft) -> tuple[Sequence[Exchange], Sequence[Exchange]]:
    """Divide the calls between the turn in which the user asks and the one in which the user confirms."""
    cut = draft.at + 1 if draft.ending == "confirmed" else len(draft.exchanges)
    return draft.exchanges[:cut], draft.exchanges[cut:]


def _steps(exchanges: Sequence[Exchange], layout: Layout) -> tuple[Step, ...]:
    """Write calls one after the other; a flat list does not say who makes them."""
    if layout == "flat":
        return tuple(Step(calls=(replace(exchange.call, agent=None),)) for exchange in exchanges)
    return tuple(Step(agent=exchange.agent, calls=(exchange.call,), extra={"role": "model"}) for exchange in exchanges)


def _is_plain(turn: Turn, draft: Draft, tree: AgentTree) -> bool:
    """Tell whether a flat list of calls leaves no doubt about who makes each of them."""
    wanted = [exchange.agent for exchange in _by_turn(draft)[turn.index]]
    try:
        return [owned.owner for owned in own_steps(turn, tree)] == wanted
    except UnplayableCaseError:
        return False


def _text(role: str, text: str) -> Message:
    return Message(role=role, parts=({"text": text},))


def _expected(draft: Draft) -> Expectation:
    """Say what the turn must show in which the user asks; it has no answer yet if the user has to confirm."""
    blocked = draft.exchanges[-1:] if draft.ending == "blocked" else ()
    rule = TrajectoryRule(
        forbid=tuple(CallPattern(name=name) for name in draft.forbidden),
        blocked=tuple(CallPattern(name=one.tool.name, args=one.args or None) for one in blocked),
    )
    return Expectation(
        trajectory=None if rule == TrajectoryRule() else rule,
        route=draft.route,
        response=None if draft.ending == "confirmed" else _response(draft),
    )


def _response(draft: Draft) -> ResponseRule | None:
    return ResponseRule(contains=(draft.must_say,)) if draft.must_say else None


def _notes(draft: Draft) -> Iterator[str]:
    if draft.ending == "blocked":
        yield (
            f'a callback answered in place of {draft.exchanges[-1].tool.name}: "{refusal_of(draft)}"; if the call'
            " is to go through, give session_input.state what lets it, and take `blocked` out"
        )
    if draft.fault:
        yield f"golden mode cannot play this yet: {draft.fault}"
