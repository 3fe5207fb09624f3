"""`evalkit convert`: what it prints, writes and returns."""

import hashlib
import json
import tarfile

import pytest
from click.testing import CliRunner

from evalkit.cli.main import cli

CASE = 'user_prompt: "Why do orders take so long?"\nexpected_output: The queue is full\n'
RECORDING = '{"toolset_name": "shop/core", "tool_name": "get_queue", "match_params": {}}\n{"status": "success"}\n12\n'


@pytest.fixture
def fixtures(tmp_path):
    """A folder with one suite of two fixtures."""
    suite = tmp_path / "fixtures" / "test_ask_holmes"
    for name, files in {
        "01_orders": {"test_case.yaml": CASE, "queue.txt": RECORDING},
        "02_bills": {"test_case.yaml": CASE},
    }.items():
        (suite / name).mkdir(parents=True)
        for file, text in files.items():
            (suite / name / file).write_text(text)
    return tmp_path / "fixtures"


@pytest.fixture
def convert(tmp_path):
    """Run the command in process; it returns click's result."""

    def run(source, *args):
        return CliRunner().invoke(cli, ["convert", "holmes", str(source), str(tmp_path / "out"), *map(str, args)])

    return run


def test_each_case_is_a_line_and_the_totals_come_last(convert, fixtures, tmp_path):
    done = convert(fixtures)
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        "replayable             test_ask_holmes/01_orders",
        "needs_live             test_ask_holmes/02_bills",
        "",
        "2 cases: 1 replayable, 1 needs live",
        f"written to {tmp_path / 'out'}; all notes are in {tmp_path / 'out' / 'conversion.json'}",
    ]


def test_what_to_do_next_is_told_where_recordings_can_answer(convert, fixtures, tmp_path):
    suite = fixtures / "test_ask_holmes"
    assert convert(fixtures).stderr == f"next: evalkit run {tmp_path / 'out'} --agent AGENT --mode live\n"
    assert convert(fixtures, "--json").stderr == ""
    (suite / "01_orders/queue.txt").unlink()
    assert convert(fixtures, "--force").stderr == ""


@pytest.mark.parametrize("flag", [("--json",), ("--format", "json")])
def test_a_conversion_as_json_is_all_of_standard_output(convert, fixtures, flag):
    value = json.loads(convert(fixtures, *flag).output)
    assert (value["schema"], value["totals"]["cases"], value["totals"]["needs_live"]) == ("evalkit.convert/1", 2, 1)
    assert [case["eval_id"] for case in value["cases"]] == ["01_orders", "02_bills"]


def test_a_case_that_cannot_be_used_fails_the_command_and_stops_no_other(convert, fixtures):
    (fixtures / "test_ask_holmes" / "01_orders" / "test_case.yaml").write_text("user_prompt: x\n")
    done = convert(fixtures)
    assert done.exit_code == 1
    assert "error" in done.output
    assert "expected_output" in done.output
    assert "needs_live             test_ask_holmes/02_bills" in done.output


def test_strict_fails_for_warnings(convert, fixtures):
    (fixtures / "test_ask_holmes" / "01_orders" / "test_case.yaml").write_text(CASE + "mood: good\n")
    assert convert(fixtures).exit_code == 0
    done = convert(fixtures, "--strict")
    assert (done.exit_code, "UNKNOWN_KEY" in done.output, "--strict" in done.stderr) == (1, True, True)


def test_strict_does_not_fail_for_what_is_only_to_be_known(convert, fixtures):
    (fixtures / "test_ask_holmes" / "01_orders" / "toolsets.yaml").write_text(
        "toolsets: {shop/core: {enabled: true}}\n"
    )
    assert convert(fixtures, "--strict").exit_code == 0


def test_an_archive_is_unpacked_and_its_suites_found(convert, fixtures, tmp_path):
    archive = tmp_path / "holmes.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(fixtures, "repo-main/tests/llm/fixtures")
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    done = convert(archive, "--sha256", digest, "--cache", tmp_path / "cache")
    assert (done.exit_code, "2 cases" in done.output) == (0, True)


def test_a_suite_at_the_top_of_an_archive_is_named_after_it(convert, fixtures, tmp_path):
    archive = tmp_path / "shop.tar"
    with tarfile.open(archive, "w") as tar:
        for folder in (fixtures / "test_ask_holmes").iterdir():
            tar.add(folder, folder.name)
    assert "shop/01_orders" in convert(archive, "--cache", tmp_path / "cache").output


def test_a_folder_that_holds_something_else_is_refused_in_a_line(convert, fixtures, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    done = convert(fixtures)
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert "holds other files" in done.stderr


def test_a_refusal_as_json_is_valid_too(convert, tmp_path):
    done = convert(tmp_path / "gone", "--json")
    assert done.exit_code == 2
    assert "no such file or folder" in json.loads(done.stdout)["error"]


def test_a_system_that_nobody_knows_is_answered_with_those_there_are():
    done = CliRunner().invoke(cli, ["convert", "sherlock", "a", "b"])
    assert (done.exit_code, "there is holmes" in done.output) == (2, True)


@pytest.mark.parametrize("args", [["convert", "--help"], ["convert", "holmes", "--help"]])
def test_help_teaches(args):
    done = CliRunner().invoke(cli, args)
    assert (done.exit_code, "holmes" in done.output) == (0, True)
