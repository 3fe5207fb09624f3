"""The record of calls: what was called, what was refused, what came of it, however calls run side by side."""

import datetime as dt
import json
from types import SimpleNamespace

import pytest
from google.adk.apps import App
from google.adk.events import Event, EventActions

ENTRY = "devops_assistant"

SHOP = {"namespace": "shop", "deployment_name": "web"}

VIEWER, OPERATOR = {"role": "viewer"}, {"role": "operator"}


def records(played, *fields):
    """Pick fields of each record, in the order in which the state has them."""
    fields = fields or ("agent", "tool", "outcome")
    return [tuple(record[field] for field in fields) for record in played.state.get("audit", {}).values()]


@pytest.fixture
def restart(script):
    """A script in which k8s_health is asked for a restart and calls for it."""
    return {
        ENTRY: [[script.call("k8s_health", request="restart web in shop")], "well"],
        "k8s_health": [[script.call("restart_deployment", **SHOP)], "well"],
    }


def test_the_audit_comes_before_the_guard(app):
    assert [plugin.name for plugin in app.plugins] == ["audit", "role_guard"]


def test_what_the_guard_refuses_is_recorded(app, systems, script, restart):
    played = script.play(app, "restart", state=VIEWER, **restart)

    assert records(played, "agent", "tool", "args", "role", "outcome") == [
        (ENTRY, "k8s_health", {"request": "restart web in shop"}, "viewer", "answered"),
        ("k8s_health", "restart_deployment", SHOP, "viewer", "refused"),
    ]


def test_the_other_way_round_it_would_not_be(assistant, app, systems, script, restart):
    plugins = [assistant.access.RoleGuard(), assistant.audit.Audit()]
    other = App(name=app.name, root_agent=app.root_agent, plugins=plugins)

    played = script.play(other, "restart", state=VIEWER, **restart)

    assert played.state["last_denied_tool"] == "restart_deployment"
    assert records(played) == [(ENTRY, "k8s_health", "answered")]


def test_what_waits_for_the_user_is_recorded_as_waiting(app, systems, script, restart):
    played = script.play(app, "restart", state=OPERATOR, **restart)

    assert records(played) == [("k8s_health", "restart_deployment", "waiting")]


@pytest.mark.parametrize(("confirmed", "outcome"), [(True, "answered"), (False, "rejected")])
def test_once_the_user_has_answered_the_record_says_what_came_of_it(app, systems, script, restart, confirmed, outcome):
    played = script.play(app, "restart", confirmed, state=OPERATOR, **restart)

    assert sorted(records(played)) == [
        (ENTRY, "k8s_health", "answered"),
        ("k8s_health", "restart_deployment", outcome),
    ]


@pytest.mark.parametrize("others", [("kafka_health", "observability"), ("k8s_health", "docker_agent")])
@pytest.mark.parametrize("turned", [False, True])
def test_calls_of_specialists_side_by_side_are_all_recorded(app, systems, script, others, turned):
    """Agent tools with agent tools, and agent tools with `single_turn` sub-agents, which ADK runs in different ways."""
    looks = {
        "kafka_health": script.call("get_consumer_lag", group_id="a"),
        "observability": script.call("get_prometheus_alerts"),
        "k8s_health": script.call("list_pods", namespace="shop"),
        "docker_agent": script.call("list_docker_containers"),
    }
    names = list(dict.fromkeys(("kafka_health", *others)))
    asked = [script.call(name, request="look") for name in (names[::-1] if turned else names)]
    turns = {name: [[looks[name], looks[name]], [looks[name]], "found"] for name in names}

    played = script.play(app, "look", devops_assistant=[asked, "done"], **turns)

    expected = [(name, looks[name][0], "answered") for name in names for _ in range(3)]
    assert sorted(records(played)) == sorted([*expected, *((ENTRY, name, "answered") for name in names)])


def test_calls_of_agents_side_by_side_are_all_recorded(app, systems, script):
    pods = [script.call("list_pods", namespace="shop"), script.call("list_kubernetes_events", namespace="shop")]

    played = script.play(
        app,
        "triage",
        devops_assistant=[[script.transfer("incident_triage")]],
        check_pods=[pods, "pods"],
        check_lag=[[script.call("get_consumer_lag", group_id="a")], "lag"],
        check_alerts=[[script.call("get_prometheus_alerts", state="firing")], "alerts"],
        incident_summary=[[script.call("write_incident_note", title="t", text="x")], "done"],
    )

    assert records(played)[0] == (ENTRY, "transfer_to_agent", "answered")
    assert sorted(records(played)[1:-1]) == [
        ("check_alerts", "get_prometheus_alerts", "answered"),
        ("check_lag", "get_consumer_lag", "answered"),
        ("check_pods", "list_kubernetes_events", "answered"),
        ("check_pods", "list_pods", "answered"),
    ]
    assert records(played)[-1] == ("incident_summary", "write_incident_note", "refused")


@pytest.mark.parametrize("overwritten", [False, True])
async def test_an_event_does_not_undo_what_was_stored_since_its_calls_began(assistant, overwritten):
    late, early = ({"at": f"2025-06-01T09:30:0{second}", "outcome": "answered"} for second in (1, 2))
    stored = {"audit": {"early": early}}
    events = [Event(author="check_lag", actions=EventActions(state_delta=stored)), Event(author="user")]
    session = SimpleNamespace(events=events if overwritten else [], state={} if overwritten else stored)
    event = Event(author="check_pods", actions=EventActions(state_delta={"audit": {"late": late}}))

    await assistant.audit.Audit().on_event_callback(invocation_context=SimpleNamespace(session=session), event=event)

    assert list(event.actions.state_delta["audit"].items()) == [("late", late), ("early", early)]


async def test_a_copy_from_before_a_call_was_answered_does_not_win_over_the_answer(assistant):
    waiting, answered = (
        {"call": {"at": f"2025-06-01T09:3{minute}:00", "outcome": outcome}}
        for minute, outcome in enumerate(("waiting", "answered"))
    )
    for stored, recorded in ((answered, waiting), (waiting, answered)):
        context = SimpleNamespace(session=SimpleNamespace(events=[], state={"audit": stored}))
        event = Event(author="k8s_health", actions=EventActions(state_delta={"audit": recorded}))

        await assistant.audit.Audit().on_event_callback(invocation_context=context, event=event)

        assert event.actions.state_delta["audit"] == answered


def test_a_reply_with_the_status_error_is_recorded_as_an_error(app, systems, script):
    turns = {
        ENTRY: [[script.call("kafka_health", request="lag")], "it failed"],
        "kafka_health": [[script.call("get_consumer_lag", group_id="")], "it failed"],
    }

    played = script.play(app, "lag", **turns)

    assert records(played) == [
        (ENTRY, "kafka_health", "answered"),
        ("kafka_health", "get_consumer_lag", "error"),
    ]


def test_a_field_named_error_in_a_good_reply_is_no_error(app, siblings, systems, script, monkeypatch):
    containers = siblings.docker_agent.tools.containers
    monkeypatch.setattr(containers, "inspect", lambda _: {"exit_code": 0, "error": ""})
    turns = {
        ENTRY: [[script.call("docker_agent", request="inspect web")], "fine"],
        "docker_agent": [[script.call("inspect_docker_container", container="web")], "fine"],
    }

    played = script.play(app, "inspect web", **turns)

    assert ("docker_agent", "inspect_docker_container", "answered") in records(played)


@pytest.fixture
def crash(siblings, systems, monkeypatch):
    """A bug in what list_pods calls."""

    def crash(*args):
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(siblings.k8s_health.tools.pods, "listing", crash)


def test_a_tool_that_raises_is_recorded_when_the_turn_goes_on(app, script, crash):
    turns = {
        ENTRY: [[script.call("k8s_health", request="pods")], "it broke"],
        "k8s_health": [[script.call("list_pods", namespace="shop")], "never said"],
    }

    played = script.play(app, "pods", **turns)

    assert ("k8s_health", "list_pods", "error") in records(played)


def test_a_tool_that_raises_ends_the_turn_as_it_would_without_the_audit_and_is_recorded(app, script, crash):
    turns = {
        ENTRY: [[script.transfer("incident_triage")]],
        "check_pods": [[script.call("list_pods", namespace="shop")], "never said"],
    }

    played = script.play(app, "triage", **turns)

    assert isinstance(played.failure, ZeroDivisionError)
    assert records(played)[-1] == ("check_pods", "list_pods", "error")


def test_only_the_newest_calls_are_kept(assistant, app, systems, script):
    most = assistant.audit.MAX_RECORDS
    calls = [[script.call("list_pods", namespace=f"shop-{number}")] for number in range(most + 9)]
    turns = {ENTRY: [[script.call("k8s_health", request="pods")], "done"], "k8s_health": [*calls, "done"]}

    played = script.play(app, "pods", **turns)

    assert len(systems.done) == most + 9
    kept = [args["namespace"] for tool, args in records(played, "tool", "args") if tool == "list_pods"]
    assert kept == [f"shop-{number}" for number in range(9, most + 9)]


def test_long_arguments_are_cut(assistant, app, systems, script):
    note = script.call("write_incident_note", title="t", text="x" * 5000)
    turns = {ENTRY: [[script.transfer("incident_triage")]], "incident_summary": [[note], "done"]}

    played = script.play(app, "triage", **turns)

    ((args,),) = [one for one in records(played, "args") if "text" in one[0]]
    assert args == {"title": "t", "text": "x" * assistant.audit.MAX_TEXT + "…"}


def test_records_are_json_with_times_in_utc_and_what_is_noted_meanwhile_is_not_stored(app, systems, script, restart):
    played = script.play(app, "restart", state=VIEWER, **restart)

    times = [dt.datetime.fromisoformat(at) for (at,) in records(played, "at")]
    assert times == sorted(times)
    assert {time.tzinfo for time in times} == {dt.UTC}
    assert json.loads(json.dumps(played.state["audit"])) == played.state["audit"]
    assert set(played.state) == {"role", "last_denied_tool", "audit"}
