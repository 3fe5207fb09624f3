"""What becomes of fixtures that were looked at one by one: each value here was found without the converter."""

import hashlib

import pytest

SUCCESS = {"status": "success"}
ASK, INVESTIGATE = "test_ask_holmes", "test_investigate"


def digest(data: str) -> tuple[int, str]:
    """Length and the beginning of the SHA-1 of what a tool answers."""
    return len(data), hashlib.sha1(data.encode()).hexdigest()[:10]  # noqa: S324 - names a text, protects nothing


@pytest.fixture(scope="session")
def has(corpus):
    """Skip a test whose fixture is not in the shared folder."""

    def check(path: str) -> str:
        if not (corpus / path).is_dir():
            pytest.skip(f"{path} is not among the shared fixtures")
        return path

    return check


def rubrics(gold):
    return [rubric["rubric_id"] for rubric in gold["rubrics"]]


def test_a_case_with_two_recordings_of_any_call(converted, has):
    path = has(f"{ASK}/38_rabbitmq_split_head")
    case, gold = converted.case(path), converted.gold(path)
    assert (rubrics(gold), gold["mode"]) == (["expected_0"], "strict")
    assert case["evalkit"]["source"]["holmes"]["expected_score"] == 1
    assert digest(converted.ask(path, "get_rabbitmq_cluster_status")["data"]) == (2512, "b77b4f67ea")
    assert digest(converted.ask(path, "list_configured_clusters", any="thing")["data"]) == (279, "d4390e9257")
    assert len(case["evalkit"]["source"]["holmes"]["recorded_calls"]) == 2
    assert converted.codes(path) == ["LIVE_SETUP", "TOOLSETS"]
    assert "# Obtain the password" in case["evalkit"]["live"]["before_test"]
    assert converted.entry(path)["status"] == "replayable"


def test_a_case_with_a_misspelt_recording_of_another_incident(converted, has):
    path = has(f"{ASK}/03_what_is_the_command_to_port_forward")
    gold, live = converted.gold(path), converted.case(path)["evalkit"]["live"]
    assert [rubric["needs_judge"] for rubric in gold["rubrics"]][-1] is True
    assert len(gold["rubrics"]) == 4
    assert converted.ask(path, "kubectl_get_all", whatever=1) is not None
    assert converted.ask(path, "kubectl_describe", kind="pod") is None
    assert [note["file"] for note in converted.notes(path, "MATCH_KEY_MISSPELLED")] == ["kubectl_get_all.txt"]
    assert [note["file"] for note in converted.notes(path, "STALE_TOOL")] == ["kubectl_get_all.txt"]
    assert converted.notes(path, "STALE_SET")
    assert live["setup_timeout"] == 360


def test_a_loose_case_that_is_known_to_fail_and_includes_a_file(converted, corpus, has):
    path = has(f"{ASK}/42_dns_issues_steps_new_tools")
    case, gold = converted.case(path)["evalkit"], converted.gold(path)
    text = "Issue is due to a network policy named default-deny-egress"
    assert (gold["mode"], [one["rubric_content"]["text_property"] for one in gold["rubrics"]]) == ("loose", [text])
    assert case["source"]["holmes"]["expected_score"] == 0
    assert (bool(case["known_failing"]), case.get("skip")) == (True, None)
    included = (corpus / path / "dns_troubleshooting_instructions.md").read_text(encoding="utf-8")
    assert len(included.encode()) == 5451
    tag = "<attached-file path='dns_troubleshooting_instructions.md'>"
    assert converted.prompt(path).endswith(f"resolve dns\n\n{tag}\n{included}\n</attached-file>")
    assert converted.ask(path, "check_node_status", node="x") is not None
    assert converted.ask(path, "fetch_webpage") is None
    assert converted.notes(path, "STALE_SET")


def test_a_list_of_prompts_after_a_conversation(converted, has):
    path = has(f"{ASK}/93_calling_datadog")
    ids = [case["eval_id"] for case in converted.json(f"{path}/93_calling_datadog.evalset.json")["eval_cases"]]
    assert ids == [f"93_calling_datadog[{index}]" for index in range(3)]
    where = {"namespace": "sock-shop"}
    database = converted.ask(path, "fetch_pod_logs", pod_name="catalogue-db-c948fd796-w4vzl", **where)
    assert (database["status"], database["data"], len(database["params"])) == ("no_data", None, 6)
    assert list(database["params"].values()).count(None) == 3
    service = converted.ask(path, "fetch_pod_logs", pod_name="catalogue-f7687cb4-zsngc", limit=5, **where)
    assert (service["status"], *digest(service["data"])) == ("success", 8189, "f7fa190e58")
    assert converted.entry(path)["status"] == "replayable"
    assert len(converted.notes(path, "HISTORY_KEYS_DROPPED")) == 1
    assert len(converted.gold(path, ids[2])["rubrics"]) == 1


def test_the_events_of_a_conversation(converted, has):
    events = converted.case(has(f"{ASK}/93_calling_datadog"))["evalkit"]["prior_events"]
    kinds = [event["content"]["parts"] for event in events]
    calls = [sum("function_call" in part for part in parts) for parts in kinds]
    replies = [part["function_response"] for parts in kinds for part in parts if "function_response" in part]
    users = [event for event in events if event["author"] == "user"]
    agents = [event for event in events if event["content"]["role"] == "model"]
    assert (len(events), len(users), len(agents), len(replies)) == (30, 7, 14, 9)
    assert (sum(map(bool, calls)), sum(calls), calls[5], calls[16]) == (7, 9, 2, 2)
    asked = {part["function_call"]["id"] for parts in kinds for part in parts if "function_call" in part}
    assert {reply["id"] for reply in replies} == asked


def test_a_mixed_case_whose_verdict_depends_on_the_order(converted, has):
    path = has(f"{ASK}/50a_logs_since_last_specific_month")
    case = converted.case(path)
    assert converted.entry(path)["status"] == "mixed"
    assert len(converted.gold(path)["rubrics"]) == 3
    assert case["session_input"]["state"] == {"now": "2025-06-19T08:12:45.811389+00:00"}
    call = {"pod_name": "robusta-holmes-6bbcd9f6f5-2q4jc", "namespace": "default"}
    period = {"start_time": "2024-12-01T00:00:00Z", "end_time": "2024-12-31T23:59:59Z"}
    assert digest(converted.ask(path, "fetch_pod_logs", **call, **period)["data"])[1] == "846a567c66"
    assert "52f07169cc" in {
        digest(converted.ask(path, "fetch_pod_logs", **given)["data"])[1]
        for given in ({**call, **period, "filter": "x"}, call, {**call, "start_time": period["start_time"]})
        if converted.ask(path, "fetch_pod_logs", **given)
    }
    assert any("depend" in note["message"] for note in converted.notes(path, "AMBIGUOUS"))
    assert {"DATE_IMPLICIT", "STALE_TOOL", "MIXED"} <= set(converted.codes(path))


def test_a_star_takes_any_value_and_a_failure_in_the_text_stays_a_success(converted, has):
    path = has(f"{ASK}/19_detect_missing_app_details")
    reply = converted.ask(path, "kubectl_find_resource", kind="pod")
    assert (reply["status"], *digest(reply["data"])) == ("success", 126, "e2f0e1f29e")
    assert converted.ask(path, "kubectl_find_resource") == reply
    assert [one["needs_judge"] for one in converted.gold(path)["rubrics"]] == [True]
    assert "STAR_WILDCARD" in converted.codes(path)
    assert "live" not in converted.case(path)["evalkit"]


def test_a_null_wants_a_null_and_a_number_stays_one(converted, has):
    path = has(f"{ASK}/158_slack_chat_correct_date")
    assert converted.case(path)["eval_id"] == "158_slack_chat_correct_date[0]"
    assert converted.prompt(path)[-1] == " "
    assert len(converted.notes(path, "NULL_PARAM")) == 4
    assert converted.ask(path, "list_available_metrics", name_filter="cpu") is None
    assert converted.ask(path, "list_available_metrics", name_filter="cpu", type_filter=None)["status"] == "success"
    call = {"pod_name": "frontend-service", "namespace": "default", "start_time": "2025-08-23T12:47:40Z"}
    filtered = {**call, "filter": "throttle|throttling|cpu"}
    found = converted.ask(path, "fetch_pod_logs", **filtered, limit=100)
    assert (found["status"], len(found["data"])) == ("no_data", 922)
    assert converted.ask(path, "fetch_pod_logs", **filtered, limit="100") is None


def test_a_conversation_that_ends_with_the_user_is_kept_without_its_system_message(converted, has):
    path = has(f"{ASK}/158_slack_chat_correct_date")
    events = converted.case(path)["evalkit"]["prior_events"]
    assert [event["author"] for event in events] == ["user"]
    assert {"HISTORY_SYSTEM_DROPPED", "HISTORY_NEEDS_SERVER"} <= set(converted.codes(path))


def test_an_error_is_answered_as_one_with_its_text(converted, has):
    path = has(f"{ASK}/28_permissions_error")
    reply = converted.ask(path, "kubectl_get_by_kind_in_cluster", kind="secret")
    assert (reply["status"], reply["error"], reply["return_code"]) == ("error", "forbidden", 1)
    assert digest(reply["data"]) == (179, "582beddc90")
    assert converted.case(path)["evalkit"]["live"]["env"]["KUBECONFIG"].startswith("$TMPDIR/")


def test_what_a_database_would_answer_needs_a_live_run(converted, has):
    path = has(f"{ASK}/18_oom_kill_from_issues_history")
    assert converted.entry(path)["status"] == "needs_live"
    assert "SIDECAR_DAL" in converted.codes(path)
    assert "LIVE_SETUP" not in converted.codes(path)


def test_a_frozen_date_is_in_the_state(converted, has):
    path = has(f"{ASK}/43_current_datetime_from_prompt")
    assert converted.case(path)["session_input"]["state"] == {"now": "2025-06-23T11:34:00Z"}
    assert len(converted.gold(path)["rubrics"]) == 2
    assert (converted.entry(path)["status"], converted.entry(path)["reason"]) == ("needs_live", "no recordings")
    assert "DATE_FROZEN" in converted.codes(path)
    assert "LIVE_SETUP" not in converted.codes(path)


def test_a_case_about_calls_is_judged_by_its_calls(converted, has):
    path = has(f"{ASK}/151_disabled_toolsets_fallback_only")
    gold = converted.gold(path)
    assert [rubric["type"] for rubric in gold["rubrics"]] == ["TOOL_USE_QUALITY"]
    assert converted.case(path)["evalkit"]["tags"][-1] == "port-forward"
    assert converted.entry(path)["status"] == "needs_live"


def test_an_investigation_answers_by_the_first_of_two_equal_recordings(converted, corpus, has):
    path = has(f"{INVESTIGATE}/02_crashloop_backoff")
    request = (corpus / path / "investigate_request.json").read_text(encoding="utf-8")
    assert converted.prompt(path).startswith("#This is context from the issue:\n{")
    assert "extra_context" not in request
    assert "extra_context" not in converted.prompt(path)
    assert len(converted.gold(path)["rubrics"]) == 3
    logs = converted.ask(path, "fetch_pod_logs", pod_name="logging-agent", namespace="default")
    assert digest(logs["data"]) == (221, "3c0e11ea30")
    shadowed = [note["file"] for note in converted.notes(path, "SHADOWED")]
    assert shadowed == ["kubectl_previous_logs_all_containers.txt"]
    assert {"AMBIGUOUS", "PROMPT_SYNTHESIZED"} <= set(converted.codes(path))


def test_sections_are_gold_and_escapes_are_kept(converted, has):
    path = has(f"{INVESTIGATE}/05_crashpod")
    gold = converted.gold(path)
    assert len(gold["rubrics"]) == 2
    assert gold["sections"] == {"Related logs": ["ERROR - SSL certificate expired"]}
    recorded = converted.case(path)["evalkit"]["source"]["holmes"]["recorded_calls"]
    logs = [one for one in recorded if "logs" in one["tool"]]
    replies = [converted.ask(path, one["tool"], **one["args"])["data"] for one in logs]
    assert {digest(reply) for reply in replies} == {(3525, "f70aa26fd3")}
    assert (len(recorded), len(logs), "\x1b" in replies[0]) == (5, 4, True)
    assert len(converted.notes(path, "STALE_TOOL")) == 3
    assert not converted.notes(path, "SHADOWED")


def test_sections_may_have_to_be_absent(converted, has):
    path = has(f"{INVESTIGATE}/01_oom_kill")
    titles = ["Key Findings", "Next Steps", "App or Infra?", "External links"]
    assert converted.gold(path)["sections"] == dict.fromkeys(titles, False)
    assert len(converted.notes(path, "SHADOWED")) == 1
    assert not converted.notes(path, "AMBIGUOUS")
    assert len(converted.ask(path, "fetch_pod_logs", pod_name="any", namespace="default")["data"]) == 17


def test_a_compaction_is_unsupported_and_its_conversation_kept(converted, has):
    path = has("compaction/007_negative_findings")
    assert converted.entry(path)["status"] == "unsupported"
    assert "29 messages" in converted.notes(path, "UNSUPPORTED_SUITE")[0]["message"]
    assert converted.gold(path)["mode"] == "loose"
    assert converted.json(f"{path}/transcript.json")["prior_events"]


def test_a_workload_is_asked_about_in_the_words_of_the_request(converted, corpus, has):
    path = has("test_workload_health/01_crashpod")
    assert converted.prompt(path).startswith("Help me diagnose an issue with the workload default/Deployment/crashpod")
    gold = converted.gold(path)
    assert (len(gold["rubrics"]), gold["json_answer"]) == (2, True)
    assert len(converted.case(path)["evalkit"]["source"]["holmes"]["recorded_calls"]) == 3
