"""Workflow commands, and texts that must not become any; the runner's own parser is told again in a few lines."""

import re

import pytest

from evalkit.workflow_commands import command, disarmed, in_repository


def taken_for_a_command(line):
    """What GitHub's runner obeys: `::name …::` at the start of a line, `##[name …]` anywhere in it."""
    newer = re.match(r"\s*::([^:]*?)( .*?)?::", line)
    older = re.search(r"##\[([^\] ]*)[^\]]*\]", line)
    return bool(newer or older)


def test_an_annotation_has_the_fields_that_are_known():
    assert command("error", "no lag", file="a.json", line=3, col=None, title="x") == (
        "::error file=a.json,line=3,title=x::no lag"
    )


def test_an_annotation_may_have_no_fields():
    assert command("notice", "3 more") == "::notice::3 more"


def test_the_text_stays_one_line_and_the_fields_stay_apart():
    assert command("warning", "50%\r\n::error::x", title="a: b, 5%\n") == (
        "::warning title=a%3A b%2C 5%25%0A::50%25%0D%0A::error::x"
    )


@pytest.mark.parametrize(
    "line",
    [
        "::error::x",
        "  ::add-mask::pay",
        "\u3000::group::x",
        "::stop-commands::token",
        "a ##[error]x",
        "##[group]a ##[endgroup]",
        "###[error]x",
    ],
)
def test_what_the_runner_would_obey_it_only_shows(line):
    assert taken_for_a_command(line)
    assert not any(taken_for_a_command(shown) for shown in disarmed(f"first\n{line}\nlast").splitlines())


@pytest.mark.parametrize("text", ["a::b::c", "## heading", "# [link]", "  + passed  lag::one", "a\n:b\n"])
def test_other_text_stays_as_it_is(text):
    assert not any(map(taken_for_a_command, text.splitlines()))
    assert disarmed(text) == text


def test_json_still_says_the_same():
    assert disarmed('"##[error]x"') == '"\\u0023#[error]x"'


@pytest.mark.parametrize(
    ("file", "named"),
    [
        ("evals/a.json", "repo/evals/a.json"),
        ("../checkout/repo/a.json", "repo/a.json"),
        ("/elsewhere/a.json", "/elsewhere/a.json"),
        ("./a.json", "repo/a.json"),
    ],
)
def test_a_file_is_named_from_the_top_of_the_repository(tmp_path, monkeypatch, file, named):
    workspace = tmp_path / "checkout"
    (workspace / "repo").mkdir(parents=True)
    monkeypatch.chdir(workspace / "repo")
    file = file.replace("../checkout/repo", "../../checkout/repo")

    assert in_repository(file, str(workspace)) == named


def test_a_workspace_behind_a_link_is_recognised(tmp_path, monkeypatch):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    monkeypatch.chdir(tmp_path / "real")

    assert in_repository("a.json", str(tmp_path / "link")) == "a.json"


def test_outside_of_github_a_file_keeps_its_name():
    assert in_repository("evals/../a.json", None) == "evals/../a.json"
