"""Which expected texts can be looked for in an answer, and which only a judge can decide."""

import pytest

from evalkit.formats.gold_items import build_rubrics, needs_judge

PLAIN = [
    "disk pressure on node blue-7",
    "The queue `invoices` has 1,200 messages waiting.",
    "Pods restart because the liveness probe asks port 9090",
    "Throughput fell from ~85% to ~25% at 14:02 UTC",
    "Two volumes were orphaned: red-1 (5Gi), red-2 (2Gi)\n",
    "The notebook is mounted by another pod",
    "Monitoring agent lacks the verb list",
    "A shallow copy of the order is cached",
]

FOR_A_JUDGE = [
    ("must name the broken volume", "it instructs"),
    ("The reply should quote the log line", "it instructs"),
    ("To pass, both steps are needed", "it instructs"),
    ("Mentions the full disk", "it addresses the answer"),
    ("mention that the disk is full", "it addresses the answer"),
    ("The output states when it began", "it addresses the answer"),
    ("The answer clearly identifies the tenant", "it addresses the answer"),
    ("Including the raw query is fine if it is short", "it addresses the answer"),
    ("Does not blame the network", "it is negated"),
    ("must NOT name the other pod", "it is negated"),
    ("The class doesn't exist", "it is negated"),
    ("The class doesn\u2019t exist", "it is negated"),
    ("The image cannot be pulled", "it is negated"),
    ("runs without errors", "it is negated"),
    ("no lag at all", "it is negated"),
    ("either 7 or seven pods", "it leaves alternatives"),
    ("the disk is full, or nearly so", "it leaves alternatives"),
    ("a query similar to sum(rate(x[5m]))", "it is approximate"),
    ("a command like: tool -n shop 80:80", "it is approximate"),
    ("key is <any key>", "it is approximate"),
    ("first\nsecond", "it has several lines"),
]


@pytest.mark.parametrize("text", PLAIN)
def test_a_fact_can_be_looked_for(text):
    assert not needs_judge(text)


@pytest.mark.parametrize(("text", "why"), FOR_A_JUDGE)
def test_only_a_judge_can_decide_about_a_text_if(text, why):
    assert needs_judge(text), why


def test_strict_mode_has_one_rubric_for_each_text_and_loose_mode_one_for_all():
    texts = ["disk is full", "must name\nthe node"]

    strict, loose = build_rubrics(texts), build_rubrics(texts, "loose", include_tool_calls=True)

    assert [(one.rubric_id, one.text, one.type, one.needs_judge) for one in strict] == [
        ("expected_0", "disk is full", "FINAL_RESPONSE_QUALITY", False),
        ("expected_1", "must name the node", "FINAL_RESPONSE_QUALITY", True),
    ]
    assert [(one.text, one.type, one.needs_judge) for one in loose] == [
        ("disk is full must name the node", "TOOL_USE_QUALITY", True)
    ]


def test_several_facts_together_need_no_judge_in_loose_mode():
    assert [one.needs_judge for one in build_rubrics(["disk is full", "node blue-7"], "loose")] == [False]


def test_nothing_expected_gives_no_rubric():
    assert build_rubrics([], "loose") == build_rubrics([]) == ()
