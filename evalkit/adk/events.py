"""Events of a run, turned into a `TurnTrace`."""

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from google.adk.events import Event
from google.genai import types
from pydantic_core import to_jsonable_python

from evalkit.adk import private
from evalkit.adk.playing import Answered, Playing
from evalkit.cases import Message, ToolCall
from evalkit.models.tree import CONTROL_TOOLS, EXIT_LOOP, REQUEST_CONFIRMATION, TRANSFER
from evalkit.traces import CallStatus, GoldenReport, ToolEvent, TurnTrace, Usage, Utterance

USER = "user"


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A call of an earlier turn that may go on; `waits_for_user` if it is the one that the user answers by name."""

    name: str
    args: Mapping[str, Any]
    waits_for_user: bool


@dataclass(slots=True)
class _Seen:
    """A call that was asked for, until its reply comes."""

    name: str
    args: Mapping[str, Any]
    agent: str
    parent: str | None
    group: int
    started: float
    long_running: bool = False
    reply: Any = None
    replied: bool = False
    waiting: bool = False
    resumed: bool = False


@dataclass(slots=True)
class TurnRecorder:
    """Collects the events of one turn, those of nested runs included.

    Args:
        playing: The case in play.
        user: What was sent.
        open_calls: Calls of earlier turns that may still be answered, by id.
    """

    playing: Playing
    user: Message
    open_calls: Mapping[str, OpenCall]
    began: float = field(default_factory=time.perf_counter)
    seen: dict[str, _Seen] = field(default_factory=dict)
    said: list[Utterance] = field(default_factory=list)
    adk_calls: list[ToolCall] = field(default_factory=list)
    final: types.Content | None = None
    final_agent: str | None = None
    final_said: int | None = None
    errors: list[str] = field(default_factory=list)
    groups: int = 0
    used: dict[str, Usage] = field(default_factory=dict)

    def take(self, event: Event, within: str | None = None) -> None:
        """Take one event; `within` is the agent-tool call whose nested run yielded it, which ADK keeps to itself."""
        if event.partial:
            return
        parent = _parent_in_branch(event.branch, self.seen) or within
        if event.error_code == private.NO_CONTENT:
            pass  # the model works and has nothing to say: that is the agent's silence, not an error
        elif event.error_code or event.error_message:
            self.errors.append(
                f"{event.author}: {event.error_code or 'error'}: {event.error_message or ''}".rstrip(": ")
            )
        self._count(event)
        if event.content is None or not event.content.parts:
            return
        if event.author != USER:
            self._take_words(event, parent, final=within is None and event.is_final_response())
            self._take_calls(event, parent, counts=within is None)
        self._take_replies(event)

    def _count(self, event: Event) -> None:
        usage = event.usage_metadata
        if usage is None and event.model_version is None:
            return  # by ADK's own rule for its `inference_call_count_v1`, no model made this event
        so_far = self.used.get(event.author, Usage())
        self.used[event.author] = so_far + Usage(
            model_calls=1,
            input_tokens=(usage.prompt_token_count or 0) if usage else 0,
            output_tokens=(usage.candidates_token_count or 0) if usage else 0,
            total_tokens=(usage.total_token_count or 0) if usage else 0,
        )

    def _take_words(self, event: Event, parent: str | None, *, final: bool) -> None:
        assert event.content is not None
        parts = event.content.parts or []
        text = "\n".join(part.text for part in parts if part.text and not part.thought)
        if final:
            # As `adk eval` does: the last final response wins, but one without text does not replace one with text.
            had_text = self.final is not None and any(part.text for part in self.final.parts or [])
            if not had_text or any(part.text for part in parts):
                self.final, self.final_agent = event.content, event.author
                self.final_said = len(self.said) if text else None
        if text:
            self.said.append(Utterance(agent=event.author, text=text, parent=parent, after=len(self.seen)))

    def _take_calls(self, event: Event, parent: str | None, *, counts: bool) -> None:
        calls = event.get_function_calls()
        if not calls:
            return
        self.groups += 1
        for call in calls:
            call_id = call.id or f"unnamed-{len(self.seen)}"
            name, args = call.name or "", call.args or {}
            self.playing.sent.setdefault(call_id, dict(args))
            long_running = counts and call.id in (event.long_running_tool_ids or ())  # nested runs cannot be resumed
            started = time.perf_counter() - self.began
            self.seen[call_id] = _Seen(name, args, event.author, parent, self.groups, started, long_running)
            if counts:
                self.adk_calls.append(ToolCall(name=name, args=args, agent=event.author))

    def _take_replies(self, event: Event) -> None:
        requested = event.actions.requested_tool_confirmations or {}
        for reply in event.get_function_responses():
            seen = self.seen.get(reply.id or "") or self._resume(reply, event)
            if seen is None:
                continue
            seen.reply, seen.replied = as_json(reply.response), True
            seen.waiting = seen.waiting or (reply.id or "") in requested

    def _resume(self, reply: types.FunctionResponse, event: Event) -> _Seen | None:
        """Note that a call of an earlier turn went on in this one, after the user answered."""
        call = self.open_calls.get(reply.id or "")
        if call is None or event.author == USER or call.name == REQUEST_CONFIRMATION:
            return None
        started = time.perf_counter() - self.began
        seen = _Seen(call.name, call.args, event.author, None, 0, started, resumed=True)
        self.seen[reply.id or ""] = seen
        return seen

    def still_open(self) -> dict[str, OpenCall]:
        """Return the calls that may go on in a later turn: confirmations, what they confirm, long-running tools."""
        return {
            call_id: OpenCall(seen.name, seen.args, waits_for_user=seen.long_running)
            for call_id, seen in self.seen.items()
            if seen.long_running or seen.waiting
        }

    def trace(self, golden: GoldenReport | None) -> TurnTrace:
        """Build the turn's trace."""
        tools = tuple(self._tool_event(call_id, seen) for call_id, seen in self.seen.items())
        return TurnTrace(
            user=self.user,
            tools=tools,
            said=tuple(replace(said, final=index == self.final_said) for index, said in enumerate(self.said)),
            final=to_message(self.final) if self.final else None,
            final_agent=self.final_agent,
            adk_calls=tuple(self.adk_calls),
            usage=sum(self.used.values(), start=Usage()),
            usage_by_agent=dict(self.used),
            golden=golden,
            seconds=time.perf_counter() - self.began,
        )

    def _tool_event(self, call_id: str, seen: _Seen) -> ToolEvent:
        noted = self.playing.answered.get(call_id)
        golden = self.playing.scripted.get(call_id)
        return ToolEvent(
            id=call_id,
            name=seen.name,
            args=self.playing.sent.get(call_id, seen.args),
            agent=seen.agent,
            status=self._status(seen, noted),
            parent=seen.parent,
            reply=seen.reply,
            error=noted.error if noted else None,
            route=noted.route if noted else None,
            golden=golden.where if golden else None,
            added=call_id in self.playing.scripted and golden is None,
            resumed=seen.resumed,
            group=seen.group,
            started=seen.started,
            seconds=noted.seconds if noted else 0.0,
        )

    def _status(self, seen: _Seen, noted: Answered | None) -> CallStatus:
        if seen.waiting:
            return "waiting"
        return noted.status if noted is not None else self._status_above_the_edge(seen)

    def _status_above_the_edge(self, seen: _Seen) -> CallStatus:
        """Say what became of a call that never came down to a tool."""
        if seen.name in CONTROL_TOOLS:
            return "blocked" if seen.name in (TRANSFER, EXIT_LOOP) and seen.replied else "control"
        if seen.name not in self.playing.offered.get(seen.agent, frozenset({seen.name})):
            return "unknown"
        if seen.reply == private.REJECTED_REPLY:
            return "rejected"
        if self._is_delegation(seen.name, seen.agent):
            return "agent"
        return "blocked" if seen.replied else "unanswered"

    def _is_delegation(self, name: str, agent: str) -> bool:
        """Tell whether a call hands a task over, which ADK does without running the tool that it is offered as."""
        target = self.playing.tree.get(agent).agent_tools.get(name)
        return target is not None and self.playing.tree.get(target).task


def as_json(value: Any) -> Any:
    """Copy a value as JSON; what a real tool or callback puts in need not be any."""
    return to_jsonable_python(value, serialize_unknown=True)


def to_message(content: types.Content) -> Message:
    """Turn ADK's content into a message."""
    parts = (part.model_dump(exclude_none=True, mode="json") for part in content.parts or [])
    return Message(role=content.role, parts=tuple(parts))


def _parent_in_branch(branch: str | None, calls: Iterable[str]) -> str | None:
    """Find the call within which an event happened: a `single_turn` agent's branch ends in `name@call id`."""
    if not branch or "@" not in branch:
        return None
    known = set(calls)
    return next((run for run in _run_ids(branch) if run in known), None)


def _run_ids(branch: str) -> Iterator[str]:
    for segment in reversed(branch.split(".")):
        _, marked, run = segment.partition("@")
        if marked:
            yield run
