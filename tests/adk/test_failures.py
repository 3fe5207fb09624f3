"""Whose fault is it, and where: the case's, a tool's, the agent's."""

import pytest

from evalkit.adk.failures import failure_of
from evalkit.adk.playing import Playing
from evalkit.mocks.backend import Backend
from evalkit.models.golden import GoldenOverrunError
from evalkit.models.owners import UnplayableCaseError
from evalkit.models.tree import AgentTree
from evalkit.traces import Failure


@pytest.fixture
def playing():
    return Playing(tree=AgentTree(root="one", agents={}), backend=Backend(None, None, ()))


def raised(error, cause=None):
    """The error as it comes out of the user's code."""
    try:
        raise error from cause
    except type(error) as caught:
        return caught


def test_anything_else_is_the_agents_error_with_its_place(playing):
    failure = failure_of(raised(KeyError("x")), playing)
    assert (failure.kind, failure.message) == ("agent_error", "KeyError: 'x'")
    assert failure.where.startswith(f"{__file__}:")
    assert failure.where.endswith(" in raised")


def test_the_message_is_one_line_and_an_error_without_words_is_named(playing):
    assert failure_of(ValueError("two\n  lines"), playing).message == "ValueError: two lines"
    assert failure_of(ValueError(), playing) == Failure(kind="agent_error", message="ValueError")


def test_what_came_out_of_a_tool_is_a_tool_error_however_it_is_wrapped(playing):
    inner = TimeoutError("broker")
    playing.raised.append(inner)
    wrapped = ExceptionGroup("several", [RuntimeError("node failed")])
    wrapped.exceptions[0].__cause__ = inner
    assert failure_of(wrapped, playing) == Failure(kind="tool_error", message="TimeoutError: broker")


def test_a_group_of_errors_is_told_by_its_first_leaf(playing):
    group = ExceptionGroup("several", [ExceptionGroup("inner", [KeyError("x")]), ValueError("y")])
    assert failure_of(group, playing).message == "ValueError: y"


def test_a_case_that_cannot_be_played_is_the_cases_own_fault(playing):
    playing.fail(Failure(kind="model_error", message="other"))
    error = raised(RuntimeError("node failed"), UnplayableCaseError("write a route"))
    assert failure_of(error, playing) == Failure(kind="case_error", message="write a route")


def test_what_the_edges_saw_first_wins_over_what_was_made_of_it(playing):
    seen = Failure(kind="model_error", message="a model was called", where="a.py:1 in f")
    playing.fail(seen)
    playing.fail(Failure(kind="model_error", message="later"))
    assert failure_of(RuntimeError("something else"), playing) == seen


def test_a_turn_that_golden_mode_cut_is_no_failure(playing):
    assert failure_of(raised(RuntimeError("node failed"), GoldenOverrunError("too many")), playing) is None


def test_an_error_that_is_its_own_cause_does_not_go_round_for_ever(playing):
    error = KeyError("x")
    error.__cause__ = error
    assert failure_of(error, playing).message == "KeyError: 'x'"


def test_what_came_out_of_a_model_is_a_model_error_however_it_is_wrapped(playing):
    inner = ConnectionError("refused")
    playing.model_errors.append((inner, "one asked house-7b: ConnectionError: refused"))
    wrapped = raised(RuntimeError("the node failed"), cause=inner)
    expected = Failure(kind="model_error", message="one asked house-7b: ConnectionError: refused")
    assert failure_of(wrapped, playing) == expected
    assert failure_of(ExceptionGroup("both", [inner]), playing) == expected


def test_an_error_that_adk_lost_on_its_way_is_that_of_the_model_that_failed_last(playing):
    playing.model_down = "one asked house-7b: ConnectionError: refused"
    assert failure_of(AttributeError("no text"), playing).kind == "model_error"
    assert failure_of(raised(KeyError("x")), playing).kind == "agent_error"
