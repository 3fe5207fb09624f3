"""`evidence_touched`: of recordings that tell of something found, was one served?"""

import pytest

from evalkit.cases import Criterion
from evalkit.scorers import load


@pytest.fixture
def scored(make):
    def scored(*tools, has_evidence=True, mode="live"):
        trace = make.trace(make.happened(tools=tools, final="Done."), has_evidence=has_evidence, mode=mode)
        return load("evidence_touched")(make.case(make.turn()), trace, Criterion(name="evidence_touched"))

    return scored


def test_a_served_recording_that_tells_of_something_is_enough(make, scored):
    found = scored(
        make.event("logs", reply={"status": "no_data"}),
        make.event("describe", reply={"status": "success", "data": "OOM"}, route="mocks.yaml:9 describe"),
    )

    assert (found.value, found.details) == (1.0, {"served": ["mocks.yaml:9 describe"]})


@pytest.mark.parametrize("reply", [{"status": "error", "error": "forbidden"}, {"status": "no_data", "data": None}])
def test_dead_ends_alone_are_no_evidence(make, scored, reply):
    assert scored(make.event("logs", reply=reply)).value == 0.0


def test_an_answer_without_any_call_rests_on_nothing(scored):
    found = scored()

    assert (found.value, found.reason) == (
        0.0,
        "no recording was served, so the answer rests on nothing that was looked up",
    )


def test_where_no_recording_tells_of_anything_there_is_nothing_to_judge(scored):
    assert scored(has_evidence=False).state == "not_applicable"


def test_a_miss_is_no_evidence(make, scored):
    assert scored(make.event("logs", status="missed", reply={"data": "x"})).value == 0.0
