"""The real command line, as a user types it."""

import json

import pytest

GOOD = {
    "eval_set_id": "kafka",
    "eval_cases": [{"eval_id": "lag", "conversation": [{"user_content": {"parts": [{"text": "hi"}]}}]}],
}


@pytest.fixture
def project(tmp_path):
    """A folder `evals` with an evalset; the returned function changes what stands in it."""
    (tmp_path / "evals").mkdir()

    def write(value, name="lag.evalset.json"):
        text = value if isinstance(value, str) else json.dumps(value, indent=2)
        (tmp_path / "evals" / name).write_text(text, encoding="utf-8")

    write(GOOD)
    return write


def test_good_files_print_nothing_and_count_themselves(project, run_evalkit):
    done = run_evalkit("check", "evals")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "1 file, 0 errors, 0 warnings\n")


def test_an_error_is_one_line_with_place_path_and_remedy(project, run_evalkit):
    project({"eval_set_id": "kafka", "eval_case": GOOD["eval_cases"]})
    done = run_evalkit("check", "evals/lag.evalset.json")
    assert done.stdout == (
        "evals/lag.evalset.json:3:3: error[unknown-key] $.eval_case: unknown key `eval_case` in an evalset "
        "(did you mean `eval_cases`?)\n"
    )
    assert (done.returncode, done.stderr) == (2, "1 file, 1 error, 0 warnings\n")


def test_warnings_and_notes_leave_the_exit_code_alone(project, run_evalkit):
    case = GOOD["eval_cases"][0] | {"expected_outputs": []}
    answer = {"user_content": {"parts": [{"function_response": {"name": "ask", "response": {}}}]}}
    project(GOOD | {"eval_cases": [case | {"conversation": [answer]}]})
    done = run_evalkit("check", "evals")
    assert (done.returncode, done.stderr) == (0, "1 file, 0 errors, 1 warning, 1 note\n")
    assert [line.partition(": ")[2].partition("[")[0] for line in done.stdout.splitlines()] == ["note", "warning"]


def test_json_holds_every_problem_and_the_counts(project, run_evalkit):
    project("{'eval_set_id': 1}")
    done = run_evalkit("check", "evals", "--format", "json")
    assert done.returncode == 2
    assert json.loads(done.stdout) == {
        "schema": "evalkit.check/1",
        "error": None,
        "counts": {"files": 1, "errors": 1, "warnings": 0, "notes": 0},
        "problems": [
            {
                "file": "evals/lag.evalset.json",
                "line": 1,
                "column": 2,
                "path": "$",
                "rule": "bad-json",
                "severity": "error",
                "message": "JSON has no single quotes",
                "hint": 'write "',
            }
        ],
    }


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("nope", "nope: no such file or folder"),
        ("empty", "empty: nothing to check here (*.evalset.json, *.test.json, test_config.json, mocks.yaml)"),
    ],
)
def test_a_path_that_cannot_be_used_is_one_clear_line(path, said, run_evalkit, tmp_path):
    (tmp_path / "empty").mkdir()
    done = run_evalkit("check", path)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"evalkit: {said}\n")


def test_json_is_whole_even_then(run_evalkit):
    done = run_evalkit("check", "nope", "--format", "json")
    assert done.returncode == 2
    assert json.loads(done.stdout) == {
        "schema": "evalkit.check/1",
        "error": "nope: no such file or folder",
        "counts": {"files": 0, "errors": 0, "warnings": 0, "notes": 0},
        "problems": [],
    }


def test_what_a_file_says_cannot_steer_the_terminal(project, run_evalkit):
    project(GOOD | {"\u001b[2Jgone\u202e": 1})
    done = run_evalkit("check", "evals")
    assert "\\u001b[2Jgone\\u202e" in done.stdout
    assert "\u001b" not in done.stdout


def test_a_name_that_is_no_text_is_still_shown(run_evalkit, tmp_path):
    (tmp_path / "a\udcff.evalset.json").write_text("[1,]", encoding="utf-8")
    done = run_evalkit("check", ".")
    assert done.stdout.startswith("a\\udcff.evalset.json:1:3: error[bad-json]")


@pytest.mark.parametrize("words", [["check", "--help"], ["check", "-h"]])
def test_help_teaches_with_examples(words, run_evalkit):
    done = run_evalkit(*words)
    assert done.returncode == 0
    assert "evalkit check evalsets/" in done.stdout
    assert "Exit code: 0 without errors, 2 with errors" in done.stdout


def test_a_path_is_needed(run_evalkit):
    done = run_evalkit("check")
    assert done.returncode == 2
    assert "Missing argument 'PATH...'" in done.stderr
