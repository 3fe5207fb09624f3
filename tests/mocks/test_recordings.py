from evalkit.cases import Case, Message, Step, ToolCall, ToolReply, Turn
from evalkit.mocks import recorded_replies


def call(name, call_id=None, agent=None, **args):
    return ToolCall(name=name, args=args, id=call_id, agent=agent)


def reply(name, response, call_id=None, agent=None):
    return ToolReply(name=name, response={"result": response}, id=call_id, agent=agent)


def case(*turns):
    """Make a case of turns, each a list of calls and replies in the order of a recording."""
    return Case(
        eval_id="case",
        turns=tuple(
            Turn(index=index, user=Message(), steps=None if events is None else tuple(map(step, events)))
            for index, events in enumerate(turns)
        ),
    )


def step(event):
    return Step(calls=(event,)) if isinstance(event, ToolCall) else Step(replies=(event,))


def paired(*turns):
    return [(asked.args, told.response["result"]) for asked, told in recorded_replies(case(*turns))]


def test_ids_pair_calls_and_replies_whatever_their_order():
    events = [call("lag", "1", g="a"), call("lag", "2", g="b"), reply("lag", "B", "2"), reply("lag", "A", "1")]
    assert paired(events) == [({"g": "a"}, "A"), ({"g": "b"}, "B")]


def test_without_ids_replies_answer_the_calls_of_their_name_in_order():
    events = [call("lag", g="a"), call("topics"), call("lag", g="b"), reply("lag", "A"), reply("topics", "T")]
    assert paired([*events, reply("lag", "B")]) == [({"g": "a"}, "A"), ({}, "T"), ({"g": "b"}, "B")]


def test_an_id_on_one_side_only_leaves_it_to_the_name():
    assert paired([call("lag", g="a"), reply("lag", "A", "7")]) == [({"g": "a"}, "A")]
    assert paired([call("lag", "7", g="a"), reply("lag", "A")]) == [({"g": "a"}, "A")]


def test_a_reply_with_another_id_or_another_name_answers_nothing():
    assert paired([call("lag", "1"), reply("lag", "A", "2")]) == []
    assert paired([call("lag", "1"), reply("topics", "A", "1")]) == []
    assert paired([call("lag"), reply("lag", "A"), reply("lag", "B")]) == [({}, "A")]


def test_agents_that_call_the_same_tool_at_once_get_their_own_replies():
    events = [call("lag", agent="a", n=1), call("lag", agent="b", n=2)]
    replies = [reply("lag", "B", agent="b"), reply("lag", "A", agent="a")]
    assert paired([*events, *replies]) == [({"n": 1}, "A"), ({"n": 2}, "B")]


def test_a_reply_without_id_prefers_a_call_of_its_own_turn():
    assert paired([call("lag", g="unanswered")], [call("lag", g="b"), reply("lag", "B")]) == [({"g": "b"}, "B")]


def test_ids_that_start_again_in_each_turn_pair_within_the_turn():
    turns = [[call("lag", "1", n=n), reply("lag", n, "1")] for n in (1, 2)]
    assert paired(*turns) == [({"n": 1}, 1), ({"n": 2}, 2)]


def test_a_call_that_waited_for_confirmation_is_answered_by_the_reply_of_the_later_turn():
    waiting = ToolReply(
        name="delete",
        id="1",
        response={"error": "This tool call requires confirmation, please approve or reject."},
    )
    assert paired([call("delete", "1", topic="a"), waiting], [reply("delete", "gone", "1")]) == [
        ({"topic": "a"}, "gone"),
    ]
    assert paired([call("delete", topic="a")], [reply("delete", "gone")]) == [({"topic": "a"}, "gone")]


def test_a_rejection_is_no_answer_of_the_tool():
    rejected = ToolReply(name="delete", response={"error": "This tool call is rejected."})
    assert paired([call("delete"), rejected]) == []


def test_an_error_that_the_tool_itself_gave_is_kept():
    failed = ToolReply(name="lag", response={"error": "broker unreachable"})
    ((_, kept),) = recorded_replies(case([call("lag"), failed]))
    assert kept is failed


def test_a_case_without_turns_or_steps_has_recorded_nothing():
    assert recorded_replies(Case(eval_id="scenario")) == ()
    assert paired(None) == []
