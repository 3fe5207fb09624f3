"""Stored runs as sides: which are compared with which, and what cannot be compared."""

from datetime import UTC, datetime

import pytest

from evalkit.cases import Case, CaseSet, Config, Criterion, Message, Turn
from evalkit.errors import InputError
from evalkit.report import render_run_files
from evalkit.report.model import build_report
from evalkit.results import CaseResult
from evalkit.runs import RunFolder, RunInfo
from evalkit.sides import compare_runs, must_be_comparable, open_run

FILE = "lag.test.json"
NOW = datetime(2027, 1, 15, tzinfo=UTC)


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """Store a run of cases with the verdicts of their runs; every case asks the same unless `asks` says otherwise."""
    monkeypatch.chdir(tmp_path)

    def make(name, cases, *, mode="live", model=None, asks="How far?", threshold=1.0, file=FILE):
        info = RunInfo(
            mode=mode, started=NOW, finished=NOW, evalkit="0.1.0", python="3.11.7", model=model,
            agents={} if model else {"agents/lag": {"lag": "gemini-2.5-flash"}},
        )  # fmt: skip
        folder = RunFolder.create_at(tmp_path / name, info)
        turn = Turn(index=0, user=Message(role="user", parts=({"text": asks},)))
        used = CaseSet(
            file=file, eval_set_id="lag", cases=tuple(Case(eval_id=eval_id, turns=(turn,)) for eval_id in cases)
        )
        configs = {file: Config(criteria=(Criterion(name="grounding", threshold=threshold),), origin="x")}
        folder.write_inputs([used], configs)
        results = [
            CaseResult(file=file, eval_id=eval_id, run=run, verdict=verdict)
            for eval_id, verdicts in cases.items()
            for run, verdict in enumerate(verdicts)
        ]
        folder.finish(info, render_run_files(build_report(results, info, configs=configs)))
        return folder

    return make


@pytest.fixture
def with_models(stored, tmp_path):
    """Store a run with several models: a folder with one run for each."""

    def make(name, **cases):
        for model, verdicts in cases.items():
            stored(f"{name}/{model}", {"a": verdicts}, model=model)
        info = RunInfo(
            mode="live", started=NOW, finished=NOW, evalkit="0.1.0", python="3", parts={model: model for model in cases}
        )
        folder = RunFolder.create_at(tmp_path / name, info)
        folder.finish(info, {})
        return folder

    return make


def measures(comparison):
    names = {side.label: side.name for side in comparison.sides}
    return {names[one.second]: (names[one.first], one.finding) for one in comparison.differences}


def test_the_first_run_is_the_measure_of_all_others(stored):
    runs = [stored(name, {"a": ["passed"] * 4}) for name in ("old", "new")]
    runs.append(stored("newest", {"a": ["failed"] * 4}))
    comparison = compare_runs(runs)
    assert measures(comparison) == {"new": ("old", "unchanged"), "newest": ("old", "regression")}
    assert [(side.label, side.models) for side in comparison.sides] == [
        ("A", ("gemini-2.5-flash",)),
        ("B", ("gemini-2.5-flash",)),
        ("C", ("gemini-2.5-flash",)),
    ]


def test_the_models_of_one_run_are_measured_by_the_first(with_models):
    comparison = compare_runs([with_models("run", flash=["passed"] * 4, pro=["failed"] * 4)])
    assert measures(comparison) == {"run [pro]": ("run [flash]", "regression")}


def test_each_model_is_measured_by_itself_where_the_first_run_has_it(with_models):
    first = with_models("old", flash=["passed"] * 4, pro=["failed"] * 4)
    second = with_models("new", pro=["failed"] * 4, flash=["passed"] * 4, lite=["failed"] * 4)
    assert measures(compare_runs([first, second])) == {
        "new [pro]": ("old [pro]", "unchanged"),
        "new [flash]": ("old [flash]", "unchanged"),
        "new [lite]": ("old [flash]", "regression"),
    }


def test_what_was_edited_between_the_runs_is_found_in_the_folders(stored):
    edited = compare_runs([stored("old", {"a": ["passed"]}), stored("new", {"a": ["failed"]}, asks="And now?")])
    judged = compare_runs([stored("one", {"a": ["passed"]}), stored("two", {"a": ["failed"]}, threshold=0.5)])
    assert edited.differences[0].cases[0].edited == "the case was edited"
    assert judged.differences[0].cases[0].edited == "its criteria were edited"


def test_a_run_by_itself_has_nothing_to_be_compared_with(stored):
    with pytest.raises(InputError, match="there is nothing to compare it with; name another run"):
        compare_runs([stored("run", {"a": ["passed"]})])


def test_a_replay_is_not_compared_with_a_live_run(stored):
    runs = [stored("replay", {"a": ["passed"]}, mode="golden"), stored("live", {"a": ["passed"]})]
    with pytest.raises(InputError, match="replay replayed the model and live asked it"):
        compare_runs(runs)


def test_runs_without_a_common_case_are_not_compared(stored):
    runs = [stored("one", {"a": ["passed"]}), stored("two", {"a": ["passed"]}, file="other.test.json")]
    with pytest.raises(InputError, match="one and two have no case in common; names of files count, too"):
        compare_runs(runs)


def test_a_baseline_is_looked_at_before_anything_is_played(stored):
    baseline = stored("old", {"a": ["passed"]})
    must_be_comparable(baseline, "live", {(FILE, "a")})
    with pytest.raises(InputError, match="old and this run have no case in common"):
        must_be_comparable(baseline, "live", {(FILE, "b")})
    with pytest.raises(InputError, match="this run replayed the model and old asked it"):
        must_be_comparable(baseline, "golden", {(FILE, "a")})


def test_a_run_is_found_by_its_folder_or_its_name_among_all(stored, tmp_path):
    stored("kept/first", {"a": ["passed"]})
    (tmp_path / "kept/latest").symlink_to("first")
    assert open_run("kept/first", tmp_path / "kept").path == tmp_path / "kept/first"
    assert open_run("latest", tmp_path / "kept").path == tmp_path / "kept/first"


def test_who_asks_for_a_run_that_is_not_there_is_told_the_newest(stored, tmp_path):
    with pytest.raises(InputError, match=r"nowhere: is no run folder, .*; no run is stored there yet: `evalkit run`"):
        open_run("nowhere", tmp_path / "kept")
    for day in (1, 2, 3, 4):
        stored(f"kept/2027010{day}", {"a": ["passed"]})
    (tmp_path / "kept/latest").symlink_to("20270104")
    with pytest.raises(InputError, match=r"; the newest are 20270104, 20270103, 20270102$"):
        open_run("nowhere", tmp_path / "kept")


def test_a_run_that_never_ended_is_refused(stored):
    folder = stored("cut", {"a": ["passed"]})
    (folder.path / "results.json").unlink()
    with pytest.raises(InputError, match=r"cut: has no results\.json, so the run did not come to its end"):
        compare_runs([folder, stored("other", {"a": ["passed"]})])
