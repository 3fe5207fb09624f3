"""Remediation end to end: approved once, then a loop that changes and verifies within what was approved."""

import pytest
from google.adk.agents import LlmAgent, LoopAgent
from google.adk.apps import App, ResumabilityConfig
from google.adk.tools.exit_loop_tool import exit_loop
from google.adk.tools.function_tool import FunctionTool

ENTRY = "devops_assistant"

SHOP = {"namespace": "shop", "deployment_name": "web"}

OPERATOR = {"role": "operator"}


@pytest.fixture
def entry(script):
    """What the entry agent's model says: it asks for approval, then hands over."""
    return [[script.call("approve_remediation", **SHOP)], [script.transfer("remediation")], "as you wish"]


@pytest.fixture
def restart(script):
    return [script.call("restart_deployment", **SHOP)]


@pytest.fixture
def look(script):
    return [script.call("get_deployment_status", **SHOP)]


@pytest.fixture
def healthy(script):
    return ["web is healthy", script.call("exit_loop")]


def test_the_loop_ends_when_the_deployment_is_healthy(app, systems, script, entry, restart, look, healthy):
    systems.healthy = [False, True]

    played = script.play(
        app,
        "repair web in shop",
        True,
        state=OPERATOR,
        devops_assistant=entry,
        act=[restart, "restarted", restart, "restarted again", "never asked"],
        verify=[look, "not healthy yet", look, healthy, "never asked"],
    )

    assert [what for what, *_ in systems.done] == ["restart", "status", "restart", "status"]
    assert played.said[-1] == ("verify", "web is healthy")
    assert played.left == {ENTRY: ["as you wish"], "act": ["never asked"], "verify": ["never asked"]}


def test_the_loop_ends_after_three_rounds_when_it_is_not(app, systems, script, entry, restart, look):
    systems.healthy = [False] * 9

    played = script.play(
        app,
        "repair web in shop",
        True,
        state=OPERATOR,
        devops_assistant=entry,
        act=[restart, "restarted"] * 4,
        verify=[look, "not healthy"] * 4,
    )

    assert [what for what, *_ in systems.done] == ["restart", "status"] * 3
    assert played.said[-1] == ("verify", "not healthy")


def test_the_user_is_asked_before_anything_happens_and_only_once(app, systems, script, entry, restart, look, healthy):
    turns = {ENTRY: entry, "act": [restart, "restarted"], "verify": [look, healthy]}

    asked = script.play(app, "repair web in shop", state=OPERATOR, **turns)

    assert [tool for _, tool in asked.calls] == ["approve_remediation", "adk_request_confirmation"]
    assert systems.done == []
    done = script.play(app, "repair web in shop", True, state=OPERATOR, **turns)
    assert [tool for _, tool in done.calls].count("adk_request_confirmation") == 1
    assert [what for what, *_ in systems.done] == ["restart", "status"]


def test_a_rejected_remediation_changes_nothing(app, systems, script, entry, restart):
    del entry[1]

    played = script.play(app, "repair web in shop", False, state=OPERATOR, devops_assistant=entry, act=[restart])

    assert played.replies["approve_remediation"] == {"error": "This tool call is rejected."}
    assert played.said == [(ENTRY, "as you wish")]
    assert systems.done == []


@pytest.mark.parametrize("answer", [(), (False,)], ids=["nobody was asked", "the user rejected"])
def test_without_an_approval_the_loop_changes_nothing(app, systems, script, entry, restart, look, healthy, answer):
    turns = {ENTRY: entry if answer else entry[1:], "act": [restart, "not approved"], "verify": [look, healthy]}

    played = script.play(app, "repair web in shop", *answer, state=OPERATOR, **turns)

    assert played.replies["restart_deployment"] == {
        "status": "error",
        "error": "The user has approved no remediation in this turn, so nothing is changed.",
    }
    assert [what for what, *_ in systems.done] == ["status"]
    assert played.state["last_denied_tool"] == "restart_deployment"


def test_an_approval_ends_with_its_turn(app, systems, script, entry, restart, look, healthy):
    turns = {
        ENTRY: [*entry[:2], [script.transfer("remediation")]],
        "act": [restart, "restarted", restart, "not approved"],
        "verify": [look, healthy, look, healthy],
    }

    played = script.play(app, "repair web in shop", True, "and once more", state=OPERATOR, **turns)

    assert [what for what, *_ in systems.done] == ["restart", "status", "status"]
    assert "approved no remediation" in played.replies["restart_deployment"]["error"]
    assert not [key for key in played.state if "approved" in key]


@pytest.mark.parametrize("other", [{"deployment_name": "db"}, {"namespace": "prod"}])
def test_another_deployment_than_the_approved_one_is_not_changed(app, systems, script, entry, healthy, other):
    change = [script.call("scale_deployment", **{**SHOP, **other}, replicas=0)]

    played = script.play(
        app,
        "repair web in shop",
        True,
        state=OPERATOR,
        devops_assistant=entry,
        act=[change, "not approved"],
        verify=[healthy],
    )

    assert played.replies["scale_deployment"] == {
        "status": "error",
        "error": "The user has approved changes of web in shop and of nothing else.",
    }
    assert systems.done == []


def test_no_more_changes_are_made_than_were_approved_however_many_are_called_for_at_once(
    app, systems, script, entry, restart, healthy
):
    played = script.play(
        app,
        "repair web in shop",
        True,
        state=OPERATOR,
        devops_assistant=entry,
        act=[restart * 5, "restarted"],
        verify=[healthy],
    )

    assert [what for what, *_ in systems.done] == ["restart"] * 3
    errors = [
        one.response["error"]
        for event in played.events
        for one in event.get_function_responses()
        if one.name == "restart_deployment" and one.response["status"] == "error"
    ]
    assert errors == ["All 3 changes that the user has approved were made."] * 2


def test_a_viewer_is_not_asked_to_approve(app, systems, script, entry):
    played = script.play(app, "repair web in shop", devops_assistant=[entry[0], "that needs an operator"])

    assert [tool for _, tool in played.calls] == ["approve_remediation"]
    assert played.replies["approve_remediation"]["error"].endswith("that needs the role operator.")


@pytest.mark.parametrize(
    ("args", "error"),
    [
        ({"namespace": ""}, "namespace must not be empty."),
        (
            {"namespace": "kube-system"},
            "kube-system is a namespace of Kubernetes itself; this agent changes nothing there.",
        ),
        ({"deployment_name": 7}, "deployment_name must be text, not 7."),
        (
            {"deployment_name": "a/b"},
            "deployment_name must be made of small letters, digits, '-' and '.', with a letter",
        ),
    ],
)
def test_what_cannot_be_changed_cannot_be_approved(assistant, app, systems, script, restart, healthy, args, error):
    asked = {**SHOP, **args}
    assert assistant.approval.approve_remediation(**asked)["error"].startswith(error)

    played = script.play(
        app,
        "repair it",
        True,
        state=OPERATOR,
        devops_assistant=[[script.call("approve_remediation", **asked)], [script.transfer("remediation")]],
        act=[[script.call("restart_deployment", **asked)], "not approved"],
        verify=[healthy],
    )

    assert "approved no remediation" in played.replies["restart_deployment"]["error"]
    assert systems.done == []


def test_an_approval_says_what_it_covers(assistant):
    assert assistant.approval.approve_remediation("shop", "web") == {
        "status": "success",
        "namespace": "shop",
        "deployment_name": "web",
        "changes_allowed": 3,
    }


@pytest.mark.parametrize("resumable", [False, True])
@pytest.mark.filterwarnings("ignore:LoopAgent is deprecated")
def test_adk_ends_a_loop_in_which_a_tool_asks_for_confirmation(script, resumable):
    """Why the question comes before the loop. If this fails, ADK has learned to resume a loop: ask inside it then."""
    done = []

    def change() -> dict[str, str]:
        """Change something."""
        done.append("change")
        return {"status": "success"}

    act = LlmAgent(name="act", model="scripted", tools=[FunctionTool(change, require_confirmation=True)])
    verify = LlmAgent(name="verify", model="scripted", tools=[exit_loop])
    loop = LoopAgent(name="remediation", max_iterations=3, sub_agents=[act, verify])
    root = LlmAgent(name="root", model="scripted", sub_agents=[loop])
    config = ResumabilityConfig(is_resumable=resumable)

    played = script.play(
        App(name="other", root_agent=root, resumability_config=config),
        "repair it",
        True,
        root=[[script.transfer("remediation")]],
        act=[[script.call("change")], "changed"],
        verify=[["healthy", script.call("exit_loop")]],
    )

    assert done == ["change"]
    assert played.said[-1] == ("act", "changed")
    assert played.asked["verify"] == []
