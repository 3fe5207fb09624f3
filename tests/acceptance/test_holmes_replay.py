"""Real fixtures from end to end: converted, played on a bare agent with their tools, and judged by their gold.

The scripted model makes the calls that were recorded and says what is expected; where an expectation is no plain text,
a stand-in judges, which wants it word for word in the answer.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from evalkit.adapters.holmes.conversion import convert
from evalkit.adapters.holmes.nouns import Options
from evalkit.evaluate import evaluate
from evalkit.plan import RunOptions
from evalkit.settings import Settings

JUDGE = r'''
import re


def words(text):
    return re.sub(r"[^a-z0-9]+", " ", text.lower()).strip()


def judge(question):
    """Say yes to what stands in the material word for word."""
    material = words(str(question["material"]).replace("\\n", " "))
    verdicts = ("yes" if words(one["rubric"]) in material else "no" for one in question["rubrics"])
    return {
        "verdicts": [
            {"rubric_id": one["rubric_id"], "rationale": "compared", "verdict": verdict}
            for one, verdict in zip(question["rubrics"], verdicts)
        ]
    }
'''


class Fixtures:
    """Every real fixture that recordings answer, as evalsets with a script for the model."""

    def __init__(self, root: Path, source: Path) -> None:
        self.root = root
        self.folder = root / "evals"
        convert(source, self.folder, Options())
        (root / "holmes_stand_in.py").write_text(JUDGE)
        self.cases: dict[str, tuple[Path, dict[str, Any]]] = {}
        for path in sorted(self.folder.rglob("*.evalset.json")):
            for case in json.loads(path.read_text())["eval_cases"]:
                block = case["evalkit"]
                if block["source"]["status"].startswith("replayable") and not block.get("skip"):
                    self.cases[case["eval_id"]] = path, case

    def gold(self, eval_id: str) -> dict[str, Any]:
        path, case = self.cases[eval_id]
        return json.loads((path.parent / case["evalkit"]["gold"]).read_text())["cases"][eval_id]

    def play(self, name: str, script) -> dict[str, Any]:
        """Play each case by a script, which gives its calls and answer; return the results."""
        for path in {path for path, _ in self.cases.values()}:
            value = json.loads(path.read_text())
            value["eval_cases"] = [case for case in value["eval_cases"] if case["eval_id"] in self.cases]
            for case in value["eval_cases"]:
                calls, answer = script(case)
                turn = case["conversation"][0]
                turn["intermediate_data"] = {"tool_uses": calls}
                turn["final_response"] = {"role": "model", "parts": [{"text": answer}]}
                case["evalkit"].pop("known_failing", None)
            path.write_text(json.dumps(value))
        options = RunOptions(
            paths=tuple(sorted({str(path) for path, _ in self.cases.values()})),
            agent="evalkit.adk.bare",
            judge="python:holmes_stand_in:judge",
            report_dir=self.root / name,
        )
        report, _ = evaluate(options, Settings(root=self.root))
        return {result.eval_id: result for result in report.results}

    def recorded(self, case: dict[str, Any]) -> list[dict[str, Any]]:
        """Two of the recorded calls, as a model makes them."""
        calls = case["evalkit"]["source"]["holmes"]["recorded_calls"][:2]
        return [{"name": call["tool"], "args": call["args"] or {}} for call in calls]

    def right(self, case: dict[str, Any]) -> str:
        """Everything that is expected, in the form that is asked for."""
        gold = self.gold(case["eval_id"])
        said = "\n".join(gold["expected"])
        if gold["json_answer"]:
            return json.dumps({"analysis": said})
        wanted = {title: texts for title, texts in gold["sections"].items() if texts}
        return "\n".join([said, *(f"# {title}\n" + "\n".join(texts) for title, texts in wanted.items())])


@pytest.fixture(scope="module")
def fixtures(shared, tmp_path_factory):
    if not (shared / "holmesgpt").is_dir():
        pytest.skip("the fixtures of HolmesGPT are not among the shared data")
    return Fixtures(tmp_path_factory.mktemp("holmes"), shared / "holmesgpt")


def verdicts(results):
    found: dict[str, list[str]] = {}
    for eval_id, result in results.items():
        found.setdefault(result.verdict, []).append(eval_id)
    return found


def test_with_the_recorded_calls_and_what_is_expected_they_pass(fixtures):
    results = fixtures.play("right", lambda case: (fixtures.recorded(case), fixtures.right(case)))

    assert len(results) == len(fixtures.cases) >= 20
    assert verdicts(results) == {"passed": list(results)}


def test_with_a_wrong_answer_they_fail(fixtures):
    results = fixtures.play("wrong", lambda case: (fixtures.recorded(case), "Nothing is wrong here at all."))

    assert verdicts(results) == {"failed": list(results)}
    assert all("holmes_correctness" in result.reasons[0] for result in results.values())


def is_a_name(value):
    return isinstance(value, str) and value != "*"  # which stands for anything


def test_with_a_call_that_nobody_recorded_nothing_is_decided(fixtures):
    asked_for_anything = set()

    def elsewhere(case):
        named = [call for call in fixtures.recorded(case) if any(map(is_a_name, call["args"].values()))]
        for call in named:
            call["args"] = {key: "elsewhere" if is_a_name(value) else value for key, value in call["args"].items()}
        if not named:  # its recordings answer whatever is asked
            asked_for_anything.add(case["eval_id"])
        return named[:1], fixtures.right(case)

    results = fixtures.play("elsewhere", elsewhere)

    missed = [eval_id for eval_id in results if eval_id not in asked_for_anything]
    assert len(missed) >= 20
    assert {eval_id: results[eval_id].verdict for eval_id in missed} == dict.fromkeys(missed, "inconclusive")
    assert all("elsewhere" in results[eval_id].reasons[0] for eval_id in missed)
