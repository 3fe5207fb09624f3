"""The real command line, as a user types it."""

import json

import pytest

from evalkit.formats.rules import RULES

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
    assert (done.returncode, done.stderr) == (2, "1 file, 1 error, 0 warnings (1 can be mended by --fix)\n")


def test_warnings_and_notes_leave_the_exit_code_alone(project, run_evalkit):
    case = GOOD["eval_cases"][0] | {"expected_outputs": []}
    answer = {"user_content": {"parts": [{"function_response": {"name": "ask", "response": {}}}]}}
    project(GOOD | {"eval_cases": [case | {"conversation": [answer]}]})
    done = run_evalkit("check", "evals")
    assert (done.returncode, done.stderr) == (0, "1 file, 0 errors, 1 warning, 1 note\n")
    assert [line.partition(": ")[2].partition("[")[0] for line in done.stdout.splitlines()] == ["warning", "note"]


def test_json_holds_every_problem_and_the_counts(project, run_evalkit):
    project("{'eval_set_id': 1}")
    done = run_evalkit("check", "evals", "--format", "json")
    assert done.returncode == 2
    assert json.loads(done.stdout) == {
        "schema": "evalkit.check/1",
        "error": None,
        "counts": {"files": 1, "errors": 1, "warnings": 0, "notes": 0, "fixable": 0},
        "problems": [
            {
                "file": "evals/lag.evalset.json",
                "line": 1,
                "column": 2,
                "path": "$",
                "rule": "bad-json",
                "severity": "error",
                "message": "JSON has no single quotes; this is a Python literal",
                "hint": 'write ", or let json.dumps write it',
                "fixable": False,
            }
        ],
    }


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("nope", "nope: no such file or folder"),
        (
            "empty",
            "empty: nothing to check here (*.evalset.json, *.test.json, test_config.json, mocks.yaml, test_case.yaml)",
        ),
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
        "counts": {"files": 0, "errors": 0, "warnings": 0, "notes": 0, "fixable": 0},
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


MISSPELT = GOOD | {"eval_cases": [GOOD["eval_cases"][0] | {"session_inputs": {"app_name": "a", "user_id": "u"}}]}
UNREAD = GOOD | {"eval_cases": [GOOD["eval_cases"][0] | {"expected_outputs": []}]}


def test_warnings_count_as_errors_under_strict(project, run_evalkit):
    project(UNREAD)
    assert run_evalkit("check", "evals").returncode == 0
    done = run_evalkit("check", "evals", "--strict")
    assert (done.returncode, done.stderr) == (2, "1 file, 0 errors, 1 warning\n")


def test_notes_do_not(project, run_evalkit):
    project(GOOD | {"eval_cases": [GOOD["eval_cases"][0] | {"final_session_state": {"a": 1}}]})
    assert run_evalkit("check", "evals", "--strict").returncode == 0


def test_fix_mends_the_file_and_counts_what_is_left(project, run_evalkit, tmp_path):
    project(MISSPELT | {"eval_cases": [*MISSPELT["eval_cases"], *UNREAD["eval_cases"]]})
    done = run_evalkit("check", "evals", "--fix")
    assert "duplicate-id" in done.stdout
    assert done.stderr == "1 file, 1 error, 1 warning (1 fixed)\n"
    written = json.loads((tmp_path / "evals/lag.evalset.json").read_text(encoding="utf-8"))
    assert written["eval_cases"][0]["session_input"] == {"app_name": "a", "user_id": "u"}


def test_diff_shows_what_fix_would_change_and_changes_nothing(project, run_evalkit, tmp_path):
    project(MISSPELT)
    before = (tmp_path / "evals/lag.evalset.json").read_bytes()
    done = run_evalkit("check", "evals", "--diff")
    assert (done.returncode, done.stderr) == (2, "1 file would change, 1 problem would be gone\n")
    assert done.stdout.startswith("--- a/evals/lag.evalset.json\n+++ b/evals/lag.evalset.json\n@@ ")
    assert '-      "session_inputs": {\n+      "session_input": {\n' in done.stdout
    assert (tmp_path / "evals/lag.evalset.json").read_bytes() == before


def test_diff_of_files_with_nothing_to_mend_is_empty_and_fine(project, run_evalkit):
    done = run_evalkit("check", "evals", "--diff")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "0 files would change, 0 problems would be gone\n"


def test_diff_tells_beside_the_diff_what_would_remain(project, run_evalkit):
    project(MISSPELT | {"eval_cases": [MISSPELT["eval_cases"][0] | {"evalkit": {"skip": 5}}]})
    done = run_evalkit("check", "evals", "--diff")
    assert done.returncode == 2
    assert "session_input" in done.stdout
    assert "error[" not in done.stdout
    problem, summary = done.stderr.splitlines()
    assert "error[wrong-type] $.eval_cases[0].evalkit.skip: must be a string, not a number" in problem
    assert summary == "1 file would change, 1 problem would be gone, 1 error would remain"


def test_diff_of_a_file_that_stays_broken_is_no_success(project, run_evalkit):
    project(GOOD | {"eval_cases": []})
    done = run_evalkit("check", "evals", "--diff")
    assert (done.returncode, done.stdout) == (2, "")
    assert "error[no-cases]" in done.stderr
    assert done.stderr.endswith("0 files would change, 0 problems would be gone, 1 error would remain\n")


def test_diff_counts_warnings_that_remain_only_if_they_count(project, run_evalkit):
    project(UNREAD)
    assert run_evalkit("check", "evals", "--diff").returncode == 0
    strict = run_evalkit("check", "evals", "--diff", "--strict")
    assert strict.returncode == 2
    assert "1 warning would remain" in strict.stderr


def test_a_diff_has_no_other_format(project, run_evalkit):
    done = run_evalkit("check", "evals", "--diff", "--format", "json")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--diff prints a diff, not json: leave out --format, or --diff" in done.stderr


@pytest.mark.parametrize("flags", [["--ignore", "misspelt-key"], ["--ignore", "no-turns,misspelt-key"]])
def test_a_rule_that_is_switched_off_is_neither_reported_nor_mended(flags, project, run_evalkit):
    project(MISSPELT)
    assert run_evalkit("check", "evals", *flags).stderr == "1 file, 0 errors, 0 warnings\n"
    assert run_evalkit("check", "evals", *flags, "--diff").returncode == 0


def test_a_rule_can_be_switched_off_for_a_project(project, run_evalkit, tmp_path):
    project(MISSPELT)
    (tmp_path / "pyproject.toml").write_text('[tool.evalkit]\nignore = ["misspelt-key"]\n', encoding="utf-8")
    assert run_evalkit("check", "evals").returncode == 0


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("mispelt-key", "evalkit: --ignore: no rule is called 'mispelt-key'; did you mean misspelt-key?\n"),
        ("E501", "evalkit: --ignore: no rule is called 'E501'; evalkit check --explain lists them\n"),
        (
            "bad-json",
            "evalkit: bad-json cannot be switched off: a file that cannot be read would pass for a good one\n",
        ),
    ],
)
def test_a_rule_that_cannot_be_switched_off_is_named(rule, said, run_evalkit, project):
    done = run_evalkit("check", "evals", "--ignore", rule)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


def test_a_wrong_name_in_the_settings_is_shown_with_the_file(project, run_evalkit, tmp_path):
    settings = tmp_path / "pyproject.toml"
    settings.write_text('[tool.evalkit]\nignore = ["nope"]\n', encoding="utf-8")
    done = run_evalkit("check", "evals")
    assert done.returncode == 2
    assert done.stderr.startswith(f"evalkit: {settings}: tool.evalkit.ignore: no rule is called 'nope'")


def test_a_rule_is_explained_with_an_example_before_and_after(run_evalkit):
    done = run_evalkit("check", "--explain", "missing-args")
    assert done.returncode == 0
    assert done.stdout.startswith("missing-args (warning)\n\nADK compares")
    assert '"tool_uses": [{"name": "whoami"}]' in done.stdout
    assert '"tool_uses": [{"name": "whoami", "args": {}}]' in done.stdout


def test_without_a_name_every_rule_is_listed(run_evalkit):
    done = run_evalkit("check", "--explain")
    assert done.returncode == 0
    assert [line.split()[1] for line in done.stdout.splitlines()] == [*RULES]


def test_the_language_for_calls_is_explained_with_the_names_that_others_have_for_orders(run_evalkit):
    done = run_evalkit("check", "--explain", "trajectory")
    assert (done.returncode, done.stderr) == (0, "")
    rows = [line.split()[:3] for line in done.stdout.splitlines()]
    assert [row for row in rows if row[:1] == ["any_order"]] == [["any_order", "ANY_ORDER", "superset"]]
    assert "`worked`" in done.stdout


def test_a_rule_that_does_not_exist_is_not_explained(run_evalkit):
    done = run_evalkit("check", "--explain", "bad-jason")
    assert done.returncode == 2
    assert "no rule is called 'bad-jason'; did you mean bad-json?" in done.stderr


def test_a_secret_is_found_and_never_shown(project, run_evalkit):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    turn = {"user_content": {"parts": [{"text": f"use {token}"}]}, token: 1, "final_responses": None}
    project(GOOD | {"eval_cases": [{"eval_id": "lag", "conversation": [turn]}]})
    for flags in ([], ["--format", "json"], ["--format", "github"], ["--format", "sarif"], ["--diff"]):
        done = run_evalkit("check", "evals", *flags)
        assert token not in done.stdout + done.stderr
    assert "warning[secret]" in run_evalkit("check", "evals").stdout


def test_a_fixture_of_holmesgpt_is_checked_by_its_own_rules(tmp_path, run_evalkit):
    folder = tmp_path / "fixtures" / "test_ask_holmes" / "01_lag"
    folder.mkdir(parents=True)
    (folder / "test_case.yaml").write_text("user_prompt: Why?\nexpected_output:\n  - 2025-06-12\n")
    (folder / "get_lag.txt").write_text('{"toolset_name": "kafka", "tool_name": "get_lag"}\norders 75\n')

    done = run_evalkit("check", "fixtures")

    assert done.returncode == 2
    lines = [line.partition(" $")[0] for line in done.stdout.splitlines()]
    assert lines == [
        "fixtures/test_ask_holmes/01_lag/test_case.yaml:3:5: error[wrong-type]",
        "fixtures/test_ask_holmes/01_lag/get_lag.txt:2:1: error[old-recording]",
    ]
    assert done.stderr == "2 files, 2 errors, 0 warnings\n"
