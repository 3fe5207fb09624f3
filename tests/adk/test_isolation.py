"""Cases on one agent object do not see each other; what the agent holds is closed once, after the last of them."""

import logging

import pytest
from google.adk.agents import LlmAgent
from google.adk.apps import App
from google.adk.plugins.base_plugin import BasePlugin
from google.adk.tools.agent_tool import AgentTool
from google.adk.tools.base_toolset import BaseToolset
from google.adk.tools.function_tool import FunctionTool

from evalkit.adk.target import AdkTarget

MODEL = "gemini-2.5-flash"
MANY = 50


def get_lag(group: str) -> dict:
    """Return the lag of a consumer group."""
    raise AssertionError(f"the real get_lag ran for {group}")


class Toolset(BaseToolset):
    """A toolset that remembers how often it was closed, and which calls came after that."""

    def __init__(self, fails: bool = False) -> None:
        super().__init__()
        self.closed = 0
        self.asked_after = 0
        self.fails = fails

    async def get_tools(self, readonly_context=None):
        self.asked_after += bool(self.closed)
        return [FunctionTool(get_lag)]

    async def close(self):
        self.closed += 1
        if self.fails:
            raise ConnectionError("gone")


def mark(callback_context):
    """Leave a mark in the session's state that another case would see."""
    seen = callback_context.state.get("seen", [])
    callback_context.state["seen"] = [*seen, callback_context.state["case"]]


def test_fifty_cases_at_once_keep_their_script_mocks_state_and_events_to_themselves(make, run):
    agent = LlmAgent(name="one", model=MODEL, tools=[get_lag], before_agent_callback=mark)
    cases = [
        make.case(
            f"case {number}",
            make.turn(make.call("get_lag", group=f"g{number}"), final=f"answer {number}"),
            make.turn(make.call("get_lag", group=f"h{number}"), final=f"again {number}"),
            state={"case": number},
        )
        for number in range(MANY)
    ]
    routes = [
        make.route("get_lag", {"of": name}, args={"group": name}) for n in range(MANY) for name in (f"g{n}", f"h{n}")
    ]
    outcomes = run.cases(agent, cases, routes, concurrency=MANY)
    for number, outcome in enumerate(outcomes.values()):
        assert outcome.failure is None
        first, second = outcome.trace.turns
        assert [made.reply for made in (*first.tools, *second.tools)] == [{"of": f"g{number}"}, {"of": f"h{number}"}]
        assert (first.final.text, second.final.text) == (f"answer {number}", f"again {number}")
        assert outcome.trace.state == {"case": number, "seen": [number, number]}
        assert outcome.trace.misses == ()


def test_a_case_that_fails_leaves_the_others_alone(make, run):
    def explode(tool, args, tool_context):
        if args["group"] == "bad":
            raise KeyError("bad")

    agent = LlmAgent(name="one", model=MODEL, tools=[get_lag], before_tool_callback=explode)
    cases = [make.case(name, make.turn(make.call("get_lag", group=name))) for name in ("a", "bad", "b")]
    outcomes = run.cases(agent, cases, [make.route("get_lag")], concurrency=3)
    assert [outcome.failure and outcome.failure.message for outcome in outcomes.values()] == [
        None,
        "KeyError: 'bad'",
        None,
    ]


def test_a_session_is_fresh_for_each_repeat_even_with_a_pinned_id(make, run):
    agent = LlmAgent(name="one", model=MODEL, before_agent_callback=mark)
    pinned = make.case("pinned", make.turn(), state={"case": 1, "user:name": "x"}, session_id="s-1")
    outcomes = [run.cases(agent, [pinned, make.case("next", make.turn(), state={"case": 2})]) for _ in range(2)]
    assert [each["pinned"].trace.state["seen"] for each in outcomes] == [[1], [1]]
    assert "user:name" not in outcomes[0]["next"].trace.state


def test_a_state_that_the_agent_changes_in_place_does_not_reach_the_case(make, run):
    def append(callback_context):
        callback_context.state["case"]["list"].append("changed")

    given = {"case": {"list": ["a"]}}
    run.one(LlmAgent(name="one", model=MODEL, before_agent_callback=append), make.turn(), state=given)
    assert given == {"case": {"list": ["a"]}}


@pytest.mark.parametrize("asynchronous", [False, True], ids=["function", "coroutine"])
def test_reset_data_is_called_before_each_case_and_cases_then_run_one_at_a_time(make, run, asynchronous):
    log = []

    def reset():
        log.append("reset")

    async def reset_later():
        log.append("reset")

    def note(callback_context):
        log.append(callback_context.state["case"])

    root = LlmAgent(name="one", model=MODEL, before_agent_callback=note)
    agent = make.loaded(root, reset=reset_later if asynchronous else reset)
    assert AdkTarget(agent).serial
    cases = [make.case(name, make.turn(), make.turn(), state={"case": name}) for name in "ab"]
    run.cases(agent, cases, concurrency=2)
    assert log == ["reset", "a", "a", "reset", "b", "b"]


def test_a_reset_data_that_raises_is_the_agents_error(make, run):
    def reset():
        raise OSError("disk full")

    outcome = run.one(make.loaded(LlmAgent(name="one", model=MODEL), reset=reset), make.turn())
    assert (outcome.failure.kind, outcome.failure.message) == ("agent_error", "OSError: disk full")


@pytest.mark.parametrize("nested", [False, True], ids=["own", "of an agent tool"])
def test_a_toolset_is_closed_exactly_once_after_the_last_case(make, run, nested):
    toolset = Toolset()
    holder = LlmAgent(name="holder", model=MODEL, tools=[toolset])
    root = LlmAgent(name="root", model=MODEL, tools=[AgentTool(holder)]) if nested else holder
    entry = [make.call("holder", request="?")] if nested else []
    cases = [make.case(str(n), make.turn(*entry, make.call("get_lag", group="a"))) for n in range(4)]
    outcomes = run.cases(root, cases, [make.route("get_lag")], concurrency=2)
    assert all(outcome.trace.turns[0].golden.leftover == () for outcome in outcomes.values())
    assert (toolset.closed, toolset.asked_after) == (1, 0)


def test_a_toolset_that_two_agents_share_is_closed_once(make, run):
    toolset = Toolset()
    inner = LlmAgent(name="inner", model=MODEL, tools=[toolset])
    root = LlmAgent(name="root", model=MODEL, tools=[AgentTool(inner), toolset])
    run.one(root, make.turn())
    assert toolset.closed == 1


def test_a_toolset_that_cannot_be_closed_is_a_line_in_the_log_and_the_others_are_closed(make, run, caplog):
    broken, fine = Toolset(fails=True), Toolset()
    agents = [LlmAgent(name=name, model=MODEL, tools=[held]) for name, held in (("a", broken), ("b", fine))]
    root = LlmAgent(name="root", model=MODEL, tools=[AgentTool(agent) for agent in agents])
    with caplog.at_level(logging.WARNING, logger="evalkit"):
        assert run.one(root, make.turn()).failure is None
    assert (broken.closed, fine.closed) == (1, 1)
    assert caplog.messages == ["app: closing toolsets and plugins failed: ConnectionError: gone"]


def test_the_apps_plugins_take_part_and_are_closed_once(make, run):
    class Counting(BasePlugin):
        runs = closed = 0

        async def before_run_callback(self, *, invocation_context):
            self.runs += 1

        async def close(self):
            self.closed += 1

    plugin = Counting(name="counting")
    root = LlmAgent(name="one", model=MODEL)
    agent = make.loaded(root, app=App(name="app", root_agent=root, plugins=[plugin]))
    run.cases(agent, [make.case(str(n), make.turn()) for n in range(3)])
    assert (plugin.runs, plugin.closed) == (3, 1)
