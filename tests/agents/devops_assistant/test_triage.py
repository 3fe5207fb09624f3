"""Incident triage end to end: reached by transfer, checks side by side, a summary that reads them, a note."""

import pytest

ENTRY = "devops_assistant"

CHECKS = {
    "check_pods": "web-1 is in CrashLoopBackOff",
    "check_lag": "order-processor is 75 behind",
    "check_alerts": "HighErrorRate fires",
}


@pytest.fixture
def turns(script):
    """A triage in which everything goes well."""
    pods = [script.call("list_pods", namespace="shop"), script.call("list_kubernetes_events", namespace="shop")]
    note = script.call("write_incident_note", title="web crashes in shop", text="## Findings\n\nweb-1 crashes")
    return {
        ENTRY: [[script.transfer("incident_triage")]],
        "check_pods": [pods, CHECKS["check_pods"]],
        "check_lag": [[script.call("get_consumer_lag", group_id="order-processor")], CHECKS["check_lag"]],
        "check_alerts": [[script.call("get_prometheus_alerts", state="firing")], CHECKS["check_alerts"]],
        "incident_summary": [[note], "web-1 crashes"],
    }


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("INCIDENT_NOTES_DIR", str(tmp_path))
    return tmp_path


def _told(played):
    """What the summary was told at its first turn."""
    return played.asked["incident_summary"][0].config.system_instruction


def test_the_checks_are_made_and_then_the_note_is_written(app, systems, script, turns, folder):
    played = script.play(app, "triage shop and order-processor", state={"role": "operator"}, **turns)

    assert sorted(systems.done) == [
        ("alerts", "firing"),
        ("events", "shop"),
        ("lag", "order-processor"),
        ("pods", "shop"),
    ]
    (note,) = folder.iterdir()
    assert "web-1 crashes" in note.read_text()
    assert played.replies["write_incident_note"]["path"] == str(note)
    assert played.said[-1] == ("incident_summary", "web-1 crashes")
    assert played.left == {}


def test_the_checks_run_side_by_side_and_the_summary_after_all_of_them(app, systems, script, turns, folder):
    played = script.play(app, "triage", state={"role": "operator"}, **turns)

    authors = [author for author, _ in played.said]
    assert sorted(authors[:3]) == sorted(CHECKS)
    assert authors[3:] == ["incident_summary"]
    first_answer = next(index for index, event in enumerate(played.events) if event.get_function_responses()[1:])
    called_before = {event.author for event in played.events[:first_answer] if event.get_function_calls()}
    assert called_before >= set(CHECKS)


def test_what_the_checks_found_is_in_the_state_and_in_the_summarys_instruction(app, systems, script, turns, folder):
    played = script.play(app, "triage", state={"role": "operator"}, **turns)

    found = {key: played.state[key] for key in ("pod_findings", "lag_findings", "alert_findings")}
    assert list(found.values()) == list(CHECKS.values())
    for text in CHECKS.values():
        assert text in _told(played)


def test_findings_of_an_earlier_triage_do_not_stand_for_a_check_that_says_nothing(app, systems, script, folder):
    earlier = {"role": "operator", "pod_findings": "all pods are well", "lag_findings": "no lag"}
    silent = {name: [[]] for name in CHECKS}

    played = script.play(app, "again", state=earlier, devops_assistant=[[script.transfer("incident_triage")]], **silent)

    assert _told(played).count("This check reported nothing.") == 3
    assert "all pods are well" not in _told(played)


def test_findings_are_no_template(app, systems, script, turns, folder):
    turns["check_pods"][-1] = "the event says {role} and {missing}"

    played = script.play(app, "triage", state={"role": "operator"}, **turns)

    assert "the event says {role} and {missing}" in _told(played)


def test_a_viewers_triage_ends_with_a_summary_and_without_a_note(app, systems, script, turns, folder):
    played = script.play(app, "triage", **turns)

    assert played.replies["write_incident_note"]["error"] == (
        "The role viewer may not call write_incident_note; that needs the role operator."
    )
    assert played.said[-1] == ("incident_summary", "web-1 crashes")
    assert list(folder.iterdir()) == []
