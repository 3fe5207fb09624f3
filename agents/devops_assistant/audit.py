"""A record of every tool call of a session, also of those that were refused, in the session's state.

The state has it under `audit`: a record for each of the newest calls, oldest first, by the id of the call. A record
says when the call was made (`at`, in UTC), by which `agent`, which `tool` with which `args`, in which `role`, and its
`outcome`:

    answered   the tool did what it was asked
    error      the tool, or ADK in its place, answered with an error, or the tool raised
    refused    the session's role or a missing approval stood against it, so that the tool did not run
    waiting    the user is asked to confirm; once the user has answered, the same record says what came of it
    rejected   the user did not confirm

A call that is cut off, by a time limit or the end of the process, leaves no record.
"""

import datetime as dt
import json
from typing import Any

from google.adk.agents.invocation_context import InvocationContext
from google.adk.events import Event, EventActions
from google.adk.plugins.base_plugin import BasePlugin
from google.adk.sessions import Session
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext

from .access import DENIED

AUDIT = "audit"
"""The state's key for the records."""

MAX_RECORDS = 50
"""How many calls a session's state remembers: each event that adds one stores them all."""

MAX_TEXT = 200
"""How many characters of an argument's value are kept."""

Records = dict[str, dict[str, Any]]


class Audit(BasePlugin):
    """Records what the agents call. It must be the first plugin.

    ADK asks plugins in their order and stops at the first that answers, so what a guard before this one refuses would
    never be seen here.

    Calls that run at the same time all add to the same records, and each has read them before the others had written.
    So the records are a dict, since ADK joins dicts that the calls of one event have written; of lists it keeps one.
    What ADK does not join is joined when an event is about to be stored: that happens to one event after the other.
    """

    def __init__(self) -> None:
        super().__init__(name="audit")

    async def before_tool_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext
    ) -> None:
        """Note the call as the model made it, before anybody refuses it or changes its arguments."""
        tool_context.state[_open_key(tool_context)] = {
            "at": dt.datetime.now(dt.UTC).isoformat(),
            "agent": tool_context.agent_name,
            "tool": tool.name,
            "args": {name: _cut(value) for name, value in tool_args.items()},
            "role": tool_context.state.get("role"),
        }

    async def after_tool_callback(
        self,
        *,
        tool: BaseTool,
        tool_args: dict[str, Any],  # noqa: ARG002 - ADK passes it by name
        tool_context: ToolContext,
        result: Any,
    ) -> None:
        """Record what came of the call. ADK comes here also with the answer that a guard gave in the tool's place."""
        _record(tool_context, _outcome(tool, tool_context, result))

    async def on_tool_error_callback(
        self,
        *,
        tool: BaseTool,  # noqa: ARG002 - ADK passes these by name
        tool_args: dict[str, Any],  # noqa: ARG002
        tool_context: ToolContext,
        error: Exception,  # noqa: ARG002
    ) -> None:
        """Record that the tool raised; that still ends the turn, unless another callback handles it."""
        _record(tool_context, "error")

    async def on_event_callback(self, *, invocation_context: InvocationContext, event: Event) -> None:
        """Join what the event has recorded with what was stored since its calls began."""
        recorded = event.actions.state_delta.get(AUDIT)
        if recorded:
            event.actions.state_delta[AUDIT] = _joined(_stored(invocation_context.session), recorded)

    async def on_run_error_callback(
        self,
        *,
        invocation_context: InvocationContext,
        error: Exception,  # noqa: ARG002 - ADK passes it by name
    ) -> None:
        """Store the record of the call that ended the turn by raising; no event of its own does that."""
        session = invocation_context.session
        records = _joined(_stored(session), session.state.get(AUDIT, {}))
        if records:
            # Without content and by "user", as ADK stores a state that belongs to no answer: it is nobody's turn.
            actions = EventActions(state_delta={AUDIT: records})
            event = Event(author="user", invocation_id=invocation_context.invocation_id, actions=actions)
            await invocation_context.session_service.append_event(session=session, event=event)


def _open_key(tool_context: ToolContext) -> str:
    """Return where a call is noted while it runs; ADK does not store what is under `temp:`."""
    return f"temp:{AUDIT}:{tool_context.function_call_id}"


def _record(tool_context: ToolContext, outcome: str) -> None:
    noted = tool_context.state.get(_open_key(tool_context))
    if noted:
        record = {str(tool_context.function_call_id): {**noted, "outcome": outcome}}
        tool_context.state[AUDIT] = _joined(tool_context.state.get(AUDIT, {}), record)


def _outcome(tool: BaseTool, tool_context: ToolContext, result: Any) -> str:
    actions, confirmation = tool_context.actions, tool_context.tool_confirmation
    if actions.state_delta.get(DENIED) == tool.name:
        return "refused"
    if actions.requested_tool_confirmations:
        return "waiting"
    if confirmation is not None and not confirmation.confirmed:
        return "rejected"
    # ADK's own errors have no status; a reply that has one may have something else under `error`.
    failed = isinstance(result, dict) and ("error" in result if "status" not in result else result["status"] == "error")
    return "error" if failed else "answered"


def _stored(session: Session) -> Records:
    """Return the records as the last event that has any stored them.

    The session's state may have others meanwhile: a call of an agent tool ends by overwriting it with the tool's copy.
    """
    deltas = (event.actions.state_delta for event in reversed(session.events))
    stored: Records = next((delta[AUDIT] for delta in deltas if AUDIT in delta), session.state.get(AUDIT, {}))
    return stored


def _joined(one: Records, other: Records) -> Records:
    """Join records and keep the newest calls, oldest first. Of two records of a call the one begun later holds."""
    joined = dict(one)
    for call, record in other.items():
        if call not in joined or joined[call]["at"] <= record["at"]:
            joined[call] = record
    return dict(sorted(joined.items(), key=lambda item: str(item[1]["at"]))[-MAX_RECORDS:])


def _cut(value: Any) -> Any:
    """Shorten a text, or the JSON of a list or object, that is too long to keep."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return value if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}…"
