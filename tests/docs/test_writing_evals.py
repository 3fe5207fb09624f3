"""What README.md and docs/writing-evals.md show is true: their snippets are read as evalkit reads a user's files."""

import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest

from evalkit.check import check
from evalkit.cli.main import COMMANDS, cli
from evalkit.errors import Problem
from evalkit.formats import config, evalset, gold, mocks
from evalkit.formats.faults import load_schema
from evalkit.formats.metrics import METRICS
from evalkit.formats.rules import RULES
from evalkit.matching.faults import OPERATORS
from evalkit.settings import load_settings

ROOT = Path(__file__).resolve().parents[2]
GUIDE = "docs/writing-evals.md"
DOCUMENTS = ("README.md", GUIDE)

FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
IN_REPOSITORY = re.compile(r"(?<![\w./-])(?:agents|docs|evalkit|evalsets|tests)/[\w./-]*\w")
LINK = re.compile(r"ln -s \S+ [^\s`]+")
"""A command that makes the path at its end, which is not there before."""
REPORTED = re.compile(r"^(error|warning|note)\[([\w-]+)\]", re.MULTILINE)
CALL = {"name": "list_kafka_topics", "args": {}}
TURN: dict[str, Any] = {
    "user_content": {"parts": [{"text": "Which topics are there?"}]},
    "intermediate_data": {"tool_uses": [CALL]},
}


def snippets(*languages: str) -> list[Any]:
    """The fenced blocks in some languages, each with its document and line as the id of its test."""
    found = []
    for document in DOCUMENTS:
        text = (ROOT / document).read_text(encoding="utf-8")
        for block in FENCED.finditer(text):
            line = text.count("\n", 0, block.start()) + 1
            if block[1] in languages:
                found.append(pytest.param(block[2], id=f"{document}:{line}"))
    return found


def commands() -> list[Any]:
    """The command lines of console blocks."""
    return [
        pytest.param(line.removeprefix("$ "), id=f"{block.id}:{line}")
        for block in snippets("console")
        for line in str(block.values[0]).splitlines()
        if line.startswith("$ ")
    ]


def problems_in_json(text: str) -> tuple[Problem, ...]:
    """Read a JSON snippet as what its keys say that it is: a whole file, or a part of one within a file around it."""
    value = json.loads(text if text.startswith("{") else f"{{{text}}}")
    match sorted(value):
        case ["eval_cases", "eval_set_id"]:
            return evalset.parse(text, file="lag.test.json").problems
        case ["criteria", *_]:
            return config.parse(text, file="test_config.json").problems
        case ["evalkit"]:
            return problems_of_case({"conversation": [TURN], **value})
        case ["cases", "version"]:
            return gold.parse(text, file="gold.json").problems
        case keys if value.keys() <= load_schema("evalset")["$defs"]["Expectation"]["properties"].keys():
            assert keys, "an empty entry shows nothing"
            return problems_of_case({"conversation": [TURN], "evalkit": {"expect": [value]}})
        case keys:
            assert "user_content" in keys, f"neither a file nor a turn nor an entry of expect: {keys}"
            return problems_of_case({"conversation": [TURN, value]})


def problems_of_case(case: dict[str, Any]) -> tuple[Problem, ...]:
    """Read a case as the only one of an evalset."""
    text = json.dumps({"eval_set_id": "lag", "eval_cases": [{"eval_id": "one", **case}]})
    return evalset.parse(text, file="lag.test.json").problems


def reply_files(value: Any) -> list[str]:
    """The files beside it that a mocks file names."""
    if isinstance(value, list):
        return [name for item in value for name in reply_files(item)]
    if not isinstance(value, dict):
        return []
    named = [item for key, item in value.items() if key.endswith("_file")]
    return [*named, *reply_files([*value.values()])]


def first_column(heading: str) -> set[str]:
    """The names in backticks in the first column of the guide's tables below a heading, down to the next one."""
    text = (ROOT / GUIDE).read_text(encoding="utf-8")
    section = re.split(r"^## ", text.partition(f"\n## {heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]
    cells = re.findall(r"^\| (.*?) \|", section, re.MULTILINE)
    return {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}


@pytest.mark.parametrize("text", snippets("json"))
def test_json_is_an_evalset_a_config_or_a_part_of_one_without_a_fault(text):
    assert [str(problem) for problem in problems_in_json(text)] == []


@pytest.mark.parametrize("text", snippets("yaml"))
def test_yaml_is_a_mocks_file_without_a_fault(text, tmp_path):
    parsed = mocks.parse_text(text.encode(), "mocks.yaml").value
    assert parsed is not None
    for name in reply_files(parsed.value):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}")

    loaded = mocks.parse(text.encode(), file="mocks.yaml", folder=tmp_path)

    assert [str(problem) for problem in loaded.problems] == []
    assert loaded.value is not None


def test_the_three_files_of_the_first_case_go_together(tmp_path):
    text = (ROOT / GUIDE).read_text(encoding="utf-8")
    blocks = [(block[1], block[2]) for block in FENCED.finditer(text) if block[1] in ("json", "yaml")][:3]
    assert [language for language, _ in blocks] == ["json", "yaml", "json"]
    for name, (_, content) in zip(("lag.test.json", "mocks.yaml", "test_config.json"), blocks, strict=True):
        (tmp_path / name).write_text(content, encoding="utf-8")

    report = check([tmp_path])

    assert [Path(file).name for file in report.files] == ["lag.test.json", "test_config.json", "mocks.yaml"]
    assert report.problems == ()


@pytest.mark.parametrize("text", snippets("toml"))
def test_toml_is_settings_that_evalkit_takes(text, tmp_path):
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")

    settings = load_settings(tmp_path)

    assert settings.origin == tmp_path.resolve() / "pyproject.toml"


@pytest.mark.parametrize("line", commands())
def test_a_command_line_can_be_typed(line, pytestconfig):
    program, *words = shlex.split(line, comments=True)
    match program:
        case "evalkit":
            parse_as_the_command_would(words)
        case "make":
            assert re.search(rf"^{words[0]}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        case "pytest":
            for option in (word for word in words if word.startswith("--")):
                pytestconfig.getoption(option)  # ValueError if there is none
        case "pip":
            project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
            assert words == ["install", project["name"]]
        case _:
            pytest.fail(f"nothing knows whether {program} can be run like this")


def parse_as_the_command_would(words: list[str]) -> None:
    """Parse arguments without running anything; click raises UsageError for those that the command refuses."""
    name, *rest = words
    assert name in COMMANDS
    with click.Context(cli, info_name="evalkit") as context:
        command = cli.get_command(context, name)
        assert command is not None
        command.make_context(name, rest, parent=context)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_path_in_the_repository_that_is_named_exists(document):
    text = (ROOT / document).read_text(encoding="utf-8")

    named = set(IN_REPOSITORY.findall(LINK.sub("", text)))

    assert named
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


def test_every_message_of_a_rule_has_its_name_and_severity():
    reported = REPORTED.findall((ROOT / GUIDE).read_text(encoding="utf-8"))

    assert len(reported) > 5
    assert [(severity, rule) for severity, rule in reported if RULES[rule].severity != severity] == []


def test_the_table_of_criteria_has_every_metric_that_is_computed_here():
    computed = {name for name, metric in METRICS.items() if metric.kind in ("evalkit", "adk-deterministic")}

    assert first_column("All criteria") == computed


def test_every_judged_metric_of_adk_is_listed():
    text = (ROOT / GUIDE).read_text(encoding="utf-8")

    judged = [name for name, metric in METRICS.items() if metric.kind == "adk-judge"]

    assert [name for name in judged if f"`{name}`" not in text] == []


def test_the_tables_of_the_block_have_the_keys_of_its_schema():
    kinds = load_schema("evalset")["$defs"]

    assert first_column("The `evalkit` block of a case") == {
        *kinds["Evalkit"]["properties"],
        *kinds["Expectation"]["properties"],
    }


@pytest.mark.parametrize("kind", ["Trajectory", "Response", "Budget"])
def test_the_tables_of_the_block_name_every_key_of_a_rule(kind):
    text = (ROOT / GUIDE).read_text(encoding="utf-8").partition("\n## The `evalkit` block of a case\n")[2]

    keys = load_schema("evalset")["$defs"][kind]["properties"]

    assert [key for key in keys if f"`{key}`" not in text] == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_matcher_is_named(document):
    named = set(re.findall(r"\$[a-z]+", (ROOT / document).read_text(encoding="utf-8")))

    assert set(OPERATORS) <= named
