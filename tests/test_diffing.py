"""Diffs can be applied, say no more than has changed, and are made in one pass."""

import re
import shutil
import subprocess

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from evalkit.diffing import unified_diff

HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\n")
NO_END = "\\ No newline at end of file\n"


def applied(text, diff):
    """What a text becomes by a diff, whose every line about it must be right."""
    lines, made, at = text.split("\n"), [], 0
    lines = [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    body = diff.split("\n")
    body = [f"{line}\n" for line in body[:-1]][2:]
    for index, line in enumerate(body):
        if hunk := HUNK.fullmatch(line):
            start = int(hunk[1]) - (hunk[2] != "0")
            made += lines[at:start]
            at = start
            continue
        if line == NO_END:
            continue
        content = line[1:] if body[index + 1 : index + 2] != [NO_END] else line[1:-1]
        if line[0] in " -":
            assert lines[at] == content
            at += 1
        if line[0] in " +":
            made.append(content)
    return "".join([*made, *lines[at:]])


texts = st.lists(st.sampled_from(["a", "b", "{", "}", "", "  x"]), max_size=30).map("\n".join)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(before=texts, after=texts)
def test_a_diff_leads_from_one_text_to_the_other(before, after):
    assert applied(before, unified_diff(before, after, "a.json")) == after


def test_nothing_changed_is_no_diff():
    assert unified_diff("a\nb", "a\nb", "a.json") == ""


def test_a_change_stands_with_three_lines_around_it():
    before = "".join(f"{number}\n" for number in range(20))
    after = before.replace("9\n", "nine\nand more\n", 1)
    assert unified_diff(before, after, "dir/a.json") == (
        "--- a/dir/a.json\n+++ b/dir/a.json\n@@ -7,7 +7,8 @@\n 6\n 7\n 8\n-9\n+nine\n+and more\n 10\n 11\n 12\n"
    )


def test_changes_far_apart_are_hunks_of_their_own():
    before = "".join(f"{number}\n" for number in range(40))
    after = before.replace("5\n", "five\n", 1).replace("\n30\n", "\n")
    assert [line for line in unified_diff(before, after, "a").splitlines() if line[0] in "@+-"][2:] == [
        *("@@ -3,7 +3,7 @@", "-5", "+five"),
        *("@@ -28,7 +28,6 @@", "-30"),
    ]


def test_a_last_line_without_an_end_is_marked():
    assert unified_diff("a", "b\n", "x") == "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n" + NO_END + "+b\n"


def test_a_change_in_every_third_line_of_many_thousands_is_no_matter():
    before = "{\n  x,\n}\n" * 50_000
    after = before.replace("x,", "x")
    diff = unified_diff(before, after, "a.json")
    assert diff.count("\n-  x,\n+  x\n") == 50_000


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_git_applies_it(tmp_path):
    before, after = '{\r\n "a": [1,],\r\n "b": 2\r\n}', '{\r\n "a": [1],\r\n "b": 2\r\n}'
    (tmp_path / "a.json").write_bytes(before.encode())
    (tmp_path / "a.diff").write_bytes(unified_diff(before, after, "a.json").encode())
    subprocess.run(["git", "apply", "a.diff"], cwd=tmp_path, check=True)
    assert (tmp_path / "a.json").read_bytes().decode() == after
