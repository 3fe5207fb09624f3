"""The run folder: written while a run goes on, read afterwards."""

import json
import platform
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

import evalkit
from evalkit.cases import Case, CaseSet, Config, Criterion, Message, Turn
from evalkit.errors import InputError
from evalkit.redaction.redactor import Redactor
from evalkit.runs import OWN_FILES, RunFolder, RunInfo, part_name
from evalkit.traces import Failure, Outcome, Trace

STARTED = datetime(2025, 11, 29, 23, 12, 5, tzinfo=timezone(timedelta(hours=2)))
INFO = RunInfo(
    mode="golden", started=STARTED, options=("run", "evalsets"), adk="2.13.0", python="3.11.7", evalkit="0.1.0"
)
FINISHED = replace(
    INFO, finished=STARTED + timedelta(seconds=2), agents={"agents/kafka": {"kafka": "gemini-2.5-flash"}}
)
OUTCOMES = (
    Outcome(file="a.json", eval_id="one", trace=Trace(mode="golden"), seconds=0.5),
    Outcome(file="a.json", eval_id="two", failure=Failure(kind="agent_error", message="KeyError: 'x'")),
    Outcome(file="b.json", eval_id="three", skipped="live only"),
)


@pytest.fixture
def runs(tmp_path):
    return tmp_path / ".evalkit" / "runs"


@pytest.fixture
def folder(runs):
    with RunFolder.create(runs, INFO) as folder:
        yield folder


def test_a_new_folder_is_named_by_its_start_in_utc_and_a_short_id(folder):
    assert re.fullmatch(r"20251129T211205Z-[0-9a-f]{6}", folder.path.name)


def test_two_runs_of_the_same_second_have_two_folders(runs):
    assert RunFolder.create(runs, INFO).path != RunFolder.create(runs, INFO).path


def test_git_ignores_runs(folder, runs):
    assert (runs / ".gitignore").read_text(encoding="utf-8").splitlines()[-1] == "*"


def test_a_folder_that_the_user_made_gets_no_gitignore(runs):
    runs.mkdir(parents=True)

    RunFolder.create(runs, INFO)

    assert not (runs / ".gitignore").exists()


def test_the_run_is_described_before_anything_is_played(folder):
    assert json.loads((folder.path / "run.json").read_text(encoding="utf-8")) == {
        "schema": "evalkit.run/1",
        "mode": "golden",
        "started": "2025-11-29T23:12:05+02:00",
        "options": ["run", "evalsets"],
        "adk": "2.13.0",
        "python": "3.11.7",
        "evalkit": "0.1.0",
    }


def test_outcomes_can_be_read_while_the_run_goes_on(folder):
    for outcome in OUTCOMES:
        folder.append(outcome)
        assert tuple(RunFolder.open(folder.path).outcomes())[-1] == outcome

    assert tuple(RunFolder.open(folder.path).outcomes()) == OUTCOMES


def test_a_killed_run_keeps_every_whole_outcome_and_no_end(folder):
    for outcome in OUTCOMES:
        folder.append(outcome)
    folder.close()
    path = folder.path / "outcomes.jsonl"
    path.write_bytes(path.read_bytes()[:-10])

    killed = RunFolder.open(folder.path)

    assert tuple(killed.outcomes()) == OUTCOMES[:2]
    assert killed.info.finished is None


def test_an_outcome_of_the_wrong_shape_is_named_with_line_and_path(folder):
    (folder.path / "outcomes.jsonl").write_text('{"file": "a", "eval_id": "b"}\n{"file": 1, "eval_id": "b"}\n')

    with pytest.raises(InputError, match=r"outcomes\.jsonl:2: \$\.file: expected a string, found 1"):
        tuple(RunFolder.open(folder.path).outcomes())


def test_a_run_without_outcomes_reads_as_none(folder):
    assert tuple(RunFolder.open(folder.path).outcomes()) == ()


def test_cases_and_criteria_come_back_as_used(folder):
    turn = Turn(index=0, user=Message(role="user", parts=({"text": "hi"},)), steps=())
    sets = (
        CaseSet(file="a.json", eval_set_id="a", cases=(Case(eval_id="one", turns=(turn,)), Case(eval_id="two"))),
        CaseSet(file="b.json", eval_set_id="b", cases=(Case(eval_id="one"),)),
    )
    configs = {"a.json": Config(criteria=(Criterion(name="rouge", threshold=0.8),), origin="test_config.json")}

    folder.write_inputs(sets, configs)

    stored = RunFolder.open(folder.path)
    assert stored.case_sets() == sets
    assert stored.configs() == configs


def test_a_stored_case_of_the_wrong_shape_is_named(folder):
    (folder.path / "cases.jsonl").write_text('{"file": "a"}\n', encoding="utf-8")

    with pytest.raises(InputError, match=r"cases\.jsonl:1: is no stored case; run the evaluation again"):
        folder.case_sets()


def test_finishing_writes_the_rendered_files_and_the_end(folder):
    folder.append(OUTCOMES[0])

    folder.finish(FINISHED, {"results.json": "{}\n", "report.md": "# Größe\n"})

    assert RunFolder.open(folder.path).info == FINISHED == folder.info
    assert (folder.path / "report.md").read_bytes() == "# Größe\n".encode()
    assert sorted(path.name for path in folder.path.iterdir()) == [
        "outcomes.jsonl",
        "report.md",
        "results.json",
        "run.json",
    ]


def test_latest_is_the_last_run_that_came_to_its_end(runs):
    finished, killed = RunFolder.create(runs, INFO), RunFolder.create(runs, INFO)
    finished.append(OUTCOMES[0])
    killed.append(OUTCOMES[1])

    finished.finish(FINISHED, {})
    killed.close()

    assert tuple(RunFolder.open(runs / "latest").outcomes()) == OUTCOMES[:1]


def test_latest_also_works_as_a_file(runs, folder):
    (runs / "latest").write_text(folder.path.name + "\n", encoding="utf-8")

    assert RunFolder.open(runs / "latest").path == folder.path


def test_a_report_folder_is_made_with_its_parents_and_gets_no_pointer(tmp_path):
    folder = RunFolder.create_at(tmp_path / "out" / "report", INFO)
    folder.finish(FINISHED, {"report.md": ""})

    assert [path.name for path in (tmp_path / "out").iterdir()] == ["report"]


def test_a_second_run_into_the_same_report_folder_replaces_the_first_whole(tmp_path):
    first = RunFolder.create_at(tmp_path, INFO)
    first.write_inputs((), {})
    first.append(OUTCOMES[0])
    first.finish(FINISHED, dict.fromkeys(("results.json", "report.md"), "old"))

    RunFolder.create_at(tmp_path, INFO)

    assert sorted(path.name for path in tmp_path.iterdir()) == ["outcomes.jsonl", "run.json"]
    assert RunFolder.open(tmp_path).info == INFO
    assert tuple(RunFolder.open(tmp_path).outcomes()) == ()


def test_other_files_in_a_report_folder_are_left_alone(tmp_path):
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")

    RunFolder.create_at(tmp_path, INFO).finish(FINISHED, {"report.md": ""})

    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("name", OWN_FILES)
@pytest.mark.parametrize("text", ["mine", "{}", '{"schema": "other/1"}'])
def test_a_file_of_our_name_that_is_not_ours_is_never_replaced(tmp_path, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8")

    with pytest.raises(InputError) as raised:
        RunFolder.create_at(tmp_path, INFO)

    assert str(raised.value) == f"{tmp_path}: has a {name} that evalkit did not write; name another folder"
    assert [(path.name, path.read_text(encoding="utf-8")) for path in tmp_path.iterdir()] == [(name, text)]


def test_a_report_folder_that_is_a_file_is_refused(tmp_path):
    file = tmp_path / "report"
    file.write_text("mine", encoding="utf-8")

    with pytest.raises(InputError, match="report: is not a folder; name a folder for the report"):
        RunFolder.create_at(file, INFO)


def test_a_place_where_no_folder_can_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")

    with pytest.raises(InputError, match=r"file/runs: cannot create a run folder here: Not a directory"):
        RunFolder.create(tmp_path / "file" / "runs", INFO)


def test_opening_something_else_says_what_to_name(tmp_path):
    with pytest.raises(
        InputError, match=r"is no run folder, it has no run\.json; name a folder that `evalkit run` wrote"
    ):
        RunFolder.open(tmp_path)


def test_a_run_of_another_version_is_refused_by_name(tmp_path):
    (tmp_path / "run.json").write_text('{"schema": "evalkit.run/9"}', encoding="utf-8")

    with pytest.raises(InputError, match=r"has the schema 'evalkit\.run/9', but evalkit .* reads 'evalkit\.run/1'"):
        RunFolder.open(tmp_path)


def test_a_run_that_begins_knows_its_time_zone_and_versions():
    info = RunInfo.begin("golden", options=["run", "-k", "lag"], adk="2.13.0")

    assert info.started.tzinfo is UTC
    assert (info.evalkit, info.python) == (evalkit.__version__, platform.python_version())
    assert (info.mode, info.options, info.adk) == ("golden", ("run", "-k", "lag"), "2.13.0")


@pytest.mark.parametrize(
    ("model", "taken", "name"),
    [
        ("gemini-2.5-pro", (), "gemini-2.5-pro"),
        ("openai/gpt-4o", (), "openai-gpt-4o"),
        ("projects/p/endpoints/7", (), "projects-p-endpoints-7"),
        ("..", (), "model"),
        ("GPT-4o", ("gpt-4o", "gpt-4o-2"), "GPT-4o-3"),
    ],
)
def test_a_models_part_of_a_run_has_a_folder_name_of_its_own(model, taken, name):
    assert part_name(model, taken) == name


def test_no_file_has_a_secret_not_even_one_that_became_known_after_it_was_written(tmp_path):
    redactor = Redactor({"DB_PASSWORD": "horse-7-battery"})
    options = ("run", "-k", "horse-7-battery")
    turn = Turn(index=0, user=Message(role="user", parts=({"text": "Log in with Zk39xPq7!"},)))
    criterion = Criterion(name="mine", options={"note": "Zk39xPq7!", "api_key": "kitten"})
    with RunFolder.create_at(tmp_path, replace(INFO, options=options), redactor) as folder:
        folder.write_inputs(
            [CaseSet(file="a.json", eval_set_id="a", cases=(Case(eval_id="one", turns=(turn,)),))],
            {"a.json": Config(criteria=(criterion,), origin="test_config.json")},
        )
        folder.append(Outcome(file="a.json", eval_id="one", trace=Trace(mode="golden", state={"said": "Zk39xPq7!"})))
        redactor.add({"AGENT_TOKEN": "Zk39xPq7!"})
        folder.finish(replace(FINISHED, options=options), {"report.md": "fine\n"})

    stored = RunFolder.open(tmp_path)
    assert stored.info.options == ("run", "-k", "[secret: DB_PASSWORD]")
    assert stored.case_sets()[0].cases[0].turns[0].user.parts[0] == {"text": "Log in with [secret: AGENT_TOKEN]"}
    (stored_criterion,) = stored.configs()["a.json"].criteria
    assert stored_criterion.options == {"note": "[secret: AGENT_TOKEN]", "api_key": "[secret: api_key]"}
    assert next(stored.outcomes()).trace.state == {"said": "[secret: AGENT_TOKEN]"}
