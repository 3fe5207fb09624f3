"""Cases of an evalset, made of a fixture."""

from dataclasses import dataclass
from typing import Any, Final

from evalkit.adapters.holmes.expected import Verdicts
from evalkit.adapters.holmes.golden import Golden, goldens
from evalkit.adapters.holmes.history import prior_events
from evalkit.adapters.holmes.live import live_setup
from evalkit.adapters.holmes.notes import codes
from evalkit.adapters.holmes.nouns import Fixture, Note, Options, Status
from evalkit.adapters.holmes.prompts import initial_state, user_texts
from evalkit.adapters.holmes.test_case import CASE_FILE, unknown_keys
from evalkit.cases import Case, CaseSet, Json, Message, SessionInput, Turn
from evalkit.gold import Gold

SYSTEM: Final = "holmesgpt"
GOLD_FILE: Final = "gold.json"
FORWARD_TAG: Final = "port-forward"
_NOBODY: Final = SessionInput(app_name="agent", user_id="user")
"""Whose session it is does not matter to a case; ADK wants a name for both."""

_CARRIED: Final = (
    "description",
    "test_type",
    "mock_policy",
    "mock_overrides",
    "allow_toolset_failures",
    "generate_mocks",
    "mocked_date",
    "cluster_name",
    "include_files",
    "include_tool_calls",
    "runbooks",
)
"""Keys of a test case that are kept beside the case, for those who ask where it comes from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What was decided about a fixture, for all of its cases.

    Attributes:
        status: What can be done with them.
        reason: Why not more; None if recordings answer.
        notes: Everything that is noted.
        verdicts: How they are judged.
        gold: What their answers are judged by.
    """

    status: Status
    reason: str | None
    notes: tuple[Note, ...]
    verdicts: Verdicts
    gold: Gold


def eval_ids(fixture: Fixture) -> list[str]:
    """The id of each case: the fixture's name, with an index where the prompts are a list."""
    prompt = (fixture.case or {}).get("user_prompt")
    if fixture.kind == "ask" and isinstance(prompt, list):
        return [f"{fixture.name}[{index}]" for index in range(len(prompt))]
    return [fixture.name]


def case_set(fixture: Fixture, judged: Judged, options: Options) -> CaseSet:
    """Make the evalset of a fixture."""
    cases = zip(eval_ids(fixture), user_texts(fixture), goldens(fixture, options), strict=True)
    made = (_case(fixture, judged, options, _turn(text, golden), eval_id) for eval_id, text, golden in cases)
    return CaseSet(eval_set_id=fixture.name, cases=tuple(made))


def _turn(text: str, golden: Golden) -> Turn:
    by_name = any(step.agent for step in golden.steps or ())
    return Turn(
        index=0,
        user=Message(role="user", parts=({"text": text},)),
        final=golden.answer,
        steps=golden.steps,
        layout="events" if by_name else "flat",
    )


def _case(fixture: Fixture, judged: Judged, options: Options, turn: Turn, eval_id: str) -> Case:
    state = initial_state(fixture)
    needed = judged.reason if judged.status in ("needs_live", "mixed") else None
    return Case(
        eval_id=eval_id,
        turns=(turn,),
        session=SessionInput(app_name=_NOBODY.app_name, user_id=_NOBODY.user_id, state=state) if state else None,
        rubrics=_rubrics(judged.gold) if options.inline_gold else None,
        tags=_tags(fixture),
        skip=judged.verdicts.skip,
        known_failing=judged.verdicts.known_failing,
        source={
            "system": SYSTEM,
            "path": f"{fixture.path}/{CASE_FILE}",
            "status": judged.status,
            "notes": codes(judged.notes),
            "holmes": _origin(fixture, judged),
        },
        prior_events=prior_events(fixture.history or ()),
        live=live_setup(fixture, needed),
        gold=GOLD_FILE,
    )


def _tags(fixture: Fixture) -> tuple[str, ...]:
    """The declared tags, and the one that HolmesGPT's loader adds."""
    case = fixture.case or {}
    return tuple(dict.fromkeys([*(case.get("tags") or ()), *([FORWARD_TAG] if case.get("port_forwards") else [])]))


def _rubrics(gold: Gold) -> tuple[dict[str, Any], ...]:
    return tuple(
        {"rubric_id": one.rubric_id, "rubric_content": {"text_property": one.text}, "type": one.type}
        for one in gold.rubrics
    )


def _origin(fixture: Fixture, judged: Judged) -> dict[str, Json]:
    """What HolmesGPT knows of a case and evalkit has no word for; nothing of what is expected."""
    case = fixture.case or {}
    unknown = [key for key in unknown_keys(case) if not is_gold(key)]
    return {
        "suite": fixture.suite,
        "base_id": fixture.name,
        "mode": judged.verdicts.mode,
        "expected_score": judged.verdicts.expected_score,
        **{key: case[key] for key in (*_CARRIED, *unknown) if case.get(key) is not None},
        **_toolsets(fixture),
        "recorded_calls": [
            {"tool": one.tool, "args": one.match and dict(one.match), "status": one.status}
            for one in fixture.recordings
        ],
    }


def is_gold(key: str) -> bool:
    """Whether a key of a test case says what is expected, as all such keys of HolmesGPT's are named."""
    return key.startswith("expected_")


def _toolsets(fixture: Fixture) -> dict[str, Json]:
    if not fixture.toolsets:
        return {}
    on = [name for name, enabled in fixture.toolsets.items() if enabled]
    return {"toolsets": {"enabled": on, "disabled": [name for name in fixture.toolsets if name not in on]}}
