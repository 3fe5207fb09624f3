"""The rules for what a session holds before a case begins."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from evalkit.cases import CaseSet
from evalkit.errors import Problem
from evalkit.lint.problems import fault

if TYPE_CHECKING:
    from evalkit.prior_events import Place


def unpaired_events(cases: CaseSet) -> Iterator[Problem]:
    """Find replies to no call, which ADK refuses or drops, and calls without a reply, which models refuse."""
    for case in cases.cases:
        if not case.prior_events:
            continue
        from evalkit.prior_events import paired  # most cases have none, and do not pay for it

        found, where = paired(case.prior_events), f"{case.where}.evalkit.prior_events"
        for place in found.uncalled:
            message = "the reply answers no call of an earlier event"
            hint = "put the function_call before it, with the same id, or with the same name and no id"
            yield fault("reply-without-call", cases.file, _path(where, place, "function_response"), message, hint)
        for place in found.unanswered:
            message = "no later event holds the reply to this call, and most models refuse such a conversation"
            hint = "add the function_response, or leave the call out"
            yield fault("call-without-reply", cases.file, _path(where, place, "function_call"), message, hint)


def _path(where: str, place: "Place", kind: str) -> str:
    event, part = place
    return f"{where}[{event}].content.parts[{part}].{kind}"
