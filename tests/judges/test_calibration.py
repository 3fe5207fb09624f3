"""A judge's verdicts beside those of people."""

import asyncio
import json

import pytest

from evalkit.errors import InputError
from evalkit.judges.calibration import Agreement, Compared, calibrate, interval, read_labelled
from evalkit.judges.panel import Panel


def item(answer="75.", label="yes", **fields):
    rubric = {"rubric_id": "lag", "rubric_content": {"text_property": "It names the lag."}, "label": label}
    return {"user": "How far?", "answer": answer, "rubrics": [rubric], **fields}


@pytest.fixture
def file(tmp_path):
    """Write a file of labelled answers."""

    def file(text):
        path = tmp_path / "labels.json"
        path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
        return path

    return file


def agreement(both=0, judge_only=0, people_only=0, neither=0, unjudged=0):
    pairs = [(True, True)] * both + [(False, True)] * judge_only + [(True, False)] * people_only
    pairs += [(False, False)] * neither + [(False, None)] * unjudged
    return Agreement("j", 1, tuple(Compared("p", "r", label, verdict, "") for label, verdict in pairs))


def test_figures_are_over_what_was_judged_and_the_rest_is_counted():
    found = agreement(both=20, judge_only=5, people_only=10, neither=15, unjudged=3)
    assert (found.accuracy, found.kappa) == ((35, 50), pytest.approx(0.4))
    assert (found.false_passes, found.false_failures) == ((5, 20), (10, 30))
    assert (len(found.compared), len(found.judged), len(found.unjudged)) == (53, 50, 3)
    bounds = interval(found.false_passes)
    assert (bounds.low, bounds.high) == (pytest.approx(0.1119, abs=1e-4), pytest.approx(0.4687, abs=1e-4))


def test_of_nothing_there_are_no_figures():
    found = agreement(both=3)
    assert (found.kappa, found.false_passes, interval(found.false_passes)) == (None, (0, 0), None)


@pytest.mark.parametrize(
    "text",
    [
        [item(), item("76.", "no")],
        {"items": [item(), item("76.", "no")]},
        "\n".join(json.dumps(one) for one in (item(), item("76.", "no"))),
    ],
    ids=["list", "items", "lines"],
)
def test_labels_are_read_in_each_form(file, text):
    read = read_labelled(file(text))
    assert [dict(one.labels) for one in read] == [{"lag": True}, {"lag": False}]
    assert json.loads(read[1].question.material) == {"user": "How far?", "final_answer": "76."}


def test_a_reference_is_what_a_label_of_its_own_is_about(file):
    (read,) = read_labelled(file([{"user": "Q", "answer": "A", "reference": "B", "label": False}]))
    assert dict(read.labels) == {"matches_the_reference": False}
    assert json.loads(read.question.material)["reference_answer"] == "B"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("nothing", "is neither JSON nor JSON Lines"),
        ("[]", "has no labelled answers"),
        ("7", "expected a list of labelled answers, found 7"),
        (json.dumps(item()) + '\n{"user"', ":2: is not JSON"),
        ([{"user": "Q"}], "item 1: expected an object with an answer"),
        ([item(labels=1)], "item 1: unknown key 'labels'; known keys: answer, "),
        ([item(label="maybe")], 'item 1: a label is "yes" or "no", found "maybe"'),
        ([item(label=1)], 'item 1: a label is "yes" or "no", found 1'),
        ([{"answer": "A", "label": "yes"}], "item 1: the label has no reference to be about"),
        ([{"answer": "A", "rubrics": []}], "item 1: has no label"),
        ([{"answer": "A", "rubrics": ["It names it."]}], "item 1: expected a rubric as"),
        ([{"answer": "A", "rubrics": [{"rubric_id": "r", "label": "yes"}]}], "item 1: expected a rubric as"),
    ],
)
def test_what_is_no_label_is_refused_with_its_place(file, text, told):
    with pytest.raises(InputError) as raised:
        read_labelled(file(text))
    assert told in str(raised.value)


def test_a_judge_is_compared_label_by_label(file, server, make, tmp_path):
    server.replies = [make.verdicts(lag=word) for word in ("yes", "yes", "no", "partial")]
    items = read_labelled(file([item("75."), item("76.", "no"), item("77.", "no"), item("78.", "no")]))
    pace = make.quick.__class__(at_once=1, answers=1, timeout=5)
    found = asyncio.run(calibrate(items, server.url, Panel(tmp_path, pace)))
    assert [(one.label, one.verdict) for one in found.compared] == [
        (True, True),
        (False, True),
        (False, False),
        (False, None),
    ]
    (wrong,) = found.disagreements
    assert wrong.place.endswith("labels.json: item 2")
