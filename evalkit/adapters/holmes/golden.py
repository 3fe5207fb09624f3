"""The conversation that a case should lead to, where a fixture has one to replay.

HolmesGPT's fixtures have none: what is expected is a list of things to check, and recordings are a union of what
several runs have called. So a fixture may bring `evalkit.golden.yaml`, which HolmesGPT ignores:

    calls:
      - {name: fetch_pod_logs, args: {pod_name: orders-1, namespace: shop}}
    answer: The pod is out of memory.

or, for a list of prompts, a list of such.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from evalkit.adapters.holmes.expected import expected_texts
from evalkit.adapters.holmes.fixture import GOLDEN_FILE
from evalkit.adapters.holmes.notes import note
from evalkit.adapters.holmes.nouns import Fixture, Note, Options
from evalkit.adapters.holmes.prompts import user_texts
from evalkit.cases import Json, Message, Step, ToolCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Golden:
    """What a turn should lead to; None where nothing says so."""

    steps: tuple[Step, ...] | None = None
    answer: Message | None = None


def goldens(fixture: Fixture, options: Options) -> list[Golden]:
    """Say for each case of a fixture what it should lead to."""
    number = len(user_texts(fixture))
    if fixture.golden is not None and not _faults(fixture):
        return [_golden(entry) for entry in _entries(fixture.golden)]
    guessed = Golden(
        steps=tuple(Step(calls=(call,)) for call in recorded_calls(fixture)) if options.expect_recorded else None,
        answer=_message("\n".join(expected_texts(fixture))) if options.joined_answer else None,
    )
    return [guessed] * number


def recorded_calls(fixture: Fixture) -> Iterator[ToolCall]:
    """The calls that recordings answered with success, each once; in no order that would mean anything."""
    seen: list[tuple[str, Mapping[str, Json]]] = []
    for recording in fixture.recordings:
        call = (recording.tool, recording.match or {})
        if recording.status == "success" and call not in seen:
            seen.append(call)
            yield ToolCall(name=recording.tool, args=dict(call[1]))


def golden_notes(fixture: Fixture, options: Options) -> Iterator[Note]:
    """Say where golden turns come from."""
    if fixture.golden is not None:
        faults = list(_faults(fixture))
        yield from (note("BAD_SIDECAR", fault, GOLDEN_FILE) for fault in faults)
        if not faults:
            yield note("GOLDEN", "calls and answer to replay in golden mode", GOLDEN_FILE)
        return
    if options.expect_recorded and fixture.recordings:
        message = "the recorded calls are expected, in any order and whatever their arguments: a guess, not a demand"
        yield note("EXPECT_GUESSED", message)
    if options.joined_answer:
        yield note("GOLD_INLINED", "the expected output, joined, stands in the evalset as the golden answer")


def _faults(fixture: Fixture) -> list[str]:
    entries, number = _entries(fixture.golden), len(user_texts(fixture))
    if not all(isinstance(entry, dict) and entry.keys() <= {"calls", "answer"} for entry in entries):
        return ["must be a mapping with calls and answer, or a list of such"]
    faults = [] if len(entries) == number else [f"has {len(entries)} entries for {number} prompts"]
    if not all(isinstance(entry.get("answer", ""), str) for entry in entries):
        faults.append("answer must be a text")
    if not all(_is_call(call) for entry in entries for call in entry.get("calls") or ()):
        faults.append("each call must have a name, and may have args and an agent")
    return faults


def _is_call(call: Any) -> bool:
    return (
        isinstance(call, dict)
        and call.keys() <= {"name", "args", "agent"}
        and isinstance(call.get("name"), str)
        and isinstance(call.get("args", {}), dict)
        and isinstance(call.get("agent", ""), str)
    )


def _entries(golden: Json) -> list[Any]:
    return golden if isinstance(golden, list) else [golden]


def _golden(entry: Mapping[str, Any]) -> Golden:
    calls = [
        ToolCall(name=call["name"], args=call.get("args", {}), agent=call.get("agent"))
        for call in entry.get("calls") or ()
    ]
    steps = tuple(Step(agent=call.agent, calls=(call,)) for call in calls)
    return Golden(steps=steps, answer=_message(entry["answer"]) if "answer" in entry else None)


def _message(text: str) -> Message:
    return Message(role="model", parts=({"text": text},))
