"""`evalkit adk eval`: ADK's own command, over mocks, and none of its false greens."""

import json
import re

import pytest

pytest.importorskip("pandas", reason="needs google-adk's eval extra: run `make test-adk`")

pytestmark = [
    pytest.mark.adk_eval,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # of the libraries that ADK's evaluation loads
]

TRAJECTORY = "tool_trajectory_avg_score"
ROUGE = "response_match_score"
PASSED, FAILED, NOT_EVALUATED, INFORMATIONAL = 1, 2, 3, 4


def verdicts(result):
    """The verdict of each case by its id, as the table after ADK's output has them."""
    found = re.findall(r"^  [+x!?-] (passed|failed|error|inconclusive|skipped) +(\S+)", result.stdout, re.MULTILINE)
    return {name: verdict for verdict, name in found}


def metrics(case):
    """The status of each metric of a case in ADK's results."""
    return {one["metric_name"]: one["eval_status"] for one in case["overall_eval_metric_results"]}


def reason(case, metric):
    """The reason that ADK's results keep for a metric."""
    (found,) = [one for one in case["overall_eval_metric_results"] if one["metric_name"] == metric]
    return found["details"]["rubric_scores"][0]["rationale"]


@pytest.fixture
def statuses(project):
    """Tell what ADK has stored: the final status of each case by its id."""
    return lambda: {case["eval_id"]: case["final_eval_status"] for case in project.results()}


# The same verdict in ADK's output, in its results, and in ours.


def test_golden_turns_and_mocks_let_a_case_pass_without_credentials(adk_eval, project, make_case, statuses):
    result = adk_eval(project.evalset(make_case("one")))

    assert result.exit_code == 0, result.output
    assert "lag:\n  Tests passed: 1\n  Tests failed: 0" in result.stdout
    assert verdicts(result) == {"one": "passed"}
    assert result.stdout.splitlines()[-1].startswith("1 passed, 0 failed, 0 errors, 0 inconclusive, 0 skipped")
    assert "golden replay: the model was not exercised" in result.stdout.splitlines()[-1]
    assert statuses() == {"one": PASSED}


@pytest.mark.parametrize(
    ("change", "meant"),
    [
        ({"answer": "It is 80 behind."}, ("failed", FAILED, 1, "has the number `80`")),
        ({"group": "payments"}, ("error", FAILED, 1, "broker unreachable")),
        ({"group": "nobody"}, ("inconclusive", NOT_EVALUATED, 2, "no mock answers")),
    ],
)
class TestEachVerdict:
    """Of a case beside one that passes."""

    @pytest.fixture
    def result(self, adk_eval, project, make_case, change):
        cases = [make_case("good"), make_case("bad", **change)]
        return adk_eval(project.evalset(*cases, config={"criteria": {"grounding": 1.0}}))

    def test_makes_the_exit_code(self, result, meant):
        verdict, _, code, _ = meant
        assert verdicts(result) == {"good": "passed", "bad": verdict}
        assert result.exit_code == code

    def test_is_adks_status_too(self, result, statuses, meant):
        assert statuses() == {"good": PASSED, "bad": meant[1]}
        assert "lag:\n  Tests passed: 1\n  Tests failed: 1" in result.stdout

    def test_has_its_reason_in_adks_results(self, result, project, meant):
        bad = next(case for case in project.results() if case["eval_id"] == "bad")
        assert meant[3] in reason(bad, "evalkit_verdict")


def test_the_verdicts_are_those_of_evalkit_run(adk_eval, evalkit_command, project, make_case):
    path = project.evalset(
        make_case("good"),
        make_case("wrong", answer="It is 80 behind."),
        make_case("raises", group="payments"),
        make_case("missed", group="nobody"),
        make_case("later", evalkit={"skip": "not yet"}),
        make_case("known", answer="It is 80 behind.", evalkit={"known_failing": "they round"}),
        make_case("fixed", evalkit={"known_failing": "they rounded"}),
        config={"criteria": {"grounding": 1.0}},
    )
    by_run = evalkit_command("run", path, "--agent", "agents/lagging")
    by_adk = adk_eval(path)

    assert verdicts(by_adk) == verdicts(by_run)
    assert sorted(verdicts(by_adk).values()) == [
        *("error", "failed", "failed", "inconclusive", "passed", "passed", "skipped"),
    ]
    assert by_adk.exit_code == by_run.exit_code == 1


def test_what_the_evalkit_block_demands_is_judged_and_shown_among_adks_metrics(adk_eval, project, make_case):
    demand = {"expect": [{"response": {"contains": ["orders"]}}]}
    result = adk_eval(project.evalset(make_case("one", evalkit=demand)), "--print_detailed_results")

    assert result.exit_code == 1
    assert "Metric: response, Status: FAILED, Score: 0.0, Threshold: 1.0" in result.stdout
    assert (
        'Reasoning: $.eval_cases[0].evalkit.expect[0].response.contains: "orders" is not in the answer' in result.stdout
    )
    (case,) = project.results()
    assert metrics(case)["replay"] == PASSED
    assert metrics(case)["tool_call_count_v1"] == INFORMATIONAL  # ADK's own figures stay


def test_a_criterion_that_does_not_gate_is_informational_to_adk(adk_eval, project, make_case, statuses):
    config = {"criteria": {TRAJECTORY: 1.0, "grounding": {"threshold": 1.0, "gate": False}}}
    result = adk_eval(project.evalset(make_case("one", answer="It is 80 behind."), config=config))

    assert (result.exit_code, statuses()) == (0, {"one": PASSED})
    assert metrics(project.results()[0])["grounding"] == INFORMATIONAL


def test_cases_are_told_apart_though_they_begin_alike_and_stand_in_the_order_of_the_file(adk_eval, project, make_case):
    cases = [make_case(name) for name in ("c", "a", "b")]
    result = adk_eval(project.evalset(*cases), "--print_detailed_results")

    assert [*verdicts(result)] == ["c", "a", "b"]


def test_an_answer_to_a_confirmation_gets_the_id_of_the_open_request(adk_eval, project):
    code = "from google.adk.tools.function_tool import FunctionTool\n"
    project.agent(code=code)
    source = (project.root / "agents/lagging/agent.py").read_text()
    source = source.replace("tools=[get_lag]", "tools=[FunctionTool(get_lag, require_confirmation=True)]")
    project.write("agents/lagging/agent.py", source)
    call = {"name": "get_lag", "args": {"group": "orders"}}
    answer = {"function_response": {"name": "adk_request_confirmation", "response": {"confirmed": True}}}
    turns = [
        {
            "user_content": {"role": "user", "parts": [{"text": "How far?"}]},
            "intermediate_data": {"tool_uses": [call]},
        },
        {
            "user_content": {"role": "user", "parts": [answer]},
            "intermediate_data": {"tool_uses": []},
            "final_response": {"role": "model", "parts": [{"text": "It is 75 behind."}]},
        },
    ]
    config = {"criteria": {"grounding": 1.0}}
    result = adk_eval(project.evalset({"eval_id": "asked", "conversation": turns}, config=config))

    assert (result.exit_code, verdicts(result)) == (0, {"asked": "passed"}), result.output


def test_mocks_give_the_agent_its_tools_and_the_session_its_earlier_events(adk_eval, project, make_case):
    said = {"author": "agent", "content": {"parts": [{"text": "The group orders has 7 members."}]}}
    asked = {"author": "user", "content": {"parts": [{"text": "How large is orders?"}]}}
    case = make_case("one", answer="Its 7 members are 75 behind.", evalkit={"prior_events": [asked, said]})
    evalset = project.evalset(case, config={"criteria": {"grounding": 1.0}})
    provided = "provides: [{name: get_lag, parameters: {properties: {group: {type: string}}}}]"
    project.write("evals/mocks.yaml", f"{provided}\n{(project.root / 'evals/mocks.yaml').read_text()}")
    source = (project.root / "agents/lagging/agent.py").read_text().replace("tools=[get_lag], ", "")
    project.write("agents/lagging/agent.py", source)

    result = adk_eval(evalset)

    assert (result.exit_code, verdicts(result)) == (0, {"one": "passed"}), result.output
    (stored,) = project.results()
    texts = [part.get("text") for event in stored["session_details"]["events"] for part in event["content"]["parts"]]
    assert texts[:3] == ["How large is orders?", "The group orders has 7 members.", "How far behind is it?"]


def test_a_callback_that_changes_the_answer_fails_the_replay(adk_eval, project, make_case):
    project.agent("def blocked(tool, args, tool_context):\n    return {'error': 'not allowed'}", callback="blocked")
    result = adk_eval(project.evalset(make_case("one")))

    assert (result.exit_code, verdicts(result)) == (1, {"one": "failed"})
    assert "was answered by a callback before it reached the tool" in result.stdout


def test_state_is_judged_though_adk_hands_none_to_a_metric(adk_eval, project, make_case):
    expect = {"expect": [{"state": {"plan": "gold"}}]}
    session = {"app_name": "lagging", "user_id": "u", "state": {"plan": "gold"}}
    result = adk_eval(
        project.evalset(
            make_case("one", evalkit=expect, session_input=session),
            make_case("two", evalkit=expect, session_input={**session, "state": {"plan": "iron"}}),
        )
    )

    assert verdicts(result) == {"one": "passed", "two": "failed"}


def test_a_skipped_case_is_named_and_does_not_reach_adk(adk_eval, project, make_case, statuses):
    cases = [make_case("one"), make_case("two", evalkit={"skip": "not yet"})]
    result = adk_eval(project.evalset(*cases))

    assert (result.exit_code, verdicts(result)) == (0, {"one": "passed", "two": "skipped"})
    assert statuses() == {"one": PASSED}


def test_where_every_case_is_skipped_the_last_line_says_so(adk_eval, project, make_case):
    result = adk_eval(project.evalset(make_case("one", evalkit={"skip": "not yet"})))

    assert result.exit_code == 0
    assert "every case was skipped, nothing was judged" in result.stdout.splitlines()[-1]
    assert "Eval Run Summary" not in result.stdout


# ADK's false greens, each with the exit code that plain `adk eval` has.


def test_false_green_a_misspelt_metric_beside_one_that_passes(adk_eval, project, make_case):
    config = {"criteria": {TRAJECTORY: 1.0, "response_match_scores": 0.5}}
    result = adk_eval(project.evalset(make_case("one"), config=config))

    assert result.exit_code == 2
    assert "unknown metric `response_match_scores` (did you mean `response_match_score`?" in result.stderr


def test_false_green_a_judge_that_could_not_run_beside_a_metric_that_passes(adk_eval, project, make_case, statuses):
    config = {"criteria": {TRAJECTORY: 1.0, "final_response_match_v2": 0.5}}
    result = adk_eval(project.evalset(make_case("one"), config=config))

    assert (result.exit_code, verdicts(result)) == (2, {"one": "inconclusive"})
    assert (
        "final_response_match_v2 was not judged: it needs a judge model, and golden mode asks no model" in result.stdout
    )
    assert statuses() == {"one": NOT_EVALUATED}


def test_a_judge_may_be_absent_if_settings_say_so(adk_eval, project, make_case):
    project.write("pyproject.toml", '[tool.evalkit]\noptional_offline = ["final_response_match_v2"]\n')
    config = {"criteria": {TRAJECTORY: 1.0, "final_response_match_v2": 0.5}}
    result = adk_eval(project.evalset(make_case("one"), config=config))

    assert (result.exit_code, verdicts(result)) == (0, {"one": "passed"})


def test_false_green_a_config_that_does_not_exist(adk_eval, project, make_case):
    result = adk_eval(project.evalset(make_case("one")), "--config_file_path", "nope/test_config.json")

    assert result.exit_code == 2
    assert "nope/test_config.json: error[unreadable-file]" in result.stderr


def test_false_green_an_unknown_id_in_a_list(adk_eval, project, make_case):
    path = project.evalset(make_case("good"), make_case("bad"))
    result = adk_eval(f"{path}:good,goood")

    assert result.exit_code == 2
    assert "no case 'goood'; did you mean good?" in result.stderr


@pytest.mark.parametrize("match_type", ["IN_ORDER", "ANY_ORDER"])
def test_false_green_no_calls_expected_in_any_order(adk_eval, project, make_case, statuses, match_type):
    """In golden mode the case calls nothing; a callback that the user wrote does, as a live model might."""
    project.agent(
        "from google.genai import types\n\n\n"
        "def asks(callback_context, llm_response):\n"
        "    if callback_context.state.get('asked'):\n        return None\n"
        "    callback_context.state['asked'] = True\n"
        "    call = types.FunctionCall(name='get_lag', args={'group': 'orders'})\n"
        "    llm_response.content = types.Content(role='model', parts=[types.Part(function_call=call)])\n"
        "    return llm_response\n"
    )
    source = (project.root / "agents/lagging/agent.py").read_text()
    project.write("agents/lagging/agent.py", source.replace("before_tool_callback=None", "after_model_callback=asks"))
    case = make_case("one")
    case["conversation"][0]["intermediate_data"] = {"tool_uses": []}
    config = {"criteria": {TRAJECTORY: {"threshold": 1.0, "match_type": match_type}}}
    result = adk_eval(project.evalset(case, config=config))

    assert (result.exit_code, statuses()) == (1, {"one": FAILED})
    assert f"no call is expected: the case lists none (ADK's {match_type} would accept any)" in result.stdout


def test_a_config_with_a_misspelt_key_is_refused_with_what_to_write(adk_eval, project, make_case):
    result = adk_eval(project.evalset(make_case("one"), config={"criterion": {TRAJECTORY: 1.0}}))

    assert result.exit_code == 2
    assert "unknown key `criterion` in an eval config (write `criteria`)" in result.stderr


# What plain `adk eval` ends with a traceback or an empty summary for.


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "no evalset is named, so nothing would be judged"),
        (["evals/nope.test.json"], "evals/nope.test.json: no such file or folder"),
        (["evals/lag.test.json:"], "no case id after the colon"),
        (["evals/lag.test.json", "--colour", "red"], "No such option"),
        (["evals/lag.test.json", "--eval_storage_uri", "gs://bucket"], "golden mode lets nothing leave this machine"),
    ],
)
def test_what_cannot_be_used_is_said_in_a_line_and_exits_with_2(adk_eval, project, make_case, arguments, told):
    project.evalset(make_case("one"))
    result = adk_eval(*arguments)

    assert result.exit_code == 2
    assert told in result.stderr
    assert "Traceback" not in result.output


def test_an_evalset_without_cases_is_refused(adk_eval, project):
    result = adk_eval(project.evalset())

    assert result.exit_code == 2
    assert "error[no-cases]" in result.stderr


def test_an_agent_that_cannot_be_imported_is_said_in_a_line(adk_eval, project, make_case):
    project.agent("import no_such_library")
    result = adk_eval(project.evalset(make_case("one")))

    assert result.exit_code == 2
    assert "importing the agent failed: ModuleNotFoundError: No module named 'no_such_library'" in result.stderr


# One config a folder, one run of ADK's command a config.


def test_each_file_is_judged_by_the_config_beside_it(adk_eval, project, make_case, statuses):
    loose = {"criteria": {TRAJECTORY: 1.0}}
    strict = {"criteria": {"response": {"threshold": 1.0, "contains": ["orders"]}}}
    first = project.evalset(make_case("one"), name="a/lag.test.json", config=loose)
    second = project.evalset(make_case("two"), name="b/lag.test.json", set_id="other", config=strict)
    result = adk_eval(first, second)

    assert (result.exit_code, verdicts(result)) == (1, {"one": "passed", "two": "failed"})
    assert "evalkit: criteria of a/lag.test.json: a/test_config.json" in result.stderr
    assert "evalkit: criteria of b/lag.test.json: b/test_config.json" in result.stderr
    assert statuses() == {"one": PASSED, "two": FAILED}
    assert result.stdout.count("Eval Run Summary") == 2


def test_two_files_of_a_folder_have_its_config_which_plain_adk_passes_over(adk_eval, project, make_case):
    strict = {"criteria": {"response": {"threshold": 1.0, "contains": ["orders"]}}}
    first = project.evalset(make_case("one"), name="a/lag.test.json", config=strict)
    second = project.evalset(make_case("two"), name="a/more.test.json", set_id="more", config=strict)
    result = adk_eval(first, second)

    assert (result.exit_code, verdicts(result)) == (1, {"one": "failed", "two": "failed"})
    assert result.stdout.count("Eval Run Summary") == 1


def test_without_a_config_adks_defaults_apply_and_that_is_said(adk_eval, project, make_case):
    path = project.evalset(make_case("one"))
    (project.root / "evals/test_config.json").unlink()
    result = adk_eval(path)

    assert result.exit_code == 0
    assert "evalkit: criteria of evals/lag.test.json: ADK's defaults" in result.stderr


def test_evalsets_with_the_same_id_both_run(adk_eval, project, make_case, statuses):
    first = project.evalset(make_case("one"), name="a/lag.test.json")
    second = project.evalset(make_case("two"), name="b/lag.test.json")
    result = adk_eval(first, second, "--config_file_path", "a/test_config.json")

    assert (result.exit_code, verdicts(result)) == (0, {"one": "passed", "two": "passed"})
    assert statuses() == {"one": PASSED, "two": PASSED}


def test_the_id_of_a_set_stands_for_its_file_in_the_agents_folder(adk_eval, project, make_case):
    project.evalset(make_case("one"), make_case("two"), name="agents/lagging/lag.evalset.json")
    result = adk_eval("lag:two")

    assert (result.exit_code, verdicts(result)) == (0, {"two": "passed"})


def test_a_list_in_an_old_form_is_played_though_adk_cannot_store_its_results(adk_eval, project):
    project.evalset(name="evals/other.test.json")
    data = [{"query": "How far?", "expected_tool_use": [{"tool_name": "get_lag", "tool_input": {"group": "orders"}}]}]
    case = {"name": "old", "data": [{**data[0], "reference": "It is 75 behind."}], "initial_session": {}}
    path = project.write("evals/lag.test.json", json.dumps([case]))
    result = adk_eval(path)

    assert (result.exit_code, verdicts(result)) == (0, {"old": "passed"}), result.output


# Whatever goes wrong is data.


def test_a_silent_turn_and_an_agent_that_raises_leave_the_other_cases_alone(adk_eval, project, make_case, statuses):
    project.agent(
        "from google.adk.agents import BaseAgent, LlmAgent as Llm\n\n\n"
        "class Sometimes(Llm):\n"
        "    async def _run_async_impl(self, ctx):\n"
        "        said = ctx.user_content.parts[0].text\n"
        "        if said == 'raise':\n            raise RuntimeError('429 RESOURCE_EXHAUSTED')\n"
        "        if said != 'mute':\n"
        "            async for event in super()._run_async_impl(ctx):\n                yield event\n"
    )
    source = (project.root / "agents/lagging/agent.py").read_text()
    project.write("agents/lagging/agent.py", source.replace("root_agent = LlmAgent(", "root_agent = Sometimes("))
    cases = [make_case(name) for name in ("ok", "mute", "quota")]
    for case, said in zip(cases, ("How?", "mute", "raise"), strict=True):
        case["conversation"][0]["user_content"]["parts"] = [{"text": said}]
    result = adk_eval(project.evalset(*cases))

    assert result.exit_code == 1
    assert verdicts(result) == {"ok": "passed", "mute": "failed", "quota": "error"}
    assert statuses() == {"ok": PASSED, "mute": FAILED, "quota": FAILED}
    quota = next(case for case in project.results() if case["eval_id"] == "quota")
    assert "429 RESOURCE_EXHAUSTED" in reason(quota, "evalkit_verdict")
    assert quota["session_details"]["events"][0]["content"]["parts"][0]["text"] == "raise"


def test_a_case_that_blocks_is_cut_and_the_next_one_is_played(adk_eval, project, make_case):
    project.write("pyproject.toml", "[tool.evalkit]\ntimeout = 5\n")
    project.agent(
        "import asyncio\n\n\n"
        "async def waits(tool, args, tool_context):\n    await asyncio.sleep(args['group'] == 'x' and 60)\n",
        callback="waits",
    )
    result = adk_eval(project.evalset(make_case("slow", group="x"), make_case("quick")))

    assert (result.exit_code, verdicts(result)) == (1, {"slow": "failed", "quick": "passed"})
    assert "timeout_exceeded" in result.stdout


def test_after_ctrl_c_what_was_played_is_judged_and_the_rest_is_counted(adk_eval, project, make_case):
    project.agent(
        "def stops(tool, args, tool_context):\n    if args['group'] == 'x':\n        raise KeyboardInterrupt\n",
        callback="stops",
    )
    result = adk_eval(project.evalset(make_case("one"), make_case("two", group="x"), make_case("three")))

    assert result.exit_code == 2
    assert verdicts(result) == {"one": "passed", "two": "inconclusive", "three": "inconclusive"}
    assert "not played: the run was interrupted" in result.stdout


def test_an_adk_that_is_made_otherwise_is_said_in_a_line_with_its_version(adk_eval, project, make_case, monkeypatch):
    from google.adk.cli import cli_eval
    from google.adk.version import __version__

    monkeypatch.delattr(cli_eval, "get_app_or_root_agent")
    result = adk_eval(project.evalset(make_case("one")))

    assert result.exit_code == 2
    assert f"google-adk {__version__} has no google.adk.cli.cli_eval.get_app_or_root_agent" in result.stderr


def test_an_adk_whose_command_takes_other_arguments_is_too(adk_eval, project, make_case, monkeypatch):
    from google.adk.cli.cli_tools_click import cli_eval

    others = [parameter for parameter in cli_eval.params if parameter.name != "config_file_path"]
    monkeypatch.setattr(cli_eval, "params", others)
    result = adk_eval(project.evalset(make_case("one")))

    assert result.exit_code == 2
    assert "takes no config_file_path; install a google-adk that this evalkit knows" in result.stderr


def test_an_adk_that_loads_agents_otherwise_is_too(adk_eval, project, make_case, monkeypatch):
    from google.adk.cli.cli_tools_click import cli_eval

    monkeypatch.setattr(cli_eval, "callback", lambda **_: None)
    result = adk_eval(project.evalset(make_case("one")))

    assert result.exit_code == 2
    assert "loads agents otherwise; install a google-adk that this evalkit knows" in result.stderr


def test_secrets_are_in_no_file(adk_eval, project, make_case):
    project.write("agents/lagging/.env", "KAFKA_PASSWORD=hunter2-and-some-more\n")
    result = adk_eval(project.evalset(make_case("one", group="hunter2-and-some-more")), "--evalkit-report", "report")

    assert result.exit_code == 2
    written = [path for path in project.root.rglob("*") if path.is_file() and path.suffix in (".json", ".jsonl", ".md")]
    texts = {path.name: path.read_text() for path in written if path.parent.name in ("report", "eval_history")}
    assert len(texts) > 4
    assert [name for name, text in texts.items() if "hunter2-and-some-more" in text] == []


# Metrics that only ADK computes.


def test_a_function_of_the_users_decides_as_adk_says(adk_eval, project, make_case, monkeypatch, statuses):
    monkeypatch.syspath_prepend(project.root)
    project.write(
        "own_metric_of_a_user.py",
        "from google.adk.evaluation.evaluator import EvaluationResult, EvalStatus, PerInvocationResult\n\n\n"
        "def cheap(metric, actual, expected, scenario):\n"
        "    '''Lower is better.'''\n"
        "    cost = 3.0 if '80' in actual[0].final_response.parts[0].text else 0.5\n"
        "    status = EvalStatus.PASSED if cost <= 1 else EvalStatus.FAILED\n"
        "    each = [PerInvocationResult(actual_invocation=one, score=cost, eval_status=status) for one in actual]\n"
        "    return EvaluationResult(overall_score=cost, overall_eval_status=status, per_invocation_results=each)\n",
    )
    config = {
        "criteria": {"cost": 1.0},
        "custom_metrics": {"cost": {"code_config": {"name": "own_metric_of_a_user.cheap"}}},
    }
    result = adk_eval(project.evalset(make_case("one"), make_case("two", answer="It is 80 behind."), config=config))

    assert (result.exit_code, verdicts(result)) == (1, {"one": "passed", "two": "failed"})
    assert statuses() == {"one": PASSED, "two": FAILED}
    assert "ADK's score is 3.0" in result.stdout


def test_what_adks_command_itself_ends_with_is_a_note_and_no_green(adk_eval, project, make_case, monkeypatch):
    monkeypatch.syspath_prepend(project.root)
    project.write(
        "metric_without_turns.py",
        "from google.adk.evaluation.evaluator import EvaluationResult, EvalStatus\n\n\n"
        "def bad(metric, actual, expected, scenario):\n"
        "    return EvaluationResult(overall_score=1.0, overall_eval_status=EvalStatus.PASSED)\n",
    )
    config = {
        "criteria": {TRAJECTORY: 1.0, "bad": 1.0},
        "custom_metrics": {"bad": {"code_config": {"name": "metric_without_turns.bad"}}},
    }
    result = adk_eval(project.evalset(make_case("one"), config=config))

    assert (result.exit_code, verdicts(result)) == (2, {"one": "inconclusive"})
    assert (
        "`adk eval` itself ended with ValueError: Eval metric should return results for each invocation"
        in result.stdout
    )


def test_our_metrics_named_as_custom_metrics_are_judged_by_evalkit(adk_eval, project, make_case):
    """The same config makes plain `adk eval` call the function; here nothing of it is left to ADK."""
    config = {
        "criteria": {"says": {"threshold": 1.0, "contains": ["75"]}, "state": 1.0},
        "custom_metrics": {
            "says": {"code_config": {"name": "evalkit.adk.metrics.response"}},
            "state": {"code_config": {"name": "evalkit.adk.metrics.state"}},
        },
    }
    session = {"app_name": "lagging", "user_id": "u", "state": {"plan": "gold"}}
    case = make_case("one", session_input=session, evalkit={"expect": [{"state": {"plan": "gold"}}]})
    result = adk_eval(project.evalset(case, config=config))

    assert (result.exit_code, verdicts(result)) == (0, {"one": "passed"}), result.output
    assert "NO MOCKS" not in result.stderr
    assert metrics(project.results()[0])["says"] == PASSED


MODEL = """
from google.adk.models import BaseLlm, LlmResponse
from google.genai import types


class Asks(BaseLlm):
    async def generate_content_async(self, llm_request, stream=False):
        parts = [part for content in llm_request.contents for part in content.parts]
        if parts[-1].function_response:
            said = types.ModelContent(f"It is {parts[-1].function_response.response.get('lag')} behind.")
        else:
            call = types.Part.from_function_call(name="get_lag", args={"group": parts[-1].text})
            said = types.ModelContent([call])
        yield LlmResponse(content=said)
"""


def test_live_the_agents_own_model_chooses_and_mocks_answer_several_cases_at_once(adk_eval, project, make_case):
    project.agent(MODEL)
    source = (project.root / "agents/lagging/agent.py").read_text()
    project.write("agents/lagging/agent.py", source.replace('model="gemini-2.5-flash"', 'model=Asks(model="asks")'))
    groups = {"one": "orders", "two": "orders", "wrong": "nobody", "three": "orders", "broken": "payments"}
    cases = [make_case(name, group="orders") for name in groups]
    for case, group in zip(cases, groups.values(), strict=True):
        case["conversation"][0]["user_content"]["parts"] = [{"text": group}]
    result = adk_eval("--evalkit-mode", "live", project.evalset(*cases))

    assert verdicts(result) == {
        "one": "passed",
        "two": "passed",
        "wrong": "failed",  # the call was wrong before it was missed
        "three": "passed",
        "broken": "error",
    }
    assert result.exit_code == 1
    assert "model was not exercised" not in result.stdout


def test_live_cases_are_skipped_where_the_model_cannot_be_asked(adk_eval, project, make_case):
    result = adk_eval("--evalkit-mode", "live", project.evalset(make_case("one")))

    assert (result.exit_code, verdicts(result)) == (0, {"one": "skipped"}), result.output
    assert "model of agents/lagging: gemini-2.5-flash" in result.stderr
    assert "GOOGLE_API_KEY" in result.stdout
