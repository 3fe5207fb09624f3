"""What `adk web` shows: ADK's managers and server list the results that evalkit writes, and the project's evalsets."""

import json
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from google.adk.cli.fast_api import get_fast_api_app
from google.adk.errors.not_found_error import NotFoundError
from google.adk.evaluation.eval_case import get_all_tool_calls
from google.adk.evaluation.evaluator import EvalStatus
from google.adk.evaluation.local_eval_set_results_manager import LocalEvalSetResultsManager
from google.adk.evaluation.local_eval_sets_manager import LocalEvalSetsManager

from evalkit.adk.eval_results import Judged
from evalkit.adk.history import save_history
from evalkit.cases import Criterion
from evalkit.errors import InputError
from evalkit.results import CaseResult, CriterionResult, Score, TurnScore
from evalkit.traces import Outcome, ToolEvent, Trace, TurnTrace, Utterance

ROOT = Path(__file__).resolve().parent.parent.parent


def same(value):
    return value


@pytest.fixture
def agent(tmp_path):
    folder = tmp_path / "agents" / "kafka"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("from . import agent\n")
    (folder / "agent.py").write_text("")
    return folder


@pytest.fixture
def manager(agent):
    return LocalEvalSetResultsManager(agents_dir=str(agent.parent))


@pytest.fixture
def judged(make):
    """A case that was played: two calls at once, words in between, a call inside an agent tool, an answer."""

    def build(eval_id="lag", verdict="failed", **fields):
        user = make.message("How far?", "user")
        lag = ToolEvent(
            id="1", name="lag", args={"group": "x"}, agent="kafka", status="answered", reply={"n": 3}, group=1
        )
        ask = ToolEvent(id="2", name="docker", args={}, agent="kafka", status="agent", reply={"result": "up"}, group=1)
        ps = ToolEvent(id="3", name="ps", args={}, agent="docker", status="answered", reply={}, parent="2", group=2)
        last = ToolEvent(
            id="4", name="lag", args={"group": "y"}, agent="kafka", status="answered", reply={"n": 4}, group=3
        )
        turn = TurnTrace(
            user=user,
            tools=(lag, ask, ps, last),
            said=(
                Utterance(agent="kafka", text="One moment.", after=0),
                Utterance(agent="docker", text="up", parent="2", after=3),
                Utterance(agent="kafka", text="One more.", after=3),
                Utterance(agent="kafka", text="It is 3.", final=True, after=4),
            ),
            final=make.message("It is 3."),
            final_agent="kafka",
        )
        case = make.case(eval_id, make.turn(make.call("lag", group="x"), final="It is 4.", user=user))
        criterion = Criterion(name="grounding", threshold=1.0, options={"depth": 2})
        score = Score(value=0.5, reason="the number `3`", turns=(TurnScore(turn=0, value=0.5, reason="`3`"),))
        loose = CriterionResult(
            criterion=Criterion(name="loose", gate=False), score=Score(value=0.0), passed=False, gates=False
        )
        unasked = CriterionResult(
            criterion=Criterion(name="judge"),
            score=Score(state="not_judged", reason="no judge"),
            passed=None,
            gates=True,
        )
        gating = CriterionResult(criterion=criterion, score=score, passed=False, gates=True)
        result = CaseResult(
            file="f",
            eval_id=eval_id,
            run=0,
            verdict=verdict,
            reasons=("wrong", "more"),
            criteria=(gating, loose, unasked),
        )
        trace = Trace(mode="golden", turns=(turn,), state={"last": "x"})
        return Judged(case=case, outcome=Outcome(file="f", eval_id=eval_id, trace=trace, **fields), result=result)

    return build


@pytest.fixture
def stored(agent, manager):
    """Save results and read them back through ADK's manager."""

    def save(*cases):
        save_history(agent, "lag", cases, same)
        (name,) = manager.list_eval_set_results("kafka")
        return manager.get_eval_set_result("kafka", name)

    return save


@pytest.mark.parametrize(
    ("verdict", "status"),
    [
        ("passed", EvalStatus.PASSED),
        ("failed", EvalStatus.FAILED),
        ("error", EvalStatus.FAILED),
        ("inconclusive", EvalStatus.NOT_EVALUATED),
    ],
)
def test_adks_manager_lists_a_result_with_the_status_of_its_verdict(stored, judged, verdict, status):
    result = stored(judged(verdict=verdict))

    assert result.eval_set_id == "lag"
    assert [(case.eval_id, case.final_eval_status) for case in result.eval_case_results] == [("lag", status)]


def test_criteria_are_metrics_with_their_reasons(stored, judged):
    (case,) = stored(judged()).eval_case_results
    metrics = {one.metric_name: one for one in case.overall_eval_metric_results}

    assert {name: (one.score, one.eval_status) for name, one in metrics.items()} == {
        "evalkit_verdict": (0.0, EvalStatus.FAILED),
        "grounding": (0.5, EvalStatus.FAILED),
        "loose": (0.0, EvalStatus.INFORMATIONAL),
        "judge": (None, EvalStatus.NOT_EVALUATED),
    }
    assert metrics["evalkit_verdict"].details.rubric_scores[0].rationale == "failed: wrong\nmore"
    assert metrics["grounding"].details.rubric_scores[0].rationale == "the number `3`"
    assert metrics["grounding"].criterion.depth == 2
    (turn,) = case.eval_metric_result_per_invocation
    assert (turn.eval_metric_results[0].metric_name, turn.eval_metric_results[0].score) == ("grounding", 0.5)


def test_a_turn_shows_what_was_expected_and_what_was_done_at_the_top(stored, judged):
    (case,) = stored(judged()).eval_case_results
    (turn,) = case.eval_metric_result_per_invocation

    assert turn.expected_invocation.final_response.parts[0].text == "It is 4."
    assert turn.actual_invocation.final_response.parts[0].text == "It is 3."
    calls = get_all_tool_calls(turn.actual_invocation.intermediate_data)
    assert [(call.name, call.args) for call in calls] == [
        ("lag", {"group": "x"}),
        ("docker", {}),
        ("lag", {"group": "y"}),
    ]


def test_the_session_has_everything_said_and_done_in_its_order(stored, judged):
    (case,) = stored(judged()).eval_case_results
    session = case.session_details
    told = [
        (
            event.author,
            *(part.text or (part.function_call or part.function_response).name for part in event.content.parts),
        )
        for event in session.events
    ]

    assert (session.app_name, session.state, case.session_id) == ("kafka", {"last": "x"}, session.id)
    assert told == [
        ("user", "How far?"),
        ("kafka", "One moment."),
        ("kafka", "lag", "docker"),
        ("kafka", "lag", "docker"),
        ("kafka", "One more."),
        ("kafka", "lag"),
        ("kafka", "lag"),
        ("kafka", "It is 3."),
    ]


def test_a_case_that_never_began_is_there_with_its_reason(stored, judged, make):
    failed = Judged(
        case=make.case("lag"),
        outcome=Outcome(file="f", eval_id="lag"),
        result=CaseResult(file="f", eval_id="lag", run=0, verdict="error", reasons=("the worker died",)),
    )
    (case,) = stored(failed).eval_case_results

    assert case.final_eval_status is EvalStatus.FAILED
    assert case.overall_eval_metric_results[0].details.rubric_scores[0].rationale == "error: the worker died"


def test_skipped_cases_have_no_result_and_a_file_of_them_none_at_all(agent, manager, judged):
    save_history(agent, "lag", [judged(verdict="skipped", skipped="not yet")], same)

    assert manager.list_eval_set_results("kafka") == []


def test_secrets_are_hidden(agent, manager, judged):
    def hide(value):
        return json.loads(json.dumps(value).replace("It is 3.", "[secret]"))

    save_history(agent, "lag", [judged()], hide)
    (file,) = (agent / ".adk/eval_history").iterdir()

    assert "It is 3." not in file.read_text()
    assert manager.get_eval_set_result("kafka", manager.list_eval_set_results("kafka")[0])


def test_a_folder_that_cannot_be_written_is_said_in_a_line(agent, judged):
    (agent / ".adk").write_text("a file")

    with pytest.raises(InputError, match="the results cannot be written to ADK's history"):
        save_history(agent, "lag", [judged()], same)


# ADK's own server, as `adk web` starts it.


@pytest.fixture
def server(agent, monkeypatch):
    monkeypatch.chdir(agent.parent.parent)
    return TestClient(get_fast_api_app(agents_dir=str(agent.parent), web=True))


def test_adks_server_lists_and_shows_the_history(server, agent, judged):
    save_history(agent, "lag", [judged()], same)

    (name,) = server.get("/dev/apps/kafka/eval-results").json()["evalResultIds"]
    shown = server.get(f"/dev/apps/kafka/eval-results/{name}").json()
    assert name.startswith("kafka_lag_")
    assert shown["evalSetId"] == "lag"
    assert [(case["evalId"], case["finalEvalStatus"]) for case in shown["evalCaseResults"]] == [("lag", 2)]


@pytest.fixture
def linked(agent):
    """The evalsets of a sample agent, linked into the agent's folder as the README says."""
    for file in (ROOT / "evalsets/kafka_health").rglob("*.json"):
        if file.name.endswith((".evalset.json", ".test.json")):
            name = file.name.removesuffix(".test.json").removesuffix(".evalset.json")
            (agent / f"{name}.evalset.json").symlink_to(file)
    return agent


def test_linked_evalsets_appear_in_the_eval_tab_with_their_cases(server, linked):
    names = server.get("/dev/apps/kafka/eval-sets").json()["evalSetIds"]
    assert names == ["kafka_changes", "kafka_cluster", "kafka_conversation", "kafka_lag"]

    cases = server.get("/dev/apps/kafka/eval_sets/kafka_lag/evals").json()
    assert "lag_of_a_group" in cases
    case = server.get("/dev/apps/kafka/eval-sets/kafka_lag/eval-cases/lag_of_a_group").json()
    assert case["conversation"][0]["intermediateData"]["toolUses"][0]["name"] == "get_consumer_lag"


def test_a_case_that_is_edited_in_the_eval_tab_keeps_its_evalkit_block(linked, tmp_path):
    link = linked / "kafka_lag.evalset.json"
    file = tmp_path / "kafka_lag.test.json"
    file.write_text(link.read_text())
    link.unlink()
    link.symlink_to(file)
    manager = LocalEvalSetsManager(agents_dir=str(linked.parent))
    case = manager.get_eval_case("kafka", "kafka_lag", "lag_of_a_group")
    manager.update_eval_case("kafka", "kafka_lag", case)

    written = json.loads(file.read_text())["eval_cases"][0]
    assert link.is_symlink()
    assert written["evalkit"]["expect"]


def test_every_sample_evalset_has_the_id_that_the_eval_tab_runs_it_by():
    """The tab names a set by its file and runs it by its id, so they must be the same."""
    files = [file for form in ("*.evalset.json", "*.test.json") for file in (ROOT / "evalsets").rglob(form)]

    assert len(files) > 10
    for file in files:
        assert json.loads(file.read_text())["eval_set_id"] == file.name.split(".")[0]


def test_without_an_agents_folder_adks_manager_has_nothing_to_list(agent):
    with pytest.raises(NotFoundError):
        LocalEvalSetsManager(agents_dir=str(agent.parent)).list_eval_sets("nobody")
