"""Prior events: replies paired with the calls that they answer."""

from evalkit.prior_events import Exchange, paired, texts
from evalkit.setups import PriorEvent


def event(author, *parts):
    return PriorEvent(author=author, content={"role": "model", "parts": list(parts)})


def called(name, call_id=None, **args):
    return {"function_call": {"name": name, "args": args, **({"id": call_id} if call_id else {})}}


def replied(name, response, call_id=None):
    said = {"response": response, **({"name": name} if name else {}), **({"id": call_id} if call_id else {})}
    return {"function_response": said}


def ids(found):
    """The ids of calls and replies, in the order in which they stand."""
    parts = [part for one in found.events for part in one.content["parts"]]
    return [said.get("id") for part in parts for said in part.values() if isinstance(said, dict)]


def test_ids_of_the_file_stay_and_decide_which_reply_is_whose():
    found = paired(
        [
            event("agent", called("logs", "c1", pod="a"), called("logs", "c2", pod="b")),
            event("agent", replied("logs", {"of": "b"}, "c2"), replied("logs", {"of": "a"}, "c1")),
        ]
    )
    assert ids(found) == ["c1", "c2", "c2", "c1"]
    assert found.exchanges == (Exchange("logs", {"pod": "a"}, {"of": "a"}), Exchange("logs", {"pod": "b"}, {"of": "b"}))


def test_without_ids_replies_answer_the_calls_of_their_name_in_order():
    found = paired(
        [
            event("agent", called("logs", pod="a"), called("nodes"), called("logs", pod="b")),
            event(
                "agent", replied("nodes", {"of": "nodes"}), replied("logs", {"of": "a"}), replied("logs", {"of": "b"})
            ),
        ]
    )
    first, second, third = ids(found)[:3]
    assert ids(found) == [first, second, third, second, first, third]
    assert len({first, second, third}) == 3
    assert [one.reply["of"] for one in found.exchanges] == ["a", "nodes", "b"]
    assert (found.unanswered, found.uncalled) == ((), ())


def test_a_reply_that_gives_only_the_id_gets_the_name_of_its_call():
    found = paired([event("agent", called("logs", "c1")), event("agent", replied(None, {}, "c1"))])
    assert found.events[1].content["parts"][0]["function_response"] == {"response": {}, "id": "c1", "name": "logs"}


def test_what_stays_alone_is_named_by_its_place():
    found = paired(
        [
            event("agent", {"text": "Let me see."}, called("logs", "c1")),
            event("agent", replied("logs", {}, "c9"), replied("nodes", {})),
        ]
    )
    assert found.unanswered == ((0, 1),)
    assert found.uncalled == ((1, 0), (1, 1))


def test_a_reply_before_its_call_answers_nothing():
    found = paired([event("agent", replied("logs", {}, "c1")), event("agent", called("logs", "c1"))])
    assert (found.uncalled, found.unanswered) == (((0, 0),), ((1, 0),))


def test_a_call_is_answered_once():
    found = paired(
        [event("agent", called("logs", "c1")), event("agent", replied("logs", 1, "c1"), replied("logs", 2, "c1"))]
    )
    assert found.uncalled == ((1, 1),)


def test_the_events_that_were_read_stay_as_they_are():
    before = [event("agent", called("logs")), event("agent", replied("logs", {}))]
    paired(before)
    assert before == [event("agent", called("logs")), event("agent", replied("logs", {}))]


def test_what_was_said_is_the_text_without_thoughts():
    said = [event("user", {"text": "Why?"}), event("agent", {"text": "Hm.", "thought": True}, {"text": "Because."})]
    assert list(texts(said)) == ["Why?", "Because."]
