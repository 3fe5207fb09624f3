"""Over every sample agent, pytest comes to the verdicts that `evalkit run` comes to."""

import json
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

pytest.importorskip("confluent_kafka", reason="needs the extra `agents`")
pytest.importorskip("kubernetes", reason="needs the extra `agents`")


@pytest.fixture
def by_pytest(repo_root, clean_env, tmp_path):
    """The verdict of each case by its file and id, each of which pytest showed as passed if it was that."""
    junit = tmp_path / "junit.xml"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--evalkit-mode", "golden", "evalsets"]
    done = subprocess.run(
        [*command, f"--junitxml={junit}"], cwd=repo_root, env=clean_env, capture_output=True, text=True, check=False
    )
    assert junit.exists(), done.stdout + done.stderr
    found = {}
    for case in ET.parse(junit).getroot().iter("testcase"):  # noqa: S314 - pytest wrote it
        verdict = next(one.get("value") for one in case.iter("property") if one.get("name") == "evalkit_verdict")
        assert (verdict == "passed") is (case.find("failure") is None and case.find("skipped") is None)
        found[case.get("classname"), case.get("name")] = verdict
    return found


def test_both_play_the_same_cases_to_the_same_verdicts(by_pytest, run_evalkit, repo_root, tmp_path):
    report = tmp_path / "report"
    run_evalkit("run", "evalsets", "--mode", "golden", "--report", report, cwd=repo_root)
    files = json.loads((report / "results.json").read_text())["files"]

    assert by_pytest == {
        (file["file"].replace("/", "."), case["eval_id"]): case["verdict"] for file in files for case in file["cases"]
    }
    assert len(by_pytest) > 50
