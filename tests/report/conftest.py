"""Results by hand: what every renderer is tested with."""

from datetime import UTC, datetime, timedelta

import pytest

from evalkit.cases import Config, Criterion
from evalkit.report.model import build_report
from evalkit.results import CaseResult, CriterionResult, Score
from evalkit.runs import RunInfo

STARTED = datetime(2025, 11, 29, 21, 12, tzinfo=UTC)
TOPICS = "evalsets/kafka/topics.evalset.json"
GROUPS = "evalsets/kafka/groups.test.json"


def make_criterion(name, value=1.0, *, threshold=None, passed=True, gates=True, **score):
    return CriterionResult(
        criterion=Criterion(name=name, threshold=threshold, gate=gates),
        score=Score(value=value, **score),
        passed=passed,
        gates=gates,
    )


def make_case(eval_id, verdict="passed", *reasons, file=TOPICS, run=0, **fields):
    return CaseResult(file=file, eval_id=eval_id, run=run, verdict=verdict, reasons=reasons, **fields)


def make_info(**fields):
    defaults = {
        "mode": "golden",
        "started": STARTED,
        "finished": STARTED + timedelta(seconds=1.9),
        "evalkit": "0.1.0",
        "python": "3.11.7",
        "adk": "2.13.0",
    }
    return RunInfo(**{**defaults, **fields})


def make_report(*results, info=None, configs=None, **more):
    return build_report(results, info or make_info(), configs=configs or {}, **more)


@pytest.fixture
def criterion():
    """Make a criterion applied to a case: name, value, and by keyword what differs from a pass."""
    return make_criterion


@pytest.fixture
def case():
    """Make a case with its verdict: id, verdict, reasons."""
    return make_case


@pytest.fixture
def info():
    """Make a run's description: golden, 1.9 seconds long."""
    return make_info


@pytest.fixture
def report():
    """Make a report of some cases."""
    return make_report


@pytest.fixture
def mixed_report():
    """A run with a case of each verdict in one file, and a file of two cases that are known to fail."""
    by_construction = make_criterion(
        "tool_trajectory_avg_score", threshold=1.0, gates=False, by_construction=True, reason="compared with itself"
    )
    return make_report(
        make_case(
            "list_topics",
            criteria=(make_criterion("replay"), make_criterion("grounding", threshold=1.0), by_construction),
            seconds=0.12,
            notes=("get_lag takes a tool context: its own state writes did not run",),
        ),
        make_case(
            "lag_of_group",
            "failed",
            "replay: a golden call was never asked for",
            criteria=(
                make_criterion(
                    "replay", 0.5, passed=False, reason='expected  get_lag(group="pay")\nactual    (nothing)'
                ),
                make_criterion("style", 0.25, threshold=0.5, passed=False, gates=False, reason="too long"),
                make_criterion("response_match_score", None, threshold=0.8, passed=None, state="not_applicable"),
            ),
            seconds=0.31,
        ),
        make_case("broker_down", "error", "agent_error: KeyError: 'x'", seconds=61.2),
        make_case(
            "rubric",
            "inconclusive",
            "rubric could not run",
            run=1,
            criteria=(make_criterion("rubric", None, passed=None, state="not_judged", reason="there is no judge"),),
            seconds=1.5,
        ),
        make_case("chat", "skipped", "conversation_scenario is played live only"),
        make_case("fixed", file=GROUPS, known_failing="bug 12", criteria=(make_criterion("replay"),)),
        make_case("open", "failed", "replay: no", file=GROUPS, known_failing="bug 13"),
        configs={TOPICS: Config(criteria=(), origin="evalsets/kafka/test_config.json")},
        uncalled_tools={"kafka": ("create_topic", "delete_topic"), "idle": ()},
        notes=("ADK's defaults apply to one file",),
        info=make_info(agents={"agents/kafka": {"kafka": "gemini-2.5-flash", "helper": "gemini-2.5-flash"}}),
    )
