"""Files that a crash cannot spoil."""

from pathlib import Path

import pytest

from evalkit.errors import InputError
from evalkit.storage import follow, point_at, read_json, read_lines, write_atomically


def test_writing_replaces_the_file_and_leaves_nothing_beside_it(tmp_path):
    target = tmp_path / "report.md"
    target.write_text("old", encoding="utf-8")

    write_atomically(target, "größer\n")

    assert target.read_bytes() == "größer\n".encode()
    assert list(tmp_path.iterdir()) == [target]


def test_a_write_that_fails_keeps_the_old_file(tmp_path):
    target = tmp_path / "report.md"
    target.write_text("old", encoding="utf-8")

    with pytest.raises(UnicodeEncodeError):
        write_atomically(target, "\ud800")

    assert target.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_write_that_the_system_refuses_names_the_file(tmp_path):
    target = tmp_path / "missing" / "report.md"

    with pytest.raises(InputError) as raised:
        write_atomically(target, "")

    assert str(raised.value) == f"{target}: cannot write: No such file or directory"


def test_a_pointer_moves_from_one_folder_to_the_next(tmp_path):
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        point_at(tmp_path / "latest", name)

    assert (tmp_path / "latest").resolve() == tmp_path / "second"
    assert follow(tmp_path / "latest") == tmp_path / "latest"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first", "latest", "second"]


def test_where_there_are_no_links_the_pointer_is_a_file_with_the_name(tmp_path, monkeypatch):
    def refuse(*args, **kwargs):
        raise OSError("a privilege is missing")

    monkeypatch.setattr(Path, "symlink_to", refuse)
    (tmp_path / "first").mkdir()

    point_at(tmp_path / "latest", "first")

    assert (tmp_path / "latest").read_text(encoding="utf-8") == "first\n"
    assert follow(tmp_path / "latest") == tmp_path / "first"


def test_a_file_that_is_not_json_is_named(tmp_path):
    (tmp_path / "run.json").write_text("{", encoding="utf-8")

    with pytest.raises(InputError, match=r"run\.json: is not JSON: Expecting property name"):
        read_json(tmp_path / "run.json")


def test_lines_come_with_their_place(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes('{"a": "x\u2028y"}\n2\n'.encode())

    assert list(read_lines(path)) == [(f"{path}:1", {"a": "x\u2028y"}), (f"{path}:2", 2)]


@pytest.mark.parametrize(
    "tail",
    [b'{"eval_id": "on', b'{"eval_id": "\xe6\xb6', b"\x00\x00\x00"],
    ids=["in a word", "in a character", "zeros"],
)
def test_a_last_line_that_was_cut_off_is_left_out(tmp_path, tail):
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"1\n" + tail)

    assert [value for _, value in read_lines(path)] == [1]


def test_a_last_line_that_lacks_only_its_end_counts(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"1\n2")

    assert [value for _, value in read_lines(path)] == [1, 2]


def test_a_broken_line_that_was_not_cut_off_is_an_error(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"1\n{\n3\n")

    with pytest.raises(InputError, match=r"x\.jsonl:2: is not JSON: .*; remove the line to go on without it"):
        list(read_lines(path))
