"""Before a live run: each model is told with where it comes from; what must not, or cannot, be asked is not."""

import pytest

from evalkit.errors import AgentLoadError, SettingsError

BY_VARIABLE = 'os.environ.get("LAG_MODEL") or "gemini-2.5-flash"'


@pytest.fixture
def server(serve, answers):
    return serve(
        lambda asked: answers.Say("The lag is 75.") if asked.replies else answers.call("get_lag", group="orders")
    )


def test_models_are_told_and_cases_without_credentials_skipped_while_the_others_go_on(project, make_case, server):
    project.agent("lag", model=BY_VARIABLE, env="LAG_MODEL=gemini-2.5-pro\n")
    project.agent("other", model='"openai/gpt-4o"', env="OPENAI_API_KEY=\n")
    project.evalset(make_case("one"))
    project.evalset(make_case("two"), name="evalsets/other/other.test.json")
    del server.variables["OPENAI_API_KEY"]

    done = project.run(server)

    assert done.told == [
        "model of agents/lag: gemini-2.5-pro (LAG_MODEL in agents/lag/.env)",
        "model of agents/other: openai/gpt-4o (in code)",
        f"agents/other cannot be asked, its cases are skipped: {done.reasons['two']}",
    ]
    assert done.verdicts == {"one": "passed", "two": "skipped"}
    assert done.reasons["two"].startswith("other: openai/gpt-4o needs OPENAI_API_KEY (looked in the environment and in")
    assert {asked.model for asked in server.asked} == {"gemini-2.5-pro"}
    assert done.report.exit_code == 0
    assert "`gemini-2.5-pro` (`LAG_MODEL in agents/lag/.env`)" in (done.folder.path / "report.md").read_text()
    assert done.report.info.origins["agents/lag"] == {"lag": "LAG_MODEL in agents/lag/.env"}


def test_models_that_nobody_chose_stop_the_run_before_it_starts(project, make_case, server):
    project.agent("lag", model=BY_VARIABLE)
    project.agent("other", model='""')
    for name in ("lag", "other"):
        project.evalset(make_case(name), name=f"evalsets/{name}/{name}.test.json")

    with pytest.raises(AgentLoadError) as stopped:
        project.run(server)

    _, lag, other = str(stopped.value).splitlines()
    assert lag.startswith("agents/lag: lag: LAG_MODEL is set neither in the environment nor in a .env")
    assert lag.endswith("; set LAG_MODEL in agents/lag/.env, or name a model by `evalkit run --model`")
    assert other.startswith("agents/other: other: no model is named or inherited")
    assert server.asked == []
    assert not (project.root / "out").exists()


@pytest.mark.parametrize(
    ("option", "flag"),
    [
        ({"models": ("gemini-2.5-pro",)}, "--model"),
        ({"scenarios": True}, "--scenarios"),
        ({"streaming": True}, "--streaming"),
    ],
)
def test_what_only_a_live_run_has_a_use_for_is_refused_elsewhere(project, make_case, option, flag):
    project.evalset(make_case("one"))
    with pytest.raises(SettingsError, match=f"{flag}: golden mode asks no model; add --mode live"):
        project.run(mode="golden", **option)


def test_the_command_tells_models_on_standard_error_and_stops_with_exit_2(project, make_case, run_evalkit):
    project.agent("lag", model=BY_VARIABLE)
    project.evalset(make_case("one"))

    done = run_evalkit("run", "--mode", "live", cwd=project.root, env={"GOOGLE_API_KEY": "k"})

    assert done.returncode == 2
    assert done.stdout == ""
    assert "model of agents/lag: gemini-2.5-flash (a default, since LAG_MODEL is not set)" in done.stderr
    assert "set LAG_MODEL in agents/lag/.env, or name a model by `evalkit run --model`" in done.stderr.splitlines()[-1]
