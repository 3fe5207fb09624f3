"""What is in the tree of a stage, and what is not."""

import os
from pathlib import Path

import pytest

from evalkit.errors import SetupError
from evalkit.setups import LiveSetup
from evalkit.staging.tree import files_in, lay_out


@pytest.fixture
def base(tmp_path):
    """An evalset's folder with the files of a case and what cases share."""
    folder = tmp_path / "suite" / "case"
    (folder / "files/manifests").mkdir(parents=True)
    (folder / "files/manifests/app.yaml").write_text("kind: Pod\n")
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared/lib.sh").write_text("echo lib\n")
    return folder


@pytest.fixture
def lay(base, tmp_path):
    """Lay out the tree of a case, and list what is in its working directory."""

    def laid_out(name="case", *, gold=(), **setup):
        root = tmp_path / "stage"
        root.mkdir()
        return lay_out(root, LiveSetup(**setup), base, name, gold)

    return laid_out


def test_the_folder_is_copied_and_what_is_shared_stands_where_scripts_expect_it(lay):
    tree = lay(folder="files", shared="../../shared")
    assert files_in(tree.workdir) == {"manifests/app.yaml"}
    assert (tree.workdir / "../../shared/lib.sh").read_text() == "echo lib\n"
    assert tree.notes == ()


def test_a_case_without_a_folder_has_an_empty_one(lay):
    assert files_in(lay().workdir) == frozenset()


@pytest.mark.parametrize(
    ("name", "folder"),
    [("38_rabbitmq", "38_rabbitmq"), ("39_kafka[12]", "39_kafka"), ("../a b", "a-b"), ("..", "case"), ("ä.b", "ä.b")],
)
def test_the_working_directory_has_the_name_of_the_fixture(lay, name, folder):
    assert lay(name).workdir.name == folder


def test_what_says_how_the_case_should_end_stays_out(lay, base):
    telling = ("test_case.yaml", "manifests/gold.json", "evalkit.golden.yaml", "x.evalset.json", "answers.txt")
    for name in telling:
        (base / "files" / name).write_text("gold")
    (base / "files/notes.txt").write_text("notes")
    (base / "files/a-link").symlink_to("answers.txt")
    tree = lay(folder="files", gold=[base / "files/answers.txt"])
    assert files_in(tree.workdir) == {"manifests/app.yaml", "notes.txt"}


def test_links_are_kept_if_what_they_lead_to_is_in_the_tree(lay, base, tmp_path):
    files = base / "files"
    (files / "relative").symlink_to("manifests/app.yaml")
    (files / "absolute").symlink_to(files / "manifests/app.yaml")
    (files / "folder").symlink_to("manifests")
    (files / "to-shared").symlink_to("../../shared/lib.sh")
    (files / "dangling").symlink_to("not-there")
    (files / "outside").symlink_to("../gold.json")
    (files / "far").symlink_to(tmp_path)

    tree = lay(folder="files", shared="../../shared")

    assert files_in(tree.workdir) == {
        "manifests/app.yaml",
        "relative",
        "absolute",
        "folder",
        "to-shared",
        "dangling",
    }
    assert (tree.workdir / "absolute").readlink() == Path("manifests/app.yaml")
    assert (tree.workdir / "to-shared").read_text() == "echo lib\n"
    assert (tree.workdir / "folder/app.yaml").read_text() == "kind: Pod\n"
    assert sorted(note.partition(": ")[2] for note in tree.notes) == sorted(
        f"a link that leads out of the case's folder, to {leads}; it was not copied"
        for leads in ("../gold.json", tmp_path)
    )


def test_a_folder_that_is_not_there_is_said(lay, base):
    with pytest.raises(SetupError, match=r"nowhere: no such folder, which the case's live setup names"):
        lay(folder="nowhere")


def test_what_cannot_be_copied_is_said(lay, base):
    os.mkfifo(base / "files/pipe")
    with pytest.raises(SetupError, match=r"files: cannot be copied: .*is a named pipe"):
        lay(folder="files")
