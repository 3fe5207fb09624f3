"""What a conversion writes, replaces, removes and leaves alone, and where it refuses to write."""

import json
import os

import pytest

from evalkit.adapters.holmes import conversion
from evalkit.adapters.holmes.conversion import convert
from evalkit.adapters.holmes.nouns import Options
from evalkit.errors import InputError, SelectionError

ASK = "test_ask_holmes/01_orders"


def test_each_fixture_has_its_files_in_a_folder_of_its_own(bench, recording):
    bench.add(
        files={"q.txt": recording("get_queue", "12"), "manifest.yaml": "a: 1\n", "conversation_history.json": "[]"}
    )
    bench.convert()
    written = {name.removeprefix(f"{ASK}/") for name in bench.tree() if name.startswith(ASK)}
    expected = {"01_orders.evalset.json", "test_config.json", "mocks.yaml", "gold.json", "files/manifest.yaml"}
    assert written == expected
    assert (bench.target / "conversion.json").is_file()


def test_a_script_stays_executable(bench):
    folder = bench.add(files={"run.sh": "#!/bin/sh\n", "notes.md": "x"})
    (folder / "run.sh").chmod(0o775)
    bench.convert()
    files = bench.target / ASK / "files"
    assert (os.access(files / "run.sh", os.X_OK), os.access(files / "notes.md", os.X_OK)) == (True, False)


def test_converting_again_removes_what_is_stale_and_leaves_foreign_files(bench, recording):
    folder = bench.add(files={"q.txt": recording("get_queue", "x" * 5000), "old/script.sh": "exit"})
    bench.convert()
    foreign = bench.target / ASK / "files" / "mine.txt"
    foreign.write_text("mine")
    (folder / "q.txt").unlink()
    (folder / "old" / "script.sh").unlink()
    bench.convert()
    assert foreign.read_text() == "mine"
    assert not (bench.target / ASK / "replies").exists()
    assert not (bench.target / ASK / "files" / "old").exists()


def test_a_fixture_that_became_unusable_leaves_no_evalset_of_before(bench):
    folder = bench.add(files={})
    bench.convert()
    (folder / "test_case.yaml").write_text("user_prompt: []\nexpected_output: x\n")
    done = bench.convert()
    assert done.entry(ASK)["status"] == "error"
    assert not (bench.target / ASK).exists()


def test_a_single_fixture_is_converted_into_the_folder_of_all(bench):
    one = bench.add(files={})
    bench.add("02_bills", files={})
    bench.convert()
    before = bench.tree()
    done = convert(one, bench.target, Options())
    assert (done.kept, bench.tree()) == (1, before)


def test_options_are_part_of_what_is_written(bench, recording):
    bench.add(files={"q.txt": recording("get_queue", "12")})
    bench.convert(response="holmes-text")
    assert bench.convert().ledger["written"][ASK]["options"] == {}
    assert bench.convert(response="holmes-text").ledger["written"][ASK]["options"] == {"response": "holmes-text"}


def test_a_converted_file_that_somebody_changed_is_not_replaced_unless_by_force(bench):
    bench.add(files={})
    bench.convert()
    config = bench.target / ASK / "test_config.json"
    config.write_text("{}")
    with pytest.raises(InputError, match=r"(?s)changed since.*test_config\.json.*--force"):
        bench.convert()
    assert config.read_text() == "{}"
    bench.convert(force=True)
    assert "holmes_correctness" in config.read_text()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"notes.txt": "mine"}, "holds other files"),
        ({"conversion.json": '{"system": "other"}'}, "not of a conversion from holmesgpt"),
        ({"conversion.json": '{"system": "holmesgpt", "version": 9}'}, "has version 9"),
        ({"conversion.json": '{"system": "holmesgpt", "version": 1}'}, "cannot be used"),
        ({"conversion.json": "{"}, "is not JSON"),
    ],
    ids=["files", "system", "version", "damaged", "broken"],
)
def test_a_folder_that_holds_something_else_is_refused(bench, content, said):
    bench.add(files={})
    bench.target.mkdir()
    for name, text in content.items():
        (bench.target / name).write_text(text)
    with pytest.raises(InputError, match=said):
        bench.convert()
    assert {path.name for path in bench.target.iterdir()} == set(content)


def test_a_foreign_file_in_the_place_of_a_new_one_is_refused(bench):
    bench.add(files={})
    bench.convert()
    bench.add("02_bills", files={})
    foreign = bench.target / "test_ask_holmes" / "02_bills" / "mocks.yaml"
    foreign.parent.mkdir()
    foreign.write_text("mine")
    with pytest.raises(InputError, match=r"mocks\.yaml was not written by a conversion"):
        bench.convert()
    assert foreign.read_text() == "mine"


def test_a_folder_cannot_be_converted_into_itself(bench):
    bench.add(files={})
    with pytest.raises(InputError, match="must not be the folder"):
        convert(bench.root, bench.root / "out", Options())


@pytest.mark.parametrize("point", ["write_folder", "write_ledger"])
def test_an_interrupted_conversion_is_taken_up_by_the_next(bench, monkeypatch, point):
    bench.add(files={})
    bench.add("02_bills", files={})
    real, calls = getattr(conversion, point), []

    def interrupted(*args, **kwargs):
        calls.append(args)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(*args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(conversion, point, interrupted)
        with pytest.raises(KeyboardInterrupt):
            bench.convert()
    assert json.loads((bench.target / "conversion.json").read_text())["complete"] is False
    done = bench.convert()
    assert (done.ledger["complete"], done.ledger["totals"]["cases"]) == (True, 2)
    assert not [name for name in bench.tree() if ".evalkit-" in name]


def test_an_interrupted_swap_is_undone(bench):
    bench.add(files={})
    bench.convert()
    before = bench.tree()
    folder = bench.target / ASK
    folder.rename(folder.with_name(f".{folder.name}.evalkit-old"))
    (folder.with_name(f".{folder.name}.evalkit-new")).mkdir()
    bench.convert()
    assert bench.tree() == before


def test_suites_are_found_however_deep_they_lie(bench, tmp_path):
    bench.add(files={})
    (bench.root / "README.md").write_text("not a suite")
    (bench.root / "docs").mkdir()
    done = convert(tmp_path / "fixtures", tmp_path / "a", Options())
    buried = tmp_path / "archive" / "repo-main" / "tests" / "llm"
    buried.mkdir(parents=True)
    bench.root.rename(buried / "fixtures")
    again = convert(tmp_path / "archive", tmp_path / "b", Options())
    assert [entry["eval_id"] for entry in again.entries] == ["01_orders", "docs"]
    assert again.entries == done.entries


def test_two_folders_of_suites_are_not_chosen_between(bench, tmp_path):
    bench.add(files={})
    (tmp_path / "old" / "test_ask_holmes" / "01_x").mkdir(parents=True)
    (tmp_path / "old" / "test_ask_holmes" / "01_x" / "test_case.yaml").write_text("")
    with pytest.raises(SelectionError, match="several folders"):
        convert(tmp_path, tmp_path.with_name("out"), Options())


def test_a_folder_without_fixtures_is_refused(tmp_path):
    (tmp_path / "src" / "test_ask_holmes" / "01_empty").mkdir(parents=True)
    with pytest.raises(SelectionError, match="no fixtures of HolmesGPT"):
        convert(tmp_path / "src", tmp_path / "out", Options())


def test_folders_that_are_no_cases_are_listed(bench):
    bench.add(files={})
    (bench.root / "test_ask_holmes" / "54_empty").mkdir()
    (bench.root / "shared").mkdir()
    entries = {entry["eval_id"]: entry["status"] for entry in bench.convert().ledger["cases"]}
    assert entries == {"01_orders": "needs_live", "54_empty": "not_a_case", "shared": "not_a_case"}


def test_what_fixtures_share_is_copied_if_one_needs_it(bench):
    bench.add(files={})
    (bench.root / "shared").mkdir(parents=True)
    (bench.root / "shared" / "loki.yaml").write_text("kind: Service\n")
    bench.convert()
    assert not (bench.target / "shared").exists()
    script = 'user_prompt: x\nexpected_output: y\nbefore_test: "kubectl apply -f ../../shared/loki.yaml"\n'
    bench.add("02_bills", files={"test_case.yaml": script})
    done = bench.convert()
    assert (bench.target / "shared" / "loki.yaml").read_text() == "kind: Service\n"
    assert done.case("test_ask_holmes/02_bills")["evalkit"]["live"]["shared"] == "../../shared"
    assert "live" in done.case(ASK)["evalkit"]


def test_a_link_that_leads_out_of_the_fixture_is_left_out_and_noted(bench, tmp_path):
    (tmp_path / "secret").write_text("secret")
    folder = bench.add(files={})
    (folder / "link").symlink_to(tmp_path / "secret")
    done = bench.convert()
    assert [note["file"] for note in done.notes(ASK, "FILE_LEFT_OUT")] == ["link"]
    assert not (bench.target / ASK / "files").exists()
