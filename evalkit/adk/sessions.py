"""A case and its trace in the shape in which ADK keeps conversations: invocations, and a session with its events.

ADK's view is that of the top: what happened inside an agent tool has no place in it.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from google.adk.evaluation.eval_case import EvalCase, Invocation, InvocationEvent, InvocationEvents
from google.adk.events import Event
from google.adk.sessions import Session
from google.genai import types

from evalkit.adk.seeding import history
from evalkit.cases import Case, CaseSet, Message
from evalkit.formats.evalset_writer import write_case_set
from evalkit.traces import Outcome, ToolEvent, TurnTrace, Utterance

_USER = "user"
_MODEL = "model"

Said = tuple[str, types.Content]
"""Who said, called or answered what."""


def eval_case(case: Case) -> EvalCase:
    """Write a case as ADK reads it from its file."""
    written = write_case_set(CaseSet(eval_set_id="", cases=(case,)))
    return EvalCase.model_validate(written["eval_cases"][0])


def actual_invocation(happened: TurnTrace) -> Invocation:
    """Write a turn as ADK's evaluation sees it."""
    events = [InvocationEvent(author=author, content=content) for author, content in _before_the_answer(happened)]
    if happened.final is not None:
        events.append(InvocationEvent(author=happened.final_agent or _MODEL))  # its text stands in `final_response`
    return Invocation(
        user_content=_content(happened.user, _USER),
        final_response=_content(happened.final, _MODEL) if happened.final else None,
        intermediate_data=InvocationEvents(invocation_events=events),
        duration=round(happened.seconds, 3),
    )


def session_of(case: Case, outcome: Outcome, app_name: str) -> Session:
    """Write what happened as a session, for whoever looks at it later: with what it held before the first turn."""
    given, trace = case.session, outcome.trace
    events = [
        *history(case.prior_events, trace.agents[0].name if trace and trace.agents else app_name),
        *_played(trace.turns if trace else ()),
    ]
    return Session(
        id=given.session_id if given and given.session_id else f"evalkit-{case.eval_id}",
        app_name=app_name,
        user_id=given.user_id if given else "test_user_id",
        state=dict(trace.state) if trace else {},
        events=events,
    )


def _played(turns: Sequence[TurnTrace]) -> Iterator[Event]:
    for number, happened in enumerate(turns, start=1):
        for author, content in _all_of(happened):
            yield Event(author=author, content=content, invocation_id=f"turn-{number}")


def _all_of(happened: TurnTrace) -> Iterator[Said]:
    yield _USER, _content(happened.user, _USER)
    yield from _before_the_answer(happened)
    if happened.final is not None:
        yield happened.final_agent or _MODEL, _content(happened.final, _MODEL)


def _before_the_answer(happened: TurnTrace) -> Iterator[Said]:
    """Yield calls, replies and words in the order in which they came."""
    words = [said for said in happened.said if said.parent is None and not said.final]
    places = {event.id: place for place, event in enumerate(happened.tools)}
    top = (event for event in happened.tools if event.parent is None)
    for (_, agent), together in groupby(top, key=lambda event: (event.group or event.id, event.agent)):
        calls = list(together)
        while words and words[0].after <= places[calls[0].id]:
            yield _spoken(words.pop(0))
        yield from _called(agent, calls)
    yield from map(_spoken, words)


def _called(agent: str, calls: list[ToolEvent]) -> Iterator[Said]:
    """Yield the calls of one model turn, then their replies; a call of an earlier turn that went on only replies."""
    asked = [types.FunctionCall(id=one.id, name=one.name, args=dict(one.args)) for one in calls if not one.resumed]
    replies = [
        types.FunctionResponse(id=one.id, name=one.name, response=one.reply)
        for one in calls
        if isinstance(one.reply, dict)
    ]
    if asked:
        yield agent, types.Content(role=_MODEL, parts=[types.Part(function_call=call) for call in asked])
    if replies:
        yield agent, types.Content(role=_USER, parts=[types.Part(function_response=reply) for reply in replies])


def _spoken(said: Utterance) -> Said:
    return said.agent, types.Content(role=_MODEL, parts=[types.Part(text=said.text)])


def _content(message: Message, role: str) -> types.Content:
    parts = [types.Part.model_validate(dict(part)) for part in message.parts]
    return types.Content(role=message.role or role, parts=parts)
