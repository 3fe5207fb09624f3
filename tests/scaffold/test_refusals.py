"""Closed doors: one case each, however many tools are behind."""

import pytest

from evalkit.models.facts import ToolFacts
from evalkit.scaffold.drafts import Draft, Exchange
from evalkit.scaffold.refusals import refusal_of, without_repeats

SAID = {"status": "error", "error": "Not as a viewer."}


def draft(name, subject, *exchanges, ending="blocked", refusal=SAID):
    return Draft(
        eval_id=name,
        subject=subject,
        agent="act",
        prompt="?",
        exchanges=exchanges,
        answer="No.",
        ending=ending,
        refusal=refusal,
    )


def exchange(tool, **args):
    return Exchange(agent="desk", tool=ToolFacts(name=tool), args=args)


TO_REPAIR = exchange("transfer_to_agent", agent_name="repair")


def test_of_tools_behind_the_same_refused_call_one_case_is_kept():
    asks = [draft(name, name, TO_REPAIR) for name in ("restart", "scale")]
    tool = draft("read", "read", exchange("ask", request="?"))
    kept, unreached = without_repeats([*asks, tool])
    assert [(one.eval_id, one.subject, one.agent) for one in kept] == [
        ("desk_may_not_call_repair", "repair", "desk"),
        ("desk_may_not_call_ask", "ask", "desk"),
    ]
    assert unreached == {
        "act.restart": 'a callback refused transfer_to_agent to repair: "Not as a viewer."',
        "act.scale": 'a callback refused transfer_to_agent to repair: "Not as a viewer."',
        "act.read": 'a callback refused ask: "Not as a viewer."',
    }


def test_cases_that_come_to_their_subject_stay():
    drafts = [
        draft("drop", "drop", exchange("drop")),
        draft("repair", "repair", TO_REPAIR),
        draft("look", "look", exchange("look"), ending="answered"),
    ]
    assert without_repeats(drafts) == (tuple(drafts), {})


@pytest.mark.parametrize(
    ("refusal", "expected"),
    [
        (SAID, "Not as a viewer."),
        ({"code": 403, "why": ["denied", {"text": "Ask\nyour admin."}]}, "Ask your admin."),
        ("You may not.", "You may not."),
        ({"code": 403}, '{"code": 403}'),
        ({"text": "a " * 200}, f'{{"text": "{"a " * 94}a…'),
        (None, "null"),
    ],
)
def test_a_refusal_is_told_in_its_own_words(refusal, expected):
    assert refusal_of(draft("drop", "drop", exchange("drop"), refusal=refusal)) == expected
