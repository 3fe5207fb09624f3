"""MCP toolsets whose server does not exist: nothing connects, and ADK's own code runs down to the session."""

import json

import pytest
from google.adk.agents import BaseAgent, LlmAgent
from google.adk.agents.mcp_instruction_provider import McpInstructionProvider
from google.adk.auth.auth_credential import AuthCredential, AuthCredentialTypes, OAuth2Auth
from google.adk.models.llm_request import LlmRequest
from google.adk.tools.agent_tool import AgentTool
from google.adk.tools.mcp_tool import McpToolset, StdioConnectionParams, StreamableHTTPConnectionParams
from google.adk.tools.mcp_tool.mcp_session_manager import MCPSessionManager
from google.adk.tools.openapi_tool.auth.auth_helpers import OpenIdConnectWithConfig
from mcp import StdioServerParameters

from evalkit.mocks.backend import NEUTRAL_REPLY
from evalkit.traces import Failure

MODEL = "gemini-2.5-flash"
NOWHERE = StdioConnectionParams(server_params=StdioServerParameters(command="/no/such/program", args=["sums"]))
NUMBERS = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}
INTEGER = {"type": "object", "properties": {"result": {"type": "integer"}}, "required": ["result"]}
ADD = {"name": "add", "description": "Add two numbers.", "input_schema": NUMBERS}
PAY = {"name": "pay", "input_schema": {"type": "object", "properties": {"amount": {"type": "integer"}}}}
COUNT = {"name": "count", "output_schema": INTEGER}
SUMS = {"sums": {"tools": [PAY, ADD, COUNT]}}


@pytest.fixture(autouse=True)
def connections(monkeypatch):
    """Every attempt to reach a server."""
    made = []
    monkeypatch.setattr(MCPSessionManager, "_create_client", lambda *args, **_: made.append(args))
    yield made
    assert made == []


def clerk(*toolsets, **fields):
    return LlmAgent(name="clerk", model=MODEL, tools=list(toolsets), **fields)


def sums(**options):
    return McpToolset(connection_params=NOWHERE, **options)


def text(value):
    """An MCP result with nothing but a text."""
    return {"content": [{"type": "text", "text": value}], "isError": False}


@pytest.fixture
def use(make, run):
    """Make one call of a tool and return its event."""

    def use(name, *routes, agent=None, toolsets=SUMS, **args):
        turn = make.turn(make.call(name, **args))
        outcome = run.one(agent or clerk(sums()), turn, mocks=routes, toolsets=toolsets)
        assert outcome.failure is None
        return outcome.trace.turns[0].tools[0]

    return use


def test_an_object_is_text_for_the_model_and_structured_content(use, make):
    made = use("add", make.route("add", {"sum": 3}, args={"a": 1}), a=1, b=2)
    assert (made.agent, made.status, made.route, made.golden) == ("clerk", "answered", "m.yaml add", "$[0]")
    assert made.reply == {**text('{"sum": 3}'), "structuredContent": {"sum": 3}}


@pytest.mark.parametrize(
    ("value", "content"),
    [
        ("three", [{"type": "text", "text": "three"}]),
        (3, [{"type": "text", "text": "3"}]),
        (["ü", None], [{"type": "text", "text": '["ü", null]'}]),
        (None, []),
    ],
    ids=["text", "number", "list", "null"],
)
def test_any_other_value_is_text_alone(use, make, value, content):
    made = use("add", make.route("add", value), a=1, b=2)
    assert made.reply == {"content": content, "isError": False}


def test_a_value_is_structured_as_the_output_schema_wants_it(use, make):
    assert use("count", make.route("count", 3)).reply == {**text("3"), "structuredContent": {"result": 3}}


def test_a_result_in_mcps_own_shape_is_taken_as_it_is(use, make):
    picture = {"type": "image", "data": "aGk=", "mimeType": "image/png"}
    given = {"content": [{"type": "text", "text": "no such account"}, picture], "isError": True}
    made = use("pay", make.route("pay", given), amount=5)
    assert (made.status, made.reply) == ("answered", given)


def test_an_object_that_only_has_a_key_called_content_is_no_result(use, make):
    made = use("add", make.route("add", {"content": ["a"]}), a=1, b=2)
    assert made.reply["structuredContent"] == {"content": ["a"]}


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (("BrokenPipeError", "the pipe broke"), "Unexpected error during MCP tool execution: the pipe broke"),
        (("McpError", "quota used up"), "MCP tool execution failed: quota used up"),
        (("MCPError", "quota used up"), "MCP tool execution failed: quota used up"),
    ],
)
def test_what_a_session_raises_reaches_the_model_as_adk_says_it(use, make, raised, told):
    made = use("pay", make.route("pay", raises=raised), amount=5)
    assert (made.status, made.error) == ("raised", ": ".join(raised))
    assert made.reply == {"error": told}


def test_a_miss_is_told_in_neutral_words_whatever_the_output_schema(use, make):
    for name in ("add", "count"):
        made = use(name, make.route(name, 3, args={"a": 0}))
        assert made.status == "missed"
        assert made.reply["isError"]
        assert json.loads(made.reply["content"][0]["text"]) == NEUTRAL_REPLY


def test_routes_see_the_arguments_as_the_model_sent_them(use, make):
    def change(tool, args, tool_context):
        args["a"] = 9

    agent = clerk(sums(), before_tool_callback=change)
    assert use("add", make.route("add", 3, args={"a": 1}), agent=agent, a=1, b=2).status == "answered"


def test_a_route_writes_into_the_sessions_state(make, run):
    route = make.route("pay", make.reply("paid", state={"paid": 5}))
    outcome = run.one(clerk(sums()), make.turn(make.call("pay", amount=5)), mocks=[route], toolsets=SUMS)
    assert outcome.trace.state == {"paid": 5}


def test_a_recorded_reply_comes_back_as_it_was_recorded(make, run):
    reply = {"content": [{"type": "text", "text": "3"}], "structuredContent": {"result": 3}, "isError": False}
    turn = make.turn(make.call("count"), replies={"count": reply})
    outcome = run.one(clerk(sums()), turn, toolsets=SUMS)
    assert outcome.trace.turns[0].tools[0].reply == reply


def test_a_recorded_reply_that_breaks_the_output_schema_fails_as_in_production(make, run):
    turn = make.turn(make.call("count"), replies={"count": {"result": "three"}})
    outcome = run.one(clerk(sums()), turn, toolsets=SUMS)
    told = outcome.trace.turns[0].tools[0].reply["error"]
    assert told.startswith(
        "Unexpected error during MCP tool execution: Invalid structured content returned by tool count: "
    )


def only_add(tool, readonly_context=None):
    return tool.name == "add"


@pytest.mark.parametrize("allowed", [["add"], only_add], ids=["names", "function"])
def test_a_tool_filter_leaves_tools_out_as_in_production(use, make, run, allowed):
    agent = clerk(sums(tool_filter=allowed))
    assert use("add", make.route("add", 3), agent=agent, a=1, b=2).status == "answered"
    outcome = run.one(agent, make.turn(make.call("pay", "clerk", amount=5)), toolsets=SUMS)
    assert run.tools(outcome, "name", "status") == [("pay", "unknown")]


def test_a_prefix_is_part_of_the_name_that_routes_see(use, make):
    agent = clerk(sums(tool_name_prefix="desk"))
    made = use("desk_add", make.route("desk_add", {"sum": 3}), agent=agent, a=1, b=2)
    assert (made.name, made.status) == ("desk_add", "answered")


def test_arguments_are_checked_against_what_the_server_declared(make, run):
    turn = make.turn(make.call("add", a="one", c=2))
    outcome = run.one(clerk(sums()), turn, mocks=[make.route("add", 3)], toolsets=SUMS)
    assert outcome.trace.turns[0].golden.misfits == (
        '$[0]: `add` argument `a`: "one" is not of type "integer"',
        "$[0]: `add` takes no argument `c` (its arguments: a, b)",
    )


@pytest.mark.parametrize(
    ("answer", "status", "reply"),
    [(True, "answered", text("paid")), (False, "rejected", {"error": "This tool call is rejected."})],
    ids=["confirmed", "refused"],
)
def test_a_confirmation_is_asked_for_before_the_session_is(make, run, answer, status, reply):
    agent = clerk(sums(require_confirmation=lambda amount: amount > 100))
    asked = make.turn(make.call("pay", amount=500), final=None)
    answered = make.turn(user=make.answers("adk_request_confirmation", confirmed=answer))
    outcome = run.one(agent, asked, answered, mocks=[make.route("pay", "paid")], toolsets=SUMS)
    assert outcome.failure is None
    assert run.tools(outcome, "name", "status")[0] == ("pay", "waiting")
    (resumed,) = [event for event in outcome.trace.turns[1].tools if event.name == "pay"]
    assert (resumed.status, resumed.resumed, resumed.reply) == (status, True, reply)


def test_what_needs_no_confirmation_is_answered_at_once(use, make):
    agent = clerk(sums(require_confirmation=lambda amount: amount > 100))
    assert use("pay", make.route("pay", "paid"), agent=agent, amount=5).status == "answered"


def test_concurrent_cases_share_the_toolset_and_it_is_closed_once_after_the_last(make, run, monkeypatch):
    closed, called = [], []

    async def close(self):
        closed.append(len(called))

    monkeypatch.setattr(McpToolset, "close", close)

    def note(tool, args, tool_context, tool_response):
        called.append(args)

    agent = clerk(sums(), after_tool_callback=note)
    routes = [make.route("add", {"sum": n + 1}, args={"a": n}) for n in range(12)]
    cases = [make.case(f"c{n}", make.turn(make.call("add", a=n, b=1)), make.turn()) for n in range(12)]
    outcomes = run.cases(agent, cases, routes, toolsets=SUMS, concurrency=4)
    for n in range(12):
        (event,) = outcomes[f"c{n}"].trace.turns[0].tools
        assert event.reply["structuredContent"] == {"sum": n + 1}
    assert closed == [12]


def test_calls_made_together_are_answered_each_by_its_own_route(make, run):
    together = make.event("clerk", make.call("add", a=1, b=1), make.call("pay", amount=5), make.call("add", a=2, b=2))
    routes = [make.route("add", "two", args={"a": 1}), make.route("add", "four"), make.route("pay", "paid")]
    outcome = run.one(clerk(sums()), make.turn(together), mocks=routes, toolsets=SUMS)
    replies = [(reply["content"][0]["text"], group) for reply, group in run.tools(outcome, "reply", "group")]
    assert replies == [("two", 1), ("paid", 1), ("four", 1)]


def test_a_toolset_below_an_agent_tool_outlives_each_call_of_it(make, run, monkeypatch):
    closed = []

    async def close(self):
        closed.append(self)

    monkeypatch.setattr(McpToolset, "close", close)
    desk = LlmAgent(name="desk", model=MODEL, tools=[AgentTool(clerk(sums()))])
    steps = [make.call("clerk", request="?"), make.call("add", a=1, b=1)] * 2
    outcome = run.one(desk, make.turn(*steps), mocks=[make.route("add", 2)], toolsets=SUMS)
    assert run.tools(outcome) == [("desk", "clerk", "agent"), ("clerk", "add", "answered")] * 2
    assert len(closed) == 1


def test_a_list_that_the_toolset_may_remember_is_not_taken_into_the_next_case(use, make):
    agent = clerk(sums(tool_list_cache_ttl_seconds=3600))
    assert use("add", make.route("add", 3), agent=agent, a=1, b=2).status == "answered"
    other = {"sums": {"tools": [PAY]}}
    assert use("pay", make.route("pay", 3), agent=agent, toolsets=other, amount=5).status == "answered"


def test_the_tools_of_an_agent_reached_by_transfer_lead_there(make, run):
    root = LlmAgent(name="desk", model=MODEL, sub_agents=[clerk(sums())])
    outcome = run.one(root, make.turn(make.call("add", a=1, b=2)), mocks=[make.route("add", 3)], toolsets=SUMS)
    assert run.tools(outcome) == [("desk", "transfer_to_agent", "control"), ("clerk", "add", "answered")]


def test_access_that_the_user_would_have_to_grant_is_there(use, make):
    endpoints = {"authorization_endpoint": "https://a.example/a", "token_endpoint": "https://a.example/t"}
    scheme = OpenIdConnectWithConfig(**endpoints)
    credential = AuthCredential(auth_type=AuthCredentialTypes.OPEN_ID_CONNECT, oauth2=OAuth2Auth(client_id="me"))
    server = StreamableHTTPConnectionParams(url="http://sums.example/mcp")
    agent = clerk(McpToolset(connection_params=server, auth_scheme=scheme, auth_credential=credential))
    assert use("add", make.route("add", 3), agent=agent, a=1, b=2).status == "answered"


def test_resources_come_from_the_mocks_file(use, make):
    seen = []

    def look(callback_context, llm_request: LlmRequest):
        seen.append([part.text or part.inline_data for content in llm_request.contents for part in content.parts])

    resources = [
        {"name": "rates", "uri": "memo://rates", "mime_type": "text/plain", "text": "an hour costs 90"},
        {"name": "logo", "uri": "memo://logo", "mimeType": "image/png", "blob": "aGk="},
    ]
    toolsets = {"sums": {"tools": [ADD], "resources": resources}}
    agent = clerk(sums(use_mcp_resources=True), before_model_callback=look)
    made = use("load_mcp_resource", agent=agent, toolsets=toolsets, resource_names=["rates", "logo", "gone"])
    assert made.status == "control"
    assert seen[-1][-4:-1] == ["Resource rates is:", "an hour costs 90", "Resource logo is:"]
    assert (seen[-1][-1].data, seen[-1][-1].mime_type) == (b"hi", "image/png")


def test_what_replay_cannot_answer_of_a_session_is_an_error_of_the_case(make, run):
    agent = clerk(sums(), instruction=McpInstructionProvider(connection_params=NOWHERE, prompt_name="greeting"))
    outcome = run.one(agent, make.turn(), toolsets=SUMS)
    assert outcome.failure == Failure(
        kind="case_error",
        message="the agent used `list_prompts` of an MCP session; replay answers only tools and resources",
    )


def test_a_toolset_that_is_made_at_run_time_is_not_connected(make, run):
    class Maker(BaseAgent):
        async def _run_async_impl(self, ctx):
            async for event in clerk(sums()).run_async(ctx):
                yield event

    outcome = run.one(Maker(name="maker"), make.turn())
    assert outcome.failure.kind == "case_error"
    assert outcome.failure.message.startswith(
        "a toolset that was made at run time (stdio: program sums) has no entry under toolsets: in mocks.yaml; write"
    )


def test_a_session_that_is_used_outside_of_a_tool_call_has_no_routes(make, run):
    toolset = sums()

    async def pay(callback_context):
        await toolset._execute_with_session(lambda session: session.call_tool("pay", {"amount": 5}), "it failed")

    outcome = run.one(clerk(toolset, before_agent_callback=pay), make.turn(), toolsets=SUMS)
    assert outcome.failure == Failure(
        kind="case_error",
        message="the MCP request tools/call pay was sent outside of any tool call of an agent,"
        " so that no route can answer it",
    )
