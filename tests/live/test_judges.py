"""Live runs with a judge: asked after the playing, by name, and never in the agent's way."""

import json

import pytest

from evalkit.settings import load_settings

QUALITY = "rubric_based_final_response_quality_v1"
RUBRIC = {"rubric_id": "names_the_lag", "rubric_content": {"text_property": "A property that only judges may read."}}
SECRET = "sk-Zq81LmNw04TgYx7RbVfC2dKe"  # noqa: S105 - made up


def criteria(**judge):
    return {QUALITY: {"threshold": 1.0, "rubrics": [RUBRIC], "judge_model_options": {"num_samples": 1, **judge}}}


@pytest.fixture
def server(serve, answers):
    """An agent's model that looks up the lag, and a judge that passes what its user names `right`."""

    def script(asked):
        if "You judge one turn" in asked.user:
            word = "yes" if '"user": "right"' in asked.user else "no"
            entry = {"rubric_id": "names_the_lag", "verdict": word, "rationale": f"seen with {SECRET}"}
            return answers.Say(json.dumps({"verdicts": [entry]}))
        return answers.Say("It is 75.") if asked.replies else answers.call("get_lag", group="orders")

    return serve(script)


def asked_of(server):
    judge = [one for one in server.asked if "You judge one turn" in one.user]
    return judge, [one for one in server.asked if one not in judge]


@pytest.mark.parametrize("how", ["criterion", "settings", "flag"])
def test_a_model_that_adk_can_name_judges_after_the_playing(project, make_case, server, monkeypatch, how):
    for name, value in server.variables.items():
        monkeypatch.setenv(name, value)
    if how == "settings":
        project.write("pyproject.toml", '[tool.evalkit]\njudge = "gemini-2.5-pro"\n')
    project.config(criteria(judge_model="gemini-2.5-pro") if how == "criterion" else criteria())
    project.evalset(make_case("right", final="A gold answer."), make_case("wrong", final="A gold answer."))

    done = project.run(server, judge="gemini-2.5-pro" if how == "flag" else None)

    judge, _ = asked_of(server)
    assert done.verdicts == {"right": "passed", "wrong": "failed"}
    assert {one.model for one in judge} == {"gemini-2.5-pro"}
    assert len(judge) == 2
    assert server.asked[-2:] == judge
    assert "judging: 2 questions to gemini-2.5-pro, 2 answers in all" in done.told


def test_an_agent_sees_neither_rubrics_nor_the_expected_answer(project, make_case, server):
    project.config({**criteria(), "final_response_match_v2": {"threshold": 0.5, "gate": False}})
    project.evalset(make_case("right", final="A gold answer.", rubrics=[{**RUBRIC, "rubric_id": "of_the_case"}]))

    project.run(server, judge="gemini-2.5-pro")

    judge, agent = asked_of(server)
    told = repr(agent)
    assert agent
    assert "only judges may read" not in told
    assert "gold answer" not in told
    assert any("A gold answer." in one.user for one in judge)


def test_what_a_judge_says_is_kept_without_secrets(project, make_case, server, monkeypatch):
    monkeypatch.setenv("JUDGE_API_KEY", SECRET)
    project.config(criteria())
    project.evalset(make_case("wrong"))

    done = project.run(server, judge="gemini-2.5-pro")

    kept = "".join(path.read_text(encoding="utf-8") for path in done.folder.path.iterdir() if path.is_file())
    assert "seen with [secret: " in kept
    assert SECRET not in kept


def test_without_a_judge_a_live_case_is_inconclusive(project, make_case, server):
    project.config(criteria())
    project.evalset(make_case("right"))

    done = project.run(server)

    assert (done.verdicts, done.report.exit_code) == ({"right": "inconclusive"}, 2)
    assert 'write `judge = "gemini-2.5-flash"` under [tool.evalkit], or add --judge' in done.reasons["right"]


GOLDEN_JUDGE = """
def judge(asked):
    said = "yes" if asked["material"]["user"] == "right" else "partial"
    return {"verdicts": [{"rubric_id": one["rubric_id"], "verdict": said} for one in asked["rubrics"]]}
"""


def test_in_golden_mode_only_a_judge_that_was_chosen_is_asked(project, make_case):
    project.write("golden_judge_of_tests.py", GOLDEN_JUDGE)
    project.config(criteria(judge_model="gemini-2.5-pro"))
    project.evalset(make_case("right"), make_case("half"))

    without = project.run(mode="golden")
    assert without.verdicts == {"right": "inconclusive", "half": "inconclusive"}
    assert f'write `optional_offline = ["{QUALITY}"]` under [tool.evalkit]' in without.reasons["right"]

    judged = project.run(mode="golden", judge="python:golden_judge_of_tests:judge")
    assert judged.verdicts == {"right": "passed", "half": "inconclusive"}
    assert '"partial", neither yes nor no' in judged.reasons["half"]

    project.write("pyproject.toml", f'[tool.evalkit]\noptional_offline = ["{QUALITY}"]\n')
    by_leave = project.run(mode="golden", settings=load_settings(project.root))
    assert (by_leave.verdicts, by_leave.report.exit_code) == ({"right": "passed", "half": "passed"}, 0)
