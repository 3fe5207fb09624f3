"""Which cases are meant, which are left out and why, and which have a stage of their own."""

from dataclasses import replace
from pathlib import Path

import pytest

from evalkit.bundles import Bundle
from evalkit.cases import Case, CaseSet, Config, Message, Turn
from evalkit.choosing import chosen, must_have_turns, stage_of, time_limit, why_left_out
from evalkit.errors import SelectionError, SettingsError
from evalkit.options import RunOptions
from evalkit.settings import Settings
from evalkit.setups import LiveSetup
from evalkit.staging.stage import StageOptions

TURN = Turn(index=0, user=Message(role="user"), final=Message(role="model", parts=({"text": "Fine."},)))
CASES = (
    Case(eval_id="38_rabbitmq", turns=(TURN,), tags=("Kafka",)),
    Case(eval_id="38_redis", turns=(TURN,), tags=("easy",)),
    Case(eval_id="40_dns", turns=(TURN,)),
)


def bundle(**more):
    cases = CaseSet(eval_set_id="s", cases=CASES, file="s.evalset.json")
    return Bundle(path=Path("s.evalset.json"), cases=cases, config=Config(criteria=(), origin=""), **more)


def meant(*, ids=(), **options):
    found = bundle(ids=ids)
    keep = chosen([found], RunOptions(**options))
    return [case.eval_id for case in CASES if keep(found, case)]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, ["38_rabbitmq", "38_redis", "40_dns"]),
        ({"tags": ("KAFKA", "easy")}, ["38_rabbitmq", "38_redis"]),
        ({"keyword": "dns"}, ["40_dns"]),
        ({"cases": ("38_rab",)}, ["38_rabbitmq"]),
        ({"cases": ("38_rab", "40_dns")}, ["38_rabbitmq", "40_dns"]),
        ({"cases": ("40",), "tags": ("easy",), "keyword": "redis"}, ["40_dns"]),
        ({"ids": ("38_redis",), "tags": ("kafka",)}, ["38_redis"]),
    ],
    ids=str,
)
def test_a_case_is_meant_by_its_name_else_its_selector_else_by_keyword_and_tag(options, expected):
    assert meant(**options) == expected


def test_the_beginning_of_several_names_is_refused_with_all_of_them():
    with pytest.raises(SelectionError) as refused:
        meant(cases=("38",))
    assert str(refused.value) == (
        "'38' may be any of 2 cases: s.evalset.json:38_rabbitmq, s.evalset.json:38_redis; write more of the name"
    )


NEEDS = "needs live: no mocks; run it with --live-setup, or --allow-empty to play it over the mocks that there are"
LIVE = Case(eval_id="a", turns=(TURN,), live=LiveSetup(needed="no mocks"))
ZERO = Case(
    eval_id="a", turns=(TURN,), known_failing="the expected score is 0", source={"holmes": {"expected_score": 0}}
)
FAILING = Case(eval_id="a", turns=(TURN,), known_failing="flaky")


@pytest.mark.parametrize(
    ("case", "options", "reason"),
    [
        (LIVE, {}, NEEDS),
        (LIVE, {"live_setup": True}, None),
        (LIVE, {"allow_empty": True}, None),
        (replace(LIVE, live=LiveSetup(before="true")), {}, None),
        (replace(LIVE, skip="broken"), {"live_setup": True}, "broken"),
        (ZERO, {}, None),
        (ZERO, {"skip_known_failing": True}, "known failing: the expected score is 0"),
        (ZERO, {"profile": "self-answer"}, "expected_score == 0"),
        (FAILING, {"profile": "self-answer"}, "known failing: flaky"),
        (replace(FAILING, known_failing=""), {"skip_known_failing": True}, "known failing"),
        (replace(FAILING, source={"holmes": "?"}), {"profile": "self-answer"}, "known failing: flaky"),
    ],
)
def test_why_a_case_is_left_out(case, options, reason):
    assert why_left_out(case, "golden", RunOptions(**options)) == reason


def test_a_stage_is_for_live_setups_and_for_the_profile_that_wants_a_folder_for_each_case():
    plain, settings = CASES[0], Settings(setup_timeout=20.0)
    live, strict = RunOptions(live_setup=True, setup_shell="sh"), RunOptions(profile="self-answer")
    by_settings = StageOptions(live=True, shell="sh", timeout=20.0)  # noqa: S604 - says who runs scripts, and runs none
    assert stage_of(LIVE, RunOptions(), settings) is None
    assert stage_of(plain, live, settings) is None
    assert stage_of(LIVE, live, settings) == by_settings
    assert stage_of(LIVE, replace(live, setup_timeout=5.0), settings) == replace(by_settings, timeout=5.0)
    assert stage_of(plain, strict, settings) == StageOptions(live=False, timeout=20.0, files_unasked=True)
    asks = replace(LIVE, live=LiveSetup(may_create_files=True))
    assert stage_of(asks, strict, settings) == StageOptions(live=False, timeout=20.0)


def test_the_profile_has_a_time_limit_of_its_own_that_a_flag_may_change():
    settings = Settings(timeout=900.0)
    assert time_limit(RunOptions(), settings) == 900.0
    assert time_limit(RunOptions(profile="self-answer"), settings) == 300.0
    assert time_limit(RunOptions(profile="self-answer", timeout=10.0), settings) == 10.0


def test_a_replay_with_nothing_to_play_is_no_reason_for_a_setup():
    silent = replace(LIVE, turns=(replace(TURN, final=None),))
    must_have_turns([])
    must_have_turns([LIVE, silent])
    with pytest.raises(SettingsError, match="none of these cases lists any; add --mode live"):
        must_have_turns([silent])
