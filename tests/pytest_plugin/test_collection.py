"""What pytest collects of a project's evalsets, and when."""

import pytest

from evalkit.pytesting.asked import names_the_marker

EVALSET = "evalsets/lag/lag.test.json"


@pytest.fixture
def two(project, make_case):
    """A project with two cases in one evalset, and a test of its own."""
    project.evalset(make_case("growing", tags=["kafka"]), make_case("stuck"))
    project.write("tests/test_own.py", "def test_own():\n    pass\n")
    return project


def collected(done):
    return sorted(line for line in done.out.splitlines() if "::" in line)


def test_a_plain_pytest_collects_no_evalset(two):
    done = two.run("--collect-only", "-q")

    assert collected(done) == ["tests/test_own.py::test_own"]
    assert "evalkit" not in done.out


def test_an_evalset_that_is_named_is_replayed(two):
    done = two.run(EVALSET)

    assert done.counts == {"passed": 2}
    assert "golden replay: the model was not exercised" in done.out


def test_a_case_is_named_as_a_test_is(two):
    done = two.run("--collect-only", "-q", f"{EVALSET}::stuck")

    assert collected(done) == [f"{EVALSET}::stuck"]


@pytest.mark.parametrize("folder", ["evalsets", "evalsets/lag"])
def test_a_folder_of_evalsets_that_is_named_is_collected(two, folder):
    assert len(collected(two.run("--collect-only", "-q", folder))) == 2


def test_a_folder_of_evalsets_that_is_named_is_collected_in_a_project_without_settings(two):
    (two.root / "pyproject.toml").unlink()

    assert len(collected(two.run("--collect-only", "-q", "evalsets/lag"))) == 2


def test_a_folder_of_tests_that_is_named_holds_no_evaluations_unless_a_mode_says_so(two, make_case):
    two.evalset(make_case("own"), name="agents/lag/tests/lag.test.json")
    two.write("agents/lag/tests/test_unit.py", "def test_unit():\n    pass\n")
    unit = "agents/lag/tests/test_unit.py::test_unit"

    assert collected(two.run("--collect-only", "-q", "agents")) == [unit]
    assert collected(two.run("--collect-only", "-q", "agents", "--evalkit-mode", "golden")) == [
        "agents/lag/tests/lag.test.json::own",
        unit,
    ]


def test_the_settings_can_let_a_plain_pytest_replay(two):
    two.settings('pytest = "golden"', 'testpaths = ["tests"]')

    assert collected(two.run("--collect-only", "-q")) == [
        f"{EVALSET}::growing",
        f"{EVALSET}::stuck",
        "tests/test_own.py::test_own",
    ]


def test_a_mode_collects_the_configured_folders_beside_testpaths(two, make_case):
    two.settings('agent_for = { "qa" = "agents/lag" }', 'testpaths = ["tests"]')
    two.evalset(make_case("quality"), name="qa/lag.test.json")
    two.evalset(make_case("elsewhere"), name="more/lag.test.json")

    assert collected(two.run("--collect-only", "-q", "--evalkit-mode", "golden")) == [
        f"{EVALSET}::growing",
        f"{EVALSET}::stuck",
        "qa/lag.test.json::quality",
        "tests/test_own.py::test_own",
    ]


def test_what_pytest_is_to_ignore_is_ignored(two, make_case):
    two.settings(pytest_table='testpaths = ["tests"]')
    two.evalset(make_case("slow"), name="evalsets/lag/slow/lag.test.json")

    done = two.run("--collect-only", "-q", "--evalkit-mode", "golden", "--ignore", "evalsets/lag/slow", "-m", "eval")

    assert collected(done) == [f"{EVALSET}::growing", f"{EVALSET}::stuck"]


def test_from_a_folder_within_only_what_lies_there_is_collected(two, monkeypatch):
    monkeypatch.chdir(two.root / "tests")

    assert collected(two.run("--collect-only", "-q", "--evalkit-mode", "golden")) == ["tests/test_own.py::test_own"]


def test_evalsets_elsewhere_are_passed_over_and_it_is_said_where_that_leaves_nothing(two, make_case):
    two.evalset(make_case("elsewhere"), name="more/lag.test.json")

    done = two.run("more", "--evalkit-mode", "golden")

    assert done.exit == pytest.ExitCode.NO_TESTS_COLLECTED
    assert "evalsets outside of the configured folders were passed over (1); name a file" in done.out


@pytest.mark.parametrize(
    ("expression", "names"),
    [("kafka", ["growing"]), ("not kafka and evalsets", ["stuck"]), ("lag.test.json", ["growing", "stuck"])],
)
def test_k_chooses_by_name_tag_and_path(two, expression, names):
    done = two.run("--collect-only", "-q", "--evalkit-mode", "golden", "-k", expression)

    assert collected(done) == [f"{EVALSET}::{name}" for name in names]


def test_m_chooses_by_the_marker_which_is_registered(two):
    two.settings(pytest_table='addopts = "--strict-markers"')

    assert len(collected(two.run("--collect-only", "-q", "-m", "eval"))) == 2
    assert collected(two.run("--collect-only", "-q", "--evalkit-mode", "golden", "-m", "not eval")) == [
        "tests/test_own.py::test_own"
    ]


@pytest.mark.parametrize(
    ("expression", "asked"),
    [
        ("eval", True),
        ("eval and not slow", True),
        ("slow or (eval)", True),
        ("not eval", False),
        ("evaluation", False),
        ("not slow", False),
        ("", False),
    ],
)
def test_which_marker_expressions_ask_for_evaluations(expression, asked):
    assert names_the_marker(expression) is asked


def test_a_faulty_evalset_is_an_error_of_collection_with_its_place(two):
    two.write("evalsets/lag/bad.test.json", '{"eval_set_id": "bad", "eval_cases": [{"eval_id": 3}]}')

    done = two.run("--evalkit-mode", "golden")

    assert done.exit == pytest.ExitCode.INTERRUPTED
    assert "evalsets/lag/bad.test.json:1:51: error[wrong-type] $.eval_cases[0].eval_id" in done.out
    assert "Traceback" not in done.out


def test_an_evalset_of_no_known_agent_is_an_error_of_collection(two, make_case):
    two.evalset(make_case("whose"), name="evalsets/nobody/lag.test.json")

    done = two.run("--evalkit-mode", "golden")

    assert done.exit == pytest.ExitCode.INTERRUPTED
    assert "evalsets/nobody/lag.test.json: which agent is this for?" in done.out


def test_a_warning_about_a_file_is_a_warning_of_pytest(two):
    two.write("evalsets/lag/mocks.yml", "tools: {}\n")

    done = two.run(EVALSET)

    assert done.counts == {"passed": 2, "warnings": 1}
    assert "EvalsetWarning: evalsets/lag/mocks.yml:1:1: warning[unread-file]" in done.out


def test_settings_that_cannot_be_used_are_one_line(two):
    two.settings('pytset = "golden"')

    done = two.run()

    assert done.exit == pytest.ExitCode.USAGE_ERROR
    assert "tool.evalkit.pytset: unknown key; did you mean pytest?" in done.err
