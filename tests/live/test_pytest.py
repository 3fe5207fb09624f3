"""`pytest -m eval` with a stand-in for the models: green and red for the right reasons."""

import pytest

OTHER_PLUGINS = ("no:asyncio", "no:anyio", "no:cov", "no:hypothesispytest", "no:cacheprovider")


@pytest.fixture
def project(project_in, pytester):
    return project_in(pytester.path)


def test_right_and_wrong_behaviour_is_green_and_red_for_the_right_reasons(
    project, make_case, serve, answers, pytester, monkeypatch
):
    acts = {
        "right": answers.call("get_lag", group="orders"),
        "wrong argument": answers.call("get_lag", group="payments"),
        "busy": answers.Refuse(429, wait=0),
    }
    server = serve(lambda asked: answers.Say("The lag is 75.") if asked.replies else acts[asked.user])
    project.agent("unchosen", model='os.environ.get("UNCHOSEN_MODEL", "gemini-2.5-flash")')
    project.evalset(*(make_case(name) for name in acts))
    project.evalset(make_case("unchosen"), name="evalsets/unchosen/unchosen.test.json")
    for name, value in server.variables.items():
        monkeypatch.setenv(name, value)

    done = pytester.runpytest_subprocess(*(part for one in OTHER_PLUGINS for part in ("-p", one)), "-m", "eval")

    assert done.parseoutcomes() == {"passed": 1, "failed": 3}
    done.stdout.fnmatch_lines(
        [
            "failed: tool_trajectory_avg_score is 0, below 1: *0 of 1 expected calls were made*",
            '*group: expected "orders", actual "payments"',
            "error: model_error: lag asked gemini-2.5-flash, 7 times: 429*",
            "error: unchosen: unchosen: UNCHOSEN_MODEL is set neither in the environment nor in a .env*",
            "models: lag: gemini-2.5-flash",
            "1 passed, 1 failed, 1 error, 0 inconclusive, 0 skipped (live: the agents' own models were asked)",
        ]
    )
    assert {asked.user for asked in server.asked} == set(acts)
