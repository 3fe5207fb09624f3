"""What a case says, made of fixtures of our own: prompts, conversations, expectations, live setups, statuses."""

import json

import pytest

ASK = "test_ask_holmes/01_orders"
PLAIN = {"user_prompt": "Why?", "expected_output": ["The queue is full"]}


@pytest.fixture
def converted_case(bench):
    """Convert a fixture with a test case of these keys, and give what came of it."""

    def make(files=(), options=None, suite="test_ask_holmes", **case):
        text = json.dumps({**PLAIN, **case})
        bench.add(suite=suite, files={"test_case.yaml": text, **dict(files)})
        return bench.convert(**(options or {}))

    return make


def test_texts_are_kept_verbatim(converted_case):
    done = converted_case(user_prompt="  two\n lines \n", expected_output=" full \n")
    assert done.prompt(ASK) == "  two\n lines \n"
    assert done.gold(ASK)["expected"] == [" full \n"]
    assert done.gold(ASK)["rubrics"][0]["rubric_content"]["text_property"] == "full"


def test_each_prompt_of_a_list_is_a_case(converted_case):
    done = converted_case(user_prompt=["one", "two"])
    assert [done.case(ASK, index)["eval_id"] for index in (0, 1)] == ["01_orders[0]", "01_orders[1]"]
    assert [done.prompt(ASK, index) for index in (0, 1)] == ["one", "two"]
    assert done.gold(ASK, "01_orders[0]") == done.gold(ASK, "01_orders[1]")
    assert "PROMPT_VARIANTS" in done.codes(ASK)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("user_prompt: []\nexpected_output: x\n", "NO_PROMPT"),
        ("expected_output: x\n", "NO_PROMPT"),
        ("user_prompt: x\n", "BAD_CASE"),
        ("user_prompt: x\nexpected_output: []\n", "BAD_CASE"),
        ("user_prompt: x\nexpected_output:\n  - 2025-06-12\n", "BAD_CASE"),
        ("user_prompt: x\nexpected_output: y\nevaluation: {correctness: {expected_score: 0}}\n", "BAD_CASE"),
        ("user_prompt: x\nexpected_output: y\ninclude_files: [gone.md]\n", "MISSING_FILE"),
        ("user_prompt: x\nexpected_output: y\ninclude_files: [/etc/passwd]\n", "MISSING_FILE"),
        ("user_promt: x\nexpected_output: y\n", "NO_PROMPT"),
        ("user_prompt: x\nexpected_ouput: y\n", "BAD_CASE"),
        ("user_prompt: x\nexpected_output: y\ntags: [{easy: 1}]\n", "BAD_CASE"),
        ("user_prompt: [x\n", "BAD_CASE"),
        ("- x\n", "BAD_CASE"),
        ("", "BAD_CASE"),
    ],
)
def test_a_case_that_holmes_would_refuse_is_an_error(bench, text, code):
    bench.add(files={"test_case.yaml": text})
    done = bench.convert()
    assert code in done.codes(ASK)
    assert (done.entry(ASK)["status"], done.entry(ASK)["evalset"]) == ("error", None)


def test_a_wrong_expected_value_is_not_repeated(bench):
    bench.add(files={"test_case.yaml": "user_prompt: x\nexpected_output: {secret answer: 1}\n"})
    assert "secret" not in json.dumps(bench.convert().ledger)


def test_of_a_key_that_stands_twice_the_last_one_counts(bench):
    bench.add(files={"test_case.yaml": "user_prompt: first\nuser_prompt: last\nexpected_output: y\n"})
    done = bench.convert()
    assert (done.prompt(ASK), "DUPLICATE_KEY" in done.codes(ASK)) == ("last", True)


def test_unknown_keys_and_tags_are_kept_and_noted(converted_case):
    done = converted_case(max_tokens=100, mood="good", expected_replay_output="hidden gold", tags=["easy", "fun"])
    case = done.case(ASK)["evalkit"]
    assert (case["source"]["holmes"]["max_tokens"], case["source"]["holmes"]["mood"]) == (100, "good")
    assert case["tags"] == ["easy", "fun"]
    assert (len(done.notes(ASK, "UNKNOWN_KEY")), len(done.notes(ASK, "UNKNOWN_TAG"))) == (3, 1)
    assert not [path for path in done.folder.rglob("*") if path.is_file() and "hidden gold" in path.read_text()]


@pytest.mark.parametrize(
    ("correctness", "mode", "score", "known", "skip"),
    [
        (None, "strict", 1, False, None),
        (0, "strict", 0, True, None),
        ({"type": "loose"}, "loose", 1, False, None),
        ({"type": "loose", "expected_score": 0}, "loose", 0, True, None),
    ],
)
def test_holmes_judges_strictly_and_plays_what_is_known_to_fail(converted_case, correctness, mode, score, known, skip):
    done = converted_case(**({} if correctness is None else {"evaluation": {"correctness": correctness}}))
    case = done.case(ASK)["evalkit"]
    said = (
        done.gold(ASK)["mode"],
        case["source"]["holmes"]["expected_score"],
        "known_failing" in case,
        case.get("skip"),
    )
    assert said == (mode, score, known, skip)


@pytest.mark.parametrize(
    ("correctness", "mode", "known", "skip"),
    [
        (None, "loose", False, None),
        (0, "loose", True, None),
        ({"type": "STRICT"}, "strict", False, None),
        ({"type": "fuzzy"}, "loose", False, None),
        ({"expected_score": 0}, "loose", False, "expected_score == 0"),
    ],
)
def test_self_answer_judges_loosely_and_skips_what_expects_nothing(converted_case, correctness, mode, known, skip):
    evaluation = {} if correctness is None else {"evaluation": {"correctness": correctness}}
    done = converted_case(options={"profile": "self-answer"}, **evaluation)
    case = done.case(ASK)["evalkit"]
    assert (done.gold(ASK)["mode"], "known_failing" in case, case.get("skip")) == (mode, known, skip)


def test_a_loose_case_has_one_rubric_for_all_texts(converted_case):
    done = converted_case(expected_output=["one", "two\n"], evaluation={"correctness": {"type": "loose"}})
    assert [rubric["rubric_content"]["text_property"] for rubric in done.gold(ASK)["rubrics"]] == ["one two"]
    assert done.gold(ASK)["expected"] == ["one", "two\n"]


def test_a_skipped_case_is_kept_with_its_reason(converted_case):
    done = converted_case(skip=True, skip_reason="too slow")
    assert (done.case(ASK)["evalkit"]["skip"], "SKIPPED_UPSTREAM" in done.codes(ASK)) == ("too slow", True)


def test_what_a_live_run_needs_is_kept_as_it_is(converted_case):
    ports = [{"namespace": "shop", "service": "loki", "local_port": 3100, "remote_port": 3100}]
    done = converted_case(
        files={"manifest.yaml": "a: 1\n"},
        before_test="kubectl apply\n",
        after_test="kubectl delete",
        setup_timeout=480,
        test_env_vars={"KUBECONFIG": "$TMPDIR/config"},
        port_forwards=ports,
    )
    live = done.case(ASK)["evalkit"]["live"]
    assert (live["before_test"], live["after_test"], live["setup_timeout"]) == (
        "kubectl apply\n",
        "kubectl delete",
        480,
    )
    assert (live["env"], live["port_forwards"], live["folder"]) == ({"KUBECONFIG": "$TMPDIR/config"}, ports, "files")
    assert live["needed"] == "no recordings"
    assert done.case(ASK)["evalkit"]["tags"] == ["port-forward"]
    assert {"LIVE_SETUP", "LIVE_PORTS", "LIVE_ENV"} <= set(done.codes(ASK))


def test_recordings_that_always_answer_do_so_in_a_live_run_too(converted_case, recording):
    files = {"a.txt": recording("get_queue"), "b.txt": recording("get_pods", toolset_name="kubernetes/core")}
    done = converted_case(files, mock_overrides={"shop/core": "always_mock"})
    live = done.case(ASK)["evalkit"]["live"]
    assert live["mocked_tools"][0] == "get_queue"
    assert "get_pods" not in live["mocked_tools"]


@pytest.mark.parametrize(
    ("policy", "overrides", "status"),
    [
        (None, None, "replayable"),
        ("always_mock", None, "replayable"),
        ("never_mock", None, "needs_live"),
        ("never_mock", {"shop/core": "always_mock"}, "mixed"),
        ("never_mock", {"other": "always_mock"}, "needs_live"),
        (None, {"shop/core": "never_mock"}, "needs_live"),
        (None, {"other": "never_mock"}, "mixed"),
    ],
)
def test_the_policy_says_whether_recordings_may_answer(converted_case, recording, policy, overrides, status):
    done = converted_case({"q.txt": recording("get_queue")}, mock_policy=policy, mock_overrides=overrides)
    needed = (done.case(ASK)["evalkit"].get("live") or {}).get("needed")
    assert (done.entry(ASK)["status"], needed is None) == (status, status == "replayable")


def test_a_recorded_clock_tells_the_time(converted_case, recording):
    clock = recording("get_current_time", "It is 2025-06-19 08:12:45 now.", toolset_name="datetime")
    done = converted_case({"time.txt": clock}, cluster_name="blue")
    state = {"now": "2025-06-19T08:12:45+00:00", "cluster_name": "blue"}
    assert done.case(ASK)["session_input"]["state"] == state
    assert "DATE_IMPLICIT" in done.codes(ASK)


def test_a_conversation_in_files_wins_over_one_in_json(converted_case):
    files = {
        "conversation_history.json": '[{"role": "user", "content": "json"}]',
        "conversation_history/00_system.md": "Be brief.",
        "conversation_history/01_user.md": "Hello\n",
        "conversation_history/02_assistant.md": "Hi.",
    }
    done = converted_case(files)
    events = done.case(ASK)["evalkit"]["prior_events"]
    assert [(event["author"], event["content"]["parts"][0]["text"]) for event in events] == [
        ("user", "Hello\n"),
        ("agent", "Hi."),
    ]
    assert not (done.folder / ASK / "files" / "conversation_history").exists()


def test_what_of_a_conversation_is_no_event_is_noted(converted_case):
    call = {"id": "1", "function": {"name": "get_queue", "arguments": "{broken"}}
    messages = [
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "image_url"}], "token_count": 3},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "12"},
        {"role": "tool", "tool_call_id": "9", "content": "?"},
    ]
    done = converted_case({"conversation_history.json": json.dumps(messages)}, test_type="server")
    events = done.case(ASK)["evalkit"]["prior_events"]
    assert events[1]["content"]["parts"] == [
        {"function_call": {"id": "1", "name": "get_queue", "args": {"arguments": "{broken"}}}
    ]
    assert events[2]["content"]["parts"][0]["function_response"]["response"] == {"result": "12"}
    assert len(events) == 3
    assert len(done.notes(ASK, "HISTORY_BROKEN")) == 3
    assert "token_count" in done.notes(ASK, "HISTORY_KEYS_DROPPED")[0]["message"]


def test_runbooks_are_served_from_the_folder_and_listed_for_the_model(converted_case):
    content = {"id": "42", "title": "Queues", "instruction": "Look at the queue."}
    files = {"dead.md": "Restart it.\n", "runbook_content_42.json": json.dumps(content)}
    done = converted_case(files, runbooks={"catalog": [{"link": "dead.md", "description": "Dead letters"}]})
    assert done.ask(ASK, "fetch_runbook", runbook_id="dead.md") == {"status": "success", "data": "Restart it.\n"}
    assert done.ask(ASK, "fetch_runbook", runbook_id="42")["data"] == "Look at the queue."
    assert done.ask(ASK, "fetch_runbook", runbook_id="other") is None
    assert "dead.md: Dead letters" in (done.folder / ASK / "mocks.yaml").read_text()


@pytest.mark.parametrize(
    ("response", "reply"),
    [
        ("structured", {"status": "success", "data": None}),
        ("holmes-text", "The list of tasks is updated."),
    ],
)
def test_the_list_of_tasks_is_always_kept_and_tells_of_nothing_found(bench, response, reply):
    bench.add(files={})
    assert bench.convert(response=response).ask(ASK, "TodoWrite", todos=[]) == reply


def test_an_investigation_is_asked_by_its_request_issue_and_instructions(bench):
    advice = {"instructions": ["Be quick"], "documents": [{"url": "https://runbooks.test/queue"}]}
    files = {
        "test_case.yaml": "expected_output: y\n",
        "investigate_request.json": '{"title": "Queue is full"}',
        "issue_data.json": '{"id": 7}',
        "resource_instructions.json": json.dumps(advice),
    }
    bench.add(suite="test_investigate", files=files)
    prompt = bench.convert().prompt("test_investigate/01_orders")
    context, _, rest = prompt.partition("\n\n")
    assert json.loads(context.partition("\n")[2]) == {"title": "Queue is full", "extra_context": {"id": 7}}
    assert rest.endswith("- https://runbooks.test/queue")


def test_a_golden_file_gives_the_calls_and_the_answer_to_replay(converted_case):
    golden = "calls:\n  - {name: get_queue, args: {name: orders}}\nanswer: It is full.\n"
    done = converted_case({"evalkit.golden.yaml": golden})
    turn = done.case(ASK)["conversation"][0]
    assert turn["intermediate_data"]["tool_uses"] == [{"name": "get_queue", "args": {"name": "orders"}}]
    assert turn["final_response"]["parts"] == [{"text": "It is full."}]
    assert not (done.folder / ASK / "files").exists()


def test_a_golden_file_names_agents_and_has_an_entry_for_each_prompt(converted_case):
    golden = "- {calls: [{name: get_queue, agent: root}], answer: a}\n- {answer: b}\n"
    done = converted_case({"evalkit.golden.yaml": golden}, user_prompt=["one", "two"])
    first, second = (done.case(ASK, index)["conversation"][0] for index in (0, 1))
    assert first["intermediate_data"]["invocation_events"][0]["author"] == "root"
    assert (second["intermediate_data"]["tool_uses"], second["final_response"]["parts"][0]["text"]) == ([], "b")


def test_a_golden_file_that_does_not_fit_is_noted_and_left_alone(converted_case):
    done = converted_case({"evalkit.golden.yaml": "answer: a\n"}, user_prompt=["one", "two"])
    assert "2 prompts" in done.notes(ASK, "BAD_SIDECAR")[0]["message"]
    assert "final_response" not in done.case(ASK)["conversation"][0]


def test_gold_stands_in_the_evalset_only_if_asked_for(converted_case, recording):
    options = {"inline_gold": True, "expect_recorded": True, "joined_answer": True}
    files = {"a.txt": recording("get_queue", match_params={"name": "orders"})}
    done = converted_case(files, options, expected_output=["one", "two"])
    case = done.case(ASK)
    assert [rubric["rubric_content"]["text_property"] for rubric in case["rubrics"]] == ["one", "two"]
    assert case["conversation"][0]["final_response"]["parts"][0]["text"] == "one\ntwo"
    assert case["conversation"][0]["intermediate_data"]["tool_uses"] == [
        {"name": "get_queue", "args": {"name": "orders"}}
    ]
    criteria = done.json(f"{ASK}/test_config.json")["criteria"]
    assert criteria["tool_trajectory_avg_score"]["gate"] is False
    assert {"EXPECT_GUESSED", "GOLD_INLINED"} <= set(done.codes(ASK))


def test_recordings_of_something_else_than_the_prompt_is_about_are_noted(converted_case, recording):
    files = {"a.txt": recording("get_queue", "green-whale is fine", match_params={"name": "green-whale"})}
    stale = converted_case(files, user_prompt="Why is blue-whale down?", expected_output="It is blue-whale-7")
    note = stale.notes(ASK, "STALE_SET")[0]["message"]
    assert ("blue-whale" in note, "blue-whale-7" in note) == (True, False)
    assert not converted_case(files, user_prompt="Why is green-whale down?").notes(ASK, "STALE_SET")


def test_a_prompt_that_wants_files_lets_the_agent_make_them(converted_case):
    allowed = converted_case(user_prompt="Write a script that drains the queue.")
    assert allowed.case(ASK)["evalkit"]["live"]["may_create_files"] is True
    assert "may_create_files" not in converted_case().case(ASK)["evalkit"]["live"]
