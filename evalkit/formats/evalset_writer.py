"""Cases as the JSON of an evalset file: a value that ADK's own model loads as the equal of what was read."""

from collections.abc import Mapping
from typing import Any

from evalkit.cases import Case, CaseSet, Expectation, Json, SessionInput, Turn
from evalkit.formats.contents import write_message
from evalkit.formats.expect import Block, read_block, write_block
from evalkit.formats.steps import write_steps

_BLOCK = "evalkit"


def write_case_set(case_set: CaseSet) -> dict[str, Json]:
    """Write a case set as the value of its file."""
    return {
        "eval_set_id": case_set.eval_set_id,
        **_given(name=case_set.name, description=case_set.description),
        "eval_cases": [_write_case(case) for case in case_set.cases],
        **case_set.extra,
    }


def _write_case(case: Case) -> dict[str, Json]:
    return {
        "eval_id": case.eval_id,
        **_given(
            conversation=None if case.turns is None else [_write_turn(turn) for turn in case.turns],
            conversation_scenario=case.scenario,
            session_input=None if case.session is None else _write_session(case.session),
            rubrics=_list(case.rubrics),
            final_session_state=case.final_state,
        ),
        **{key: value for key, value in case.extra.items() if key != _BLOCK},
        **_write_block(case),
    }


def _write_block(case: Case) -> dict[str, Json]:
    """Write what only evalkit reads: as it was read, unless the case has changed since."""
    expect = tuple(turn.expect for turn in case.turns or ())
    block = Block(
        tags=case.tags,
        skip=case.skip,
        known_failing=case.known_failing,
        gate=case.gate,
        mocks=case.mocks,
        expect=expect if any(entry != Expectation() for entry in expect) else (),
        source=case.source,
        prior_events=case.prior_events,
        live=case.live,
        gold=case.gold,
    )
    written = write_block(block)
    if _BLOCK in case.extra and write_block(read_block(case.extra[_BLOCK] or {})) == written:
        return {_BLOCK: case.extra[_BLOCK]}
    return {_BLOCK: written} if written else {}


def _write_turn(turn: Turn) -> dict[str, Json]:
    return {
        **({"invocation_id": turn.invocation_id} if turn.invocation_id else {}),
        "user_content": write_message(turn.user),
        **_given(
            final_response=None if turn.final is None else write_message(turn.final),
            intermediate_data=None if turn.steps is None else write_steps(turn.steps, turn.layout),
            rubrics=_list(turn.rubrics),
        ),
        **turn.extra,
    }


def _write_session(session: SessionInput) -> dict[str, Json]:
    return {
        "app_name": session.app_name,
        "user_id": session.user_id,
        **_given(session_id=session.session_id),
        "state": dict(session.state),
        **session.extra,
    }


def _given(**values: Json) -> dict[str, Json]:
    """Leave out what is None, as absent and null are the same to ADK here."""
    return {key: value for key, value in values.items() if value is not None}


def _list(values: tuple[Mapping[str, Any], ...] | None) -> list[Mapping[str, Any]] | None:
    return None if values is None else [*values]
