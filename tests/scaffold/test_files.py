"""Nothing that is there is lost."""

import pytest

from evalkit.errors import InputError
from evalkit.scaffold.files import ExistingFilesError, keep_all, new_file, write


def test_files_are_written_with_their_folders(tmp_path):
    write([new_file(tmp_path / "a" / "b" / "mocks.yaml", "tools: {}\n")])
    assert (tmp_path / "a" / "b" / "mocks.yaml").read_text() == "tools: {}\n"


def test_what_is_in_the_way_is_named_with_what_to_do(tmp_path):
    (tmp_path / "test_config.json").write_text("{}")
    (tmp_path / "mocks.yml").write_text("tools: {}")
    (tmp_path / "desk.test.json").symlink_to("nowhere")
    with pytest.raises(ExistingFilesError) as caught:
        keep_all(tmp_path / name for name in ("desk.test.json", "test_config.json", "mocks.yaml"))
    assert [path.name for path in caught.value.paths] == ["desk.test.json", "test_config.json", "mocks.yml"]
    for word in ("mocks.yml", "--force", "--out DIR", "--diff"):
        assert word in str(caught.value)


def test_an_empty_folder_is_in_nobodys_way(tmp_path):
    keep_all([tmp_path / "mocks.yaml"])


def test_a_change_is_shown_as_a_diff(tmp_path):
    path = tmp_path / "mocks.yaml"
    assert new_file(path, "a\n").diff().splitlines()[0] == "--- /dev/null"
    path.write_text("a\n")
    assert new_file(path, "a\n").diff() == ""
    assert new_file(path, "b\n").diff().splitlines()[-2:] == ["-a", "+b"]


def test_a_linked_file_stays_a_link_and_its_target_is_replaced(tmp_path):
    (tmp_path / "real.yaml").write_text("old")
    link = tmp_path / "mocks.yaml"
    link.symlink_to("real.yaml")
    write([new_file(link, "new")])
    assert (link.is_symlink(), (tmp_path / "real.yaml").read_text()) == (True, "new")


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"file: cannot make the folder: "):
        write([new_file(tmp_path / "file" / "mocks.yaml", "")])
    (tmp_path / "mocks.yaml").mkdir()
    with pytest.raises(InputError, match=r"mocks\.yaml: cannot read: "):
        new_file(tmp_path / "mocks.yaml", "")
