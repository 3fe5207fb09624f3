"""What can be done with a fixture's cases."""

from collections.abc import Iterable, Iterator
from typing import Literal

from evalkit.adapters.holmes.notes import note
from evalkit.adapters.holmes.nouns import Fixture, Note, Status
from evalkit.adapters.holmes.test_case import CASE_FILE
from evalkit.formats.holmes_case import PROMPTLESS

_NEVER = "never_mock"


def status_of(fixture: Fixture, notes: Iterable[Note]) -> tuple[Status, str | None]:
    """Say what can be done with a fixture's cases, and why not more; the reason is None if recordings answer.

    Args:
        fixture: The fixture.
        notes: Everything noted about it, which decides between the two replayable states.
    """
    notes = tuple(notes)
    wrong = [one for one in notes if one.severity == "error"]
    if wrong:
        return "error", wrong[0].message
    if fixture.case is None:
        return "not_a_case", f"the folder has no {CASE_FILE}"
    if fixture.kind == "unsupported":
        return "unsupported", "it tests something that is no agent's turn"
    answered = answering(fixture)
    if answered == "none":
        policy = ": mock_policy is never_mock" if fixture.recordings else ""
        return "needs_live", f"no recordings may answer{policy}" if policy else "no recordings"
    if answered == "some":
        return "mixed", "recordings may answer for some toolsets only"
    serious = any(one.severity == "warn" for one in notes)
    return ("replayable_with_notes" if serious else "replayable"), None


def answering(fixture: Fixture) -> Literal["all", "some", "none"]:
    """Whose recordings may answer, as the author says with mock_policy, and for single toolsets with mock_overrides."""
    case = fixture.case or {}
    policy, overrides = case.get("mock_policy"), case.get("mock_overrides") or {}
    allowed = {overrides.get(recording.toolset, policy) != _NEVER for recording in fixture.recordings}
    if True not in allowed:
        return "none"
    return "some" if _NEVER in (policy, *overrides.values()) else "all"


def status_notes(fixture: Fixture) -> Iterator[Note]:
    """Say why nothing, or only some, of a fixture can be played."""
    case = fixture.case
    if case is None:
        return
    if answering(fixture) == "some":
        overrides = case.get("mock_overrides") or {}
        said = ", ".join(f"{name}: {policy}" for name, policy in overrides.items())
        yield note("MIXED", f"recordings may answer for some toolsets only ({said})", CASE_FILE)
    if fixture.kind == "unsupported" and fixture.suite not in PROMPTLESS:
        yield note("NO_PROMPT", "nothing is asked: there is neither a user_prompt nor a request", CASE_FILE)
    elif fixture.kind == "unsupported":
        messages = f"; its conversation of {len(fixture.history)} messages is kept" if fixture.history else ""
        yield note("UNSUPPORTED_SUITE", f"the suite tests something that is no agent's turn{messages}")
