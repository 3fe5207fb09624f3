"""`--scenarios`: ADK's own user simulator talks with the agent, over the mocks."""

import pytest

SIMULATOR = {"model": "gemini-2.5-flash-lite", "max_allowed_invocations": 3}


def scenario(eval_id, *, persona=None, **more):
    plan = {"starting_prompt": f"How far behind is orders? ({eval_id})", "conversation_plan": "Ask for two groups."}
    return {
        "eval_id": eval_id,
        "conversation_scenario": {**plan, **({"user_persona": persona} if persona else {})},
        **more,
    }


@pytest.fixture
def server(serve, answers):
    """A model that plays the agent where tools are offered, and else the user, who is told all that was said so far."""

    def agent(asked):
        return answers.Say("The lag is 75." if "(makes up)" not in asked.users[0] else "The lag is 99.")

    def user(asked):
        if "(goes on)" in asked.user:
            return answers.Say("And now?")
        if "(fails)" in asked.user:
            return answers.Refuse(400, body={"error": {"code": 400, "message": "no such model"}})
        return answers.Say("And payments?" if "And payments?" not in asked.user else "</finished>")

    def answer(asked):
        if not asked.tools:
            return user(asked)
        return agent(asked) if asked.replies else answers.call("get_lag", group="orders")

    return serve(answer)


def test_a_simulated_user_talks_with_the_agent_over_the_mocks(project, server):
    project.config({"grounding": 1.0}, user_simulator_config=SIMULATOR)
    project.evalset(
        scenario("ends", persona="NOVICE"),
        scenario("makes up"),
        scenario("goes on"),
        scenario("fails"),
        scenario("state", final_session_state={"lag": 75}),
    )

    done = project.run(server, scenarios=True)

    assert done.verdicts == {
        "ends": "passed",
        "makes up": "failed",
        "goes on": "passed",
        "fails": "error",
        "state": "failed",
    }
    assert "scenario, turn 1: no tool reply and no word of the user has the number `99`" in done.reasons["makes up"]
    assert done.reasons["fails"].startswith("model_error: the simulated user: gemini-2.5-flash-lite was asked: 400 ")
    assert done.reasons["fails"].endswith(" no such model")
    traces = {outcome.eval_id: outcome.trace for outcome in done.folder.outcomes()}
    assert [turn.user.text for turn in traces["ends"].turns] == ["How far behind is orders? (ends)", "And payments?"]
    assert [event.status for turn in traces["ends"].turns for event in turn.tools] == ["answered", "answered"]
    assert len(traces["goes on"].turns) == 3
    assert done.notes["goes on"] == (
        "the simulated user was cut off at its last allowed turn (max_allowed_invocations)",
    )
    assert "model of agents/lag: gemini-2.5-flash-lite (user_simulator_config), for the simulated user" in done.told
    assert {asked.model for asked in server.asked if not asked.tools} == {"gemini-2.5-flash-lite"}


def test_without_the_option_a_scenario_is_skipped_with_how_to_play_it(project, make_case, server):
    project.evalset(scenario("talk"), make_case("one"))

    done = project.run(server)

    assert done.verdicts == {"talk": "skipped", "one": "passed"}
    assert "`evalkit run --mode live --scenarios` plays it" in done.reasons["talk"]
