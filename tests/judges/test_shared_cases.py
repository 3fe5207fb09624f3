"""Judges' replies that real users met, with the verdict that is right, from the shared collection."""

import asyncio
import json

import pytest

from evalkit.cases import Case, Config, Criterion, Message, Turn
from evalkit.judges.jury import Hearing, Jury
from evalkit.score import JudgeOptions, judge
from evalkit.settings import Settings
from evalkit.traces import Outcome, Trace, TurnTrace

ALWAYS_TRUE = Criterion(name="response", options={"contains": ["web-1"]})
REPLIES = ["both_yes", "omits_r1", "rewords_r0_no", "partial", "unsure_yes", "garbage"]


@pytest.mark.parametrize("name", ["rubric", "rubric_based_final_response_quality_v1"])
@pytest.mark.parametrize("reply", REPLIES)
def test_an_incomplete_reply_never_passes(shared, server, make, tmp_path, reply, name):
    data = json.loads((shared / "cases" / "30_rubric_judge_reply_incomplete.json").read_text(encoding="utf-8"))
    given, right = data["input"], data["expect"]
    assert sorted(given["judge_replies"]) == sorted(REPLIES)
    server.replies = [given["judge_replies"][reply]]
    asked = Criterion(name=name, threshold=given["threshold"], options={"rubrics": given["rubrics"]})
    config = Config(criteria=(asked, ALWAYS_TRUE), origin="test_config.json")
    user = Message(role="user", parts=({"text": "What is wrong?"},))
    happened = TurnTrace(user=user, final=Message(role="model", parts=({"text": "web-1 fails; look at its log."},)))
    case = Case(eval_id="one", turns=(Turn(index=0, user=user),))
    outcome = Outcome(file="f", eval_id="one", trace=Trace(mode="live", turns=(happened,)))
    jury = Jury(Settings(root=tmp_path, judge=server.url), pace=make.quick)
    (found,) = asyncio.run(jury.hear([Hearing(case=case, outcome=outcome, config=config)]))
    judged = judge(case, outcome, config, JudgeOptions(), found)
    if right[reply] == "1.0 PASS":
        assert (found[name].value, judged.verdict) == (1.0, "passed")
    else:
        assert (found[name].state, judged.verdict) == ("not_judged", "inconclusive")
        assert name in judged.reasons[0]
