"""The ways through the team, on ADK's real runner: agent tools, `single_turn` sub-agents, transfers."""

import pytest

ENTRY = "devops_assistant"

SHOP = {"namespace": "shop", "deployment_name": "web"}


@pytest.mark.parametrize(
    ("specialist", "look", "done"),
    [
        ("kafka_health", ("get_consumer_lag", {"group_id": "orders"}), ("lag", "orders")),
        ("observability", ("get_prometheus_alerts", {"state": "firing"}), ("alerts", "firing")),
        ("k8s_health", ("list_pods", {"namespace": "shop"}), ("pods", "shop")),
        ("docker_agent", ("list_docker_containers", {}), ("containers",)),
    ],
)
def test_each_specialist_is_called_like_a_function_and_its_answer_comes_back(
    app, systems, script, specialist, look, done
):
    turns = {ENTRY: [[script.call(specialist, request="look")], "it is so"], specialist: [[look], "found it"]}

    played = script.play(app, "look", **turns)

    assert systems.done == [done]
    assert played.replies[specialist] == {"result": "found it"}
    assert played.said[-1] == (ENTRY, "it is so")
    assert played.left == {}


def test_a_request_that_needs_two_specialists_calls_both_at_once(app, systems, script):
    both = [script.call("kafka_health", request="lag of orders"), script.call("k8s_health", request="pods in shop")]

    played = script.play(
        app,
        "how far is orders behind, and which pods of shop are unwell?",
        devops_assistant=[both, "both answered"],
        kafka_health=[[script.call("get_consumer_lag", group_id="orders")], "75 behind"],
        k8s_health=[[script.call("list_pods", namespace="shop")], "one is unwell"],
    )

    assert sorted(systems.done) == [("lag", "orders"), ("pods", "shop")]
    assert played.replies["kafka_health"] == {"result": "75 behind"}
    assert played.replies["k8s_health"] == {"result": "one is unwell"}
    assert played.said[-1] == (ENTRY, "both answered")


def test_small_talk_reaches_nobody(app, systems, script):
    played = script.play(app, "good morning", devops_assistant=["good morning"])

    assert (played.calls, played.said, systems.done) == ([], [(ENTRY, "good morning")], [])


def test_a_specialist_sees_its_request_and_neither_the_conversation_nor_a_way_to_hand_over(app, systems, script):
    ask = [script.call("k8s_health", request="pods in shop"), script.call("kafka_health", request="lag of orders")]

    played = script.play(app, "hello", "the secret word is kumquat", devops_assistant=["hello", ask, "done"])

    for specialist, request in (("k8s_health", "pods in shop"), ("kafka_health", "lag of orders")):
        (asked,) = played.asked[specialist]
        assert request in str(asked.contents)
        assert "kumquat" not in str(asked.contents)
        assert "transfer_to_agent" not in asked.tools_dict


def test_a_change_through_a_specialist_waits_for_the_user_and_then_goes_on(app, systems, script):
    played = script.play(
        app,
        "scale web in shop to 3",
        True,
        state={"role": "operator"},
        devops_assistant=[[script.call("k8s_health", request="scale web in shop to 3")], "it has 3 now"],
        k8s_health=[[script.call("scale_deployment", **SHOP, replicas=3)], "scaled"],
    )

    assert systems.done == [("scale", "shop", "web", 3)]
    assert played.replies["k8s_health"] == {"result": "scaled"}
    assert played.said[-1] == (ENTRY, "it has 3 now")


def test_a_change_that_the_user_rejects_is_not_made(app, systems, script):
    played = script.play(
        app,
        "scale web in shop to 3",
        False,
        state={"role": "operator"},
        devops_assistant=[[script.call("k8s_health", request="scale web in shop to 3")], "nothing was changed"],
        k8s_health=[[script.call("scale_deployment", **SHOP, replicas=3)], "rejected"],
    )

    assert systems.done == []
    assert played.replies["scale_deployment"] == {"error": "This tool call is rejected."}
    assert played.said[-1] == (ENTRY, "nothing was changed")


@pytest.mark.parametrize("agent", ["incident_triage", "remediation"])
def test_after_a_hand_over_the_next_turn_is_the_entry_agents_again(app, systems, script, agent):
    played = script.play(
        app,
        "go on",
        "thanks",
        state={"role": "operator"},
        devops_assistant=[[script.transfer(agent)], "you are welcome"],
        verify=[[script.call("exit_loop")]],
    )

    assert played.calls[0] == (ENTRY, "transfer_to_agent")
    assert played.said[-1] == (ENTRY, "you are welcome")


@pytest.mark.parametrize("agent", ["kafka_health", "observability", "k8s_health", "docker_agent", "check_pods", "act"])
def test_a_model_that_would_have_somebody_else_take_over_is_told_that_it_cannot(app, systems, script, agent):
    turns = [[script.transfer(agent)], "so be it"]

    played = script.play(app, "go", state={"role": "operator"}, devops_assistant=turns)

    assert played.replies["transfer_to_agent"]["error"].startswith(f"The role operator may not have {agent} take over")
    assert played.said == [(ENTRY, "so be it")]
    assert played.asked[agent] == []
