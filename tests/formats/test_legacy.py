import json

import pytest

from evalkit.cases import ListForm, SessionInput, ToolCall
from evalkit.errors import Rewrite
from evalkit.formats import evalset as evalset_format
from evalkit.formats.legacy import set_id

TURN = {
    "query": "How far behind is orders?",
    "expected_tool_use": [{"tool_name": "get_lag", "tool_input": {"group": "orders"}}],
    "expected_intermediate_agent_responses": [{"author": "kafka", "text": "Looking."}],
    "reference": "It is 75 behind.",
}
CASE = {"name": "lag", "data": [TURN], "initial_session": {"app_name": "kafka", "user_id": "u", "state": {"role": "x"}}}


@pytest.fixture
def read():
    """Read a list as a file of the name `lag of one.test.json`."""
    return lambda value: evalset_format.parse(json.dumps(value), file="evals/lag of one.test.json")


def described(loaded):
    return [str(problem).partition(": ")[2] for problem in loaded.problems]


def test_the_wrapped_form_becomes_cases(read):
    cases = read([CASE, CASE | {"name": "other", "initial_session": {}}]).value
    assert cases.form == ListForm(kind="wrapped", first_turn=frozenset(TURN))
    assert cases.eval_set_id == "lag_of_one"
    first, second = cases.cases
    assert (first.eval_id, first.where, second.eval_id, second.session) == ("lag", "$[0]", "other", None)
    assert first.session == SessionInput(app_name="kafka", user_id="u", state={"role": "x"})


def test_a_turn_of_the_old_form_says_what_todays_says(read):
    (turn,) = read([CASE]).value.cases[0].turns
    assert (turn.user.role, turn.user.text) == ("user", "How far behind is orders?")
    assert (turn.final.role, turn.final.text) == ("model", "It is 75 behind.")
    assert turn.calls == (ToolCall(name="get_lag", args={"group": "orders"}),)
    assert turn.calls[0].where == "$[0].data[0].expected_tool_use[0]"
    assert [(step.agent, step.message.text) for step in turn.steps if step.message] == [("kafka", "Looking.")]


def test_the_flat_form_becomes_one_case_named_after_the_file(read):
    cases = read([TURN, {"query": "And payments?"}]).value
    assert cases.form.kind == "flat"
    (case,) = cases.cases
    assert (case.eval_id, case.where, [turn.where for turn in case.turns]) == ("lag_of_one", "$", ["$[0]", "$[1]"])


def test_what_a_turn_leaves_out_is_what_adk_takes_for_it(read):
    (turn,) = read([{"query": "Hi"}]).value.cases[0].turns
    assert (turn.final.text, turn.steps) == ("", ())


@pytest.mark.parametrize(
    ("value", "reader"),
    [
        ([CASE], "`adk eval` reads and AgentEvaluator does not"),
        ([TURN], "AgentEvaluator reads and `adk eval` does not"),
    ],
)
def test_the_form_is_a_warning_that_says_who_reads_it(value, reader, read):
    (problem,) = read(value).problems
    assert (problem.rule, problem.severity, problem.path) == ("legacy-form", "warning", "$")
    assert reader in problem.message
    assert problem.fixes == (Rewrite(),)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([], "error[no-cases] $: the list is empty, so nothing would be judged"),
        ([CASE | {"data": []}], "error[no-turns] $[0].data: the case has no turns, so nothing would be judged"),
        ([{"data": [TURN]}], "error[missing-key] $[0]: a case of the old list form needs `name`"),
        ([CASE, TURN], "error[missing-key] $[1]: a case of the old list form needs `name` and `data`; it has"),
        ([{"prompt": "Hi", "reference": "x"}], "error[unknown-key] $[0].prompt: unknown key `prompt` in a turn"),
        ([TURN | {"query": 7}], "error[wrong-type] $[0].query: must be a string, not a number"),
        ([TURN, "x"], "error[wrong-type] $[1]: must be an object, not a string"),
        (
            [TURN | {"expected_tool_use": [{"tool_name": "f"}]}],
            "error[missing-key] $[0].expected_tool_use[0]: a tool use of the old list form needs `tool_input`",
        ),
        (
            [TURN | {"expected_intermediate_agent_responses": ["Looking."]}],
            "error[wrong-type] $[0].expected_intermediate_agent_responses[0]: must be an object, not a string",
        ),
        (
            [{"input": "Hi", "case_id": "a"}],
            "error[legacy-form] $[0]: neither of ADK's readers takes this list: its items have `input` and `case_id`",
        ),
        ([{"eval_id": "a"}], "error[wrong-kind] $: this is a list of cases without the evalset around it"),
        ([1, 2], "error[wrong-kind] $: this is a list, not an evalset"),
    ],
)
def test_what_both_readers_refuse_is_an_error_at_its_place(value, said, read):
    loaded = read(value)
    assert loaded.value is None
    assert any(line.startswith(said) for line in described(loaded))


@pytest.mark.parametrize(
    "value",
    [
        [TURN | {"note": "from the wiki"}],
        [CASE | {"rubrics": []}],
        [CASE | {"initial_session": {"session_id": "s"}}],
        [TURN | {"expected_tool_use": [{"tool_name": "f", "tool_input": {}, "comment": "x"}]}],
    ],
    ids=["a note in a turn", "a key that means something today", "a key of a session", "a comment"],
)
def test_a_list_is_not_rewritten_while_something_would_be_lost(value, read):
    (form, *_) = read(value).problems
    assert (form.rule, form.fixes) == ("legacy-form", ())
    assert "has no place for it" in form.hint


def test_a_misspelt_session_is_mended_before_the_list_is_rewritten(read):
    problems = read([{"name": "a", "data": [TURN], "initial_sesion": {"state": {}}}]).problems
    assert [(problem.rule, bool(problem.fixes)) for problem in problems] == [("misspelt-key", True)]


def test_a_session_under_another_name_is_only_a_warning(read):
    loaded = read([{"name": "a", "data": [TURN], "initial_state": {"session": {}}}])
    assert loaded.value is not None
    assert [(problem.rule, problem.severity) for problem in loaded.problems[1:]] == [("unread-key", "warning")]


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("a/lag.evalset.json", "lag"),
        ("lag-2.test.json", "lag-2"),
        ("Großer Rückstand!.json", "Großer_Rückstand"),
        (".test.json", "evalset"),
    ],
)
def test_an_id_is_made_of_the_name_of_the_file(file, expected):
    assert set_id(file) == expected
