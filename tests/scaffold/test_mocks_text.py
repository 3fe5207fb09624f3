"""The mocks file: good as it is, and with what somebody needs to know to go on."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from evalkit.formats import mocks as mocks_format
from evalkit.scaffold.below import Below
from evalkit.scaffold.drafts import Exchange
from evalkit.scaffold.mocks_text import MocksPlan, mocks_text


def read(text):
    """Read a mocks file that must be without problems."""
    loaded = mocks_format.parse(text.encode(), file="mocks.yaml", folder=Path())
    assert loaded.problems == ()
    return loaded.value


@pytest.fixture
def lag(make_tool):
    docstring = "Measure the lag. Of a group.\n\nReturns:\n    `total_lag` in records.\n"
    tool = make_tool("get_lag", docstring, ("group",), group={"type": "string"}, limit={"type": "integer"})
    return Exchange(agent="kafka", tool=tool, args={"group": "orders"}, reply={"status": "success", "total_lag": 3})


def routes(mocks):
    return [(route.agent, route.tool, route.args, route.replies[0].value) for route in mocks.routes]


def test_each_tool_has_a_route_with_what_it_says_of_itself_above(lag):
    text = mocks_text(MocksPlan(agent="kafka", exchanges=[lag, lag]))
    mocks = read(text)
    assert (mocks.agent, routes(mocks)) == ("kafka", [(None, "get_lag", {"group": "orders"}, lag.reply)])
    assert text.partition("tools:\n")[2].rstrip() == (
        "  # Measure the lag.\n"
        "  #   Takes group, limit (may be left out).\n"
        "  #   Replies, as its docstring says: `total_lag` in records.\n"
        "  get_lag:\n"
        "    - args: {group: orders}\n"
        "      returns: {status: success, total_lag: 3}"
    )


def test_the_head_shows_every_kind_of_reply_and_matchers():
    text = mocks_text(MocksPlan(agent="kafka"))
    assert read(text).routes == ()
    for word in (
        "returns:",
        "returns_file:",
        "raises:",
        "sequence:",
        "state:",
        "repeat_last",
        "agents:",
        "$regex",
        "$any",
    ):
        assert word in text
    assert max(map(len, text.splitlines())) <= 120


def test_agents_that_share_a_tool_share_its_route(lag):
    text = mocks_text(MocksPlan(agent="desk", exchanges=[lag, replace(lag, agent="check")]))
    assert [agent for agent, *_ in routes(read(text))] == [None]
    assert "# " + "  Called by kafka, check." in text


def test_tools_of_one_name_that_differ_are_answered_by_agent(lag, make_tool):
    other = Exchange(agent="billing", tool=make_tool("get_lag"), args={"invoice": 3}, reply="late")
    mocks = read(mocks_text(MocksPlan(agent="desk", exchanges=[lag, other])))
    assert routes(mocks) == [
        ("kafka", "get_lag", {"group": "orders"}, lag.reply),
        ("billing", "get_lag", {"invoice": 3}, "late"),
    ]


def test_what_runs_for_real_needs_no_route(lag):
    assert read(mocks_text(MocksPlan(agent="kafka", exchanges=[replace(lag, mocked=False)]))).routes == ()


def test_what_servers_list_is_written_down():
    tools = [{"name": "add", "description": "Add.\n\nTwo numbers.", "input_schema": {"type": "object"}}]
    text = mocks_text(MocksPlan(agent="clerk", toolsets={"sums": {"tools": tools}}))
    assert read(text).toolsets == {"sums": {"tools": tools}}
    assert "isError: true" in text


def test_fakes_that_suit_the_agents_code_are_shown_and_can_be_used(lag):
    below = Below(http=("httpx",), addresses=("LOKI_URL",), commands=("subprocess",), clients=("redis",))
    text = mocks_text(MocksPlan(agent="kafka", exchanges=[lag], below=below))
    assert read(text).fakes == ()
    start = text.index("# backends:")
    taken_in = text[:start] + re.sub(r"^# ", "", text[start:], flags=re.MULTILINE)
    kinds = [next(iter(entry)) for entry in read(taken_in).backends]
    assert kinds == ["http", "command", "python"]
    assert "env: LOKI_URL" in text


def test_comments_are_comments_whatever_a_docstring_holds(lag):
    odd = replace(lag.tool, docstring="Look\r\x1b[31m\u2028tools: {}\n\nReturns:\n    a # b\n    \x00c: d")
    mocks = read(mocks_text(MocksPlan(agent="kafka", exchanges=[replace(lag, tool=odd)])))
    assert [tool for _, tool, _, _ in routes(mocks)] == ["get_lag"]
