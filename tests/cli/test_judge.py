"""`evalkit judge calibrate`: figures, limits and exit codes."""

import json
import sys

import pytest
from click.testing import CliRunner

from evalkit.cli.main import cli

JUDGE = """
def by_length(asked):
    answer = asked["material"]["final_answer"]
    said = "maybe" if answer == "?" else "yes" if len(answer) < 5 else "no"
    (rubric,) = asked["rubrics"]
    return {"verdicts": [{"rubric_id": rubric["rubric_id"], "verdict": said, "rationale": answer}]}
"""


@pytest.fixture
def calibrated(tmp_path, monkeypatch):
    """Calibrate a judge that passes short answers on answers with labels; returns the finished run."""
    name = tmp_path.name.replace("-", "_") + "_judge"
    (tmp_path / f"{name}.py").write_text(JUDGE, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(f'[tool.evalkit]\njudge = "python:{name}:by_length"', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])

    def calibrated(labels, *args):
        items = [{"answer": answer, "reference": "75", "label": label} for answer, label in labels.items()]
        (tmp_path / "labels.json").write_text(json.dumps(items), encoding="utf-8")
        return CliRunner().invoke(cli, ["judge", "calibrate", "labels.json", *args])

    return calibrated


GOOD = {"75": "yes", "74.9": "yes", "not known": "no", "it varies": "no", "1": "no"}


def test_the_figures_are_told_with_each_disagreement(calibrated):
    done = calibrated(GOOD)
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[1:4] == [
        "labels: 5, of which judged: 5",
        "accuracy: 4/5 (80.0%, 95% interval 37.6% to 96.4%)",
        "Cohen's kappa: 0.615",
    ]
    assert lines[4].startswith("false passes, among answers that people do not pass: 1/3 (33.3%, 95% interval ")
    assert lines[6:] == ["disagrees: labels.json: item 5: matches_the_reference: label no, judge yes: 1"]


def test_programs_get_them_as_json(calibrated):
    found = json.loads(calibrated(GOOD, "--format", "json").stdout)
    assert (found["schema"], found["labels"], found["judged"]) == ("evalkit.calibration/1", 5, 5)
    assert found["kappa"] == pytest.approx(8 / 13)
    assert (found["false_passes"]["count"], found["false_passes"]["of"]) == (1, 3)
    assert found["disagreements"][0]["verdict"] == "yes"


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        (["--min-kappa", "0.6"], 0, ""),
        (["--min-kappa", "0.7"], 1, "kappa is 0.615, below 0.7"),
        (["--max-false-passes", "0.4"], 0, ""),
        (["--max-false-passes", "0.1"], 1, "1 of 3 are passed wrongly, more than a share of 0.1"),
    ],
)
def test_a_limit_that_is_not_met_fails(calibrated, args, code, told):
    done = calibrated(GOOD, *args)
    assert done.exit_code == code
    assert told in done.stderr


def test_an_answer_that_could_not_be_judged_is_inconclusive(calibrated):
    done = calibrated({**GOOD, "?": "no"})
    assert done.exit_code == 2
    assert 'the verdict on matches_the_reference is "maybe", neither yes nor no' in done.stdout


def test_without_a_judge_or_a_file_nothing_is_asked(calibrated, tmp_path):
    assert CliRunner().invoke(cli, ["judge", "calibrate", "absent.json"]).exit_code == 2
    (tmp_path / "pyproject.toml").write_text("[tool.evalkit]", encoding="utf-8")
    done = calibrated(GOOD)
    assert done.exit_code == 2
    assert "no judge: add --judge NAME" in done.stderr
