"""A folder with a `test_case.yaml` is checked as a whole: the case, its side files, and all its recordings."""

import pytest

from evalkit.check import check
from evalkit.errors import SelectionError

CASE = "user_prompt: Why?\nexpected_output: Because.\n"
HEAD = '{"toolset_name": "kafka", "tool_name": "get_lag", "match_params": {"group": "orders"}}\n'
RECORDING = HEAD + '{"status": "success"}\norders 75\n'


@pytest.fixture
def fixture(tmp_path, monkeypatch):
    """Write a fixture of the given files, check it, and give the report."""
    monkeypatch.chdir(tmp_path)

    def run(files, *paths):
        for name, text in {"test_case.yaml": CASE, **files}.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        return check(paths or ["."])

    return run


def found(report):
    return [(problem.rule, problem.file, problem.line) for problem in report.problems]


def test_every_file_of_a_fixture_is_read(fixture):
    report = fixture({"get_lag.txt": RECORDING, "issue_data.json": "{}", "toolsets.yaml": "toolsets: {}\n"})
    assert report.files == ("test_case.yaml", "issue_data.json", "toolsets.yaml", "get_lag.txt")
    assert report.problems == ()


def test_what_is_no_recording_is_not_counted(fixture):
    report = fixture({"notes.txt": "Call Ann.\n", "app/requirements.txt": "httpx\n", ".hidden.json": "x"})
    assert (report.files, report.problems) == (("test_case.yaml",), ())


@pytest.mark.parametrize("name", ["get_lag.TXT", "get_lag.text", ".get_lag.txt", "mocks/get_lag.txt", "get_lag"])
def test_a_recording_where_nobody_looks_is_reported(name, fixture):
    assert found(fixture({name: RECORDING})) == [("misnamed-recording", name, 1)]


@pytest.mark.parametrize(
    ("name", "text", "rule", "line"),
    [
        ("conversation_history.json", "[", "bad-json", 1),
        ("conversation_history.json", "{}", "wrong-type", 1),
        ("conversation_history.json", '[\n{"role": "user"},\n"hello"]', "wrong-type", 3),
        ("issue_data.json", "[]", "wrong-type", 1),
        ("investigate_request.json", "\n{'a': 1}", "bad-json", 2),
        ("toolsets.yaml", "toolsets: ]", "bad-yaml", 1),
    ],
)
def test_a_broken_side_file_is_an_error(name, text, rule, line, fixture):
    report = fixture({name: text})
    assert (found(report), report.count("error")) == ([(rule, name, line)], 1)


def test_json_that_only_python_takes_is_no_fault(fixture):
    assert fixture({"issue_data.json": '{"lag": NaN}'}).problems == ()


def test_a_third_equal_recording_is_shadowed_once(fixture):
    report = fixture(dict.fromkeys(("a.txt", "b.txt", "c.txt"), RECORDING))
    assert found(report) == [("shadowed-recording", "b.txt", 1), ("shadowed-recording", "c.txt", 1)]
    assert all(problem.message.startswith("a.txt answers the same calls") for problem in report.problems)


def test_equal_recordings_with_different_results_are_ambiguous_too(fixture):
    report = fixture({"a.txt": RECORDING, "b.txt": RECORDING.replace("75", "3")})
    assert {rule for rule, *_ in found(report)} == {"shadowed-recording", "ambiguous-recordings"}


def test_a_recording_may_be_checked_by_itself(fixture):
    report = fixture({"get_lag.txt": HEAD + "orders 75\n"}, "get_lag.txt")
    assert (report.files, found(report)) == (("get_lag.txt",), [("old-recording", "get_lag.txt", 2)])


def test_a_recording_that_is_named_beside_its_fixture_is_checked_once(fixture):
    report = fixture({"get_lag.txt": HEAD + "orders 75\n"}, ".", "get_lag.txt")
    assert report.files == ("test_case.yaml", "get_lag.txt")
    assert found(report) == [("old-recording", "get_lag.txt", 2)]


def test_the_test_case_of_another_program_is_passed_over_unless_it_is_named(fixture):
    report = fixture({"test_case.yaml": "steps:\n  - click: OK\ndescription: x\n"})
    assert (report.files, report.problems) == ((), ())
    assert check(["test_case.yaml"]).count("error") > 0


def test_an_empty_folder_says_what_is_looked_for(tmp_path):
    with pytest.raises(SelectionError, match=r"mocks\.yaml, test_case\.yaml"):
        check([tmp_path])


def test_real_fixtures_have_no_errors_and_the_known_pairs(shared):
    report = check([shared / "holmesgpt"])
    assert len(report.files) > 400
    assert [str(problem) for problem in report.problems if problem.severity == "error"] == []
    ambiguous = {problem.file.split("/")[-2] for problem in report.problems if problem.rule == "ambiguous-recordings"}
    assert ambiguous == {"02_what_is_wrong_with_pod", "50a_logs_since_last_specific_month", "02_crashloop_backoff"}
    shadowed = [problem.file.split("/")[-2] for problem in report.problems if problem.rule == "shadowed-recording"]
    assert set(shadowed) == {
        *("07_high_latency", "44_slack_statefulset_logs"),
        *("01_oom_kill", "02_crashloop_backoff", "11_KubePodCrashLooping"),
    }
