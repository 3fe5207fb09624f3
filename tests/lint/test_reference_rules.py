"""What criteria compare with, and where they find nothing."""

import json

import pytest

from evalkit.check import check

USER = {"parts": [{"text": "How far behind is orders?"}]}
EMPTY = "the expected answer says nothing, so no answer is like it for `response_match_score`"


@pytest.fixture
def found(tmp_path, monkeypatch):
    """The rules, severities and messages of one case with a turn, a block and criteria."""
    monkeypatch.chdir(tmp_path)

    def find(turn, block=None, criteria=None):
        case = {"eval_id": "lag", "conversation": [{"user_content": USER, **turn}]} | (
            {"evalkit": block} if block else {}
        )
        (tmp_path / "lag.evalset.json").write_text(json.dumps({"eval_set_id": "s", "eval_cases": [case]}))
        if criteria is not None:
            (tmp_path / "test_config.json").write_text(json.dumps({"criteria": criteria}))
        return [(problem.severity, problem.rule, problem.message) for problem in check(["."]).problems]

    return find


@pytest.mark.parametrize("final", [{"parts": [{"text": " "}]}, {"parts": []}, {"role": "model"}])
@pytest.mark.parametrize("criteria", [None, {"response_match_score": 0.5}])
def test_an_expected_answer_that_says_nothing_is_a_warning(final, criteria, found):
    assert found({"final_response": final}, criteria=criteria) == [("warning", "missing-reference", EMPTY)]


@pytest.mark.parametrize("criteria", [{"tool_trajectory_avg_score": 1.0}, {"safety_v1": 0.8}])
def test_an_empty_answer_does_no_harm_where_nothing_compares_with_it(criteria, found):
    turn = {"final_response": {"parts": [{"text": ""}]}, "intermediate_data": {"tool_uses": []}}
    assert found(turn, criteria=criteria) == []


def test_a_threshold_that_always_passes_is_told_for_a_config_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "test_config.json").write_text('{"criteria": {"response_match_score": 0}}')
    (problem,) = check(["test_config.json"]).problems
    assert (problem.rule, problem.line, problem.column) == ("odd-threshold", 1, 39)


def test_a_threshold_in_percent_is_told_with_the_share_that_is_meant(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "test_config.json").write_text('{"criteria": {"response_match_score": 80}}')
    (problem,) = check(["test_config.json"]).problems
    assert (problem.rule, problem.hint) == ("odd-threshold", "write 0.8")


@pytest.mark.parametrize("threshold", [0, -1])
def test_a_threshold_that_always_passes_is_told_of_our_own_metrics_too(threshold, found):
    told = found({"final_response": {"parts": [{"text": "75"}]}}, criteria={"grounding": threshold})
    assert [rule for _, rule, _ in told] == ["odd-threshold"]
    assert found({"final_response": {"parts": [{"text": "75"}]}}, criteria={"grounding": 0.5}) == []


CHECKED = {"rubric_id": "short", "check": {"response": {"contains": "75"}}}
QUALITY = "rubric_based_final_response_quality_v1"


def test_a_rubric_with_a_check_is_none_for_a_judge(found):
    ((severity, rule, message),) = found({}, {"expect": [{"rubrics": [CHECKED]}]}, {QUALITY: 0.8})
    assert (severity, rule) == ("error", "missing-rubrics")
    assert "neither the criterion nor a case has any of its own" in message
    assert "(those in `expect` are for the metric `rubric`)" in message


def test_a_rubric_with_a_check_is_one_for_the_metric_of_its_type(found):
    typed = CHECKED | {"type": "FINAL_RESPONSE_QUALITY"}
    assert found({}, {"expect": [{"rubrics": [typed]}]}, {QUALITY: 0.8}) == []
    assert found({}, {"expect": [{"rubrics": [CHECKED]}]}, {"rubric": 1.0}) == []


def test_rubrics_of_a_metric_that_takes_none_are_a_key_that_nothing_reads(found):
    turn = {"final_response": {"parts": [{"text": "75."}]}, "intermediate_data": {"tool_uses": []}}
    criteria = {"tool_trajectory_avg_score": {"threshold": 1, "rubrics": "EXACT"}}
    message = "nothing reads the key `rubrics` in a tool trajectory criterion"
    assert found(turn, criteria=criteria) == [("warning", "unread-key", message)]
