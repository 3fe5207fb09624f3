"""What is known of an agent that is only loaded: nothing runs, nothing connects."""

import asyncio
import enum
import functools
import sys
import textwrap
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any, NotRequired, TypedDict

import pytest
from google.adk.agents import BaseAgent, LlmAgent, SequentialAgent
from google.adk.models import BaseLlm
from google.adk.tools import ToolContext, google_search
from google.adk.tools.agent_tool import AgentTool
from google.adk.tools.base_toolset import BaseToolset
from google.adk.tools.function_tool import FunctionTool
from google.adk.workflow import FunctionNode
from google.genai import types
from pydantic import BaseModel, Field

from evalkit.adk.facts import AgentView, open_agent
from evalkit.adk.toolset_checks import Mocks
from evalkit.errors import AgentLoadError
from evalkit.routes import MockSet

MODEL = "gemini-2.5-flash"
AGENTS = Path(__file__).resolve().parents[2] / "agents"


class Unit(enum.Enum):
    """What is counted; no JSON."""

    RECORDS = 1


class Lag(TypedDict):
    """A lag."""

    records: int
    topics: list[str]
    note: NotRequired[str]


class Report(BaseModel):
    """A report."""

    lines: list[str]


class Aliased(BaseModel):
    """A report with two ways to write it."""

    line_count: int = Field(alias="lineCount")


def get_lag(group: str, topic: str = "orders", limit: int = 10, unit: Unit = Unit.RECORDS) -> Lag:
    """Return the lag of a group.

    Args:
        group: The group.
        topic: One topic.
        limit: How many.
        unit: What is counted.

    Returns:
        `records` and `topics`.
    """
    raise AssertionError(f"the real get_lag ran for {group}, {topic}, {limit}, {unit}")


def named(name, annotation, **parameters):
    """A function with this return annotation."""

    def function(**_):
        raise AssertionError(f"the real {name} ran")

    function.__name__, function.__doc__ = name, "Do it."
    function.__annotations__ = {**parameters, "return": annotation}
    return function


@pytest.fixture
def tool_of(make):
    """The facts of the only tool of an agent."""

    def look(tool, name=None):
        profile = AgentView(make.loaded(LlmAgent(name="one", model=MODEL, tools=[tool]))).facts().profiles["one"]
        return profile.tools[name] if name else next(iter(profile.tools.values()))

    return look


def view(make, root, **fields):
    return AgentView(make.loaded(root, **fields))


def test_a_function_is_described_by_its_signature_and_its_docstring(tool_of):
    facts = tool_of(get_lag)
    assert facts.name == "get_lag"
    assert [*facts.declaration.parameters] == ["group", "topic", "limit", "unit"]
    assert facts.declaration.misfits({}) == ("`get_lag` needs the argument `group`",)
    assert facts.defaults == {"topic": "orders", "limit": 10}
    assert facts.docstring.startswith("Return the lag of a group.")
    assert facts.reply_keys == ("records", "topics")
    assert facts.returns["required"] == ["records", "topics"]
    assert facts.returns["properties"]["topics"] == {"items": {"type": "string"}, "type": "array"}


def test_what_a_model_does_not_see_is_left_out(tool_of):
    def look(name: str, tool_context: ToolContext = None) -> dict:
        """Look."""

    facts = tool_of(look)
    assert [*facts.declaration.parameters] == ["name"]
    assert facts.defaults == {}


@pytest.mark.parametrize(
    ("annotation", "schema"),
    [
        (str, {"type": "string"}),
        (list[int], {"items": {"type": "integer"}, "type": "array"}),
        (dict[str, Any], {"additionalProperties": True, "type": "object"}),
        (int | None, {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        (Any, None),
        (None, None),
        (AsyncGenerator[str, None], None),
        (Aliased, None),
        (object, None),
        ("no.such.thing", None),
    ],
    ids=str,
)
def test_a_return_annotation_is_a_schema_where_it_says_something(annotation, schema, tool_of):
    assert tool_of(named("act", annotation)).returns == schema


def test_a_model_of_pydantic_is_a_schema_too(tool_of):
    assert tool_of(named("act", Report)).returns["properties"]["lines"]["type"] == "array"


def test_wrappers_and_partials_are_seen_through(tool_of):
    @functools.wraps(get_lag)
    def wrapped(*args, **kwargs):
        return get_lag(*args, **kwargs)

    assert tool_of(wrapped).reply_keys == ("records", "topics")
    assert tool_of(FunctionTool(functools.partial(get_lag, limit=3))).returns["required"] == ["records", "topics"]


def test_tools_that_are_no_functions_have_a_declaration_or_none(tool_of):
    inner = LlmAgent(name="inner", model=MODEL, description="Inner things")
    assert [*tool_of(AgentTool(inner)).declaration.parameters] == ["request"]
    assert tool_of(AgentTool(inner)).returns is None
    assert tool_of(google_search).declaration is None


def test_a_node_that_was_added_as_a_tool_later_is_known_by_name(make):
    root = LlmAgent(name="one", model=MODEL)
    root.tools.append(FunctionNode(func=named("step", str), name="step"))
    (tool,) = view(make, root).facts().profiles["one"].tools.values()
    assert (tool.name, tool.docstring, tool.declaration) == ("step", "Do it.", None)


def test_a_tool_that_cannot_be_declared_is_one_line(make):
    class Broken(FunctionTool):
        def _get_declaration(self):
            raise ValueError("no type\nfor that")

    with pytest.raises(AgentLoadError) as caught:
        view(make, LlmAgent(name="one", model=MODEL, tools=[Broken(get_lag)]))
    assert str(caught.value) == "get_lag: the tool cannot be declared to a model: ValueError: no type for that"


def test_instructions_are_gathered_as_far_as_they_are_fixed_text(make):
    child = LlmAgent(name="child", model=MODEL, instruction=lambda _: "made up")
    static = types.Content(parts=[types.Part(text="Always."), types.Part(text="Ever.")])
    root = LlmAgent(
        name="root",
        model=MODEL,
        instruction="Be brief.",
        global_instruction="Be kind.",
        static_instruction=static,
        sub_agents=[child],
    )
    profiles = view(make, root).facts().profiles
    assert profiles["root"].instruction == "Be kind.\n\nAlways.\nEver.\n\nBe brief."
    assert (profiles["child"].instruction, profiles["child"].told_at_run_time) == ("Be kind.", True)
    assert not profiles["root"].told_at_run_time


class Own(BaseLlm):
    """A model object."""

    async def generate_content_async(self, llm_request, stream=False):
        raise AssertionError("the model was asked")
        yield


def test_a_model_is_the_agents_own_inherited_or_adks_default(make):
    inner = LlmAgent(name="inner", model=MODEL, sub_agents=[LlmAgent(name="heir")])
    tool = AgentTool(LlmAgent(name="lonely"))
    root = LlmAgent(name="root", model=Own(model="mine"), tools=[tool], sub_agents=[inner])
    profiles = view(make, root).facts().profiles
    found = {name: (profile.model, profile.fallback) for name, profile in profiles.items()}
    default = LlmAgent.DEFAULT_MODEL
    assert found == {
        "root": ("mine", None),
        "inner": (MODEL, None),
        "heir": (None, None),
        "lonely": (None, default),
    }


def test_a_default_that_somebody_chose_is_no_fallback(make, monkeypatch):
    monkeypatch.setattr(LlmAgent, "_default_model", "gemini-chosen")
    assert view(make, LlmAgent(name="root")).facts().profiles["root"].fallback is None


class Remote(BaseToolset):
    """A toolset that only its server can list."""

    async def get_tools(self, readonly_context=None):
        raise AssertionError("the server was asked")


class Code(BaseAgent):
    """An agent whose own code decides."""


def test_what_cannot_be_listed_is_told_in_words(make):
    toolset = Remote(tool_name_prefix="x")
    root = LlmAgent(name="root", model=MODEL, tools=[toolset], sub_agents=[Code(name="router")])
    assert view(make, root).facts().unlisted == ("toolset 1 of agent root (Remote)", "the code of router")


def test_an_agent_whose_parts_are_all_known_has_nothing_unlisted(crew):
    facts = AgentView(crew).facts()
    assert (facts.unlisted, facts.reference) == ((), "crew")
    assert {"list_pods", "kafka", "write_note"} <= facts.tool_names
    assert [tool.defaults for tool in facts.tools("list_pods")] == [{"limit": 10}, {"limit": 10}]
    assert facts.tools("list_pods", "kafka") == (facts.profiles["kafka"].tools["list_pods"],)


class Workshop(BaseToolset):
    """A toolset that only its own code can tell the tools of."""

    def __init__(self, get_tools, **options):
        super().__init__(**options)
        self.get, self.closed = get_tools, 0

    async def get_tools(self, readonly_context=None):
        return await self.get()

    async def close(self):
        self.closed += 1


async def one_tool():
    return [FunctionTool(get_lag)]


async def no_route():
    raise OSError("no route to host")


async def for_ever():
    await asyncio.Event().wait()


def test_a_toolset_of_own_code_is_listed_if_it_is_asked(make):
    toolset = Workshop(one_tool, tool_name_prefix="own")
    seen = view(make, LlmAgent(name="one", model=MODEL, tools=[toolset]))
    assert seen.facts().unlisted == ("toolset 1 of agent one (Workshop)",)
    seen.ask_own_toolsets(timeout=60)
    facts = seen.facts()
    assert (facts.unlisted, facts.tool_names, toolset.closed) == ((), {"own_get_lag"}, 1)
    assert facts.tools("own_get_lag", "one")[0].returns["properties"]["records"] == {"type": "integer"}


@pytest.mark.parametrize("get_tools", [no_route, for_ever])
def test_what_its_own_code_cannot_tell_stays_unlisted(get_tools, make):
    toolset = Workshop(get_tools)
    seen = view(make, LlmAgent(name="one", model=MODEL, tools=[toolset]))
    seen.ask_own_toolsets(timeout=0.01)
    assert (seen.facts().unlisted, toolset.closed) == (("toolset 1 of agent one (Workshop)",), 1)


@pytest.fixture
def mcp_agent(make):
    """An agent whose only toolset is an MCP server's, which does not exist."""
    mcp = pytest.importorskip("mcp", reason="MCP toolsets need google-adk's mcp extra")
    from google.adk.tools.mcp_tool import McpToolset, StdioConnectionParams

    params = StdioConnectionParams(server_params=mcp.StdioServerParameters(command="/no/such/program", args=["sums"]))
    toolset = McpToolset(connection_params=params, tool_filter=["add"], tool_name_prefix="sums")
    return view(make, LlmAgent(name="clerk", model=MODEL, tools=[toolset]))


SUMS = {
    "type": "object",
    "properties": {"a": {"type": "integer"}},
    "required": ["a"],
}


def test_what_a_mocks_file_lists_of_a_server_is_known(mcp_agent):
    tools = [{"name": "add", "description": "Add.", "input_schema": SUMS}, {"name": "hidden"}]
    facts = mcp_agent.facts(Mocks(folder=MockSet(file="m.yaml", toolsets={"sums": {"tools": tools}})))
    assert (facts.unlisted, facts.toolset_faults) == ((), ())
    assert facts.tool_names == {"sums_add"}
    (tool,) = facts.tools("sums_add", "clerk")
    assert tool.declaration.misfits({"b": 1})[0] == "`sums_add` takes no argument `b` (its arguments: a)"


def test_what_a_server_says_it_answers_is_known(mcp_agent):
    answers = {"type": "object", "properties": {"result": {"type": "integer"}}}
    tools = [{"name": "add", "input_schema": SUMS, "output_schema": answers}]
    facts = mcp_agent.facts(Mocks(folder=MockSet(file="m.yaml", toolsets={"sums": {"tools": tools}})))
    assert [tool.answers for tool in facts.tools("sums_add")] == [answers]


def test_servers_that_have_to_be_asked_are_named(mcp_agent, make):
    assert mcp_agent.servers == ("toolset 1 of agent clerk (stdio: program sums)",)
    assert view(make, LlmAgent(name="one", model=MODEL, tools=[get_lag])).servers == ()


@pytest.mark.parametrize(
    ("responses", "expected"),
    [
        ({"200": {"application/json": {"type": "integer"}}, "404": {}}, {"type": "integer"}),
        ({"201": {"application/hal+json; charset=utf-8": {"type": "string"}}}, {"type": "string"}),
        ({"204": {}, "500": {"application/json": {"type": "integer"}}}, None),
        ({"200": {"text/plain": {"type": "string"}}}, None),
        ({}, None),
    ],
)
def test_what_a_specification_says_comes_back_is_known(responses, expected, make):
    from google.adk.tools.openapi_tool import OpenAPIToolset

    said = {
        status: {"description": "?", "content": {kind: {"schema": schema} for kind, schema in content.items()}}
        for status, content in responses.items()
    }
    spec = {
        "openapi": "3.0.0",
        "info": {"title": "Pets", "version": "1"},
        "servers": [{"url": "https://pets.example"}],
        "paths": {"/pets": {"get": {"operationId": "getPets", "responses": said}}},
    }
    agent = LlmAgent(name="keeper", model=MODEL, tools=[OpenAPIToolset(spec_dict=spec)])
    assert [tool.answers for tool in view(make, agent).facts().tools("get_pets")] == [expected]


def test_the_shape_that_answers_have_to_have_is_known(make):
    agent = LlmAgent(name="one", model=MODEL, output_schema=Report)
    schema = view(make, agent).facts().profiles["one"].output_schema
    assert schema["properties"]["lines"]["type"] == "array"
    assert view(make, LlmAgent(name="one", model=MODEL)).facts().profiles["one"].output_schema is None


def test_a_server_that_no_mocks_file_describes_is_unlisted_and_no_fault(mcp_agent):
    facts = mcp_agent.facts()
    assert facts.unlisted == ("toolset 1 of agent clerk (stdio: program sums)",)
    assert facts.toolset_faults == ()


def test_entries_for_other_toolsets_are_faults(mcp_agent):
    facts = mcp_agent.facts(Mocks(folder=MockSet(file="m.yaml", toolsets={"x": {"match": {"url": "y"}, "tools": []}})))
    assert any("belongs to no toolset" in fault for fault in facts.toolset_faults)


def test_a_workflow_has_no_profile_and_its_members_do(make):
    with pytest.warns(DeprecationWarning, match="SequentialAgent is deprecated"):
        root = SequentialAgent(name="line", sub_agents=[LlmAgent(name="first", model=MODEL)])
    assert [*view(make, root).facts().profiles] == ["first"]


def test_the_agents_here_are_known_in_full():
    with open_agent(str(AGENTS / "kafka_health")) as agent:
        facts = agent.facts()
    assert facts.unlisted == ()
    assert facts.profiles["kafka_health"].tools["get_consumer_lag"].reply_keys == ("total_lag", "partitions")
    assert facts.profiles["kafka_health"].fallback is None


NOISY = """
import os, sys, warnings
from google.adk.agents import LlmAgent

print("loading", os.environ["DESK_SETTING"])
os.chdir("..")
warnings.warn("mind the gap")
try:
    input("continue? ")
except EOFError:
    print("no input")
LlmAgent.set_default_model("gemini-chosen")
root_agent = LlmAgent(name="noisy")
"""


def test_loading_prints_to_standard_error_and_leaves_no_trace(tmp_path, monkeypatch, capsys):
    folder = tmp_path / "noisy"
    folder.mkdir()
    (folder / "agent.py").write_text(textwrap.dedent(NOISY), encoding="utf-8")
    (folder / ".env").write_text("DESK_SETTING=from-env\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    default, stdin = LlmAgent._default_model, sys.stdin

    with open_agent("noisy") as agent:
        assert agent.facts().profiles["noisy"].fallback is None
        sys.stdout.write("ours\n")

    assert capsys.readouterr().out == "ours\n"
    assert (LlmAgent._default_model, sys.stdin, Path.cwd()) == (default, stdin, tmp_path)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("raise ValueError('no\\nway')", "importing the agent failed: ValueError: no way"),
        ("x = 1", "exposes no agent"),
        ("import sys; sys.exit(3)", "ended with SystemExit(3)"),
    ],
)
def test_an_agent_that_cannot_be_loaded_is_one_line(source, said, tmp_path):
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "agent.py").write_text(source, encoding="utf-8")
    with pytest.raises(AgentLoadError) as caught, open_agent(str(tmp_path / "bad")):
        pass
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
