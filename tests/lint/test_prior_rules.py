"""Prior events that no session can hold."""

from evalkit.cases import Case, CaseSet
from evalkit.lint.prior_rules import unpaired_events
from evalkit.setups import PriorEvent


def problems(*parts):
    events = tuple(PriorEvent(author="agent", content={"parts": [part]}) for part in parts)
    case = Case(eval_id="a", prior_events=events, where="$.eval_cases[0]")
    return [(one.rule, one.severity, one.path) for one in unpaired_events(CaseSet(eval_set_id="s", cases=(case,)))]


def test_a_call_and_its_reply_are_fine():
    call, reply = {"function_call": {"name": "logs"}}, {"function_response": {"name": "logs", "response": {}}}
    assert problems({"text": "Hello."}, call, reply) == []


def test_a_reply_without_its_call_is_an_error_where_it_stands():
    path = "$.eval_cases[0].evalkit.prior_events[1].content.parts[0].function_response"
    reply = {"function_response": {"name": "logs", "response": {}}}
    assert problems({"text": "Hello."}, reply) == [("reply-without-call", "error", path)]


def test_a_call_without_its_reply_is_a_warning_where_it_stands():
    path = "$.eval_cases[0].evalkit.prior_events[0].content.parts[0].function_call"
    assert problems({"function_call": {"name": "logs"}}) == [("call-without-reply", "warning", path)]
