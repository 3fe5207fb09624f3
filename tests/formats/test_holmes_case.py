"""A HolmesGPT test case is checked by HolmesGPT's own rules: an error is what it refuses or drops."""

import pytest

from evalkit.check import check
from evalkit.fixing import fix
from evalkit.formats.holmes_case import parse_case

CASE = "user_prompt: Why?\nexpected_output: Because.\n"


@pytest.fixture
def found(tmp_path):
    """Check a test case, and give for each problem its severity, rule, path, line and column."""

    def run(text):
        problems = parse_case(text.encode(), "test_case.yaml", tmp_path).problems
        return [(p.severity, p.rule, p.path, p.line, p.column) for p in problems]

    return run


@pytest.mark.parametrize(
    "text",
    [
        CASE,
        CASE + "skip: yes\nskip_reason: ~\ninclude_tool_calls: 'on'\n",
        CASE + "before_test:\nafter_test:\n",
        CASE + "setup_timeout: '600'\n",
        CASE + "evaluation: {correctness: 0}\n",
        CASE + "evaluation: {correctness: {type: loose, expected_score: 0.5}}\n",
        CASE + "expected_sections: {Causes: false, Logs: [out of memory]}\n",
        CASE + "test_env_vars: {A: '1'}\nmocked_date: '2025-06-12'\n",
        CASE + "port_forwards: [{namespace: shop, service: loki, local_port: 3100, remote_port: 3100, note: x}]\n",
        CASE + "runbooks: {catalog: []}\nmock_policy: always_mock\nmock_overrides: {kafka: never_mock}\n",
        "\ufeff" + CASE,
        "user_prompt: [Why?, How?]\nexpected_output: ['2025-06-12', 'yes']\ntags: [easy]\n",
        "user_prompt: |\n  2025-06-12\nexpected_output: 2025-06-12 was the day\n",
    ],
)
def test_what_holmes_takes_is_no_problem(text, found):
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("user_prompt: Why?\n", ("error", "missing-key", "$", 1, 1)),
        ("user_prompt: Why?\nexpected_output: 2025-06-12\n", ("error", "wrong-type", "$.expected_output", 2, 18)),
        ("user_prompt: Why?\nexpected_output: [yes]\n", ("error", "wrong-type", "$.expected_output[0]", 2, 19)),
        ("user_prompt: Why?\nexpected_output: [12:30]\n", ("error", "wrong-type", "$.expected_output[0]", 2, 19)),
        ("user_prompt: Why?\nexpected_output: [2025-06-31]\n", ("error", "wrong-type", "$.expected_output[0]", 2, 19)),
        ("user_prompt: Why?\nexpected_output: [42]\n", ("error", "wrong-type", "$.expected_output[0]", 2, 19)),
        (CASE + "mocked_date: 2025-06-12T08:00:00Z\n", ("error", "wrong-type", "$.mocked_date", 3, 14)),
        (CASE + "test_env_vars: {PORT: 80}\n", ("error", "wrong-type", "$.test_env_vars.PORT", 3, 23)),
        (CASE + "skip: later\n", ("error", "wrong-value", "$.skip", 3, 7)),
        (CASE + "setup_timeout: 5m\n", ("error", "wrong-value", "$.setup_timeout", 3, 16)),
        (CASE + "evaluation:\n", ("error", "wrong-type", "$.evaluation", 3, 12)),
        (CASE + "evaluation: {correctness: {}}\n", ("error", "missing-key", "$.evaluation.correctness", 3, 27)),
        (
            CASE + "evaluation: {correctness: {type: strickt}}\n",
            ("error", "wrong-value", "$.evaluation.correctness.type", 3, 34),
        ),
        (CASE + "evaluation: {accuracy: 1}\n", ("warning", "unread-key", "$.evaluation.accuracy", 3, 14)),
        (CASE + "port_forwards: [{service: x}]\n", ("error", "missing-key", "$.port_forwards[0]", 3, 17)),
        (CASE + "before_tst: echo\n", ("error", "unknown-key", "$.before_tst", 3, 1)),
        (CASE + "colour: red\n", ("error", "unknown-key", "$.colour", 3, 1)),
        (CASE + "enable_todo: true\n", ("note", "later-key", "$.enable_todo", 3, 1)),
        (CASE + "toolsets: {}\n", ("warning", "unread-key", "$.toolsets", 3, 1)),
        (CASE + "id: x\n", ("warning", "unread-key", "$.id", 3, 1)),
        (CASE + "tags: [kubernets]\n", ("warning", "unknown-tag", "$.tags[0]", 3, 8)),
        (CASE + "mock_policy: always\n", ("warning", "wrong-value", "$.mock_policy", 3, 14)),
        (CASE + "mock_overrides: {kafka: no_mock}\n", ("warning", "wrong-value", "$.mock_overrides.kafka", 3, 25)),
        (CASE + "include_files: [gone.md]\n", ("error", "missing-include", "$.include_files[0]", 3, 17)),
        (CASE + "skip: true\nskip: false\n", ("warning", "duplicate-key", "$.skip", 4, 1)),
        ("user_prompt: []\nexpected_output: x\n", ("error", "no-prompt", "$.user_prompt", 1, 14)),
        ("user_prompt: ''\nexpected_output: x\n", ("error", "no-prompt", "$.user_prompt", 1, 14)),
        ("expected_output: x\n", ("error", "no-prompt", "$", 1, 1)),
        ("user_prompt: {}\nexpected_output: x\n", ("error", "wrong-type", "$.user_prompt", 1, 14)),
        ("question: Why?\nexpected_output: x\n", ("error", "unknown-key", "$.question", 1, 1)),
        ("user_prompt: [Why?\nexpected_output: x\n", ("error", "bad-yaml", "$", 2, 16)),
        ("- user_prompt\n", ("error", "wrong-type", "$", 1, 1)),
    ],
)
def test_a_fault_is_reported_at_its_place(text, problem, found):
    assert problem in found(text)
    assert len({rule for _, rule, *_ in found(text)} - {"no-prompt"}) <= 1


def test_a_bare_date_says_what_it_is_and_what_to_write(tmp_path):
    text = "user_prompt: Why?\nexpected_output:\n  - 2025-06-12\n"
    (problem,) = parse_case(text.encode(), "f", tmp_path).problems
    assert problem.message == "2025-06-12 without quotes is a date in YAML 1.1, which HolmesGPT reads, and no text"
    assert problem.hint == 'write "2025-06-12"'


@pytest.mark.parametrize(
    ("suite", "beside", "rules"),
    [
        ("test_investigate", None, ["no-prompt"]),
        ("test_investigate", "investigate_request.json", []),
        ("test_workload_health", "workload_health_request.json", []),
        ("compaction", None, []),
        ("test_ask_holmes", None, ["no-prompt"]),
    ],
)
def test_a_case_without_prompt_needs_a_suite_that_asks_otherwise(suite, beside, rules, tmp_path):
    folder = tmp_path / suite / "01_lag"
    folder.mkdir(parents=True)
    if beside:
        (folder / beside).write_text("{}")
    assert [problem.rule for problem in parse_case(b"expected_output: x\n", "f", folder).problems] == rules


def test_a_misspelt_key_is_mended_and_the_rest_stays_as_it_is(tmp_path):
    path = tmp_path / "test_case.yaml"
    path.write_text("user_promt: Why?\nexpected_output: x  # all of it\n")
    for file in fix([path]):
        file.write()
    assert path.read_text() == "user_prompt: Why?\nexpected_output: x  # all of it\n"
    assert check([path]).problems == ()
