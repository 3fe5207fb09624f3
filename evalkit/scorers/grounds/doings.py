"""What tools did and failed to do: `deleted` is no word for a deletion that was refused."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from evalkit.cases import Json
from evalkit.traces import CallStatus, ToolEvent

_VERBS: Mapping[str, str] = {
    "delete": "deleted|removed|dropped",
    "remove": "removed|deleted",
    "create": "created|set up",
    "scale": "scaled",
    "restart": "restarted",
    "patch": "patched|changed|updated|modified",
    "update": "updated|changed|modified",
    "set": "set|changed|updated",
    "add": "added|extended|raised|increased",
    "approve": "approved",
    "stop": "stopped",
    "start": "started",
    "silence": "silenced",
    "drain": "drained",
    "cordon": "cordoned",
    "rollback": "rolled back",
    "write": "written|recorded",
    "send": "sent",
}
"""By the verb in a tool's name, how an answer says that it was done."""

_UNDONE: frozenset[CallStatus] = frozenset({"blocked", "refused", "rejected", "waiting", "raised", "missed", "unknown"})
_DENIED = re.compile(
    r"\b(?:not|never|nothing|no|cannot|could|without|failed|unable|neither|nor|if|once|before|would|should|can|to be"
    r"|please|may|want|rejected|refused|denied|declined)\b|n't\b|n\u2019t\b",
    re.IGNORECASE,
)
_NOT_DONE = re.compile(r"\b(?:not|never|nothing|neither)\b|n't\b", re.IGNORECASE)
_BEFORE = 80
_ADDS_UP = re.compile(r"\b(?:yet|again|further|else|already|other|all|only|fully)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Doing:
    """What became of the calls of a tool that changes something."""

    tool: str
    done: bool
    error: str


def doings(events: Iterable[ToolEvent]) -> dict[str, Doing]:
    """Return for each tool whose name has a verb of change whether a call of it worked, and its last error."""
    found: dict[str, Doing] = {}
    for event in events:
        if _verb(event.name):
            before = found.get(event.name)
            error = error_of(event)
            done = (error is None and event.status not in _UNDONE) or (before is not None and before.done)
            found[event.name] = Doing(event.name, done, error or (before.error if before else ""))
    return found


def error_of(event: ToolEvent) -> str | None:
    """Return the error with which a call ended; None if it worked."""
    if event.error:
        return event.error
    reply = event.reply
    if not isinstance(reply, dict):
        return None
    error: Json = reply.get("error") or reply.get("error_message") or reply.get("errorMessage")
    failed = str(reply.get("status", "")).casefold() in ("error", "failed", "failure") or reply.get("isError") is True
    if isinstance(error, dict):
        error = error.get("message") or error
    if error and (failed or set(reply) <= {"error", "code", "status", "details"}):
        return str(error)
    return str(reply.get("message") or reply) if failed else None


def belied(text: str, known: Mapping[str, Doing]) -> Iterator[tuple[str, int, Doing]]:
    """Yield what a segment says was done, or was not, against what became of it: the word, its place, what became."""
    by_word: dict[str, list[Doing]] = {}
    for doing in known.values():
        for word in _VERBS[_verb(doing.tool)].split("|"):
            by_word.setdefault(word, []).append(doing)
    for word, told in by_word.items():
        for match in re.finditer(rf"\b{word}\b", text, re.IGNORECASE):
            before = text[max(0, match.start() - _BEFORE) : match.start()]
            if not _DENIED.search(before):
                if not any(doing.done for doing in told) and _is_finite(before):
                    yield match[0], match.start(), told[-1]
            elif all(doing.done and not doing.error for doing in told) and _plainly_denied(before):
                yield f"not {match[0]}", match.start(), told[-1]


def _is_finite(before: str) -> bool:
    """Whether a participle says that something was done: `was deleted`, `I deleted it`, and not `the deleted topic`."""
    return (
        bool(
            re.search(
                r"\b(?:is|was|were|has|have|had|been|are|i|we|now|successfully|i've|got)\s*(?:\w+ly\s*)?$",
                before,
                re.IGNORECASE,
            )
        )
        or not before.strip()
    )


def _plainly_denied(before: str) -> bool:
    return bool(_NOT_DONE.search(before)) and not _ADDS_UP.search(before)


def _verb(tool: str) -> str:
    return next((word for word in re.findall(r"[a-z]+", tool.casefold()) if word in _VERBS), "")


def errors(events: Sequence[ToolEvent]) -> list[tuple[str, str]]:
    """Return the tools that failed with what they said, each once."""
    found = {event.name: error for event in events if (error := error_of(event)) is not None}
    return list(found.items())
