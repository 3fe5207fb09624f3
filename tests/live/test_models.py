"""`--model` for several models: a set of results for each, and all of them side by side."""

import json

import pytest

GOOD, BAD = "gemini-2.5-pro", "gemini-2.5-flash-lite"


@pytest.fixture
def server(serve, answers):
    """A good model, and one that asks for the wrong group; both can do small talk."""

    def answer(asked):
        if asked.replies or asked.user == "small talk":
            return answers.Say("The lag is 75.")
        return answers.call("get_lag", group="orders" if asked.model == GOOD else "payments")

    return serve(answer)


@pytest.fixture
def done(project, make_case, server):
    talk = make_case("small talk")
    talk["conversation"][0]["intermediate_data"] = {"tool_uses": []}
    project.evalset(make_case("lag"), talk)
    return project.run(server, models=(GOOD, BAD, GOOD))


def test_each_model_has_a_run_of_its_own_and_a_column_in_the_whole(project, done):
    assert done.verdicts == {
        f"lag [{GOOD}]": "passed",
        f"small talk [{GOOD}]": "passed",
        f"lag [{BAD}]": "failed",
        f"small talk [{BAD}]": "passed",
    }
    assert done.report.exit_code == 1

    whole, good, bad = (json.loads((done.folder.path / part / "results.json").read_text()) for part in ("", GOOD, BAD))
    assert [(run["run"]["model"], run["counts"]["passed"]) for run in (whole, good, bad)] == [
        (None, 3),
        (GOOD, 2),
        (BAD, 1),
    ]
    assert [
        (column["model"], column["folder"], column["counts"]["failed"]) for column in whole["models"]["columns"]
    ] == [
        (GOOD, GOOD, 0),
        (BAD, BAD, 1),
    ]
    assert whole["models"]["rows"] == [
        {"file": "evalsets/lag/lag.test.json", "case": "lag", "verdicts": {GOOD: "passed", BAD: "failed"}},
        {"file": "evalsets/lag/lag.test.json", "case": "small talk", "verdicts": {GOOD: "passed", BAD: "passed"}},
    ]
    assert (
        "| `lag` in `evalsets/lag/lag.test.json` | passed | **failed** |"
        in (done.folder.path / "report.md").read_text()
    )
