"""Remediation end to end: approved once, then a loop that changes and verifies within what was approved."""

from types import SimpleNamespace

import pytest
from google.adk.agents import LlmAgent, LoopAgent
from google.adk.apps import App, ResumabilityConfig
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.exit_loop_tool import exit_loop
from google.adk.tools.function_tool import FunctionTool
from google.adk.tools.tool_confirmation import ToolConfirmation

ENTRY = "devops_assistant"

SHOP = {"namespace": "shop", "deployment_name": "web"}

OPERATOR = {"role": "operator"}

# What the models say: a turn is a text, or a list of calls by name and arguments.
APPROVE = [("approve_remediation", SHOP)]
HAND_OVER = [("transfer_to_agent", {"agent_name": "remediation"})]
RESTART = [("restart_deployment", SHOP)]
LOOK = [("get_deployment_status", SHOP)]
LEAVE = [("exit_loop", {})]


@pytest.fixture
def repair(app, systems, script):
    """Ask to repair a deployment, answer with these to questions for confirmation, and return what happened.

    The entry agent asks for approval and hands over, unless `entry` has it say something else.
    """

    def repair(*answers, state=OPERATOR, entry=(APPROVE, HAND_OVER), **turns):
        return script.play(app, "repair web in shop", *answers, state=state, devops_assistant=entry, **turns)

    return repair


def done(systems):
    """What was done to the cluster, in order."""
    return [what for what, *_ in systems.done]


def test_the_loop_ends_when_the_deployment_is_healthy(repair, systems):
    systems.healthy = [False, True]

    played = repair(
        True,
        act=[RESTART, "restarted", RESTART, "restarted again", "never asked"],
        verify=[LOOK, "not healthy yet", LOOK, LEAVE, "never asked"],
        remediation_report=["web is healthy after two restarts"],
    )

    assert done(systems) == ["restart", "status", "restart", "status"]
    assert played.said[-1] == ("remediation_report", "web is healthy after two restarts")
    assert played.left == {"act": ["never asked"], "verify": ["never asked"]}


def test_the_loop_ends_after_three_rounds_when_it_is_not(repair, systems):
    systems.healthy = [False] * 9

    played = repair(
        True,
        act=[RESTART, "restarted"] * 4,
        verify=[LOOK, "not healthy"] * 4,
        remediation_report=["web is not healthy"],
    )

    assert done(systems) == ["restart", "status"] * 3
    assert played.said[-1] == ("remediation_report", "web is not healthy")


def test_the_report_knows_what_was_changed_and_what_was_seen(repair, systems):
    systems.healthy = [True]

    played = repair(True, act=[RESTART, "restarted web"], verify=[LOOK, LEAVE], remediation_report=["done"])

    (asked,) = played.asked["remediation_report"]
    told = str(asked.contents)
    assert "restarted web" in told
    assert "'healthy': True" in told
    assert set(asked.tools_dict) == set()


def test_nothing_happens_before_the_user_has_confirmed(repair, systems):
    played = repair(act=[RESTART])

    assert [tool for _, tool in played.calls] == ["approve_remediation", "adk_request_confirmation"]
    assert systems.done == []


def test_the_user_is_asked_once_for_all_changes(repair, systems):
    played = repair(True, act=[RESTART, "restarted"] * 2, verify=[LOOK, "not yet", LOOK, LEAVE])

    assert [tool for _, tool in played.calls].count("adk_request_confirmation") == 1
    assert done(systems).count("restart") == 2


def test_a_rejected_remediation_changes_nothing(repair, systems):
    played = repair(False, entry=[APPROVE, "as you wish"], act=[RESTART])

    assert played.replies["approve_remediation"] == {"error": "This tool call is rejected."}
    assert played.said == [(ENTRY, "as you wish")]
    assert systems.done == []


@pytest.mark.parametrize(
    ("answers", "entry"),
    [((), [HAND_OVER]), ((False,), [APPROVE, HAND_OVER])],
    ids=["nobody was asked", "the user rejected"],
)
def test_without_an_approval_the_loop_changes_nothing(repair, systems, answers, entry):
    played = repair(*answers, entry=entry, act=[RESTART, "not approved"], verify=[LOOK, LEAVE])

    assert played.replies["restart_deployment"] == {
        "status": "error",
        "error": "The user has approved no remediation in this turn, so nothing is changed.",
    }
    assert done(systems) == ["status"]
    assert played.state["last_denied_tool"] == "restart_deployment"


def test_an_approval_ends_with_its_turn(repair, systems):
    played = repair(
        True,
        "and once more",
        entry=[APPROVE, HAND_OVER, HAND_OVER],
        act=[RESTART, "restarted", RESTART, "not approved"],
        verify=[LOOK, LEAVE, LOOK, LEAVE],
    )

    assert done(systems) == ["restart", "status", "status"]
    assert "approved no remediation" in played.replies["restart_deployment"]["error"]
    assert not [key for key in played.state if "approved" in key]


@pytest.mark.parametrize("other", [{"deployment_name": "db"}, {"namespace": "prod"}])
def test_another_deployment_than_the_approved_one_is_not_changed(repair, systems, other):
    stop = ("scale_deployment", {**SHOP, **other, "replicas": 0})

    played = repair(True, act=[[stop], "not approved"], verify=[LEAVE])

    assert played.replies["scale_deployment"] == {
        "status": "error",
        "error": "The user has approved changes of web in shop and of nothing else.",
    }
    assert systems.done == []


def test_no_more_is_changed_than_was_approved_however_much_is_called_for_at_once(repair, systems):
    played = repair(True, act=[RESTART * 5, "restarted"], verify=[LEAVE])

    assert done(systems) == ["restart"] * 3
    responses = [one for event in played.events for one in event.get_function_responses()]
    refused = [one.response["error"] for one in responses if one.response and one.response.get("status") == "error"]
    assert refused == ["All 3 changes that the user has approved were made."] * 2


def test_a_viewer_is_not_asked_to_approve(repair):
    played = repair(state={"role": "viewer"}, entry=[APPROVE, "that needs an operator"])

    assert [tool for _, tool in played.calls] == ["approve_remediation"]
    assert played.replies["approve_remediation"]["error"].endswith("that needs the role operator.")


@pytest.mark.parametrize("confirmation", [None, ToolConfirmation(confirmed=False)])
def test_it_is_the_user_who_approves_and_not_the_tools_reply(assistant, confirmation):
    context = SimpleNamespace(tool_confirmation=confirmation, state={})
    tool = BaseTool(name="approve_remediation", description="")

    assistant.approval.keep_approval(tool, SHOP, context, {"status": "success"})

    assert context.state == {}


def test_an_approval_says_what_it_covers(assistant):
    assert assistant.approval.approve_remediation("shop", "web") == {
        "status": "success",
        "namespace": "shop",
        "deployment_name": "web",
        "changes_allowed": 3,
    }


IMPOSSIBLE = [
    ({"namespace": ""}, "namespace must not be empty."),
    ({"namespace": "kube-system"}, "kube-system is a namespace of Kubernetes itself; "),
    ({"deployment_name": 7}, "deployment_name must be text, not 7."),
    ({"deployment_name": "a/b"}, "deployment_name must be made of small letters, digits, '-' and '.', "),
]


@pytest.mark.parametrize(("args", "error"), IMPOSSIBLE)
def test_what_cannot_be_changed_is_not_an_approval(assistant, args, error):
    reply = assistant.approval.approve_remediation(**{**SHOP, **args})

    assert reply["status"] == "error"
    assert reply["error"].startswith(error)


@pytest.mark.parametrize(("args", "error"), IMPOSSIBLE)
def test_what_is_no_approval_does_not_let_the_loop_change_anything(repair, systems, args, error):
    asked = {**SHOP, **args}
    entry = [[("approve_remediation", asked)], HAND_OVER]

    played = repair(True, entry=entry, act=[[("restart_deployment", asked)], "not approved"], verify=[LEAVE])

    assert "approved no remediation" in played.replies["restart_deployment"]["error"]
    assert systems.done == []


@pytest.mark.parametrize("resumable", [False, True])
@pytest.mark.filterwarnings("ignore:LoopAgent is deprecated")
def test_adk_ends_a_loop_in_which_a_tool_asks_for_confirmation(script, resumable):
    """Why the question comes before the loop. If this fails, ADK has learned to resume a loop: ask inside it then."""
    changes = []

    def change() -> dict[str, str]:
        """Change something."""
        changes.append("change")
        return {"status": "success"}

    act = LlmAgent(name="act", model="scripted", tools=[FunctionTool(change, require_confirmation=True)])
    verify = LlmAgent(name="verify", model="scripted", tools=[exit_loop])
    loop = LoopAgent(name="remediation", max_iterations=3, sub_agents=[act, verify])
    root = LlmAgent(name="root", model="scripted", sub_agents=[loop])
    other = App(name="other", root_agent=root, resumability_config=ResumabilityConfig(is_resumable=resumable))
    turns = {"root": [HAND_OVER], "act": [[("change", {})], "changed"], "verify": [LEAVE]}

    played = script.play(other, "repair it", True, **turns)

    assert changes == ["change"]
    assert played.said[-1] == ("act", "changed")
    assert played.asked["verify"] == []
