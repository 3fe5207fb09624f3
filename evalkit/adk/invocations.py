"""What ADK's evaluation hands to a metric, read as a case and a trace.

A metric gets invocations, expected and actual: messages, and events with calls, replies and words. It gets neither the
case's `evalkit` block nor the session's state, and nothing of what happened inside an agent tool.
"""

from collections.abc import Collection, Iterator, Sequence

from google.adk.evaluation.eval_case import Invocation, get_all_usage_metadata

from evalkit.adk.events import to_message
from evalkit.cases import Case, Message, Step, ToolCall, ToolReply, Turn
from evalkit.formats.steps import read_steps
from evalkit.models.tree import CONTROL_TOOLS
from evalkit.traces import CallStatus, KnownAgent, ToolEvent, Trace, TurnTrace, Usage, Utterance


def read_case(expected: Sequence[Invocation] | None, actual: Sequence[Invocation]) -> Case:
    """Read what should happen; where nothing is expected, as in a scenario, only what the user said."""
    if expected is None:
        turns = [Turn(index=index, user=to_message(one.user_content)) for index, one in enumerate(actual)]
    else:
        turns = [_turn(index, invocation) for index, invocation in enumerate(expected)]
    return Case(eval_id="", turns=tuple(turns))


def read_trace(actual: Sequence[Invocation], agent_tools: Collection[str] = ()) -> Trace:
    """Read what did happen.

    Args:
        actual: The invocations.
        agent_tools: Tools that are known to be agents, which a call does not show.
    """
    turns = [_turn(index, invocation) for index, invocation in enumerate(actual)]
    return Trace(
        mode="live",
        turns=tuple(_happened(turn, one, agent_tools) for turn, one in zip(turns, actual, strict=True)),
        agents=tuple(_known(turns, agent_tools)),
    )


def _turn(index: int, invocation: Invocation) -> Turn:
    data = invocation.intermediate_data
    where = f"conversation[{index}].intermediate_data"
    steps = None if data is None else read_steps(data.model_dump(mode="json", exclude_none=True), where)[0]
    final = invocation.final_response
    return Turn(
        index=index,
        user=to_message(invocation.user_content),
        final=to_message(final) if final else None,
        steps=steps,
        layout="events",
    )


def _happened(turn: Turn, invocation: Invocation, agent_tools: Collection[str]) -> TurnTrace:
    steps = turn.steps or ()
    answered_by = next((step.agent for step in reversed(steps) if _is_answer(step)), None)
    said = list(_said(steps))
    if turn.final and turn.final.text:
        said.append(Utterance(agent=answered_by or "", text=turn.final.text, final=True, after=len(turn.calls)))
    return TurnTrace(
        user=turn.user,
        tools=tuple(_tools(turn, agent_tools)),
        said=tuple(said),
        final=turn.final,
        final_agent=answered_by,
        adk_calls=turn.calls,
        usage=_usage(invocation),
        seconds=invocation.duration or 0.0,
    )


def _usage(invocation: Invocation) -> Usage:
    reported = get_all_usage_metadata(invocation)
    return Usage(
        model_calls=len(reported),
        input_tokens=sum(one.prompt_token_count or 0 for one in reported),
        output_tokens=sum(one.candidates_token_count or 0 for one in reported),
        total_tokens=sum(one.total_token_count or 0 for one in reported),
    )


def _is_answer(step: Step) -> bool:
    """Tell whether an event stands for the answer, whose text ADK keeps elsewhere."""
    return not (step.calls or step.replies or step.message)


def _said(steps: Sequence[Step]) -> Iterator[Utterance]:
    asked = 0
    for step in steps:
        text = (step.message or Message()).text
        if text:
            yield Utterance(agent=step.agent or "", text=text, after=asked)
        asked += len(step.calls)


def _tools(turn: Turn, agent_tools: Collection[str]) -> Iterator[ToolEvent]:
    waiting = list(turn.replies)
    for group, step in enumerate(turn.steps or (), start=1):
        for call in step.calls:
            reply = _reply_to(call, waiting)
            yield ToolEvent(
                id=call.id or call.where,
                name=call.name,
                args=call.args,
                agent=call.agent or "",
                status=_status(call, reply, agent_tools),
                reply=None if reply is None else reply.response,
                group=group,
            )


def _reply_to(call: ToolCall, waiting: list[ToolReply]) -> ToolReply | None:
    """Take the reply with the call's id out of those that wait; without an id the next one of its name."""
    for reply in waiting:
        if reply.id == call.id and (call.id is not None or reply.name == call.name):
            waiting.remove(reply)
            return reply
    return None


def _status(call: ToolCall, reply: ToolReply | None, agent_tools: Collection[str]) -> CallStatus:
    if call.name in CONTROL_TOOLS:
        return "control"
    if call.name in agent_tools:
        return "agent"
    return "unanswered" if reply is None else "real"


def _known(turns: Sequence[Turn], agent_tools: Collection[str]) -> Iterator[KnownAgent]:
    """Yield the agents that are met, the one that acts first as the root: nothing else says which it is."""
    authors = [step.agent for turn in turns for step in turn.steps or () if step.agent]
    for name in dict.fromkeys((*authors, *agent_tools)):
        yield KnownAgent(name=name, agent_tools={tool: tool for tool in agent_tools if tool != name})
