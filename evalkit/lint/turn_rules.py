"""The rules for the messages of a turn."""

from collections.abc import Iterator

from evalkit.cases import CaseSet, Message
from evalkit.errors import Problem
from evalkit.lint.problems import fault


def empty_messages(cases: CaseSet) -> Iterator[Problem]:
    """Find turns in which the user says nothing."""
    for case in cases.cases:
        for turn in case.turns or ():
            if not says_anything(turn.user):
                message = "the user says nothing here: ADK plays the turn and sends the model an empty message"
                hint = 'write {"role": "user", "parts": [{"text": "…"}]}'
                yield fault("empty-message", cases.file, f"{turn.where}.user_content", message, hint)


def unread_calls(cases: CaseSet) -> Iterator[Problem]:
    """Find calls that stand in an expected answer and not among the expected calls."""
    for case in cases.cases:
        for turn in case.turns or ():
            expected = {call.name for call in turn.calls}
            for index, part in enumerate(turn.final.parts if turn.final else ()):
                call = part.get("function_call")
                if call and call.get("name") not in expected:
                    message = f"nothing compares the call of `{call.get('name')}` in an answer, so no run must make it"
                    hint = 'write it into "intermediate_data": {"tool_uses": […]}'
                    path = f"{turn.where}.final_response.parts[{index}].function_call"
                    yield fault("unread-call", cases.file, path, message, hint)


def says_anything(message: Message) -> bool:
    """Whether a message has text, or a part that is something else."""
    return any((part.get("text") or "").strip() or part.keys() - {"text", "thought"} for part in message.parts)
