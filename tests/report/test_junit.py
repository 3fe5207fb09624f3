"""JUnit XML: its shape, its figures, and that nothing in it can break it."""

import re
from datetime import date
from xml.etree import ElementTree as ET

import pytest

from evalkit.cases import Gate
from evalkit.quarantine import Quarantine
from evalkit.repeats import Terms
from evalkit.report.junit import render, render_refusal
from evalkit.report.merging import merge_reports

TOPICS = "evalsets/kafka/topics.evalset.json"

# The elements of Jenkins' junit-10.xsd, which Surefire's and pytest's files fit too: attributes that must and that may
# be there, and children. Marked with a plus is what only pytest, GitLab and others add.
MESSAGE = (set(), {"type", "message"}, set())
SHAPE = {
    "testsuites": (set(), {"name", "time", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": (
        {"name", "tests", "failures", "errors"},
        {"time", "skipped", "timestamp", "hostname", "id", "package", "file", "group", "log", "url"},
        {"properties", "testcase", "system-out", "system-err"},
    ),
    "testcase": (
        {"name"},
        {"time", "classname", "group", "+file", "+line"},
        {"skipped", "error", "failure", "system-out", "system-err", "+properties"},
    ),
    "properties": (set(), set(), {"property"}),
    "property": ({"name", "value"}, set(), set()),
    "failure": MESSAGE,
    "error": MESSAGE,
    "skipped": MESSAGE,
    "system-out": (set(), set(), set()),
}
TIME = r"(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]{0,3})?"


def faults(element):
    """Yield what the schema would say about an element and all within it."""
    needed, allowed, children = ({name.lstrip("+") for name in names} for names in SHAPE[element.tag])
    yield from (f"{element.tag} lacks {name}" for name in needed - set(element.attrib))
    yield from (f"{element.tag} has {name}" for name in set(element.attrib) - needed - allowed)
    yield from (f"{element.tag} contains {child.tag}" for child in element if child.tag not in children)
    if element.tag not in {"failure", "error", "skipped", "system-out"} and (element.text or "").strip():
        yield f"{element.tag} has a text"
    if "time" in element.attrib and not re.fullmatch(TIME, element.attrib["time"]):
        yield f"{element.tag} lasts {element.attrib['time']}"
    for child in element:
        yield from faults(child)


def read(text):
    """Parse a document, after a look at its shape."""
    root = ET.fromstring(text)  # noqa: S314 - written by the code under test
    assert list(faults(root)) == []
    return root


def case_of(root, name):
    return root.find(f".//testcase[@name='{name}']")


def told(root, name):
    """What is said of a case that did not simply pass: kind, type, message, text."""
    (found,) = [child for child in case_of(root, name) if child.tag in {"failure", "error", "skipped"}]
    return found.tag, found.get("type"), found.get("message"), found.text


def properties_of(element):
    return {item.get("name"): item.get("value") for item in element.findall("properties/property")}


@pytest.fixture
def mixed(mixed_report):
    return read(render(mixed_report))


def test_a_file_is_a_suite_and_a_case_is_a_test_case(mixed):
    assert [(suite.get("name"), [case.get("name") for case in suite.iter("testcase")]) for suite in mixed] == [
        ("evalsets/kafka/topics.evalset.json", ["list_topics", "lag_of_group", "broker_down", "rubric#2", "chat"]),
        ("evalsets/kafka/groups.test.json", ["fixed", "open"]),
    ]


def test_a_case_that_passed_is_said_nothing_of(mixed):
    assert not [child.tag for child in case_of(mixed, "list_topics") if child.tag not in {"properties", "system-out"}]


def test_a_failed_case_is_a_failure_with_its_reasons_and_differences(mixed):
    *attributes, text = told(mixed, "lag_of_group")

    assert attributes == ["failure", "failed", "replay: a golden call was never asked for"]
    assert text.splitlines() == [
        "replay: a golden call was never asked for",
        "replay 0.50 (failed):",
        '  expected  get_lag(group="pay")',
        "  actual    (nothing)",
        "style 0.25 (needs 0.50; informative):",
        "  too long",
    ]


def test_an_error_is_an_error(mixed):
    assert told(mixed, "broker_down")[:3] == ("error", "error", "agent_error: KeyError: 'x'")


def test_a_case_that_could_not_be_judged_is_an_error_of_its_own_type_and_never_a_skip(mixed):
    assert told(mixed, "rubric#2")[:3] == ("error", "inconclusive", "rubric could not run")


def test_a_skipped_case_is_skipped_with_its_reason(mixed):
    reason = "conversation_scenario is played live only"
    assert told(mixed, "chat") == ("skipped", "skipped", reason, reason)


@pytest.mark.parametrize("verdict", ["failed", "error", "inconclusive"])
def test_what_is_known_to_fail_turns_nothing_red_and_says_what_it_came_to(report, case, verdict):
    root = read(render(report(case("open", verdict, "replay: no", known_failing="bug 13"))))

    assert told(root, "open") == (
        "skipped",
        "known_failing",
        "known failing: bug 13",
        f"known failing: bug 13\n{verdict}: replay: no",
    )


def test_what_is_known_to_fail_and_passes_passes_and_says_so(report, case):
    note = "known to fail, but it passes now: take `known_failing` out"
    root = read(render(report(case("fixed", known_failing="bug 12", notes=(note,)))))

    assert [child.tag for child in case_of(root, "fixed")] == ["properties", "system-out"]
    assert case_of(root, "fixed").findtext("system-out") == f"note: {note}"
    assert properties_of(case_of(root, "fixed"))["evalkit_known_failing"] == "bug 12"


def test_a_case_stands_in_its_file_and_line(report, case):
    found = case_of(read(render(report(case("a", line=12)))), "a")

    assert (found.get("file"), found.get("line")) == ("evalsets/kafka/topics.evalset.json", "12")


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("evalsets/kafka/lag.test.json", "evalsets.kafka.lag_test"),
        ("evalsets/kafka/lag.evalset.json", "evalsets.kafka.lag_evalset"),
        ("/data/my.sets/lag.json", "data.my_sets.lag"),
        ("../evals/lag.json", "evals.lag"),
    ],
)
def test_readers_that_cut_class_names_at_dots_find_folders_and_a_file(report, case, file, name):
    assert case_of(read(render(report(case("a", file=file)))), "a").get("classname") == name


def test_every_suite_says_what_was_run_and_that_the_model_was_not_exercised(report, case, info):
    run = info(agent_of={"evalsets/kafka/topics.evalset.json": "agents/kafka"})
    suite = read(render(report(case("a"), info=run))).find("testsuite")

    assert properties_of(suite) == {
        "evalkit_summary": "1 passed, 0 failed, 0 errors, 0 inconclusive, 0 skipped in 1.9 s "
        "(golden replay: the model was not exercised)",
        "evalkit_label": "golden replay: the model was not exercised",
        "evalkit_mode": "golden",
        "evalkit_agent": "agents/kafka",
        "evalkit_version": "0.1.0",
        "evalkit_adk": "2.13.0",
        "evalkit_python": "3.11.7",
    }
    assert suite.get("timestamp") == "2025-11-29T21:12:00+00:00"


def test_a_case_has_its_verdict_agent_and_scores_as_properties(mixed):
    assert properties_of(case_of(mixed, "list_topics")) == {
        "evalkit_verdict": "passed",
        "evalkit_mode": "golden",
        "evalkit_agent": "",
        "evalkit_score_replay": "1.0",
        "evalkit_score_grounding": "1.0",
        "evalkit_score_tool_trajectory_avg_score": "1 (by construction)",
    }
    assert properties_of(case_of(mixed, "rubric#2"))["evalkit_score_rubric"] == "not judged"


def test_a_live_case_names_its_models_and_is_labelled_with_nothing(report, case, info):
    file = "evalsets/kafka/topics.evalset.json"
    run = info(mode="live", agent_of={file: "agents/kafka"}, agents={"agents/kafka": {"kafka": "gemini-2.5-flash"}})
    suite = read(render(report(case("a"), info=run))).find("testsuite")

    assert properties_of(case_of(suite, "a"))["evalkit_model_kafka"] == "gemini-2.5-flash"
    assert "evalkit_label" not in properties_of(suite)


def test_totals_are_those_of_what_is_written(mixed):
    for group in (mixed, *mixed):
        cases = list(group.iter("testcase"))
        kinds = {"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"}
        written = {total: str(len(list(group.iter(kind)))) for total, kind in kinds.items()}
        assert {total: group.get(total, written[total]) for total in kinds} == written
        assert len(cases) == len({(case.get("classname"), case.get("name")) for case in cases})
    assert (mixed.get("tests"), mixed.get("failures"), mixed.get("errors")) == ("7", "1", "2")
    assert [suite.get("skipped") for suite in mixed] == ["1", "1"]


def test_durations_are_seconds(mixed):
    assert mixed.get("time") == "1.900"
    assert [suite.get("time") for suite in mixed] == ["63.130", "0.000"]
    assert case_of(mixed, "broker_down").get("time") == "61.200"


HOSTILE = "".join(map(chr, range(0x20))) + "\x7f\x85\u2028\ufffe\uffff\ud800 <failure>&amp;]]>\"' \U0001f600"


def test_no_text_breaks_the_document_and_none_is_lost(report, case, criterion):
    hostile = case(
        HOSTILE,
        "failed",
        HOSTILE,
        file=HOSTILE,
        notes=(HOSTILE,),
        criteria=(criterion(HOSTILE, 0.0, passed=False, reason=HOSTILE),),
    )
    root = read(render(report(hostile, case("known", "error", HOSTILE, known_failing=HOSTILE))))
    text = root.find(".//failure").text

    assert "\\x00\\x01" in text
    assert "\\ufffe\\uffff\\ud800 <failure>&amp;]]>\"' \U0001f600" in text
    assert len(list(root.iter("testcase"))) == 2


def test_ten_megabytes_of_reasons_are_cut_with_a_mark(report, case):
    text = render(report(case("a", "failed", "y" * 10_000_000)))

    assert len(text) < 25_000
    assert "... (truncated: 9,980,000 more characters in results.json)" in text


def test_a_run_that_is_not_green_has_something_red_even_if_no_case_is_to_blame(report, case):
    empty = read(render(report()))
    skipped = read(render(report(case("chat", "skipped", "later"), terms=Terms(require_judged=True))))

    assert told(empty, "run")[:3] == ("error", "not_green", "exit 2: no case was selected")
    assert told(skipped, "run")[2] == "exit 2: every case was skipped, nothing was judged"
    assert (skipped.get("tests"), skipped.get("errors")) == ("2", "1")


def test_a_green_run_has_nothing_but_its_files(report, case):
    assert [suite.get("name") for suite in read(render(report(case("a"), case("b", "skipped", "later"))))] == [TOPICS]


def test_of_several_runs_of_a_case_the_gate_decides_and_all_are_told(report, case):
    runs = [case("lag", run=0), case("lag", "failed", "no", run=1), case("lag", run=2)]
    (tolerated,) = read(render(report(*runs, terms=Terms(gate=Gate(min_pass_rate=0.6))))).iter("testcase")
    strict = read(render(report(*runs)))

    assert [child.tag for child in tolerated] == ["properties", "system-out"]
    assert "2 of 3 runs passed" in tolerated.findtext("system-out")
    assert properties_of(tolerated)["evalkit_runs_passed"] == "2"
    assert told(strict, "lag")[:3] == ("failure", "failed", "2 of 3 runs passed; all must")


def test_a_case_in_quarantine_turns_nothing_red(report, case):
    entry = Quarantine(case=f"{TOPICS}:lag", owner="team-kafka", reason="mixes topics", expires=date(2999, 1, 31))
    run = report(case("lag", "failed", "no"), terms=Terms(quarantine={(TOPICS, "lag"): entry}))

    kind, name, message, _ = told(read(render(run)), "lag")
    assert (kind, name) == ("skipped", "quarantine")
    assert message == "in quarantine until 2999-01-31 (team-kafka): mixes topics"


def test_each_model_has_its_suites_and_no_two_cases_one_name(report, case, info):
    one, other = (report(case("lag", verdict, "no")) for verdict in ("passed", "failed"))
    root = read(render(merge_reports({"small": one, "large": other}, info(mode="live"))))

    assert [suite.get("name") for suite in root] == [f"{TOPICS} [small]", f"{TOPICS} [large]"]
    assert [case.get("name") for case in root.iter("testcase")] == ["lag [small]", "lag [large]"]
    assert [properties_of(suite)["evalkit_model"] for suite in root] == ["small", "large"]


def test_a_run_that_never_began_is_one_error():
    root = read(render_refusal(["1 error in the files", "a.json:1:1: error[bad-json] $: x"]))

    assert (root.get("tests"), root.get("errors")) == ("1", "1")
    assert told(root, "run") == (
        "error",
        "refused",
        "1 error in the files",
        "1 error in the files\na.json:1:1: error[bad-json] $: x",
    )


@pytest.mark.parametrize(
    "broken",
    [
        "<testsuite name='a' tests='1' failures='0'/>",
        "<testsuites><testcase name='a'/></testsuites>",
        "<testcase name='a' time='1.2345'/>",
        "<testcase name='a' verdict='passed'/>",
        "<testcase>text</testcase>",
    ],
)
def test_the_check_of_the_shape_can_fail(broken):
    assert list(faults(ET.fromstring(broken)))  # noqa: S314 - stands above
