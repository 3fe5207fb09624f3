import os

import pytest

from evalkit.errors import SelectionError
from evalkit.formats import evalset as evalset_format
from evalkit.formats.files import discover, kind_of, read_bytes


def found(*paths, root):
    return [(os.path.relpath(file.path, root), file.kind) for file in discover(paths)]


def test_a_folder_is_searched_to_the_bottom_in_the_order_of_names(tmp_path, write):
    for name in ("b/z.test.json", "b/a.evalset.json", "b/test_config.json", "b/mocks.yaml", "a/deep/x.evalset.json"):
        write(name, "{}")
    assert found(tmp_path, root=tmp_path) == [
        ("a/deep/x.evalset.json", "evalset"),
        ("b/a.evalset.json", "evalset"),
        ("b/mocks.yaml", "mocks"),
        ("b/test_config.json", "config"),
        ("b/z.test.json", "evalset"),
    ]


def test_what_is_no_input_is_left_out(tmp_path, write):
    for name in ("notes.json", "replies/lag.yaml", ".adk/x.evalset.json", "node_modules/x.evalset.json"):
        write(name, "{}")
    assert found(tmp_path, root=tmp_path) == []


def test_a_named_file_is_taken_whatever_its_name(tmp_path, write):
    path = write("cases.json", "{}")
    assert found(path, root=tmp_path) == [("cases.json", None)]


def test_a_hidden_folder_is_searched_if_it_is_named(tmp_path, write):
    write(".evals/x.evalset.json", "{}")
    assert found(tmp_path / ".evals", root=tmp_path) == [(".evals/x.evalset.json", "evalset")]


def test_a_file_that_is_named_twice_is_found_once(tmp_path, write):
    path = write("x.evalset.json", "{}")
    assert found(path, tmp_path, tmp_path / "." / "x.evalset.json", root=tmp_path) == [("x.evalset.json", "evalset")]


def test_files_are_called_what_the_user_called_them(tmp_path, write, monkeypatch):
    write("evalsets/kafka/x.evalset.json", "{}")
    monkeypatch.chdir(tmp_path)
    assert [str(file.path) for file in discover(["evalsets"])] == ["evalsets/kafka/x.evalset.json"]


def test_a_path_that_does_not_exist_is_refused(tmp_path):
    with pytest.raises(SelectionError, match=r"nope: no such file or folder"):
        discover([tmp_path / "nope"])


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.evalset.json", "evalset"),
        ("a.test.json", "evalset"),
        ("test_config.json", "config"),
        ("mocks.json", "mocks"),
        ("refused.yaml", "mocks"),
        ("a.json", None),
    ],
)
def test_names_tell_what_is_in_a_file(name, kind):
    assert kind_of(name) == kind


def test_a_file_that_cannot_be_read_is_a_problem(tmp_path):
    (problem,) = read_bytes(tmp_path, "folder").problems
    assert (problem.rule, problem.message) == ("unreadable-file", "cannot be read: is a directory")
    assert evalset_format.read(tmp_path / "nope.evalset.json", name="nope").problems[0].message == (
        "cannot be read: no such file or directory"
    )
