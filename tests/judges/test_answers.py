"""What counts as a judge's answer: one verdict a rubric, yes or no, or nothing at all."""

import json

import pytest

from evalkit.judges.answers import UnusableAnswerError, Verdict, read_answer

IDS = ("r0", "r1")


def entries(*pairs, **fields):
    return [{"rubric_id": name, "verdict": said, **fields} for name, said in pairs]


def answer(*pairs, **fields):
    return json.dumps({"verdicts": entries(*pairs, **fields)})


def refusal(text):
    with pytest.raises(UnusableAnswerError) as raised:
        read_answer(text, IDS)
    return str(raised.value)


@pytest.mark.parametrize(
    "text",
    [
        answer(("r0", "yes"), ("r1", "no")),
        answer(("r1", "No "), ("r0", "YES")),
        json.dumps(entries(("r0", "yes"), ("r1", "no"))),
        f"```json\n{answer(('r0', 'yes'), ('r1', 'no'))}\n```",
        f"<think>r1 is a yes?</think>\n{answer(('r0', 'yes'), ('r1', 'no'))}",
        "ID: r0\nProperty: names it\nRationale: ok\nVerdict: yes\n\nID: r1\nRationale: no step\nVerdict: no\n",
    ],
    ids=["json", "other order and case", "bare list", "fenced", "thought before", "ADK's lines"],
)
def test_an_answer_with_every_verdict_is_read(text):
    found = read_answer(text, IDS)
    assert {name: verdict.holds for name, verdict in found.items()} == {"r0": True, "r1": False}


def test_the_rationale_may_be_in_any_language():
    found = read_answer(answer(("r0", "yes"), ("r1", "yes"), rationale="ポッド名を示している"), IDS)
    assert found["r0"] == Verdict(True, "ポッド名を示している")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (answer(("r0", "yes")), "r1 has no verdict"),
        ("[]", "r0, r1 has no verdict"),
        (answer(("r0", "yes"), ("R1", "yes")), 'a verdict is about "R1", which is no id of a rubric'),
        (answer(("r0", "yes"), ("r1", "yes"), ("r2", "yes")), 'a verdict is about "r2", which is no id of a rubric'),
        (answer(("r0", "yes"), ("r1", "no"), ("r1", "yes")), "r1 has two verdicts"),
        (answer(("r0", "yes"), (None, "yes")), "a verdict is about null, which is no id of a rubric"),
        (answer(("r0", "yes"), ("r1", "partial")), 'the verdict on r1 is "partial", neither yes nor no'),
        (answer(("r0", "yes"), ("r1", "not sure, maybe yes")), "the verdict on r1 is"),
        (answer(("r0", "yes"), ("r1", "はい")), 'the verdict on r1 is "はい", neither yes nor no'),
        (answer(("r0", "yes"), ("r1", True)), "the verdict on r1 is true, neither yes nor no"),
        (answer(("r0", "yes"), ("r1", ["yes"])), 'the verdict on r1 is ["yes"], neither yes nor no'),
        ('{"verdicts": [{"rubric_id": "r0", "verdict": "no", "verdict": "yes"}]}', "an object has the same key twice"),
        ('{"verdicts": [{"rubric_id": "r0", "verdict": "yes"}', "it is not JSON: "),
        ('{"verdicts": {"r0": "yes", "r1": "yes"}}', 'it has no list of "verdicts"'),
        ('"yes"', 'it has no list of "verdicts"'),
        ("", "it is not JSON: "),
        ("I think it is good: yes.", "it is not JSON: "),
        (f"Here you are: {answer(('r0', 'yes'), ('r1', 'yes'))}", "it is not JSON: "),
        ("[" * 100_000, "it is not JSON: "),
        ("Property: names it\nVerdict: yes\nID: r1\nVerdict: yes", "a verdict stands without the id of its rubric"),
        ("ID: r0\nVerdict: yes\nProperty: b\nVerdict: yes", "a verdict after that on r0 stands without an id"),
        ("ID: r0\nVerdict: yes\nID: r1\nRationale: hm", "the verdict on r1 is null, neither yes nor no"),
    ],
)
def test_an_answer_that_leaves_something_open_is_none(text, told):
    assert refusal(text).startswith(told)
