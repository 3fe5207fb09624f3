"""`prior_events` and `live` of the `evalkit` block: what has to be there before a case is played."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from evalkit.formats.contents import read_message
from evalkit.setups import LiveSetup, PortForward, PriorEvent

JsonObject = Mapping[str, Any]

_SPELLED = {"before": "before_test", "after": "after_test", "timeout": "setup_timeout"}
"""How the file says what a field holds, where the names differ; HolmesGPT's words, which its users know."""


def read_prior_events(events: Iterable[JsonObject]) -> tuple[PriorEvent, ...]:
    """Read the events that a session begins with; parts as ADK reads them, in snake_case."""
    return tuple(PriorEvent(author=event["author"], content=_content(event["content"])) for event in events)


def write_prior_events(events: Sequence[PriorEvent]) -> list[dict[str, Any]]:
    """Write them as `read_prior_events` reads them."""
    return [{"author": event.author, "content": dict(event.content)} for event in events]


def read_live(live: JsonObject) -> LiveSetup:
    """Read what a live run sets up."""
    return LiveSetup(
        needed=live.get("needed"),
        before=live.get("before_test"),
        after=live.get("after_test"),
        timeout=live.get("setup_timeout"),
        env=live.get("env") or {},
        port_forwards=tuple(PortForward(**forward) for forward in live.get("port_forwards") or ()),
        folder=live.get("folder"),
        shared=live.get("shared"),
        may_create_files=live.get("may_create_files", False),
        mocked_tools=tuple(live.get("mocked_tools") or ()),
    )


def write_live(live: LiveSetup) -> dict[str, Any]:
    """Write it as `read_live` reads it, without what it does not say."""
    lists = {"port_forwards": [asdict(one) for one in live.port_forwards], "mocked_tools": [*live.mocked_tools]}
    said = {**asdict(live), "env": dict(live.env), **lists}
    return {_SPELLED.get(name, name): value for name, value in said.items() if value}


def _content(content: JsonObject) -> dict[str, Any]:
    message = read_message(content)
    role = {} if message.role is None else {"role": message.role}
    return {**role, "parts": [dict(part) for part in message.parts]}
