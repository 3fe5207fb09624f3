"""The page: what stands on it, from reports made by hand."""

import re
from dataclasses import replace

import pytest

from evalkit.cases import Case, Message, Step, ToolCall, Turn
from evalkit.models.known import tree_of
from evalkit.report import render
from evalkit.report.html.calls import CallRow, call_rows
from evalkit.report.html.page import page_of
from evalkit.report.plays import Played
from evalkit.results import Effort
from evalkit.traces import KnownAgent, Outcome, ToolEvent, Trace, TurnTrace, Utterance

LIGHTEST = 4.5
"""The contrast that WCAG 2.2 asks of text (1.4.3, AA)."""


def message(text):
    return Message(role="user", parts=({"text": text},))


def turn(*calls, answer="75"):
    steps = tuple(Step(calls=(call,)) for call in calls)
    return Turn(index=0, user=message("How far?"), final=message(answer), steps=steps)


def called(name, number, status="answered", **fields):
    return ToolEvent(id=str(number), name=name, agent="lag", status=status, group=number, **{"args": {}, **fields})


@pytest.fixture
def rows(case):
    """Align the calls that a turn wants with those that were made."""

    def align(wanted, made):
        happened = TurnTrace(user=message("How far?"), tools=tuple(made))
        return call_rows(Case(eval_id="a"), wanted, happened, tree_of((KnownAgent(name="lag"),)), case("a"))

    return align


@pytest.fixture
def shown(report, case):
    """Render a report of one case, and what happened in it."""

    def call(trace, *, wanted=None, failure=None):
        found = report(case("a", "failed", "no"))
        used = Case(eval_id="a", turns=(wanted or turn(),))
        outcome = Outcome(file=found.files[0].file, eval_id="a", trace=trace, failure=failure)
        key = (found.files[0].file, "a", 0, None)
        return render("html", replace(found, plays={key: Played(case=used, outcome=outcome)}))

    return call


def test_calls_are_aligned_and_what_differs_is_told(rows):
    wanted = turn(ToolCall(name="get_lag", args={"group": "a"}), ToolCall(name="get_topic", args={}))
    made = [called("get_lag", 1, args={"group": "b"}, reply={"lag": 7}), called("list_groups", 2)]

    assert [(row.mark, row.expected, row.actual) for row in rows(wanted, made)] == [
        ("differs", 'get_lag(group="a")', 'get_lag(group="b")'),
        ("missing", "get_topic()", ""),
        ("not expected", "", "list_groups()"),
    ]
    assert rows(wanted, made)[0].differences == ('group: expected "a", actual "b"',)
    assert rows(wanted, made)[0].reply == '{\n  "lag": 7\n}'


def test_calls_that_are_compared_with_nothing_stand_where_they_were_made(rows):
    wanted = turn(ToolCall(name="get_lag", args={}), ToolCall(name="get_topic", args={}))
    made = [
        called("transfer_to_agent", 1, "control"),
        called("get_lag", 2),
        called("ping", 3, parent="2", reply="pong"),
        called("get_topic", 4),
    ]

    assert [(row.mark, row.actual) for row in rows(wanted, made)] == [
        ("", "transfer_to_agent()"), ("as expected", "get_lag()"), ("", "ping()"), ("as expected", "get_topic()"),
    ]  # fmt: skip
    assert rows(wanted, made)[2].agent == "lag (inside an agent tool)"


def test_a_turn_that_expects_nothing_lists_what_was_made(rows):
    made = [called("get_lag", 1, "raised", error="TimeoutError: slow")]

    assert rows(None, made) == [CallRow(actual="get_lag()", agent="lag", status="raised", error="TimeoutError: slow")]


def test_the_answer_stands_beside_the_expected_one_and_what_was_said_before(shown):
    said = (Utterance(agent="lag", text="let me see"), Utterance(agent="lag", text="80", final=True))
    text = shown(Trace(mode="live", turns=(TurnTrace(user=message("How far?"), said=said, final=message("80")),)))

    for part in ("lag, on the way", "<pre>let me see</pre>", "<pre>80</pre>", "Expected answer", "<pre>75</pre>"):
        assert part in text


def test_turns_that_were_not_come_to_are_shown_too(shown):
    text = shown(Trace(mode="live", turns=()))

    assert "Not played, user" in text
    assert "<pre>How far?</pre>" in text


def test_text_that_steers_is_shown_as_its_code_and_long_text_is_cut(shown):
    final = message("\x1b[2J\u202e" + "x" * 20_000)
    text = shown(Trace(mode="live", turns=(TurnTrace(user=message("?"), final=final),)))

    assert r"\x1b[2J\u202e" in text
    assert "(truncated: 10,005 more characters in outcomes.jsonl)" in text


def test_a_live_run_tells_its_tokens_and_its_cost_or_why_not(report, case, info):
    live = info(mode="live")
    priced = report(case("a", effort=Effort(tool_calls=2, model_calls=3, tokens=1200, usd=0.0125)), info=live)
    unpriced = report(case("a", effort=Effort(tool_calls=2, model_calls=3, tokens=1200)), info=live)

    assert dict(page_of(priced).facts)["Cost"] == "2 tool calls, 3 model calls, 1,200 tokens, $0.0125, estimated"
    assert dict(page_of(unpriced).facts)["Cost"].endswith("cost unknown: prices are set under [tool.evalkit.prices]")
    assert page_of(priced).mode_sentence == ""


def test_the_routing_matrix_has_a_row_for_each_agent(report, case, criterion):
    routes = {"routes": [{"turn": 0, "expected": ["kafka"], "actual": ["k8s"], "by_construction": False}]}
    page = page_of(report(case("a", "failed", criteria=(criterion("route", 0.0, details=routes),))))

    assert page.routing.columns == ("Expected", "k8s", "kafka", "Precision", "Recall")
    assert page.routing.rows == (("k8s", "", "", "0.00", "-"), ("kafka", "1", "", "-", "0.00"))


def test_without_what_happened_the_page_says_so(mixed_report):
    assert "What happened in this case is not at hand." in render("html", mixed_report)


def schemes(css):
    """The colours of the light and of the dark scheme, by name."""
    light, dark = (dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", part)) for part in css.split("@media", 2)[:2])
    return {"light": light, "dark": dark}


def luminance(colour):
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("ground", ["page", "panel"])
def test_every_colour_of_text_stands_out_from_its_ground(repo_root, scheme, ground):
    found = schemes((repo_root / "evalkit/report/html/style.css").read_text(encoding="utf-8"))[scheme]
    ground_light = luminance(found[ground])
    texts = set(found) - {"page", "panel", "line"}

    assert len(texts) == 8
    for name in texts:
        low, high = sorted((luminance(found[name]), ground_light))
        assert (high + 0.05) / (low + 0.05) >= LIGHTEST, name
