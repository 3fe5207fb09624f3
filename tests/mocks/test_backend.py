import copy
import threading

import pytest

from evalkit.cases import ToolCall, ToolReply
from evalkit.mocks import NEUTRAL_REPLY, Backend, Missed, Passthrough, Raised, Returned
from evalkit.routes import MockSet, ProvidedTool, Reply, Route


def route(line, tool, *values, file="mocks.yaml", **options):
    """Make a route that returns these values in turn."""
    replies = tuple(value if isinstance(value, Reply) else Reply(value=value) for value in values)
    return Route(tool=tool, replies=replies, label=f"{file}:{line} {tool}", **options)


def mocks(*routes, file="mocks.yaml"):
    return MockSet(file=file, routes=routes)


def folder(*routes):
    """Make a backend that has only the folder's mocks."""
    return Backend(None, mocks(*routes), ())


def recorded(tool, args, response, agent=None, where=""):
    return ToolCall(name=tool, args=args, agent=agent), ToolReply(name=tool, response=response, where=where)


def ask(backend, tool="lag", agent="kafka", turn=0, **args):
    return backend.answer(agent, tool, args, turn)


def values(backend, times, **call):
    """Ask so many times and give what was returned, None for a miss."""
    answers = [ask(backend, **call) for _ in range(times)]
    return [answer.value if isinstance(answer, Returned) else None for answer in answers]


def miss(backend, **call):
    answer = ask(backend, **call)
    assert isinstance(answer, Missed)
    return answer.miss


def test_the_first_route_in_the_file_whose_arguments_match_answers():
    backend = folder(
        route(3, "lag", 1, args={"group": "orders"}),
        route(5, "lag", 2, args={"group": {"$regex": "^pay"}}),
        route(7, "lag", 3),
    )
    assert ask(backend, group="orders", since="1h") == Returned(1, {}, "mocks.yaml:3 lag")
    assert ask(backend, group="payments") == Returned(2, {}, "mocks.yaml:5 lag")
    assert ask(backend) == Returned(3, {}, "mocks.yaml:7 lag")


def test_of_a_tool_that_both_files_provide_the_cases_own_is_given():
    own = MockSet(file="case.yaml", provides=(ProvidedTool(name="lag", description="own"), ProvidedTool(name="top")))
    shared = MockSet(file="mocks.yaml", provides=(ProvidedTool(name="lag", description="shared"),))
    provided = Backend(own, shared, ()).provided
    assert [(name, tool.description) for name, tool in provided.items()] == [("lag", "own"), ("top", "")]


def test_the_case_comes_before_the_folder_and_the_folder_before_the_recording():
    own = mocks(route(1, "lag", "own", args={"group": "a"}, file="case.yaml"), file="case.yaml")
    shared = mocks(route(1, "lag", "folder", args={"group": {"$oneof": ["a", "b"]}}))
    recording = [recorded("lag", {"group": group}, {"by": "recording"}) for group in "abc"]
    backend = Backend(own, shared, recording)
    assert ask(backend, group="a").value == "own"
    assert ask(backend, group="b").value == "folder"
    assert ask(backend, group="c").value == {"by": "recording"}


def test_within_a_file_a_route_scoped_to_the_agent_wins():
    backend = folder(route(1, "lag", "anyone"), route(2, "lag", "kafka only", agent="kafka"))
    assert ask(backend, agent="kafka").value == "kafka only"
    assert ask(backend, agent="k8s").value == "anyone"


def test_an_unscoped_route_of_the_case_wins_over_a_scoped_one_of_the_folder():
    own = mocks(route(1, "lag", "case", file="case.yaml"), file="case.yaml")
    backend = Backend(own, mocks(route(1, "lag", "folder", agent="kafka")), ())
    assert ask(backend, agent="kafka").value == "case"


def test_a_scoped_route_that_does_not_match_leaves_the_call_to_the_others():
    backend = folder(route(1, "lag", "any"), route(2, "lag", "scoped", agent="kafka", args={"group": "x"}))
    assert ask(backend, group="y").value == "any"


def test_a_route_scoped_to_another_agent_never_answers():
    backend = folder(route(4, "lag", 1, agent="k8s"))
    found = miss(backend, agent="kafka")
    assert found.closest == "mocks.yaml:4 lag"
    assert found.differences == ("agent: wanted k8s, found kafka",)


def test_a_single_reply_stays_and_a_sequence_is_used_up_in_order():
    backend = folder(
        route(1, "lag", "always"),
        route(2, "restart", "first", "second", repeat_last=False),
        route(3, "status", "starting", "up", repeat_last=True),
    )
    assert values(backend, 3, tool="lag") == ["always", "always", "always"]
    assert values(backend, 3, tool="restart") == ["first", "second", None]
    assert values(backend, 4, tool="status") == ["starting", "up", "up", "up"]


def test_a_sequence_that_is_used_up_is_a_miss_even_if_a_later_route_matches():
    shared = mocks(route(1, "restart", 1, 2, args={"id": 0}, repeat_last=False), route(9, "restart", "catch-all"))
    backend = Backend(None, shared, [recorded("restart", {"id": 0}, {"ok": True})])
    values(backend, 2, tool="restart", id=0)
    found = miss(backend, tool="restart", id=0, turn=1)
    assert found.turn == 1
    assert found.closest == "mocks.yaml:1 restart"
    assert found.differences == ("sequence exhausted: its 2 replies are used up",)
    assert found.message == (
        "kafka called restart(id=0), which mocks.yaml:1 restart matches, "
        "but its 2 replies are used up (add one, or set repeat_last: true)"
    )


def test_agents_share_an_unscoped_sequence():
    backend = folder(route(1, "lag", 1, 2, repeat_last=False))
    assert [ask(backend, agent=agent).value for agent in ("kafka", "k8s")] == [1, 2]


def test_each_route_has_its_own_place_in_its_sequence():
    backend = folder(route(1, "lag", "a1", "a2", args={"g": "a"}), route(2, "lag", "b1", "b2", args={"g": "b"}))
    assert [ask(backend, g=group).value for group in "abab"] == ["a1", "b1", "a2", "b2"]


def test_a_reply_may_raise_and_write_state():
    error = Reply(raises="TimeoutError", message="broker unreachable", state={"down": True})
    backend = folder(route(1, "lag", error, Reply(value=5, state={"seen": [1]})))
    raised = ask(backend)
    assert raised == Raised("TimeoutError", "broker unreachable", {"down": True}, "mocks.yaml:1 lag")
    assert repr(raised.exception()) == "TimeoutError('broker unreachable')"
    assert ask(backend) == Returned(5, {"seen": [1]}, "mocks.yaml:1 lag")


def test_passthrough_names_its_route_and_leaves_the_decision_to_the_caller():
    backend = folder(route(1, "lag", passthrough=True))
    assert ask(backend) == Passthrough("mocks.yaml:1 lag")
    assert ask(backend) == Passthrough("mocks.yaml:1 lag")
    assert backend.misses == ()


def test_an_agent_that_changes_a_reply_changes_neither_the_next_one_nor_the_mocks():
    shared = mocks(route(1, "lag", Reply(value={"items": [{"n": 1}]}, state={"seen": ["a"]})))
    before = copy.deepcopy(shared)
    backend = Backend(None, shared, [recorded("topics", {}, {"names": ["a"]})])
    for _ in range(2):
        answer, recording = ask(backend), ask(backend, tool="topics")
        assert (answer.value, answer.state) == ({"items": [{"n": 1}]}, {"seen": ["a"]})
        assert recording.value == {"names": ["a"]}
        answer.value["items"][0]["n"] = 2
        answer.state["seen"].append("b")
        recording.value["names"].clear()
    assert shared == before


def test_two_backends_of_the_same_mocks_know_nothing_of_each_other():
    shared = mocks(route(1, "lag", 1, 2, repeat_last=False))
    first, second = Backend(None, shared, ()), Backend(None, shared, ())
    assert values(first, 2) == values(second, 2) == [1, 2]


def test_recorded_replies_answer_calls_with_equal_arguments_in_order_and_the_last_one_stays():
    backend = Backend(None, None, [recorded("lag", {"g": 1, "x": True}, {"n": n}, where=f"$[{n}]") for n in (1, 2)])
    assert ask(backend, g=1.0, x=True) == Returned({"n": 1}, {}, "recorded lag ($[1])")
    assert values(backend, 2, g=1, x=True) == [{"n": 2}, {"n": 2}]
    assert values(backend, 1, g=1, x=1) == [None]
    assert values(backend, 1, g=1) == [None]
    assert values(backend, 1, g=1, x=True, y=None) == [None]


def test_a_recorded_argument_is_never_read_as_a_pattern():
    backend = Backend(None, None, [recorded("find", {"query": {"$any": True}}, {"n": 1})])
    assert values(backend, 1, tool="find", query={"$any": True}) == [{"n": 1}]
    assert values(backend, 1, tool="find", query="x") == [None]


def test_an_agent_gets_its_own_recorded_replies_and_an_agent_without_any_gets_all():
    recording = [recorded("lag", {}, {"by": agent}, agent=agent) for agent in ("kafka", "k8s", "kafka")]
    backend = Backend(None, None, recording)
    assert ask(backend, agent="k8s").value == {"by": "k8s"}
    assert ask(backend, agent="k8s").value == {"by": "k8s"}
    assert ask(backend, agent="other").value == {"by": "kafka"}


def test_a_miss_names_the_closest_route_and_each_difference():
    backend = folder(
        route(3, "lag", 1, args={"group": "orders", "since": {"$any": True}, "limit": 5}),
        route(5, "lag", 1, args={"group": {"$regex": "^pay"}, "limit": 5}),
    )
    found = miss(backend, group="shipping", turn=2)
    assert (found.turn, found.tool, found.agent, found.args) == (2, "lag", "kafka", {"group": "shipping"})
    assert found.closest == "mocks.yaml:5 lag"
    assert found.differences == (
        '$.group: wanted a value matching /^pay/, found "shipping"',
        "$.limit: missing, wanted 5",
    )
    assert found.message == (
        'kafka called lag(group="shipping"), which no mock answers: the closest is mocks.yaml:5 lag '
        '($.group: wanted a value matching /^pay/, found "shipping"; $.limit: missing, wanted 5); '
        'lag also has mocks.yaml:3 lag {"group": "orders", "since": any value, "limit": 5}'
    )
    assert backend.misses == (found,)


def test_among_equally_close_routes_one_for_this_agent_is_named():
    backend = folder(route(1, "lag", 1, agent="k8s"), route(2, "lag", 1, args={"group": "a"}))
    assert miss(backend, agent="kafka", group="b").closest == "mocks.yaml:2 lag"


def test_a_recorded_call_can_be_the_closest():
    backend = Backend(None, None, [recorded("lag", {"group": "a"}, {}, where="$.eval_cases[0]")])
    found = miss(backend, group="a", since="1h")
    assert found.closest == "recorded lag ($.eval_cases[0])"
    assert found.differences == ('$.since: unexpected, found "1h"',)


def test_many_other_routes_and_many_differences_are_not_all_named():
    names = [f"arg{n}" for n in range(9)]
    backend = folder(*(route(n, "lag", 1, args=dict.fromkeys(names, n)) for n in range(20)))
    found = miss(backend)
    assert "also has" not in found.message
    assert "; 4 more)" in found.message
    assert len(found.differences) == 9


@pytest.mark.parametrize(
    ("tools", "ending"),
    [
        (["get_lag", "list_topics"], "but no mock names get_lags: did you mean get_lag?"),
        (["topics", "brokers"], "but no mock names get_lags: there are mocks for brokers, topics"),
        ([], "but no mock names get_lags: there are no tool mocks at all"),
    ],
)
def test_a_tool_without_a_mock_is_told_with_the_tools_that_have_one(tools, ending):
    backend = folder(*(route(1, tool, 1) for tool in tools))
    found = miss(backend, tool="get_lags")
    assert (found.closest, found.differences) == (None, ())
    assert found.message == f"kafka called get_lags(), {ending}"


def test_a_misspelt_tool_is_also_compared_with_recorded_ones():
    backend = Backend(None, None, [recorded("get_lag", {}, {})])
    assert miss(backend, tool="get_lags").message.endswith("did you mean get_lag?")


def test_what_the_agent_is_told_after_a_miss_does_not_speak_of_tests():
    words = " ".join(NEUTRAL_REPLY.values()).lower()
    assert NEUTRAL_REPLY["status"] == "error"
    assert not any(hint in words for hint in ("mock", "test", "eval", "route", "record", "fake"))


def test_a_miss_keeps_the_arguments_as_they_were():
    backend = folder()
    args = {"groups": ["a"]}
    backend.answer("kafka", "lag", args, 0)
    args["groups"].append("b")
    assert backend.misses[0].args == {"groups": ["a"]}


def test_a_tool_is_mocked_for_an_agent_if_a_route_or_a_recording_could_answer_it():
    shared = mocks(route(1, "lag", 1, args={"group": "a"}), route(2, "pods", 1, agent="k8s"))
    backend = Backend(None, shared, [recorded("topics", {}, {})])
    assert backend.has_routes("kafka", "lag")
    assert backend.has_routes("k8s", "pods")
    assert not backend.has_routes("kafka", "pods")
    assert backend.has_routes("kafka", "topics")
    assert not backend.has_routes("kafka", "topics", recorded=False)
    assert not backend.has_routes("kafka", "brokers")


def test_only_routes_of_the_cases_own_file_that_answered_nothing_are_unused():
    own = mocks(
        route(1, "lag", 1, args={"g": "a"}, file="case.yaml"),
        route(2, "lag", 1, args={"g": "b"}, file="case.yaml"),
        route(3, "real", passthrough=True, file="case.yaml"),
        file="case.yaml",
    )
    backend = Backend(own, mocks(route(1, "topics", 1)), ())
    assert backend.unused() == ("case.yaml:1 lag", "case.yaml:2 lag", "case.yaml:3 real")
    ask(backend, g="a")
    ask(backend, tool="real")
    assert backend.unused() == ("case.yaml:2 lag",)


def test_a_case_that_names_the_folders_file_has_no_routes_of_its_own():
    shared = mocks(route(1, "lag", 1, 2, repeat_last=False), route(2, "topics", 1))
    backend = Backend(shared, shared, ())
    assert values(backend, 3) == [1, 2, None]
    assert backend.unused() == ()


def test_a_route_without_a_label_is_still_named():
    backend = Backend(mocks(Route(tool="lag", replies=(Reply(value=1),)), file="x"), None, ())
    assert backend.unused() == ("a route of lag",)


def test_threads_use_up_a_sequence_without_losing_or_doubling_a_reply():
    backend = folder(route(1, "lag", *range(400), repeat_last=False))
    got = []
    workers = [threading.Thread(target=lambda: got.extend(values(backend, 100))) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sorted(got) == list(range(400))


def test_whether_a_call_would_be_a_miss_is_told_without_using_anything_up():
    backend = folder(route(3, "lag", 1, args={"group": "orders"}, repeat_last=False))
    assert backend.unmatched("kafka", "lag", {"group": "orders"}) is None
    found = backend.unmatched("kafka", "lag", {"group": "order"})
    assert found is not None
    assert found.differences == ('$.group: wanted "orders", found "order"',)
    assert (backend.misses, values(backend, 2, group="orders")) == ((), [1, None])
    assert backend.unmatched("kafka", "lag", {"group": "orders"}) is None
