"""Incident notes: what is in the file, and that it lies where it should, whatever the title is."""

import datetime as dt
import re

import pytest


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where notes are written to; it is not there yet."""
    folder = tmp_path / "notes" / "of the team"
    monkeypatch.setenv("INCIDENT_NOTES_DIR", str(folder))
    return folder


@pytest.fixture
def write(assistant, folder):
    """The tool."""
    return assistant.notes.write_incident_note


def test_a_note_has_its_title_its_time_and_its_text(write, folder):
    reply = write("Checkout: pods crash in shop", "## Findings\n\n- web-1 is in CrashLoopBackOff\n")

    (path,) = folder.iterdir()
    assert (reply["status"], reply["path"]) == ("success", str(path))
    written = dt.datetime.fromisoformat(reply["written_at"])
    assert path.name == f"{written:%Y%m%dT%H%M%SZ}-checkout-pods-crash-in-shop.md"
    assert path.read_text(encoding="utf-8") == (
        "# Checkout: pods crash in shop\n"
        "\n"
        f"{written:%Y-%m-%d %H:%M:%S} UTC\n"
        "\n"
        "## Findings\n\n- web-1 is in CrashLoopBackOff\n"
    )


def test_the_time_is_now_in_utc(write):
    written = dt.datetime.fromisoformat(write("t", "x")["written_at"])

    assert written.tzinfo is dt.UTC
    assert abs(dt.datetime.now(dt.UTC) - written) < dt.timedelta(minutes=5)


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("../../etc/passwd", "etc-passwd"),
        ("/etc/cron.d/x", "etc-cron-d-x"),
        ("..", "incident"),
        ("C:\\Windows\\x", "c-windows-x"),
        ("a\u2044b ~ $HOME `id` *", "a-b-home-id"),
        ("障害", "incident"),
        ("NUL", "nul"),
        ("x" * 120, "x" * 60),
        ("a" * 59 + " b", "a" * 59),
    ],
)
def test_whatever_the_title_is_the_file_lies_in_the_folder(write, folder, tmp_path, title, slug):
    reply = write(title, "text")

    (path,) = folder.iterdir()
    assert reply["path"] == str(path)
    assert re.fullmatch(rf"\d{{8}}T\d{{6}}Z-{slug}\.md", path.name)
    assert path.read_text(encoding="utf-8").startswith(f"# {title}\n")
    assert [one.name for one in tmp_path.iterdir()] == ["notes"]


def test_no_note_replaces_another(write, folder):
    paths = [write("the same title", text)["path"] for text in ("one", "two", "three")]

    assert len(set(paths)) == 3
    assert sorted(path.read_text().split("\n")[-2] for path in folder.iterdir()) == ["one", "three", "two"]


def test_a_note_is_not_written_through_a_link(assistant, write, folder, tmp_path, monkeypatch):
    elsewhere = tmp_path / "elsewhere.md"
    folder.mkdir(parents=True)

    class Frozen(dt.datetime):
        @classmethod
        def now(cls, tz=None):
            return cls(2025, 6, 1, 9, 30, tzinfo=tz)

    monkeypatch.setattr(assistant.notes.dt, "datetime", Frozen)
    (folder / "20250601T093000Z-t.md").symlink_to(elsewhere)

    assert write("t", "x")["path"] == str(folder / "20250601T093000Z-t-2.md")
    assert not elsewhere.exists()


@pytest.mark.parametrize(
    ("title", "text", "error"),
    [
        ("", "x", "title must not be empty."),
        (" \n ", "x", "title must not be empty."),
        (None, "x", "title must be text, not None."),
        (7, "x", "title must be text, not 7."),
        ("t" * 121, "x", "title has 121 characters; a note's title may have 120."),
        ("two\nlines", "x", "title must be one line, without control characters."),
        ("a\x00b", "x", "title must be one line, without control characters."),
        ("a\u2028b", "x", "title must be one line, without control characters."),
        ("t", "", "text must not be empty."),
        ("t", ["x"], "text must be text, not ['x']."),
        ("t", "x" * 20_001, "text has 20001 characters; a note's text may have 20000."),
    ],
)
def test_bad_input_is_refused_and_nothing_is_written(write, folder, title, text, error):
    assert write(title, text) == {"status": "error", "error": error}
    assert not folder.exists()


@pytest.mark.parametrize("value", [None, ""])
def test_without_a_folder_nothing_is_written(assistant, monkeypatch, tmp_path, value):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("INCIDENT_NOTES_DIR", raising=False)
    if value is not None:
        monkeypatch.setenv("INCIDENT_NOTES_DIR", value)

    assert assistant.notes.write_incident_note("t", "x") == {
        "status": "error",
        "error": "INCIDENT_NOTES_DIR is not set; it names the folder that incident notes are written to.",
    }
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_to_is_an_error_reply(assistant, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("INCIDENT_NOTES_DIR", str(tmp_path / "file" / "notes"))

    assert assistant.notes.write_incident_note("t", "x") == {
        "status": "error",
        "error": f"The note could not be written to {tmp_path / 'file' / 'notes'}: Not a directory.",
    }
