"""Asking a judge over HTTP: whatever it does, it never yields a pass that it did not give."""

import time
from dataclasses import replace

import pytest

from evalkit.judges.panel import Panel, Pulse

BUSY = (429, {"Retry-After": "0"}, "slow down")


def values(rulings):
    return {name: ruling.value for name, ruling in rulings.items()}


def test_verdicts_become_values_with_the_judges_reason(server, make):
    server.replies = ['{"verdicts": [{"rubric_id": "r0", "verdict": "yes", "rationale": "It says 75."}]}']
    ruling = make.rule(make.ask(server.url, "r0"))["r0"]
    assert (ruling.value, ruling.reason, ruling.by, ruling.votes) == (1.0, "It says 75.", server.url, (True,))


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ({"r0": "yes"}, "r1 has no verdict"),
        ({"r0": "yes", "Names the pod": "yes"}, 'a verdict is about "Names the pod", which is no id of a rubric'),
        ({"r0": "yes", "r1": "partial"}, 'the verdict on r1 is "partial", neither yes nor no'),
        ({"r0": "はい", "r1": "はい"}, 'the verdict on r0 is "はい", neither yes nor no'),
        ('{"verdicts": [', 'it is not JSON: "{\\"verdicts\\": ["'),
        ("両方とも満たしています。", 'it is not JSON: "両方とも満たしています。"'),
        ("", 'it is not JSON: ""'),
    ],
    ids=["omitted", "reworded", "partial", "Japanese verdict", "broken JSON", "Japanese prose", "empty"],
)
def test_an_answer_that_cannot_be_used_is_asked_for_again_and_then_is_none(server, make, bad, told):
    server.replies = [bad if isinstance(bad, str) else make.verdicts(**bad)]
    rulings = make.rule(make.ask(server.url))
    assert values(rulings) == {"r0": None, "r1": None}
    assert rulings["r1"].reason == f"the judge gave 3 answers that cannot be used; in the last one {told}"
    assert len(server.requests) == 3
    assert f"could not be used: {told}." in server.prompts[1]


def test_a_second_answer_that_can_be_used_counts(server, make):
    server.replies = [make.verdicts(r0="yes"), make.verdicts(r0="yes", r1="no")]
    assert values(make.rule(make.ask(server.url))) == {"r0": 1.0, "r1": 0.0}


def test_a_judge_that_is_busy_is_left_alone_for_as_long_as_it_wants_and_asked_again(server, make, monkeypatch):
    waits = []

    async def sleep(seconds):
        waits.append(seconds)

    monkeypatch.setattr("evalkit.judges.panel.asyncio.sleep", sleep)
    server.replies = [(429, {"Retry-After": "0.25"}, ""), (503, {}, ""), make.verdicts(r0="yes")]
    assert values(make.rule(make.ask(server.url, "r0"))) == {"r0": 1.0}
    assert waits == [0.25, 0.0]  # the second by our own pace, which is nothing here


def test_a_judge_that_stays_busy_gives_no_verdict(server, make):
    server.replies = [BUSY]
    ruling = make.rule(make.ask(server.url, "r0"))["r0"]
    assert (ruling.value, len(server.requests)) == (None, 3)
    assert 'answered 429: "slow down" (asked 3 times)' in ruling.reason


def test_a_judge_that_wants_to_be_left_alone_for_long_is_given_up_at_once(server, make):
    server.replies = [(429, {"Retry-After": "3600"}, "tomorrow")]
    ruling = make.rule(make.ask(server.url, "r0"))["r0"]
    assert (ruling.value, len(server.requests)) == (None, 1)


def test_a_judge_that_refuses_is_not_asked_again(server, make):
    server.replies = [(401, {}, "no such key")]
    ruling = make.rule(make.ask(server.url, "r0"))["r0"]
    assert (ruling.value, len(server.requests)) == (None, 1)
    assert ruling.reason.endswith('answered 401: "no such key"')


def test_a_judge_that_keeps_silent_gives_no_verdict(server, make):
    server.replies = [make.hang]
    pace = replace(make.quick, timeout=0.1, tries=2)
    ruling = make.rule(make.ask(server.url, "r0"), pace=pace)["r0"]
    assert (ruling.value, ruling.reason) == (None, "the judge did not answer within 0.1 s (asked 2 times)")


@pytest.mark.parametrize("body", ["<html>", "{}", '{"choices": []}', '{"choices": [{"message": null}]}'])
def test_a_reply_that_is_no_completion_gives_no_verdict(server, make, body):
    server.replies = [(200, {}, body)]
    ruling = make.rule(make.ask(server.url, "r0"))["r0"]
    assert ruling.value is None
    assert "answered what is no chat completion" in ruling.reason


def test_a_judge_that_is_not_there_is_told_at_once(make):
    ruling = make.rule(make.ask("http://127.0.0.1:9/v1?model=x", "r0"))["r0"]
    assert ruling.value is None
    assert ruling.reason.startswith("http://127.0.0.1:9/v1/chat/completions cannot be reached")


@pytest.mark.parametrize(
    ("votes", "value"),
    [
        (["yes", "yes", "no"], 1.0),
        (["yes", "no", "no"], 0.0),
        (["yes", "no"], 0.0),  # ADK: a tie is a no
        (["yes", "yes", "partial"], 1.0),
        (["yes", "partial", "no"], None),
        (["yes", "partial"], None),
        (["no", "no", "partial"], 0.0),
        (["no", "partial"], 0.0),
        (["partial", "partial"], None),
    ],
)
def test_the_majority_of_all_samples_decides(server, make, votes, value):
    pace = replace(make.quick, answers=1)
    server.replies = [make.verdicts(r0=vote) for vote in votes]
    ruling = make.rule(make.ask(server.url, "r0", samples=len(votes)), pace=pace)["r0"]
    assert ruling.value == value
    assert len(ruling.votes) == len(votes)


def test_the_same_question_is_asked_once_in_a_run(server, make, tmp_path):
    server.replies = [make.verdicts(r0="yes")]
    panel = Panel(tmp_path, make.quick)
    first = make.ask(server.url, "r0")
    make.rule(first, make.ask(server.url, "r0"), panel=panel)
    assert values(make.rule(make.ask(server.url, "r0"), panel=panel)) == {"r0": 1.0}
    assert len(server.requests) == 1
    make.rule(make.ask(server.url, "r0", material={"final_answer": "76."}), panel=panel)
    assert len(server.requests) == 2


@pytest.mark.parametrize(("own", "most"), [(None, 4), (1, 1)])
def test_several_are_asked_at_once_as_far_as_the_pace_and_the_criterion_allow(server, make, own, most):
    server.replies, server.pause = [make.verdicts(r0="yes")], 0.05
    make.rule(make.ask(server.url, "r0", samples=8, at_once=own), pace=replace(make.quick, at_once=4))
    assert len(server.requests) == 8
    assert server.most_at_work <= most
    assert own or server.most_at_work > 1


def test_nothing_more_is_asked_when_the_user_wants_to_stop(server, make):
    server.replies = [make.hang]
    ruling = make.rule(make.ask(server.url, "r0"), stop=lambda: bool(server.requests))["r0"]
    assert (ruling.value, ruling.reason) == (None, "the run was interrupted before the judge was asked")


def test_progress_is_told_sample_by_sample(server, make):
    server.replies, told = [make.verdicts(r0="yes")], []
    make.rule(make.ask(server.url, "r0", samples=3), tell=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_progress_reaches_the_user_now_and_then(monkeypatch):
    told = []
    pulse = Pulse(told.append, every=10)
    now = time.monotonic()
    for seconds, done in ((1, 1), (11, 2), (12, 3), (22, 4)):
        monkeypatch.setattr("evalkit.judges.panel.time.monotonic", lambda seconds=seconds: now + seconds)
        pulse(done, 4)
    assert told == ["judging: 2 of 4 answers"]


def test_secrets_do_not_go_to_a_judge(server, make, tmp_path):
    server.replies = [make.verdicts(r0="yes")]
    panel = Panel(tmp_path, make.quick, hide=lambda text: text.replace("hunter2", "[secret: PASSWORD]"))
    make.rule(make.ask(server.url, "r0", material={"final_answer": "It is hunter2."}), panel=panel)
    assert "hunter2" not in server.prompts[0]
    assert "[secret: PASSWORD]" in server.prompts[0]


def test_the_key_comes_from_the_variable_and_options_by_their_names_there(server, make, monkeypatch):
    monkeypatch.setenv("STAND_IN_KEY", "sk-stand-in")
    server.replies = [make.verdicts(r0="yes")]
    config = {"temperature": 0.5, "max_output_tokens": 100}
    make.rule(make.ask(f"{server.url}&key=STAND_IN_KEY", "r0", config=config))
    (body,) = server.requests
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("stand-in", 0.5, 100)
    assert server.headers[0]["Authorization"] == "Bearer sk-stand-in"


def test_a_key_that_is_not_set_is_told(server, make, monkeypatch):
    monkeypatch.delenv("STAND_IN_KEY", raising=False)
    ruling = make.rule(make.ask(f"{server.url}&key=STAND_IN_KEY", "r0"))["r0"]
    assert (ruling.value, server.requests) == (None, [])
    assert ruling.reason == "the judge's key is to be in the variable STAND_IN_KEY, which is not set"
