"""`results.json`: its content, and the schema that it promises."""

import json

import pytest
from jsonschema import Draft202012Validator

from evalkit.report import RUN_FILES, render, render_run_files
from evalkit.runs import RunFolder

HOSTILE = "a|b`c\x1b[2J\x9b1m\u202e\n\ud800"


@pytest.fixture(scope="module")
def schema(repo_root):
    return json.loads((repo_root / "evalkit/report/schemas/results.schema.json").read_text(encoding="utf-8"))


@pytest.fixture
def results(schema):
    """Render a report, check it against the schema, and read it back."""
    validator = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)

    def read(report):
        data = json.loads(render("json", report))
        assert [error.message for error in validator.iter_errors(data)] == []
        return data

    return read


def test_the_schema_is_a_schema_and_closed_everywhere(schema):
    Draft202012Validator.check_schema(schema)
    objects = [part for part in (schema, *schema["$defs"].values()) if "properties" in part]

    assert all(part["additionalProperties"] is False for part in objects)
    assert all(set(part["required"]) == set(part["properties"]) for part in objects)


def test_the_run_stands_at_the_top(results, mixed_report):
    data = results(mixed_report)

    assert data["schema"] == "evalkit.results/1"
    assert data["run"] == {
        "evalkit": "0.1.0",
        "adk": "2.13.0",
        "python": "3.11.7",
        "mode": "golden",
        "started": "2025-11-29T21:12:00+00:00",
        "finished": "2025-11-29T21:12:01.900000+00:00",
        "seconds": 1.9,
        "interrupted": False,
        "options": [],
        "agents": {"agents/kafka": {"kafka": "gemini-2.5-flash", "helper": "gemini-2.5-flash"}},
        "origins": {},
        "model": None,
        "runs": 1,
    }
    assert (data["exit_code"], data["model_exercised"], data["summary"]) == (1, False, mixed_report.closing)


def test_counts_name_every_verdict_at_the_top_and_by_file(results, mixed_report):
    data = results(mixed_report)
    gating = {"passed": 1, "failed": 1, "error": 1, "inconclusive": 1, "skipped": 1}
    apart = {"passed": 1, "failed": 1, "error": 0, "inconclusive": 0, "skipped": 0}

    assert (data["counts"], data["known_failing"]) == (gating, apart)
    assert [file["counts"] for file in data["files"]] == [gating, dict.fromkeys(gating, 0)]
    assert [file["known_failing"] for file in data["files"]] == [dict.fromkeys(apart, 0), apart]


def test_a_criterion_that_holds_by_construction_is_labelled_and_does_not_gate(results, mixed_report):
    criteria = results(mixed_report)["files"][0]["cases"][0]["criteria"]

    assert [(item["name"], item["by_construction"], item["gates"]) for item in criteria] == [
        ("replay", False, True),
        ("grounding", False, True),
        ("tool_trajectory_avg_score", True, False),
    ]


def test_a_case_has_all_that_is_known_of_it(results, mixed_report):
    assert results(mixed_report)["files"][0]["cases"][3] == {
        "eval_id": "rubric",
        "run": 1,
        "verdict": "inconclusive",
        "standing": "inconclusive",
        "reasons": ["rubric could not run"],
        "known_failing": None,
        "quarantine": None,
        "fault": None,
        "line": None,
        "notes": [],
        "seconds": 1.5,
        "effort": {"tool_calls": 0, "model_calls": 0, "tokens": 0, "usd": None},
        "stage": None,
        "audit": None,
        "repeats": None,
        "criteria": [
            {
                "name": "rubric",
                "origin": "config",
                "threshold": None,
                "options": {},
                "custom_function": None,
                "state": "not_judged",
                "value": None,
                "passed": None,
                "gates": True,
                "by_construction": False,
                "reason": "there is no judge",
                "turns": [],
                "details": {},
            }
        ],
    }


def test_the_rest_of_the_report_is_there_too(results, mixed_report):
    data = results(mixed_report)

    assert data["files"][0]["not_applicable"] == {"response_match_score": 1}
    assert [file["config"] for file in data["files"]] == ["evalsets/kafka/test_config.json", None]
    assert data["uncalled_tools"] == {"kafka": ["create_topic", "delete_topic"]}
    assert [item["eval_id"] for item in data["slowest"]] == ["broker_down", "rubric"]
    assert data["notes"][1] == {
        "text": "get_lag takes a tool context: its own state writes did not run",
        "cases": ["list_topics"],
    }


def test_each_criterion_stands_on_a_line_of_its_own(mixed_report):
    lines = render("json", mixed_report).splitlines()

    assert sum(line.lstrip().startswith('{"name": "replay", ') for line in lines) == 3


def test_reasons_are_never_cut_and_hostile_text_comes_back_whole(results, report, case):
    reason = HOSTILE + "y" * 10_240

    text = render("json", report(case("a", "failed", reason)))

    assert results(report(case("a", "failed", reason)))["files"][0]["cases"][0]["reasons"] == [reason]
    assert not set(text) & set("\x1b\x9b\u202e\ud800")


def test_values_that_json_lacks_do_not_break_it(results, report, case, criterion):
    odd = criterion("odd", float("nan"), passed=False, details={"raw": float("inf"), "object": {1, 2}})

    item = results(report(case("a", "failed", criteria=(odd,))))["files"][0]["cases"][0]["criteria"][0]

    assert (item["value"], item["details"]) == (None, {"raw": "Infinity", "object": [1, 2]})


def test_an_empty_run_and_one_that_never_ended_fit_the_schema(results, report, info):
    assert results(report())["files"] == []
    assert results(report(info=info(finished=None, adk=None)))["run"]["finished"] is None


def test_a_finished_run_folder_holds_results_that_fit_and_their_report(tmp_path, results, mixed_report):
    folder = RunFolder.create(tmp_path, mixed_report.info)

    folder.finish(mixed_report.info, render_run_files(mixed_report))

    written = json.loads((folder.path / "results.json").read_text(encoding="utf-8"))
    assert written == results(mixed_report)
    assert (folder.path / "report.md").read_text(encoding="utf-8").startswith("# Evaluation of 2025-11-29")
    assert set(RUN_FILES) == {"results.json", "report.md"}
