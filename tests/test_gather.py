"""Selectors of folders with the names of cases; all other selectors are tested by the command itself."""

import json

import pytest

from evalkit.errors import SelectionError
from evalkit.gather import gather
from evalkit.selection import Selector


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, ids in {"38_rabbitmq": ["38_rabbitmq"], "39_kafka": ["39_kafka[0]", "39_kafka[1]"]}.items():
        cases = [{"eval_id": one, "conversation": [{"user_content": {"parts": [{"text": "?"}]}}]} for one in ids]
        path = tmp_path / "suite" / name / f"{name}.evalset.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps({"eval_set_id": name, "eval_cases": cases}))
    return tmp_path.joinpath("suite").relative_to(tmp_path)


def ids_of(*selectors):
    bundles, _ = gather(selectors)
    return {bundle.path.name.partition(".")[0]: bundle.ids for bundle in bundles}


def test_in_a_folder_of_several_files_names_say_which_cases_of_which_file(folder):
    assert ids_of(Selector(folder, ("38_rab",))) == {"38_rabbitmq": ("38_rabbitmq",)}
    assert ids_of(Selector(folder, ("39_kafka",))) == {"39_kafka": ("39_kafka[0]", "39_kafka[1]")}
    both = ids_of(Selector(folder, ("39_kafka[1]", "38")))
    assert both == {"38_rabbitmq": ("38_rabbitmq",), "39_kafka": ("39_kafka[1]",)}


def test_what_is_selected_as_a_whole_stays_whole(folder):
    assert ids_of(Selector(folder, ("38",)), Selector(folder / "39_kafka")) == {
        "38_rabbitmq": ("38_rabbitmq",),
        "39_kafka": (),
    }


def test_a_name_that_is_not_there_is_refused_with_the_folder(folder):
    with pytest.raises(SelectionError) as refused:
        gather([Selector(folder, ("rabbitmq",))])
    assert str(refused.value) == "suite: no case 'rabbitmq'; did you mean 38_rabbitmq?"


@pytest.mark.parametrize(
    ("name", "kind"),
    [("mocks.yaml", "a mocks file"), ("test_config.json", "an eval config"), ("gold.json", "a gold file")],
)
def test_a_file_that_is_read_with_an_evalset_names_it(name, kind, folder):
    beside = folder / "39_kafka" / name
    beside.write_text("tools: {}")
    with pytest.raises(SelectionError) as refused:
        gather([Selector(beside)])
    evalset = folder / "39_kafka/39_kafka.evalset.json"
    assert str(refused.value) == f"{beside}: this is {kind}, not an evalset; name {evalset}, which it is for"


def test_of_several_evalsets_beside_a_mocks_file_one_is_an_example(folder):
    beside = folder / "39_kafka" / "mocks.yaml"
    beside.write_text("tools: {}")
    (folder / "39_kafka/more.test.json").write_text("[]")
    with pytest.raises(SelectionError, match=r"such as .*39_kafka\.evalset\.json, or the folder suite/39_kafka"):
        gather([Selector(beside)])


def test_a_mocks_file_alone_is_refused_all_the_same(folder):
    (folder / "mocks.json").write_text("{}")
    with pytest.raises(SelectionError, match=r"name the evalset that it is for \(\*.evalset.json"):
        gather([Selector(folder / "mocks.json")])
