import json

import pytest

from evalkit.check import check, tidy
from evalkit.errors import Problem, SelectionError

GOOD = {
    "eval_set_id": "kafka",
    "eval_cases": [{"eval_id": "lag", "conversation": [{"user_content": {"parts": [{"text": "hi"}]}}]}],
}


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Write files below a folder that is the current one."""
    monkeypatch.chdir(tmp_path)

    def write(**files):
        for name, content in files.items():
            path = tmp_path / name.replace("__", "/").replace("_DOT_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content if isinstance(content, str) else json.dumps(content, indent=1), encoding="utf-8")

    return write


def found(*paths):
    return [str(problem).partition(": ")[0] + " " + problem.rule for problem in check(paths).problems]


def test_every_problem_of_every_file_is_found_in_one_go(project):
    project(
        evals__a_DOT_evalset_DOT_json="[1,]",
        evals__b_DOT_test_DOT_json=GOOD | {"eval_cases": []},
        evals__test_config_DOT_json={"criteria": {"nope": 1}},
        evals__mocks_DOT_yaml="tool: {}\n",
    )
    assert found("evals") == [
        "evals/a.evalset.json:1:3 bad-json",
        "evals/test_config.json:3:3 unknown-metric",
        "evals/mocks.yaml:1:1 unknown-key",
        "evals/b.test.json:3:16 no-cases",
    ]


def test_what_belongs_to_an_evalset_is_checked_with_it(project):
    project(
        a_DOT_evalset_DOT_json={
            "eval_set_id": "kafka",
            "eval_cases": [GOOD["eval_cases"][0] | {"evalkit": {"mocks": "own.yaml"}}],
        },
        test_config_DOT_json="{}",
        mocks_DOT_yaml="tools: {a: [{}]}",
        own_DOT_yaml="tools: {b: [{}]}",
    )
    report = check(["a.evalset.json"])
    assert report.files == ("a.evalset.json", "test_config.json", "mocks.yaml", "own.yaml")
    assert [problem.rule for problem in report.problems] == ["no-criteria", "no-reply", "no-reply"]


def test_a_config_that_several_evalsets_share_is_reported_once(project):
    other = GOOD | {"eval_set_id": "other"}
    project(a_DOT_evalset_DOT_json=GOOD, b_DOT_evalset_DOT_json=other, test_config_DOT_json={"criteria": {"nope": 1}})
    assert found(".") == ["test_config.json:3:3 unknown-metric"]


@pytest.mark.parametrize(
    ("name", "content", "rule"),
    [
        ("cases_DOT_json", {"eval_cases": []}, "no-cases"),
        ("eval_config_DOT_json", {"criterion": {}}, "unknown-key"),
        ("nightly_DOT_json", {"criteria": {}}, "no-criteria"),
        ("sampler_DOT_json", {"eval_config": {"criteria": {"response_match_score": 0.5}}}, "no-criteria"),
        ("replies_DOT_json", {"tools": {"a": []}}, "no-reply"),
        ("refused_DOT_yaml", "tools: {a: []}", "no-reply"),
        ("broken_DOT_json", "{", "bad-json"),
    ],
)
def test_a_named_file_is_taken_for_what_its_name_or_its_keys_say(name, content, rule, project):
    project(**{name: content})
    assert rule in [problem.rule for problem in check([name.replace("_DOT_", ".")]).problems]


def test_a_folder_with_nothing_to_check_is_refused(tmp_path):
    with pytest.raises(SelectionError, match="nothing to check here"):
        check([tmp_path])


def test_problems_of_values_get_the_place_that_their_path_leads_to(project):
    project(a_DOT_json='{\n "b": {"c":\n  1}}')
    (problem,) = tidy([Problem(file="a.json", rule="wrong-value", path="$.b.c", message="x")])
    assert (problem.line, problem.column) == (3, 3)
    (problem,) = tidy([Problem(file="a.json", rule="unknown-key", path="$.b.c", message="x")])
    assert (problem.line, problem.column) == (2, 8)


def a_problem(line, index, message="x"):
    return Problem(file="f", rule="wrong-type", path=f"$.a[{index}].b", line=line, message=message)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([1], "x"),
        ([1, 5], "x; the same in line 5"),
        ([1, 5, 9], "x; the same in lines 5 and 9"),
        ([1, 5, 9, 12, 17], "x; the same in lines 5, 9, 12 and 1 more place"),
        ([1, 1, 1], "x; the same in line 1 and 1 more place"),
    ],
)
def test_one_cause_in_many_places_is_one_problem(lines, message):
    assert [problem.message for problem in tidy(map(a_problem, lines, range(9)))] == [message]


def test_different_causes_stay_apart_and_are_sorted_by_place():
    problems = [a_problem(9, 0, "later"), a_problem(2, 1, "earlier"), a_problem(2, 1, "earlier")]
    assert [problem.message for problem in tidy(problems)] == ["earlier", "later"]


def test_of_hundreds_of_places_some_are_told_and_all_are_counted(project):
    call = {"name": "get_lag", "args": None}
    turn = {"user_content": {"parts": [{"text": "hi"}]}, "intermediate_data": {"tool_uses": [call] * 300}}
    cases = [{"eval_id": "a", "conversation": [turn]}]
    project(a_DOT_evalset_DOT_json={"eval_set_id": "s", "eval_cases": cases})
    (problem,) = [problem for problem in check(["a.evalset.json"]).problems if problem.rule == "missing-args"]
    assert problem.path.endswith(".tool_uses[0]")
    assert problem.message.endswith("and 296 more places")


def test_a_name_of_thousands_of_characters_is_cut(project):
    project(a_DOT_evalset_DOT_json={**GOOD, "eval_cases": [{**GOOD["eval_cases"][0], "x" * 100_000: 1}]})
    (problem,) = check(["a.evalset.json"]).problems
    assert problem.rule == "unread-key"
    assert len(str(problem)) < 5_000


def test_that_there_are_too_many_faults_is_said_after_the_first(project):
    project(a_DOT_evalset_DOT_json={"eval_set_id": "s", "eval_cases": [{}] * 3_000})
    first, *_, last = check(["a.evalset.json"]).problems
    assert (first.path, last.rule) == ("$.eval_cases[0]", "too-many-faults")


def test_errors_come_before_warnings_and_notes_of_a_file_whatever_their_lines(project):
    case = {"expected_outputs": [], **GOOD["eval_cases"][0], "final_session_state": {"a": 1}, "eval_id": 5}
    project(a_DOT_evalset_DOT_json={**GOOD, "eval_cases": [case]})
    assert [problem.severity for problem in check(["a.evalset.json"]).problems] == ["error", "warning"]
