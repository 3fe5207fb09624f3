"""Behaviours that real users asked for, where both `evalkit run` and `evalkit adk eval` are concerned."""

import json

import pytest

pytest.importorskip("pandas", reason="needs google-adk's eval extra: run `make test-adk`")

pytestmark = [
    pytest.mark.adk_eval,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # of the libraries that ADK's evaluation loads
]

BOTH = pytest.mark.parametrize("command", [("run", "--agent", "agents/lagging"), ("adk", "eval", "agents/lagging")])


@pytest.fixture
def given(shared):
    """Read the input of a case file."""

    def read(name):
        path = shared / "cases" / f"{name}.json"
        if not path.exists():
            pytest.skip(f"{name} is kept back")
        return json.loads(path.read_text(encoding="utf-8"))["input"]

    return read


@pytest.fixture
def write(project):
    """Write an evalset of a case file; what it expects holds for any criteria."""

    def evalset(value, name="evals/case.evalset.json"):
        return project.evalset(*value["eval_cases"], name=name, set_id=value["eval_set_id"])

    return evalset


@BOTH
def test_26_a_misspelt_key_of_a_case_is_named_with_the_right_one(given, write, evalkit_command, command):
    result = evalkit_command(*command, write(given("26_case_level_key_typo")["evalset"]))

    assert result.exit_code == 2
    assert "nothing reads the key `session_inputs`" in result.stderr
    assert "did you mean `session_input`?" in result.stderr


def test_29_a_config_that_is_named_and_not_there_is_a_usage_error(given, adk_eval, project, make_case):
    path = given("29_config_file_missing")["cli"][-1]
    result = adk_eval(project.evalset(make_case("one")), "--config_file_path", path)

    assert result.exit_code == 2
    assert path in result.stderr


def test_29_two_files_use_the_config_of_their_folder_and_its_origin_is_told(given, adk_eval, project, make_case):
    inside = given("29_config_file_missing")
    folder = inside["folder_config"]
    files = [name for name in inside["cli_two_files"] if name.endswith(".json")]
    paths = [project.evalset(make_case(name), name=name, set_id=name[2], config=folder) for name in files]
    result = adk_eval(*paths)

    assert result.exit_code == 0
    assert "evalkit: criteria of d/a.test.json, d/b.test.json: d/test_config.json" in result.stderr
    assert "response_match_score" not in result.stdout  # which ADK's defaults would have


@BOTH
def test_31_an_evalset_without_cases_is_an_error(given, write, evalkit_command, command):
    result = evalkit_command(*command, write(given("31_zero_cases_and_unknown_selector")["empty_evalset"]))

    assert result.exit_code == 2
    assert "error[no-cases]" in result.stderr


@BOTH
def test_31_an_unknown_id_in_a_list_is_an_error_that_names_a_near_one(given, write, evalkit_command, command):
    inside = given("31_zero_cases_and_unknown_selector")
    result = evalkit_command(*command, f"{write(inside['evalset'])}:{','.join(inside['select'])}")

    assert result.exit_code == 2
    assert "no case 'goood'; did you mean good?" in result.stderr


@BOTH
def test_36_a_repeated_id_is_an_error_with_both_places(given, write, evalkit_command, command):
    result = evalkit_command(*command, write(given("36_duplicate_ids_and_unsafe_set_id")["dup_case"]))

    assert result.exit_code == 2
    assert "$.eval_cases[1].eval_id: the id `a` is that of $.eval_cases[0]" in result.stderr


@BOTH
def test_36_two_files_of_a_folder_with_the_same_set_id_are_an_error_with_both_names(
    given, write, evalkit_command, command
):
    inside = given("36_duplicate_ids_and_unsafe_set_id")
    first = write(inside["file_1"], "evals/one.evalset.json")
    second = write(inside["file_2"], "evals/two.evalset.json")
    result = evalkit_command(*command, first, second)

    assert result.exit_code == 2
    assert "evals/two.evalset.json" in result.stderr
    assert "the set id `same` is that of evals/one.evalset.json too" in result.stderr


@BOTH
def test_36_a_set_id_that_is_no_file_name_is_refused_before_anything_is_played(given, write, evalkit_command, command):
    result = evalkit_command(*command, write(given("36_duplicate_ids_and_unsafe_set_id")["slash"]))

    assert result.exit_code == 2
    assert "error[unsafe-set-id]" in result.stderr
