"""What was written, and what to do next."""

import json
from pathlib import Path

import pytest

from evalkit.models.facts import ToolFacts
from evalkit.scaffold.advice import as_json, as_text, steps
from evalkit.scaffold.drafts import Draft, Exchange
from evalkit.scaffold.files import NewFile
from evalkit.scaffold.folders import Folder
from evalkit.scaffold.start import Start


def draft(name, **fields):
    exchange = Exchange(agent="desk", tool=ToolFacts(name=name), args={})
    return Draft(eval_id=name, subject=name, agent="desk", prompt="?", exchanges=(exchange,), answer="!", **fields)


DROP = draft("drop", ending="blocked", refusal={"error": "Only an admin may do that."})
CONFIRMED = draft("create", ending="confirmed")
TARGET = Path("evalsets/desk")


@pytest.fixture
def make_start():
    def make_start(*drafts, **fields):
        folders = [Folder(drafts=drafts or (draft("look"),)), Folder(drafts=(CONFIRMED,), name="confirmations")]
        names = [
            "desk.test.json",
            "mocks.yaml",
            "confirmations/desk_confirmations.test.json",
            "confirmations/mocks.yaml",
        ]
        files = [NewFile(TARGET / name, "new\n", "old\n" if name == "mocks.yaml" else None) for name in names]
        return Start(name="desk", target=TARGET, folders=tuple(folders), files=tuple(files), **fields)

    return make_start


def test_the_end_says_what_was_written_and_what_to_edit_in_order(make_start):
    wrote, todo = as_text(make_start(), written=True).split("\n\n")
    assert wrote.splitlines() == [
        "wrote evalsets/desk/desk.test.json  (1 case)",
        "wrote evalsets/desk/mocks.yaml",
        "wrote evalsets/desk/confirmations/desk_confirmations.test.json  (1 case)",
        "wrote evalsets/desk/confirmations/mocks.yaml",
    ]
    heading, *lines = todo.splitlines()
    assert heading == "To do, in this order:"
    assert [line[:5] for line in lines] == ["  1. ", "  2. ", "  3. ", "  4. "]
    assert lines[0].startswith(
        "  1. evalsets/desk/mocks.yaml and evalsets/desk/confirmations/mocks.yaml: every reply is"
    )
    assert '"skip": "edit me"' in lines[1]
    assert [line[5:] for line in lines[2:]] == [
        "evalkit check --with-agents evalsets/desk",
        "evalkit run evalsets/desk",
    ]


def test_what_would_be_written_is_said_in_those_words(make_start):
    assert as_text(make_start(), written=False).startswith("would write evalsets/desk/desk.test.json")


def test_everything_that_is_not_as_one_may_think_is_a_step(make_start):
    start = make_start(
        DROP,
        draft("odd", fault="agent_error: it broke"),
        left_out={"desk.search": "why not", "desk.browse": "why not"},
        unlisted=("the code of own",),
    )
    found = [*steps(start)][2:-2]
    assert found[0].startswith(
        'callbacks refused drop (the first: "Only an admin may do that."); these cases expect that'
    )
    assert found[1:] == [
        "odd cannot be replayed yet: agent_error: it broke",
        "no case was written for desk.search, desk.browse: why not",
        "what the code of own may bring in could not be listed: write its cases and mocks by hand",
    ]


def test_of_many_names_the_first_are_listed(make_start):
    start = make_start(left_out={f"desk.t{number}": "why not" for number in range(8)})
    assert [*steps(start)][2] == (
        "no case was written for desk.t0, desk.t1, desk.t2, desk.t3, desk.t4 and 3 more: why not"
    )


def test_a_program_gets_the_same_as_json(make_start):
    document = json.loads(as_json(make_start(DROP), written=True))
    assert (document["schema"], document["error"], document["written"]) == ("evalkit.init/1", None, True)
    assert document["files"][1] == {"path": "evalsets/desk/mocks.yaml", "replaces": True}
    assert document["cases"][0] == {
        "eval_id": "drop",
        "agent": "desk",
        "subject": "drop",
        "ending": "blocked",
        "refusal": "Only an admin may do that.",
        "fault": None,
    }
    assert document["steps"] == [*steps(make_start(DROP))]


def test_a_program_may_ask_for_the_changes(make_start):
    files = json.loads(as_json(make_start(), written=False, diff=True))["files"]
    assert files[1]["diff"].splitlines()[-2:] == ["-old", "+new"]
