"""Gold before a judge: what it is shown, and that nothing but a plain yes to every expectation passes."""

import asyncio
import json

import pytest

from evalkit.cases import Case, Config, Criterion, Message, Turn
from evalkit.formats.gold_items import build_rubrics
from evalkit.gold import Gold
from evalkit.judges.jury import Hearing, Jury
from evalkit.score import JudgeOptions, judge
from evalkit.settings import Settings
from evalkit.traces import Outcome, ToolEvent, Trace, TurnTrace, Utterance

CRITERION = Criterion(name="holmes_correctness", threshold=1.0, options={"judge_model_options": {"num_samples": 1}})
EXPECTED = ("disk pressure on blue-7", "must not blame the network")
YES = '{"rubric_id": "expected_0", "verdict": "yes"}'
ANSWER = "There is disk pressure on blue-7."


def said(text):
    return Message(role="model", parts=({"text": text},))


def gold(*expected, mode="strict", calls=False, **fields):
    rubrics = build_rubrics(expected, mode, include_tool_calls=calls)
    return Gold(expected=expected, mode=mode, rubrics=rubrics, include_tool_calls=calls, **fields)


@pytest.fixture
def heard(make, server, tmp_path):
    """Have an answer judged by the stand-in, which gives these replies."""

    def heard(expected, *replies, answer=ANSWER):
        server.replies = [*replies]
        tool = ToolEvent(id="1", name="df", args={"node": "blue-7"}, agent="a", status="answered", reply="99% full")
        words = (Utterance(agent="a", text="Let me look."), Utterance(agent="a", text=answer, final=True))
        happened = TurnTrace(user=said("Why so slow?"), final=said(answer), tools=(tool,), said=words)
        case = Case(eval_id="one", turns=(Turn(index=0, user=said("Why so slow?")),), gold="g.json", opened=expected)
        outcome = Outcome(file="f", eval_id="one", trace=Trace(mode="live", turns=(happened,)))
        config = Config(criteria=(CRITERION,), origin="test_config.json")
        jury = Jury(Settings(root=tmp_path, judge=server.url), pace=make.quick)
        (found,) = asyncio.run(jury.hear([Hearing(case=case, outcome=outcome, config=config)]))
        return judge(case, outcome, config, JudgeOptions(), found)

    return heard


def material(prompt):
    return json.loads(prompt.split("# Material\n")[1].split("\n# Rubrics")[0])


def rubrics(prompt):
    return json.loads(prompt.split("# Rubrics\n")[1])


def test_a_judge_that_says_yes_to_every_expectation_passes_the_case(heard, make):
    found = heard(gold(*EXPECTED), make.verdicts(expected_0="yes", expected_1="yes"))

    assert (found.verdict, found.criteria[0].score.details["by"]) == ("passed", "judge")


def test_one_no_fails_the_case_with_the_judges_reason(heard, make):
    found = heard(gold(*EXPECTED), make.verdicts(expected_0="yes", expected_1="no"))

    assert found.verdict == "failed"
    assert "`expected_1` (must not blame the network) does not hold" in found.reasons[0]


@pytest.mark.parametrize(
    "reply",
    [
        f'{{"verdicts": [{YES}]}}',
        f'{{"verdicts": [{YES}, {{"rubric_id": "Expected 1", "verdict": "yes"}}]}}',
        f'{{"verdicts": [{YES}, {{"rubric_id": "expected_1", "verdict": "mostly"}}]}}',
        "All of it is there. A",
        "",
    ],
    ids=["left out", "reworded", "neither", "prose", "silent"],
)
def test_a_judge_whose_answer_leaves_something_open_never_passes_the_case(heard, reply):
    assert heard(gold(*EXPECTED), reply).verdict == "inconclusive"


def test_the_baseline_does_not_step_in_for_a_judge_that_failed(heard):
    found = heard(gold("disk pressure on blue-7"), "no verdict")

    assert (found.verdict, found.criteria[0].score.details["rubrics"][0]["by"]) == ("inconclusive", heard_by(found))


def heard_by(found):
    """The judge's name, as the ruling has it."""
    (rubric,) = found.criteria[0].score.details["rubrics"]
    return rubric["by"] if rubric["by"].startswith("http://127.0.0.1") else "somebody else"


def test_a_strict_judge_sees_the_expectations_and_the_output_and_not_the_prompt(heard, make, server):
    heard(gold(*EXPECTED), make.verdicts(expected_0="yes", expected_1="yes"))

    (prompt,) = server.prompts
    assert material(prompt) == {"output": f"Let me look.\n\n{ANSWER}"}
    assert [one["rubric"] for one in rubrics(prompt)] == [*EXPECTED]
    assert "Why so slow?" not in prompt


def test_a_judge_sees_calls_and_replies_where_the_gold_wants_it(heard, make, server):
    heard(gold(*EXPECTED, calls=True), make.verdicts(expected_0="yes", expected_1="yes"))

    assert material(server.prompts[0])["tool_calls"] == [
        {"agent": "a", "tool": "df", "arguments": {"node": "blue-7"}, "returned": "99% full"}
    ]


def test_a_loose_judge_is_asked_one_question_about_all_of_it(heard, make, server):
    found = heard(gold(*EXPECTED, mode="loose"), make.verdicts(expected_0="yes"))

    assert found.verdict == "passed"
    assert [one["rubric"] for one in rubrics(server.prompts[0])] == [" ".join(EXPECTED)]
    assert "reasonably matches" in server.prompts[0]


def test_sections_are_no_business_of_the_judge(heard, make, server):
    found = heard(gold(EXPECTED[0], sections={"Cause": ("x",)}), make.verdicts(expected_0="yes"))

    assert (found.verdict, len(rubrics(server.prompts[0]))) == ("failed", 1)
