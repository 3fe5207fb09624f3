"""Under what terms cases gate: cases, settings and flags, and who wins."""

import json
from datetime import date
from pathlib import Path

import pytest

from evalkit.cases import Gate
from evalkit.errors import SettingsError
from evalkit.formats import evalset as evalset_format
from evalkit.gating import terms_for
from evalkit.quarantine import Quarantine
from evalkit.settings import Settings

NOTHING = Gate()


@pytest.fixture
def case_set(tmp_path):
    """An evalset with two cases, of which the second has a gate of its own."""
    turn = {"user_content": {"parts": [{"text": "hi"}]}, "intermediate_data": {"tool_uses": []}}
    cases = [
        {"eval_id": "plain", "conversation": [turn]},
        {"eval_id": "strict", "conversation": [turn], "evalkit": {"min_pass_rate": 0.9}},
    ]
    path = tmp_path / "lag.test.json"
    path.write_text(json.dumps({"eval_set_id": "lag", "eval_cases": cases}), encoding="utf-8")
    return evalset_format.read(path).value


def entry(case):
    return Quarantine(case=case, owner="me", reason="flaky", expires=date(2999, 1, 31))


def terms(case_set, *, case=NOTHING, suite=NOTHING, mode="live", **settings):
    made = Settings(root=Path(case_set.file).parent, origin=Path(case_set.file).parent / "pyproject.toml", **settings)
    return terms_for([case_set], made, mode=mode, case=case, suite=suite)


def test_flags_win_over_settings_key_by_key(case_set):
    found = terms(
        case_set,
        case=Gate(min_pass_rate=0.5),
        suite=Gate(min_lower_bound=0.6),
        min_pass_rate=0.8,
        min_lower_bound=0.7,
        suite_min_pass_rate=0.9,
    )
    assert found.gate == Gate(min_pass_rate=0.5, min_lower_bound=0.7)
    assert found.suite == Gate(min_pass_rate=0.9, min_lower_bound=0.6)


def test_a_case_has_the_last_word_about_itself(case_set):
    found = terms(case_set, case=Gate(min_pass_rate=0.5))
    assert found.gate_of((case_set.file, "strict")) == Gate(min_pass_rate=0.9)
    assert found.gate_of((case_set.file, "plain")) == Gate(min_pass_rate=0.5)


@pytest.mark.parametrize(("mode", "replayed"), [("golden", True), ("live", False)])
def test_replays_are_known(mode, replayed, case_set):
    assert terms(case_set, mode=mode).replayed is replayed


@pytest.mark.parametrize(("case", "ids"), [("lag.test.json:plain", ["plain"]), ("lag.test.json", ["plain", "strict"])])
def test_a_quarantine_holds_for_the_cases_it_names_or_for_the_whole_file(case, ids, case_set):
    found = terms(case_set, quarantine=(entry(case),))
    assert found.quarantine == {(case_set.file, eval_id): entry(case) for eval_id in ids}


def test_a_quarantine_of_another_file_is_no_business_of_this_run(case_set):
    (Path(case_set.file).parent / "other.test.json").touch()
    assert terms(case_set, quarantine=(entry("other.test.json:x"),)).quarantine == {}


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ("lag.test.json:plian", "lag.test.json: no case 'plian'; did you mean plain?"),
        ("gone.test.json", "gone.test.json: no such file or folder"),
    ],
)
def test_a_quarantine_of_what_is_not_there_is_refused(case, message, case_set):
    with pytest.raises(SettingsError) as refused:
        terms(case_set, quarantine=(entry(case),))
    assert "pyproject.toml: tool.evalkit.quarantine[0].case: " in str(refused.value)
    assert message in str(refused.value)
