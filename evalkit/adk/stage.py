"""Where one case is played: a runner, and a session of its own."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Any, Self

from google.adk.agents.run_config import RunConfig
from google.adk.events import Event
from google.adk.runners import Runner
from google.adk.sessions import Session
from google.genai import types

from evalkit.adk.events import as_json
from evalkit.adk.seeding import seed
from evalkit.cases import SessionInput
from evalkit.setups import PriorEvent


@dataclass(frozen=True, slots=True)
class Stage:
    """A session that has been opened."""

    runner: Runner
    session: Session

    @classmethod
    async def open(cls, runner: Runner, given: SessionInput | None, prior: Sequence[PriorEvent] = ()) -> Self:
        """Open a session as the case wants it to begin: with its state, and with its prior events."""
        session = await runner.session_service.create_session(
            app_name=runner.app_name,
            user_id=given.user_id if given else "test_user_id",
            session_id=given.session_id if given else None,
            state=dict(given.state) if given else {},
        )
        await seed(runner, session, prior)
        return cls(runner, session)

    def send(self, message: types.Content, config: RunConfig | None) -> AsyncGenerator[Event, None]:
        """Send the user's message, and return the events as the agent yields them."""
        options: dict[str, Any] = {} if config is None else {"run_config": config}
        return self.runner.run_async(
            user_id=self.session.user_id, session_id=self.session.id, new_message=message, **options
        )

    async def state(self) -> dict[str, Any]:
        """Return the session's state as it is now."""
        current = await self.runner.session_service.get_session(
            app_name=self.session.app_name, user_id=self.session.user_id, session_id=self.session.id
        )
        state: dict[str, Any] = as_json(current.state) if current else {}
        return state
