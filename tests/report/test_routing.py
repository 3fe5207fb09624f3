"""Routes over a run: what is counted, and how each renderer shows the matrix."""

import json
import re

import pytest
from jsonschema import Draft202012Validator

from evalkit.report import render
from evalkit.report.routing import routing_figures


@pytest.fixture
def routed(case, criterion):
    """Make a case whose turns were routed: by turn expected and actual agents in words, `kafka k8s`."""
    numbers = iter(range(1000))

    def routed(*turns, verdict="passed", by_construction=False, **fields):
        routes = [
            {
                "turn": index,
                "expected": expected.split(),
                "actual": actual.split(),
                "by_construction": by_construction,
            }
            for index, (expected, actual) in enumerate(turns)
        ]
        item = criterion("route", by_construction=by_construction, details={"routes": routes})
        return case(f"case_{next(numbers)}", verdict, criteria=(item,), **fields)

    return routed


@pytest.fixture
def hub(routed):
    """An orchestrator's run: three of its nine routes went wrong, others are not counted."""
    return [
        routed(("kafka_health", "kafka_health"), ("kafka_health", "k8s_health")),
        routed(("k8s_health", "k8s_health"), verdict="failed"),
        routed(("k8s_health", "docker_agent"), verdict="failed"),
        routed(("docker_agent", "docker_agent")),
        routed(("docker_agent kafka_health", "kafka_health docker_agent"), verdict="failed"),
        routed(("", "")),
        routed(("", "kafka_health"), verdict="failed", known_failing="bug 1"),
        routed(("k8s_health", "k8s_health"), by_construction=True),
        routed(("k8s_health", ""), verdict="error"),
        routed(("k8s_health", ""), verdict="inconclusive"),
    ]


@pytest.mark.parametrize(
    ("expected", "actual", "pairs"),
    [
        ("a", "a", {("a", "a"): 1}),
        ("a", "b", {("a", "b"): 1}),
        ("a", "", {("a", "none"): 1}),
        ("", "b", {("none", "b"): 1}),
        ("", "", {("none", "none"): 1}),
        ("a b", "b a", {("a", "a"): 1, ("b", "b"): 1}),
        ("a b", "c b", {("a", "c"): 1, ("b", "b"): 1}),
        ("a", "a c", {("a", "a"): 1, ("none", "c"): 1}),
        ("a b c", "b", {("b", "b"): 1, ("a", "none"): 1, ("c", "none"): 1}),
        ("a b a", "a b", {("a", "a"): 1, ("b", "b"): 1, ("a", "none"): 1}),
    ],
)
def test_each_expected_agent_is_paired_with_one_that_came(routed, expected, actual, pairs):
    assert routing_figures([routed((expected, actual))]).pairs == pairs


def test_precision_and_recall_are_those_of_each_agent(hub):
    figures = routing_figures(hub)
    assert figures.agents == ("docker_agent", "k8s_health", "kafka_health", "none")
    assert [(figures.expected(name), figures.actual(name)) for name in figures.agents] == [
        (2, 3),
        (2, 2),
        (3, 3),
        (2, 1),
    ]
    assert [figures.precision(name) for name in figures.agents] == [2 / 3, 0.5, 2 / 3, 1.0]
    assert [figures.recall(name) for name in figures.agents] == [1.0, 0.5, 2 / 3, 0.5]


def test_what_never_came_has_no_precision_and_what_was_never_wanted_no_recall(routed):
    figures = routing_figures([routed(("a", "b"))])
    assert (figures.precision("a"), figures.recall("a")) == (None, 0.0)
    assert (figures.precision("b"), figures.recall("b")) == (0.0, None)


def test_routes_that_are_not_counted_are_counted_apart(hub):
    figures = routing_figures(hub)
    assert (figures.routes, figures.by_construction, figures.undecided) == (8, 1, 2)


def test_without_any_route_there_are_no_figures(case, criterion):
    not_applicable = criterion("route", None, passed=None, state="not_applicable")
    assert routing_figures([case("a", criteria=(criterion("replay"), not_applicable))]) is None


def test_results_have_the_figures_of_the_run_and_of_each_file(report, routed, repo_root):
    run = report(routed(("a", "b"), file="x.json"), routed(("a", "a"), file="y.json"), routed(file="z.json"))
    data = json.loads(render("json", run))
    schema = json.loads((repo_root / "evalkit/report/schemas/results.schema.json").read_text(encoding="utf-8"))
    assert list(Draft202012Validator(schema).iter_errors(data)) == []
    assert data["routing"] == {
        "routes": 2,
        "by_construction": 0,
        "undecided": 0,
        "agents": [
            {"agent": "a", "expected": 2, "actual": 1, "precision": 1.0, "recall": 0.5},
            {"agent": "b", "expected": 0, "actual": 1, "precision": 0.0, "recall": None},
        ],
        "confusion": [
            {"expected": "a", "actual": "a", "count": 1},
            {"expected": "a", "actual": "b", "count": 1},
        ],
    }
    assert [file["routing"] and file["routing"]["confusion"][0]["actual"] for file in data["files"]] == ["b", "a", None]


TEXT = """\
Routing: 8 routes; 1 more holds by construction; 2 more are of cases without a verdict  \
(rows: expected, columns: actual)
                  1  2  3  4  precision  recall
  1 docker_agent  2  .  .  .       0.67    1.00
  2 k8s_health    1  1  .  .       0.50    0.50
  3 kafka_health  .  1  2  .       0.67    0.67
  4 none          .  .  1  1       1.00    0.50
"""


def test_the_matrix_is_compact_and_aligned_in_text(report, hub):
    assert TEXT in render("text", report(*hub))


def test_columns_widen_for_counts_and_never_for_names(report, routed):
    shown = render("text", report(*(routed(("n" * 60, "n" * 60)) for _ in range(100)), routed(("n" * 60, "x"))))
    assert f"  1 {'n' * 60}  100    1       1.00    0.99\n" in shown
    assert f"  2 {'x':<60}    .    .       0.00       -\n" in shown


def test_the_terminal_marks_what_is_off_the_diagonal(report, hub, monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    shown = render("terminal", report(*hub))
    assert re.sub(r"\x1b\[[0-9;]*m", "", shown).count("2 k8s_health    1  1  .  .       0.50    0.50") == 1
    assert "\x1b[1;31m  1\x1b[0m\x1b[32m  1\x1b[0m" in shown


MARKDOWN = """\
## Routing

8 routes; 1 more holds by construction; 2 more are of cases without a verdict. \
A row is what was expected, a column what came.

| Expected | `docker_agent` | `k8s_health` | `kafka_health` | none | Precision | Recall |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
| `docker_agent` | 2 |  |  |  | 0.67 | 1.00 |
| `k8s_health` | **1** | 1 |  |  | 0.50 | 0.50 |
| `kafka_health` |  | **1** | 2 |  | 0.67 | 0.67 |
| none |  |  | **1** | 1 | 1.00 | 0.50 |
"""


def test_the_matrix_is_a_table_in_markdown(report, hub):
    assert MARKDOWN in render("markdown", report(*hub))


@pytest.mark.parametrize("name", ["text", "terminal", "markdown"])
def test_nothing_is_shown_where_no_route_is_counted(report, routed, name):
    assert "Routing" not in render(name, report(routed(("a", "a"), by_construction=True)))


def test_one_route_of_one_case_is_spoken_of_in_the_singular(report, routed):
    shown = render("text", report(routed(("a", "a")), routed(("a", ""), verdict="error")))
    assert "Routing: 1 route; 1 more is of a case without a verdict  (rows" in shown
