"""The tool responses that a case has recorded: which call each one answers, and which one comes next."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from evalkit.cases import Case, Json, ToolCall, ToolReply, Turn
from evalkit.matching import Members, literal_args

Recorded = tuple[ToolCall, ToolReply]

_ADK_ERRORS = frozenset(
    {
        "This tool call requires confirmation, please approve or reject.",
        "This tool call is rejected.",
    }
)
"""What ADK records in place of a tool's answer around a confirmation; the tool never said it and is not to say it."""


def recorded_replies(case: Case) -> tuple[Recorded, ...]:
    """Pair the calls of a case with the tool responses that answered them, in the order of the calls.

    Where both have ids, the ids decide, also across turns (a call that waited for a confirmation). Otherwise a response
    answers the first call of its name that is still unanswered: in its own turn or, failing that, in an earlier one.
    Responses to no call, and those that ADK gave itself, are left out.
    """
    calls: list[ToolCall] = []
    replies: dict[int, list[ToolReply]] = {}
    for turn in case.turns or ():
        start = len(calls)
        calls += turn.calls
        for reply in _tool_replies(turn):
            nearest_first = (*range(start, len(calls)), *range(start))
            answered = (index for index in nearest_first if _answers(reply, calls[index], again=index in replies))
            index = next(answered, None)
            if index is not None:
                replies.setdefault(index, []).append(reply)
    return tuple((call, reply) for index, call in enumerate(calls) for reply in replies.get(index, ()))


def _tool_replies(turn: Turn) -> Iterator[ToolReply]:
    for reply in turn.replies:
        error = reply.response.get("error")
        if not (isinstance(error, str) and error in _ADK_ERRORS):
            yield reply


def _answers(reply: ToolReply, call: ToolCall, *, again: bool) -> bool:
    if reply.name != call.name:
        return False
    if reply.id and call.id:
        return reply.id == call.id
    return not again and (reply.agent is None or call.agent is None or reply.agent == call.agent)


@dataclass(slots=True)
class Recording:
    """A recorded reply in use: `used` tells whether it has answered a call."""

    tool: str
    agent: str | None
    matcher: Members
    reply: ToolReply
    used: bool = False

    @property
    def label(self) -> str:
        """What a message calls it."""
        return f"recorded {self.tool} ({self.reply.where})" if self.reply.where else f"recorded {self.tool}"


def recordings(recorded: Iterable[Recorded]) -> Iterator[Recording]:
    """Make recorded replies ready for use; a reply answers calls with equal arguments."""
    for call, reply in recorded:
        yield Recording(call.name, call.agent or reply.agent, literal_args(call.args), reply)


def next_recording(candidates: Sequence[Recording], agent: str, args: Mapping[str, Json]) -> Recording | None:
    """Choose the recording that answers a call: the first unused one with equal arguments, else the last one.

    Where the case knows who made the recorded calls and this agent is among them, only its own count.
    """
    equal = [recording for recording in candidates if recording.matcher.accepts(args)]
    own = [recording for recording in equal if recording.agent in (None, agent)] or equal
    return next((recording for recording in own if not recording.used), own[-1] if own else None)
