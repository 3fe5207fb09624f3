"""Large and deep files are read in bounded time and memory, whatever is wrong with them.

Each file has five megabytes here and gets 30 seconds of CPU time and a gigabyte of address space, many times what it
needs; a file of 50 megabytes takes ten times as much of both, that is seconds, and less than a gigabyte.
"""

import json
import subprocess
import sys

import pytest
from google.adk.evaluation.eval_set import EvalSet

from evalkit.check import check
from evalkit.formats import evalset as evalset_format, yaml_nodes
from evalkit.formats.yaml_text import parse_yaml

SIZE = 5_000_000
LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
from evalkit.cli.main import main
sys.argv = ["evalkit", "check", *sys.argv[1:]]
main()
"""


def case(number):
    call = {"name": "get_lag", "args": {"group": f"orders-{number}", "minutes": 30}}
    turn = {
        "user_content": {"role": "user", "parts": [{"text": f"How far behind is orders-{number}?"}]},
        "final_response": {"role": "model", "parts": [{"text": f"It is {number} behind."}]},
        "intermediate_data": {"tool_uses": [call], "tool_responses": [], "intermediate_responses": []},
    }
    return {"eval_id": f"case-{number}", "conversation": [turn]}


def evalset(indent=2):
    count = SIZE // len(json.dumps(case(1000), indent=indent))
    return json.dumps({"eval_set_id": "large", "eval_cases": [case(number) for number in range(count)]}, indent=indent)


def flat_list():
    turn = {"query": "How far behind?", "expected_tool_use": [{"tool_name": "get_lag", "tool_input": {}}]}
    return json.dumps([turn] * (SIZE // len(json.dumps(turn))))


def one_string():
    text = json.dumps(evalset_of(case(1)))
    return text.replace("How far behind", "How far behind " * (SIZE // 15))


def evalset_of(*cases):
    return {"eval_set_id": "s", "eval_cases": [*cases]}


def without_last(text, words):
    before, _, after = text.rpartition(words)
    return before + after


LARGE = {
    "as it should be": ("lag.evalset.json", evalset, None),
    "in one line": ("lag.evalset.json", lambda: evalset(indent=None), None),
    "in one string": ("lag.evalset.json", one_string, None),
    "in the old list form": ("lag.test.json", flat_list, "legacy-form"),
    "with a fault in each case": (
        "lag.evalset.json",
        lambda: evalset().replace('"user_content"', '"user_contents"'),
        "unknown-key",
    ),
    "with a wrong value in each case": (
        "lag.evalset.json",
        lambda: evalset().replace('"args": {', '"id": {'),
        "wrong-type",
    ),
    "broken at its end": ("lag.evalset.json", lambda: evalset()[:-20], "bad-json"),
    "with a comma after each object": ("lag.evalset.json", lambda: evalset().replace("}\n", "},\n"), "bad-json"),
    "with one key again and again": (
        "lag.evalset.json",
        lambda: json.dumps(evalset_of(case(1))).replace('"eval_id"', '"x": 1, ' * (SIZE // 8) + '"eval_id"', 1),
        "duplicate-key",
    ),
    "that is a config of thousands of metrics": (
        "test_config.json",
        lambda: json.dumps({"criteria": {f"metric_{number}": 0.5 for number in range(SIZE // 20)}}),
        "unknown-metric",
    ),
    "of YAML": ("mocks.yaml", lambda: "tools:\n  f:\n" + "  - {returns: {a: [x, y, z]}}\n" * (SIZE // 31), "bad-yaml"),
}


@pytest.mark.parametrize("what", LARGE)
def test_a_large_file_is_read_in_bounded_time_and_memory(what, tmp_path, clean_env):
    name, text, rule = LARGE[what]
    path = tmp_path / name
    path.write_text(text(), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, path], env=clean_env, capture_output=True, text=True, check=False
    )
    assert done.returncode in {0, 2}, done.stderr
    first = done.stdout.partition("\n")[0]
    assert f"[{rule}]" in first if rule else first == ""
    assert len(done.stdout) < 1_000_000


def test_of_a_file_that_is_too_large_to_be_described_the_first_fault_is(tmp_path):
    turns = [case(number)["conversation"][0] for number in range(10_000)]
    turns[7]["user_contents"] = turns[7].pop("user_content")
    (tmp_path / "lag.evalset.json").write_text(json.dumps(evalset_of({"eval_id": "a", "conversation": turns})))
    first, rest = check([tmp_path]).problems
    assert (first.rule, first.path) == ("unknown-key", "$.eval_cases[0].conversation[7].user_contents")
    assert rest.rule == "too-many-faults"


def nested(depth):
    return '{"a":' * depth + "1" + "}" * depth


DEEP = {
    "lag.evalset.json": [
        '{"eval_set_id": "s", "eval_cases": %s}',
        json.dumps(evalset_of(case(1))).replace('"orders-1"', "%s", 1),
        json.dumps(evalset_of(case(1) | {"evalkit": {"source": 0}})).replace('"source": 0', '"source": %s'),
        json.dumps([{"name": "a", "data": [], "initial_session": {"state": 0}}]).replace('"state": 0', '"state": %s'),
        "%s",
    ],
    "test_config.json": ['{"criteria": %s}', '{"criteria": {"response_match_score": {"threshold": 1, "_x": %s}}}'],
    "mocks.json": ['{"tools": {"f": [{"returns": %s}]}}', '{"tools": {"f": [{"args": %s, "returns": 1}]}}'],
    "mocks.yaml": ['{"tools": {"f": [{"returns": %s}]}}', "toolsets: %s"],
}


@pytest.mark.parametrize("depth", [300, 900, 1_000, 10_000, 100_000])
@pytest.mark.parametrize(("name", "around"), [(name, around) for name, texts in DEEP.items() for around in texts])
def test_deep_nesting_is_an_error_and_no_traceback(name, around, depth, tmp_path):
    path = tmp_path / name
    path.write_text(around.replace("%s", nested(depth)), encoding="utf-8")
    assert {problem.rule for problem in check([path]).problems if problem.severity == "error"} & {
        "too-deep",
        "bad-yaml",
    }


def test_deep_blocks_of_yaml_are_an_error(tmp_path):
    path = tmp_path / "mocks.yaml"
    path.write_text("- " * 10_000 + "x\n")
    (problem,) = check([path]).problems
    assert (problem.rule, problem.hint) == ("bad-yaml", "nest less deep")


@pytest.mark.parametrize("depth", [100, 190, 191, 192, 193, 200])
def test_what_is_too_deep_is_what_is_too_deep_for_adk(depth):
    text = json.dumps(evalset_of(case(1))).replace('"orders-1"', nested(depth), 1)
    try:
        EvalSet.model_validate_json(text)
    except ValueError:
        assert "too-deep" in {problem.rule for problem in evalset_format.parse(text, file="f").problems}
    else:
        assert evalset_format.parse(text, file="f").problems == ()


def test_yaml_of_too_many_values_is_refused_before_they_take_up_memory(monkeypatch):
    monkeypatch.setattr(yaml_nodes, "MAX_NODES", 1_000)
    assert parse_yaml("[" + "x," * 999 + "]", "mocks.yaml").problems == ()
    (problem,) = parse_yaml("[" + "x," * 1_000 + "]", "mocks.yaml").problems
    assert (problem.rule, problem.message) == ("bad-yaml", "the file has more than 1,000 keys and values")
    assert "returns_file" in problem.hint
