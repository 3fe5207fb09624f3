"""A session that begins with a history: a case's prior events, as ADK keeps them."""

from collections.abc import Iterator, Sequence

from google.adk.events import Event
from google.adk.runners import Runner
from google.adk.sessions import Session
from google.genai import types

from evalkit.models.tree import AgentTree
from evalkit.prior_events import ROOT_AGENT, paired
from evalkit.setups import PriorEvent

_USER = "user"
_MODEL = "model"


async def seed(runner: Runner, session: Session, events: Sequence[PriorEvent]) -> None:
    """Put prior events into a session that has none, whatever state it has; no agent is asked and no callback runs.

    Args:
        runner: Whose session service keeps the session, and whose agent is the root.
        session: The session.
        events: What was said, called and answered, in order.
    """
    for event in history(events, runner.agent.name):
        await runner.session_service.append_event(session, event)


async def seed_once(runner: Runner, user_id: str, session_id: str, events: Sequence[PriorEvent]) -> None:
    """Put prior events into a session that somebody else made, before anything has happened in it."""
    if not events:
        return
    session = await runner.session_service.get_session(app_name=runner.app_name, user_id=user_id, session_id=session_id)
    if session is not None and not session.events:
        await seed(runner, session, events)


def history(events: Sequence[PriorEvent], root: str) -> Iterator[Event]:
    """Write prior events as ADK's; what a user says begins an invocation, as it does in a session that was played."""
    number = 0
    for event in paired(events).events:
        number += event.author == _USER or number == 0
        content = types.Content.model_validate(dict(event.content))
        replies = any(part.function_response for part in content.parts or ())
        content.role = content.role or (_USER if event.author == _USER or replies else _MODEL)
        author = root if event.author == ROOT_AGENT else event.author
        yield Event(author=author, content=content, invocation_id=f"prior-{number}")


def goes_on_with(events: Sequence[PriorEvent], tree: AgentTree) -> str | None:
    """Name the agent, other than the root, that acted last and so is asked first, as ADK finds it."""
    acted = next((event.author for event in reversed(events) if event.author != _USER), ROOT_AGENT)
    known = tree.agents.get(acted)
    return acted if known and known.kind == "llm" and acted != tree.root else None
