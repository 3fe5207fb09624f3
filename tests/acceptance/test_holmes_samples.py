"""The sample fixtures in HolmesGPT's format: what is converted of them here, and how it is played and judged."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from evalkit.evaluate import evaluate
from evalkit.plan import RunOptions
from evalkit.settings import load_settings

EVALSETS = Path(__file__).resolve().parents[2] / "evalsets"
RAW = EVALSETS / "holmes_fixtures"
CONVERTED = EVALSETS / "holmes"
AGENT = "evalkit.adk.bare"

PLAYED = [
    "bakery_quota_blocks_rollout",
    "granary_memory_alert",
    "harbor_certificate_expired[0]",
    "harbor_certificate_expired[1]",
    "ledger_runbook_disk_full",
    "orchard_follow_up_on_lag",
    "vineyard_permission_denied",
]


def play(folder: Path, report: Path) -> dict[str, Any]:
    options = RunOptions(paths=(str(folder),), agent=AGENT, report_dir=report)
    done, _ = evaluate(options, load_settings(EVALSETS))
    return {result.eval_id: result for result in done.results}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return play(CONVERTED, tmp_path_factory.mktemp("holmes") / "report")


@pytest.fixture
def copy(tmp_path):
    return Path(shutil.copytree(CONVERTED, tmp_path / "evals"))


def edit_case(folder: Path, eval_id: str, change) -> Path:
    """Change one case of a copy; return the folder of its evalset."""
    [path] = [file for file in folder.rglob("*.evalset.json") if file.name.startswith(eval_id.partition("[")[0])]
    value = json.loads(path.read_text())
    change(next(case for case in value["eval_cases"] if case["eval_id"] == eval_id)["conversation"][0])
    path.write_text(json.dumps(value))
    return path.parent


def test_what_lies_here_is_what_converting_the_fixtures_gives(tmp_path, run_evalkit):
    done = run_evalkit("convert", "holmes", RAW, tmp_path / "evals")

    written = {path.relative_to(tmp_path / "evals"): path.read_bytes() for path in files_in(tmp_path / "evals")}
    assert done.returncode == 0
    assert written == {path.relative_to(CONVERTED): path.read_bytes() for path in files_in(CONVERTED)}


def files_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_every_recorded_case_passes_the_one_known_to_fail_fails_and_the_live_one_is_skipped(results):
    verdicts = {eval_id: result.verdict for eval_id, result in results.items()}
    assert verdicts == {
        **dict.fromkeys(PLAYED, "passed"),
        "lighthouse_counts_restarts": "failed",
        "quay_live_status_page": "skipped",
    }
    assert results["lighthouse_counts_restarts"].known_failing == "its fixture expects the score 0"
    assert results["quay_live_status_page"].reasons[0].startswith("needs live: no recordings")


def test_evidence_is_no_question_where_every_recording_tells_of_a_dead_end(results):
    touched = {
        eval_id: next(one.score.value for one in results[eval_id].criteria if one.criterion.name == "evidence_touched")
        for eval_id in PLAYED
    }
    assert touched == {**dict.fromkeys(PLAYED, 1.0), "vineyard_permission_denied": None}


@pytest.mark.parametrize("eval_id", PLAYED)
def test_a_wrong_answer_fails_by_what_was_expected(eval_id, copy, tmp_path):
    def answer(turn):
        turn["final_response"]["parts"] = [{"text": "Everything is fine."}]

    result = play(edit_case(copy, eval_id, answer), tmp_path / "report")[eval_id]

    assert result.verdict == "failed"
    assert result.reasons[0].startswith("holmes_correctness is ")


@pytest.mark.parametrize("eval_id", PLAYED)
def test_a_call_that_nobody_recorded_is_a_miss_and_leaves_the_case_undecided(eval_id, copy, tmp_path):
    def ask_elsewhere(turn):
        args = turn["intermediate_data"]["tool_uses"][-1]["args"]
        args[min(args)] = "elsewhere"

    result = play(edit_case(copy, eval_id, ask_elsewhere), tmp_path / "report")[eval_id]

    assert result.verdict == "inconclusive"
    assert any("elsewhere" in reason for reason in result.reasons)


def test_no_case_tells_the_agent_what_is_expected():
    for path in CONVERTED.rglob("gold.json"):
        gold = json.loads(path.read_text())["cases"]
        [evalset] = path.parent.glob("*.evalset.json")
        for case in json.loads(evalset.read_text())["eval_cases"]:
            told = json.dumps([case["conversation"][0]["user_content"], case.get("session_input")])
            assert not [text for text in gold[case["eval_id"]]["expected"] if text in told]
