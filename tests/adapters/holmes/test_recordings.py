"""Recordings as HolmesGPT's loader takes them, and what it passes over; the fixtures are made here."""

import json

import pytest

from evalkit.formats.holmes_fixture import check_fixture

ASK = "test_ask_holmes/01_orders"
OK = '{"status": "success"}'
HEAD = '{"toolset_name": "shop/core", "tool_name": "get_queue", "match_params": {"name": "orders"}}'


def answer(bench, content, **args):
    """What the one recording of a fixture answers."""
    bench.add(files={"get_queue.txt": content})
    return bench.convert().ask(ASK, "get_queue", **(args or {"name": "orders"}))


def codes(bench, **files):
    bench.add(files={name.replace("__", "."): content for name, content in files.items()})
    return bench.convert().codes(ASK)


def test_the_body_is_what_follows_the_second_line(bench):
    assert answer(bench, f"{HEAD}\n{OK}\n12 waiting\n3 dead\n") == {"status": "success", "data": "12 waiting\n3 dead\n"}


def test_a_recording_without_a_body_answers_with_null(bench):
    assert answer(bench, f"{HEAD}\n{OK}\n") == {"status": "success", "data": None}


def test_data_on_the_second_line_stays_an_object(bench):
    assert answer(bench, f'{HEAD}\n{{"status": "success", "data": {{"waiting": 12}}}}\n')["data"] == {"waiting": 12}


def test_a_body_wins_over_data_on_the_second_line(bench):
    assert answer(bench, f'{HEAD}\n{{"status": "success", "data": {{"waiting": 12}}}}\nfull')["data"] == "full"


@pytest.mark.parametrize("end", ["\r\n", "\r"], ids=["CRLF", "CR"])
def test_line_ends_become_line_feeds(bench, end):
    assert answer(bench, f"{HEAD}\n{OK}\none\ntwo\n".replace("\n", end))["data"] == "one\ntwo\n"


def test_a_body_keeps_every_other_character(bench):
    body = "\x1b[31mred\x1b[0m\tcafé \u2028 \x85 \xa0 # : - | trailing  \n\n  \n\x07"
    assert answer(bench, f"{HEAD}\n{OK}\n{body}")["data"] == body


def test_a_large_body_is_kept_in_a_file_of_its_own(bench):
    body = "a line of a log\n" * 1000
    assert answer(bench, f"{HEAD}\n{OK}\n{body}")["data"] == body
    assert (bench.target / ASK / "replies" / "get_queue.json").is_file()


def test_what_is_not_null_stands_beside_the_data(bench):
    result = {
        "status": "error",
        "error": "refused",
        "return_code": 1,
        "url": None,
        "invocation": "ls",
        "params": {"a": None},
    }
    reply = answer(bench, f"{HEAD}\n{json.dumps({**result, 'schema_version': 'v1', 'icon_url': 'x'})}\nno queue")
    assert reply == {**{k: v for k, v in result.items() if v is not None}, "data": "no queue"}


def test_an_error_as_text_has_the_recorded_arguments_before_it(bench):
    result = {"status": "error", "error": "refused", "params": {"name": "orders"}}
    bench.add(files={"get_queue.txt": f"{HEAD}\n{json.dumps(result)}\nno queue\n"})
    text = bench.convert(response="holmes-text").ask(ASK, "get_queue", name="orders")
    assert text.splitlines()[1:] == ["refused:", "", "no queue"]
    assert '{"name": "orders"}' in text.splitlines()[0]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (f"{HEAD}\nplain output\n", "OLD_FORMAT"),
        (f"\ufeff{HEAD}\n{OK}\n", "BAD_MOCK"),
        (f"\n{HEAD}\n{OK}\n", "BAD_MOCK"),
        (f'{HEAD}\n{{"status": "great"}}\n', "BAD_MOCK"),
        (f"{HEAD}\n[1]\n", "BAD_MOCK"),
        (HEAD, "BAD_MOCK"),
        (f"{HEAD}\n{OK}\n".encode() + b"\xff\xfe\n", "BAD_MOCK"),
        ("", "ABSENT_BLOB"),
        ("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5000000\n", "ABSENT_BLOB"),
        ("requests==2.0\n", "NOT_A_RECORDING"),
    ],
    ids=["old", "mark", "blank", "status", "list", "short", "bytes", "empty", "pointer", "text"],
)
def test_a_file_that_cannot_answer_is_noted(bench, content, code):
    bench.add(files={"get_queue.txt": content})
    done = bench.convert()
    assert [note["file"] for note in done.notes(ASK, code)] == ["get_queue.txt"]
    assert done.ask(ASK, "get_queue", name="orders") is None
    assert done.entry(ASK)["status"] == "needs_live"


@pytest.mark.parametrize("name", ["get_queue.TXT", ".get_queue.txt", "old/get_queue.txt", "get_queue"])
def test_a_recording_where_nobody_looks_is_noted_and_left_out(bench, name):
    bench.add(files={name: f"{HEAD}\n{OK}\n"})
    done = bench.convert()
    assert [note["file"] for note in done.notes(ASK, "MISNAMED_MOCK")] == [name]
    assert done.ask(ASK, "get_queue", name="orders") is None


def test_a_text_that_is_no_recording_is_kept_for_the_scripts(bench):
    assert "NOT_A_RECORDING" in codes(bench, requirements__txt="requests==2.0\n")
    assert (bench.target / ASK / "files" / "requirements.txt").read_text() == "requests==2.0\n"


@pytest.mark.parametrize(
    ("recorded", "called", "answered"),
    [
        ({"limit": 1}, {"limit": 1}, True),
        ({"limit": 1}, {"limit": True}, True),
        ({"limit": True}, {"limit": 1.0}, True),
        ({"limit": 1}, {"limit": "1"}, False),
        ({"limit": 100}, {"limit": 100.0}, True),
        ({"kind": "pod"}, {"kind": "Pod"}, False),
        ({"kind": "pod"}, {"kind": "pod", "limit": 5}, True),
        ({"kind": "pod", "name": "a"}, {"kind": "pod"}, False),
        ({"labels": {"a": 1}}, {"labels": {"a": 1}}, True),
        ({"labels": {"a": 1}}, {"labels": {"a": 1, "b": 2}}, False),
        ({"filter": None}, {"filter": None}, True),
        ({"filter": None}, {}, False),
        ({"kind": "*"}, {}, True),
        ({"kind": "*"}, {"kind": 7}, True),
        ({"kind": "pod*"}, {"kind": "pods"}, False),
        ({}, {"any": "thing"}, True),
        (None, {}, True),
    ],
)
def test_a_call_is_answered_if_each_recorded_argument_is_equal(bench, recording, recorded, called, answered):
    bench.add(files={"q.txt": recording("get_queue", "12", match_params=recorded)})
    assert (bench.convert().ask(ASK, "get_queue", **called) is not None) == answered


def test_a_star_can_be_read_literally(bench, recording):
    bench.add(files={"q.txt": recording("get_queue", "12", match_params={"name": "*"})})
    done = bench.convert(literal_star=True)
    assert (done.ask(ASK, "get_queue", name="orders"), done.ask(ASK, "get_queue", name="*")["data"]) == (None, "12")
    assert "STAR_WILDCARD" not in done.codes(ASK)


def test_a_null_can_match_an_argument_that_is_left_out(bench, recording):
    bench.add(files={"q.txt": recording("get_queue", "12", match_params={"name": "a", "limit": None})})
    done = bench.convert(null_matches_absent=True)
    assert done.ask(ASK, "get_queue", name="a")["data"] == "12"
    assert done.ask(ASK, "get_queue", name="a", limit=None)["data"] == "12"
    assert done.ask(ASK, "get_queue", name="a", limit=3) is None


def test_the_recording_with_most_arguments_answers_and_then_the_first_by_name(bench, recording):
    bench.add(
        files={
            "a.txt": recording("get_queue", "any"),
            "b.txt": recording("get_queue", "by name", match_params={"name": "orders"}),
            "c.txt": recording("get_queue", "by zone", match_params={"zone": "eu"}),
            "d.txt": recording("get_queue", "by both", match_params={"name": "orders", "zone": "eu"}),
            "e.txt": recording("get_queue", "star", match_params={"name": "bills", "zone": "*"}),
        }
    )
    done = bench.convert()
    calls = [{}, {"name": "orders"}, {"zone": "eu"}, {"name": "orders", "zone": "eu"}, {"name": "orders", "zone": "us"}]
    assert [done.ask(ASK, "get_queue", **call)["data"] for call in calls] == [
        "any",
        "by name",
        "by zone",
        "by both",
        "by name",
    ]
    assert done.ask(ASK, "get_queue", name="bills", zone="us")["data"] == "star"


@pytest.mark.parametrize(
    ("one", "other", "winner"),
    [
        ({"name": "orders", "zone": "*", "limit": "*"}, {"name": "orders", "kind": "dead"}, "b.txt"),
        ({"name": "orders", "zone": "*"}, {"name": "orders"}, "a.txt"),
        ({"name": "orders"}, {"name": "orders", "zone": "*"}, "a.txt"),
        ({"name": "orders"}, {"name": "orders", "zone": "eu"}, "b.txt"),
    ],
)
def test_of_two_that_differ_the_one_that_check_names_answers(bench, recording, one, other, winner):
    texts = {"a.txt": recording("get_queue", "a.txt", match_params=one)}
    texts["b.txt"] = recording("get_queue", "b.txt", match_params=other)
    folder = bench.add(files=texts)
    (found,) = (one for one in check_fixture(folder / "test_case.yaml").problems if one.rule == "ambiguous-recordings")

    assert f"answered by {winner} too" in found.message
    assert bench.convert().ask(ASK, "get_queue", **{**one, **other})["data"] == winner


def test_recordings_that_differ_are_ambiguous_and_equal_ones_shadowed(bench, recording):
    bench.add(
        files={
            "a.txt": recording("get_queue", "12", match_params={"name": "orders"}),
            "b.txt": recording("get_queue", "13", match_params={"name": "orders"}),
            "c.txt": recording("get_queue", "12", match_params={"zone": "eu"}),
            "d.txt": recording("get_queue", "12", match_params={"name": "bills"}),
            "other.txt": recording("get_topic", "14", match_params={"name": "orders"}),
        }
    )
    done = bench.convert()
    assert [note["file"] for note in done.notes(ASK, "SHADOWED")] == ["b.txt"]
    ambiguous = [(note["file"], note["message"].split()[4]) for note in done.notes(ASK, "AMBIGUOUS")]
    assert ambiguous == [("a.txt", "b.txt"), ("b.txt", "c.txt")]
    assert done.entry(ASK)["status"] == "replayable_with_notes"


def test_half_a_character_is_replaced_and_noted(bench):
    assert answer(bench, f'{HEAD}\n{{"status": "success", "data": "\\ud83d"}}\n')["data"] == "\ufffd"
    assert "BAD_MOCK" in bench.convert().codes(ASK)
