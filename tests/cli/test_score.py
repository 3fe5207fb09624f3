"""`evalkit score`: a stored run judged again, by the real command and by what it calls."""

import json
import shutil
from dataclasses import replace

import pytest

from evalkit.cases import Gate
from evalkit.cli.main import cli
from evalkit.errors import EvalkitError, InputError, SelectionError
from evalkit.plan import CheckError
from evalkit.rescoring.options import ScoreOptions
from evalkit.rescoring.rescore import score_again
from evalkit.runs import RunFolder
from evalkit.settings import load_settings

FIRST = {
    "steady": "passed",
    "wrong": "failed",
    "unmocked": "inconclusive",
    "crash": "error",
    "script": "failed",
    "later": "skipped",
    "known": "failed",
}
FILE = "evalsets/lag/lag.test.json"


@pytest.fixture
def score(in_project):
    """Score a run again, by default the first; return the verdicts, the notes of the run, and the report."""

    def call(run="first", **options):
        given = ScoreOptions(run=run, report_dir=in_project.root / "again", **options)
        report, folder = score_again(given, load_settings())
        assert folder.path == in_project.root / "again"
        return {result.eval_id: result.verdict for result in report.results}, report

    return call


def notes_of(report):
    return [note.text for note in report.notes]


def test_a_run_judged_by_what_it_used_has_the_verdicts_and_the_exit_code_that_it_had(stored):
    before = {path.name: path.read_bytes() for path in (stored.root / "first").iterdir()}
    done = stored.evalkit("score", "first", "--report", "again")

    assert done.returncode == 1
    assert stored.verdicts("again") == FIRST
    assert "note: scored again: first; all 7 verdicts are as they were" in done.stdout
    assert "1 passed, 2 failed, 1 error, 1 inconclusive, 1 skipped, 1 known failing in" in done.stdout.splitlines()[-1]
    assert done.stderr.splitlines()[-1] == "report: again"
    assert {path.name: path.read_bytes() for path in (stored.root / "first").iterdir()} == before


def test_the_new_run_is_whole_so_that_it_can_be_scored_again_itself(score, in_project):
    score()
    first, again = (RunFolder.open(in_project.root / name) for name in ("first", "again"))
    report, _ = score_again(ScoreOptions(run="again", report_dir=in_project.root / "third"), load_settings())

    assert [one.eval_id for one in again.outcomes()] == [*FIRST]
    assert {one.eval_id: one for one in again.outcomes()} == {one.eval_id: one for one in first.outcomes()}
    assert again.info.scored_from == "first"
    assert (again.info.mode, again.info.agent_of) == ("golden", {FILE: "agents/lag"})
    assert {one.eval_id: one.verdict for one in report.results} == FIRST


def test_other_criteria_judge_every_file_and_what_changed_is_told(score, in_project):
    config = in_project.write(
        "lenient.json", json.dumps({"criteria": {"grounding": {"threshold": 1.0, "gate": False}}})
    )
    verdicts, report = score(config=config)

    assert verdicts == {**FIRST, "wrong": "passed", "script": "passed", "known": "passed"}
    assert notes_of(report)[:2] == ["scored again: first; 3 of 7 verdicts changed", "scored again: passed, was failed"]
    assert report.notes[1].cases == ("wrong", "script", "known")


def test_a_criterion_with_another_score_is_told_though_no_verdict_changed(score, in_project):
    results = in_project.results("first")
    script = next(case for case in results["files"][0]["cases"] if case["eval_id"] == "script")
    grounding = next(item for item in script["criteria"] if item["name"] == "grounding")
    grounding["value"] = 0.123456
    (in_project.root / "first" / "results.json").write_text(json.dumps(results))
    verdicts, report = score()

    assert verdicts == FIRST
    assert notes_of(report)[0] == "scored again: first; all 7 verdicts are as they were, though scores changed"
    assert report.notes[1] == replace(
        report.notes[1], text="scored again: another score of grounding", cases=("script",)
    )


def test_the_files_as_they_are_now_judge_with_current(score, in_project, make_turn_case):
    in_project.criteria(grounding={"threshold": 1.0, "gate": False})
    in_project.evalset(
        make_turn_case("steady", skip="broken for now"),
        make_turn_case("wrong", "The lag of orders is 80.", known_failing="bug 13"),
        make_turn_case("script"),
        make_turn_case("crash", group="other"),
        make_turn_case("new"),
    )
    verdicts, report = score(current=True)
    reasons = {result.eval_id: result.reasons for result in report.results}

    assert verdicts == {
        "steady": "skipped", "wrong": "passed", "unmocked": "skipped", "crash": "inconclusive",
        "script": "inconclusive", "later": "skipped", "known": "skipped",
    }  # fmt: skip
    assert reasons["steady"] == ("broken for now",)
    assert reasons["unmocked"] == (f"it is not in {FILE} any more",)
    assert reasons["crash"] == ("the case asks something else now than what was played: play it again",)
    assert "they are what was replayed" in reasons["script"][0]
    assert f"{FILE}: not played by this run, so not scored: new" in notes_of(report)


def test_files_that_did_not_change_judge_as_before(score):
    verdicts, report = score(current=True)

    assert verdicts == FIRST
    assert notes_of(report)[0] == "scored again: first; all 7 verdicts are as they were"


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ("evalsets", [*FIRST]),
        (FILE, [*FIRST]),
        ("lag.test.json:wrong,steady", ["steady", "wrong"]),
        (f"{FILE}:crash", ["crash"]),
    ],
)
def test_cases_are_chosen_by_file_folder_and_id(score, chosen, expected):
    verdicts, report = score(chosen=(chosen,))

    assert verdicts == {name: FIRST[name] for name in expected}
    left = len(FIRST) - len(expected)
    assert notes_of(report)[0].endswith(f"; {left} cases were left out, as asked" if left else "as they were")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"chosen": ("k8s.test.json",)}, SelectionError, "--evalset k8s.test.json: the run has no such evalset"),
        ({"chosen": (f"{FILE}:stedy",)}, SelectionError, "no case 'stedy'; did you mean steady"),
        ({"run": "nowhere"}, InputError, r"nowhere: is no run folder, .*\.evalkit/runs; no run is stored"),
        ({"run": "evalsets"}, InputError, "is no run folder"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_one_line(score, options, error, message):
    with pytest.raises(error, match=message) as raised:
        score(**options)
    assert "\n" not in str(raised.value)


def test_criteria_with_faults_score_nothing(score, in_project):
    config = in_project.write("broken.json", '{"criteria": {"groundign": 1.0}}')
    with pytest.raises(CheckError, match="1 error in the files; nothing was scored") as raised:
        score(config=config)
    assert "groundign" in str(raised.value.problems[0])
    assert not (in_project.root / "again").exists()


def test_an_evalset_that_is_gone_cannot_judge(score, in_project):
    (in_project.root / FILE).unlink()
    with pytest.raises(SelectionError, match="the evalset is not there any more; run this in the folder of the run"):
        score(current=True)
    assert score()[0] == FIRST


@pytest.mark.parametrize("target", ["first", "./first/../first"])
def test_the_run_itself_is_never_replaced(in_project, target):
    with pytest.raises(InputError, match="is the run that is scored, which stays as it is"):
        score_again(ScoreOptions(run="first", report_dir=in_project.root / target), load_settings())


def test_a_run_that_was_cut_off_is_judged_as_far_as_it_went(score, in_project):
    folder = in_project.root / "first"
    for name in ("results.json", "report.md"):
        (folder / name).unlink()
    info = json.loads((folder / "run.json").read_text())
    del info["finished"]
    (folder / "run.json").write_text(json.dumps(info))
    lines = (folder / "outcomes.jsonl").read_text().splitlines(keepends=True)
    (folder / "outcomes.jsonl").write_text(lines[0] + lines[1] + lines[2][:30])
    verdicts, report = score()

    assert len(verdicts) == 2
    assert notes_of(report)[0] == "scored again: first never came to its end, so it has no verdicts to compare with"
    assert "the run was interrupted" in report.closing


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("run.json", '{"schema": "evalkit.run/9"}', "has the schema 'evalkit.run/9', but evalkit"),
        ("run.json", "{", "run.json: is not JSON"),
        ("outcomes.jsonl", '{"file": 1}\n', r"outcomes.jsonl:1: \$.*expected"),
        ("outcomes.jsonl", "", "nothing was played in this run"),
        ("cases.jsonl", "[]\n", "cases.jsonl:1: is no stored case"),
        ("criteria.json", "[]", "criteria.json: expected the criteria of each file"),
        ("criteria.json", "{}", "has no criteria for evalsets/lag/lag.test.json; name some with --config"),
        ("results.json", '{"schema": "evalkit.results/0"}', "has the schema 'evalkit.results/0'"),
        ("results.json", '{"schema": "evalkit.results/1"}', "is not what evalkit wrote"),
    ],
)
def test_a_broken_older_or_foreign_run_is_refused_in_one_line(score, in_project, file, text, message):
    (in_project.root / "first" / file).write_text(text)
    with pytest.raises(EvalkitError, match=message) as raised:
        score()
    assert "\n" not in str(raised.value)
    assert not (in_project.root / "again").exists()


def test_repeats_are_settled_by_the_gate_of_the_command_line_then_by_that_of_the_run(score, in_project):
    assert score("twice")[1].exit_code == 0
    assert score("twice", suite=Gate(min_pass_rate=0.6))[1].exit_code == 1
    assert len([*RunFolder.open(in_project.root / "again").outcomes()]) == 4


def test_quarantine_holds_for_a_run_that_is_scored_again(score, in_project):
    entry = f'case = "{FILE}:wrong"\nowner = "me"\nreason = "drifts"\nexpires = 2999-01-31\n'
    in_project.write("pyproject.toml", f"[tool.evalkit]\n[[tool.evalkit.quarantine]]\n{entry}")
    _, report = score(chosen=(f"{FILE}:steady,wrong",))

    assert report.exit_code == 0
    assert [result.eval_id for result in report.quarantined] == ["wrong"]


def test_each_model_of_a_run_with_several_has_a_run_of_its_own_again(score, in_project):
    models(in_project, small="first", large="twice")
    verdicts, report = score("both")

    assert [column.model for column in report.models.columns] == ["small", "large"]
    assert verdicts == {**FIRST, "steady": "passed", "wrong": "failed"}
    assert "scored again: both/small; all 7 verdicts are as they were" in notes_of(report)
    assert sorted(RunFolder.open(in_project.root / "again").info.parts) == ["large", "small"]
    assert in_project.verdicts("again/large") == {"steady": "passed", "wrong": "failed"}


def models(project, **runs):
    """Make a run with several models out of runs with one."""
    for model, run in runs.items():
        shutil.copytree(project.root / run, project.root / "both" / model)
    info = json.loads((project.root / "first" / "run.json").read_text())
    (project.root / "both" / "run.json").write_text(json.dumps({**info, "parts": {model: model for model in runs}}))
    results = project.results("first")
    for group in results["files"]:
        group["model"] = "small"
    (project.root / "both" / "results.json").write_text(json.dumps(results))


@pytest.mark.parametrize("target", ["both", "both/small"])
def test_a_part_is_not_replaced_either_nor_what_it_is_a_part_of(in_project, target):
    models(in_project, small="first", large="twice")
    for run in ("both", "both/small"):
        with pytest.raises(InputError, match="is the run that is scored"):
            score_again(ScoreOptions(run=run, report_dir=in_project.root / target), load_settings())


def test_a_judge_is_asked_where_it_is_named_and_what_it_said_holds_as_long_as_nothing_changed(score, in_project):
    answer = '{"verdicts": [{"rubric_id": "polite", "verdict": "yes", "rationale": "it is"}]}'
    in_project.write("judging.py", f"def yes(question):\n    return {answer!r}\n")
    rubrics = [{"rubric_id": "polite", "rubric_content": {"text_property": "The answer is polite."}}]
    in_project.write("rubric.json", json.dumps({"criteria": {"rubric": {"threshold": 0.5, "rubrics": rubrics}}}))
    only = {"chosen": (f"{FILE}:steady",), "config": in_project.root / "rubric.json"}

    assert score(**only)[0] == {"steady": "inconclusive"}
    assert score(**only, judge="python:judging:yes")[0] == {"steady": "passed"}
    shutil.move(in_project.root / "again", in_project.root / "judged")
    lower = in_project.write("lower.json", (in_project.root / "rubric.json").read_text().replace("0.5", "0.25"))
    assert score("judged", config=lower)[0] == {"steady": "passed"}
    other = in_project.write("other.json", lower.read_text().replace("is polite", "is short"))
    assert score("judged", config=other)[0] == {"steady": "inconclusive"}


def test_gold_is_opened_again_and_another_gold_judges_otherwise(score, in_project):
    assert score("gold")[0] == {"hit": "passed", "miss": "failed", "long": "passed"}
    path = in_project.root / "blind" / "gold.json"
    path.write_text(path.read_text().replace("is 90", "orders is 75"))
    verdicts, report = score("gold")

    assert verdicts == {"hit": "passed", "miss": "passed", "long": "passed"}
    assert report.results[1].audit.answered_first
    path.unlink()
    assert score("gold")[0] == dict.fromkeys(("hit", "miss", "long"), "inconclusive")


def test_json_is_whole_even_where_nothing_could_be_scored(stored):
    done = stored.evalkit("score", "first", "--config", "nowhere.json", "--format", "json")

    assert done.returncode == 2
    assert json.loads(done.stdout)["schema"] == "evalkit.refusal/1"


def test_a_trace_without_the_state_of_its_turns_is_not_judged_by_it(score, in_project):
    path = in_project.root / "first" / "outcomes.jsonl"
    outcomes = [json.loads(line) for line in path.read_text().splitlines()]
    for outcome in outcomes:
        outcome.get("trace", {}).pop("states", None)
    path.write_text("".join(json.dumps(outcome) + "\n" for outcome in outcomes))
    evalset = json.loads((in_project.root / FILE).read_text())
    evalset["eval_cases"][0]["evalkit"] = {"expect": [{"state": {"lag": 75}}]}
    (in_project.root / FILE).write_text(json.dumps(evalset))
    _, report = score(current=True, chosen=(f"{FILE}:steady",))

    assert report.results[0].verdict == "inconclusive"
    assert "has no state after each turn; play the case again" in report.results[0].reasons[0]


def test_the_help_teaches_by_examples(capsys):
    with pytest.raises(SystemExit):
        cli(["score", "--help"])
    shown = capsys.readouterr().out
    assert "evalkit score latest --current" in shown
    assert "Exit code: 1 if a case failed or errored" in shown
