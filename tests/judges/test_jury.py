"""Which criteria of a case a judge decides, whom it is asked, and what becomes of its word."""

import asyncio
import json

import pytest

from evalkit.cases import Case, Config, Criterion, Expectation, Message, ResponseRule, Turn
from evalkit.errors import SettingsError
from evalkit.expectations import RubricRule
from evalkit.judges.jury import Hearing, Jury
from evalkit.score import JudgeOptions, judge
from evalkit.settings import Settings
from evalkit.traces import Failure, GoldenReport, Miss, Outcome, ToolEvent, Trace, TurnTrace, Utterance

QUALITY, TOOLS = "rubric_based_final_response_quality_v1", "rubric_based_tool_use_quality_v1"
MATCH = Criterion(name="final_response_match_v2", threshold=0.8)


def said(text):
    return Message(role="model", parts=({"text": text},))


def rubric(name, kind=None):
    return {"rubric_id": name, "rubric_content": {"text_property": f"{name} holds"}, "type": kind}


def case(*, rubrics=None, of_turn=None, turns=1, **fields):
    made = tuple(
        Turn(index=n, user=said(f"Q{n}"), final=said(f"Expected {n}."), rubrics=of_turn, where=f"$.c[{n}]", **fields)
        for n in range(turns)
    )
    return Case(eval_id="one", turns=made, rubrics=rubrics, where="$")


def happened(answer="Expected 0.", **fields):
    return TurnTrace(user=said("Q"), final=said(answer), **fields)


def criterion(name="rubric", *rubrics, threshold=1.0, **judge_options):
    options = {"rubrics": [*rubrics]} if rubrics else {}
    if judge_options:
        options["judge_model_options"] = judge_options
    return Criterion(name=name, threshold=threshold, options=options)


@pytest.fixture
def verdict(make, tmp_path):
    """Have a case judged as `evalkit run` does: by the jury, then by the thresholds."""

    def verdict(case, trace, *criteria, judge_name=None, flag=None, stop=lambda: False, **outcome):
        trace = trace if isinstance(trace, Trace) else Trace(mode="live", turns=trace)
        happened = Outcome(file="f", eval_id="one", trace=trace, **outcome)
        config = Config(criteria=criteria, origin="test_config.json")
        jury = Jury(Settings(root=tmp_path, judge=judge_name), flag, pace=make.quick)
        hearing = Hearing(case=case, outcome=happened, config=config)
        (found,) = asyncio.run(jury.hear([hearing], stop=stop))
        return judge(case, happened, config, JudgeOptions(), found)

    return verdict


def test_a_case_passes_where_the_judge_says_yes_to_all_rubrics(server, make, verdict):
    server.replies = [make.verdicts(r0="yes", r1="yes")]
    judged = verdict(case(), (happened(),), criterion("rubric", rubric("r0"), rubric("r1")), judge_name=server.url)
    assert judged.verdict == "passed"
    assert len(server.requests) == 3  # the majority of three


def test_a_rubric_that_does_not_hold_fails_the_case_and_says_why(server, make, verdict):
    entries = [{"rubric_id": "r0", "verdict": "no", "rationale": "ポッド名がない"}]
    server.replies = [json.dumps({"verdicts": entries})]
    judged = verdict(case(), (happened(),), criterion("rubric", rubric("r0")), judge_name=server.url)
    assert judged.verdict == "failed"
    told = f"rubric is 0, below 1: $.c[0]: the rubric `r0` (r0 holds) does not hold, by {server.url}"
    assert judged.reasons == (told,)
    assert "ポッド名がない" in judged.criteria[0].score.reason


@pytest.mark.parametrize("reply", ["ID: r0\nVerdict: yes", "I think it is good.", '{"verdicts": []}'])
def test_without_all_verdicts_the_case_is_inconclusive_whatever_else_passed(server, verdict, reply):
    server.replies = [reply]
    asked = criterion(QUALITY, rubric("r0"), rubric("r1"), threshold=0.5)
    grounded = Criterion(name="response", options={"contains": ["75"]})
    judged = verdict(case(), (happened("75"),), asked, grounded, judge_name=server.url)
    assert judged.verdict == "inconclusive"
    assert judged.reasons[0].startswith(f"{QUALITY} was not judged: 5 of 5 samples have no verdict: the judge gave 3")


def test_the_score_is_the_mean_over_all_rubrics_of_all_turns_as_in_adk(server, make, verdict):
    server.replies = [make.verdicts(r0="yes", r1="no"), make.verdicts(r0="yes", r1="yes")]
    asked = criterion(QUALITY, rubric("r0"), rubric("r1"), threshold=0.7, num_samples=1, parallelism_limit=1)
    judged = verdict(case(turns=2), (happened("a"), happened("b")), asked, judge_name=server.url)
    assert (judged.criteria[0].score.value, judged.verdict) == (0.75, "passed")
    assert [turn.value for turn in judged.criteria[0].score.turns] == [0.5, 1.0]


def test_adks_metrics_take_rubrics_of_cases_and_turns_by_type_and_ours_takes_all(server, verdict):
    rubrics = (rubric("answer", "FINAL_RESPONSE_QUALITY"), rubric("other"))
    of_turn = (rubric("tools", "TOOL_USE_QUALITY"),)
    own = rubric("own")
    server.replies = ["nothing"]
    for name, ids in ((QUALITY, "own answer"), (TOOLS, "own tools"), ("rubric", "own tools answer other")):
        asked = criterion(name, own, num_samples=1)
        verdict(case(rubrics=rubrics, of_turn=of_turn), (happened(),), asked, judge_name=server.url)
        listed = server.prompts[0].partition("# Rubrics\n")[2]
        assert [entry["rubric_id"] for entry in json.loads(listed)] == ids.split()
        server.requests.clear()


def test_two_rubrics_with_one_id_are_not_judged(server, verdict):
    judged = verdict(case(rubrics=(rubric("r0"),)), (happened(),), criterion("rubric", rubric("r0")), flag=server.url)
    assert judged.verdict == "inconclusive"
    assert "$.rubrics: the rubric `r0` stands in $.criteria.rubric.rubrics too" in judged.reasons[0]
    assert server.requests == []


def test_a_judge_sees_what_the_metric_is_about(server, verdict):
    tool = ToolEvent(id="1", name="get_lag", args={"group": "orders"}, agent="kafka", status="answered", reply={"n": 7})
    failed = ToolEvent(id="2", name="fix", args={}, agent="kafka", status="raised", error="TimeoutError: slow")
    turn = happened("Done.", tools=(tool, failed), said=(Utterance(agent="kafka", text="Looking."),))
    server.replies = ["nothing"]

    def material(name, **options):
        server.requests.clear()
        asked = criterion(name, rubric("r0"), num_samples=1)
        asked = Criterion(name=name, threshold=1.0, options={**asked.options, **options})
        verdict(case(), (turn,), asked, judge_name=server.url)
        return json.loads(server.prompts[0].partition("# Material\n")[2].partition("# Rubrics")[0])

    calls = [
        {"agent": "kafka", "tool": "get_lag", "arguments": {"group": "orders"}, "returned": {"n": 7}},
        {"agent": "kafka", "tool": "fix", "arguments": {}, "error": "TimeoutError: slow"},
    ]
    assert material("rubric") == {"user": "Q", "tool_calls": calls, "final_answer": "Done."}
    assert material(TOOLS) == {"user": "Q", "tool_calls": calls}
    assert material(QUALITY, include_intermediate_responses_in_final=True)["final_answer"] == "Looking."
    assert material(MATCH.name) == {"user": "Q", "final_answer": "Done.", "reference_answer": "Expected 0."}


def test_a_later_turn_is_shown_with_those_before_it(server, verdict):
    server.replies = ["nothing"]
    turns = (happened("First."), happened("Second."))
    verdict(case(turns=2), turns, criterion("rubric", rubric("r0"), num_samples=1), judge_name=server.url)
    last = next(prompt for prompt in server.prompts if '"final_answer": "Second."' in prompt)
    assert '"agent": "First."' in last


@pytest.mark.parametrize(("word", "expected"), [("yes", "passed"), ("no", "failed")])
def test_an_answer_is_matched_with_the_reference(server, make, verdict, word, expected):
    server.replies = [make.verdicts(matches_the_reference=word)]
    judged = verdict(case(), (happened("75."),), MATCH, judge_name=server.url)
    assert (judged.verdict, len(server.requests)) == (expected, 5)  # ADK's number of samples


def test_a_golden_answer_is_not_compared_with_itself(server, verdict):
    trace = Trace(mode="golden", turns=(happened(golden=GoldenReport(final_given=True)),))
    found = verdict(case(), trace, MATCH, judge_name=server.url).criteria[-1]
    assert (found.score.value, found.score.by_construction, found.gates) == (1.0, True, False)
    assert server.requests == []


def test_a_golden_answer_that_a_callback_changed_is_compared(server, make, verdict):
    server.replies = [make.verdicts(matches_the_reference="no")]
    trace = Trace(mode="golden", turns=(happened("Other.", golden=GoldenReport(changed=True)),))
    assert verdict(case(), trace, MATCH, judge_name=server.url).criteria[-1].passed is False


@pytest.mark.parametrize(
    ("mode", "named", "asked"),
    [
        ("golden", (None, "settings", None), "settings"),
        ("golden", ("own", "settings", None), "own"),
        ("golden", ("own", "settings", "flag"), "flag"),
        ("golden", ("own", None, None), None),  # a config written for `adk eval` must not start to spend
        ("golden", (None, None, "flag"), "flag"),
        ("live", ("own", None, None), "own"),
        ("live", (None, None, None), None),
    ],
)
def test_the_flag_comes_before_the_criterion_and_that_before_the_settings(server, verdict, mode, named, asked):
    own, default, flag = named

    def name(word):
        return word and server.url.replace("stand-in", word)

    server.replies = ["nothing"]
    options = {"judge_model": name(own)} if own else {}
    trace = Trace(mode=mode, turns=(happened(),))
    verdict(case(), trace, criterion("rubric", rubric("r0"), **options), judge_name=name(default), flag=name(flag))
    assert {request["model"] for request in server.requests} == ({asked} if asked else set())


def test_without_a_judge_the_case_is_inconclusive_and_told_what_to_write(verdict):
    trace = Trace(mode="golden", turns=(happened(golden=GoldenReport(final_given=True)),))
    judged = verdict(case(), trace, criterion(QUALITY, rubric("r0")))
    assert judged.verdict == "inconclusive"
    (reason,) = judged.reasons
    assert 'write `judge = "gemini-2.5-flash"` under [tool.evalkit]' in reason
    assert f'write `optional_offline = ["{QUALITY}"]` under [tool.evalkit]' in reason


def test_rubrics_with_a_check_need_no_judge_and_go_into_the_same_score(server, make, verdict):
    server.replies = [make.verdicts(r1="yes")]
    check = Expectation(response=ResponseRule(contains=("75",)))
    expect = Expectation(rubrics=(RubricRule(rubric_id="r0", check=check),))
    asked = criterion(QUALITY, rubric("r0"), rubric("r1"))
    judged = verdict(case(expect=expect), (happened("76."),), asked, judge_name=server.url)
    score = next(one.score for one in judged.criteria if one.criterion.name == QUALITY)
    assert [(one["rubric_id"], one["value"], one["by"]) for one in score.details["rubrics"]] == [
        ("r0", 0.0, "check"),
        ("r1", 1.0, server.url),
    ]
    assert '"r0"' not in server.prompts[0]


@pytest.mark.parametrize(
    "ended",
    [
        {"failure": Failure(kind="agent_error", message="it broke")},
        {
            "trace": Trace(
                mode="live",
                misses=(Miss(turn=0, tool="t", agent="a", args={}, closest=None, differences=(), message="m"),),
            )
        },
    ],
    ids=["failed", "missed"],
)
def test_nobody_is_asked_about_a_case_whose_verdict_no_judge_can_change(server, make, tmp_path, ended):
    outcome = Outcome(**{"file": "f", "eval_id": "one", "trace": Trace(mode="live", turns=(happened(),)), **ended})
    config = Config(criteria=(criterion("rubric", rubric("r0")),), origin="c")
    jury = Jury(Settings(root=tmp_path, judge=server.url), pace=make.quick)
    assert not jury.wants(Hearing(case=case(), outcome=outcome, config=config))


def test_cases_with_the_same_question_share_the_answer_and_the_user_is_told(server, make, tmp_path):
    server.replies, told = [make.verdicts(r0="yes")], []
    config = Config(criteria=(criterion("rubric", rubric("r0")),), origin="c")
    outcome = Outcome(file="f", eval_id="one", trace=Trace(mode="live", turns=(happened(),)))
    hearings = [Hearing(case=case(), outcome=outcome, config=config)] * 4
    jury = Jury(Settings(root=tmp_path, judge=server.url), pace=make.quick)
    found = asyncio.run(jury.hear(hearings, told.append))
    assert [scores["rubric"].value for scores in found] == [1.0] * 4
    assert len(server.requests) == 3
    assert told == [f"judging: 1 questions to {server.url}, 3 answers in all"]


def test_an_interrupted_judge_passes_nothing(server, make, verdict):
    server.replies = [make.hang]
    asked = criterion("rubric", rubric("r0"))
    judged = verdict(case(), (happened(),), asked, judge_name=server.url, stop=lambda: True)
    assert judged.verdict == "inconclusive"
    assert "the run was interrupted before the judge was asked" in judged.reasons[0]


def test_a_judges_name_that_is_none_is_refused_before_anything_is_played():
    with pytest.raises(SettingsError, match=r"\[tool.evalkit\] judge: 'python:judges' names no function"):
        Jury(Settings(judge="python:judges"))
