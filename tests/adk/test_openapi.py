"""OpenAPI tools: ADK builds the request and reads the answer, and between them stands a mock."""

import httpx
import pytest
from google.adk.agents import LlmAgent
from google.adk.auth.auth_credential import AuthCredential, AuthCredentialTypes, OAuth2Auth, ServiceAccount
from google.adk.tools.openapi_tool import OpenAPIToolset
from google.adk.tools.openapi_tool.auth.auth_helpers import (
    OpenIdConnectWithConfig,
    service_account_scheme_credential,
    token_to_scheme_credential,
)
from google.adk.tools.openapi_tool.openapi_spec_parser import rest_api_tool

from evalkit.adk.edges import edges
from evalkit.errors import AgentLoadError
from evalkit.mocks.backend import NEUTRAL_REPLY
from evalkit.traces import Failure

MODEL = "gemini-2.5-flash"
PET = {"type": "object", "properties": {"name": {"type": "string"}}}


def spec(address="https://pets.example/v1"):
    by_id = {"name": "petId", "in": "path", "required": True, "schema": {"type": "integer"}}
    fields = {"name": "fields", "in": "query", "schema": {"type": "string"}}
    body = {"content": {"application/json": {"schema": PET}}}
    done = {"200": {"description": "done"}}
    return {
        "openapi": "3.0.0",
        "info": {"title": "Pets", "version": "1"},
        "servers": [{"url": address}],
        "paths": {
            "/pets/{petId}": {"get": {"operationId": "getPet", "parameters": [by_id, fields], "responses": done}},
            "/pets": {"post": {"operationId": "addPet", "requestBody": body, "responses": done}},
        },
    }


@pytest.fixture
def requests(monkeypatch):
    """The requests as they would have left, seen by the client that ADK sends them with."""
    seen = []
    send = httpx.AsyncClient.send

    async def note(self, request, **options):
        seen.append(request)
        return await send(self, request, **options)

    monkeypatch.setattr(httpx.AsyncClient, "send", note)
    return seen


def keeper(**options):
    toolset = OpenAPIToolset(spec_dict=options.pop("spec_dict", spec()), **options)
    return LlmAgent(name="keeper", model=MODEL, tools=[toolset])


@pytest.fixture
def use(make, run):
    """Make one call of a tool and return its event."""

    def use(name, /, *routes, agent=None, **args):
        outcome = run.one(agent or keeper(), make.turn(make.call(name, **args)), mocks=routes)
        assert outcome.failure is None
        return outcome.trace.turns[0].tools[0]

    return use


def test_what_a_route_returns_is_the_body_of_the_answer(use, make, requests):
    made = use("get_pet", make.route("get_pet", {"name": "Rex"}, args={"pet_id": 7}), pet_id=7, fields="name")
    assert (made.status, made.route, made.reply) == ("answered", "m.yaml get_pet", {"name": "Rex"})
    (request,) = requests
    assert (request.method, request.url.path, request.url.query) == ("GET", "/v1/pets/7", b"fields=name")
    assert request.headers["host"] == "pets.example"


def test_a_body_is_sent_as_the_specification_wants_it(use, make, requests):
    assert use("add_pet", make.route("add_pet", {"id": 1}), name="Rex").reply == {"id": 1}
    (request,) = requests
    assert (request.method, request.read(), request.headers["content-type"]) == (
        "POST",
        b'{"name":"Rex"}',
        "application/json",
    )


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        ({"status": 204}, {"text": ""}),
        ({"text": "Rex"}, {"text": "Rex"}),
        ({"headers": {"X-Rate": "1"}, "json": [1]}, {"result": [1]}),
        ({"status": 503, "json": {"error": "overloaded"}}, 'Execution Error: Status Code: 503, {"error":"overloaded"}'),
        ({"status": 404, "text": "no such pet"}, "Execution Error: Status Code: 404, no such pet"),
    ],
    ids=["empty", "text", "list", "503", "404"],
)
def test_any_answer_can_be_written_in_full(use, make, answer, reply):
    made = use("get_pet", make.route("get_pet", {"$http": answer}), pet_id=7)
    assert made.status == "answered"
    if isinstance(reply, dict):
        assert made.reply == reply
    else:
        assert made.reply["error"].startswith("Tool get_pet execution failed. Analyze this execution error")
        assert made.reply["error"].endswith(reply)


def test_a_timeout_is_what_the_client_makes_of_one(use, make):
    made = use("get_pet", make.route("get_pet", raises=("TimeoutError", "too slow")), pet_id=7)
    assert made.status == "raised"
    assert made.reply["error"].endswith("Execution Error: Request timed out (ReadTimeout).")


def test_a_broken_connection_ends_the_turn_as_in_production(make, run):
    route = make.route("get_pet", raises=("ConnectionError", "refused"))
    outcome = run.one(keeper(), make.turn(make.call("get_pet", pet_id=7)), mocks=[route])
    assert outcome.failure == Failure(kind="tool_error", message="ConnectError: refused")


def test_a_miss_is_told_in_neutral_words(use, make):
    made = use("get_pet", make.route("get_pet", {}, args={"pet_id": 8}), pet_id=7)
    assert (made.status, made.reply) == ("missed", NEUTRAL_REPLY)


@pytest.mark.parametrize("address", ["http://localhost:8000", "http://10.0.0.1", "http://pets.internal"])
def test_an_address_that_adk_refuses_is_refused(use, make, address):
    private = use("get_pet", make.route("get_pet", {}), agent=keeper(spec_dict=spec(address)), pet_id=7)
    assert private.status == "refused"
    assert "Execution Error: Blocked host" in private.reply["error"]
    allowed = keeper(spec_dict=spec(address), allow_private_network_access=True)
    assert use("get_pet", make.route("get_pet", {}), agent=allowed, pet_id=7).status == "answered"


def test_a_path_that_is_left_out_never_becomes_a_request(use, make, requests):
    made = use("get_pet", make.route("get_pet", {}))
    assert (made.status, requests) == ("refused", [])
    assert made.reply["error"].endswith("Missing required path parameter 'pet_id'.")


def test_a_filter_and_a_prefix_work_as_in_production(use, make, run):
    agent = keeper(tool_filter=["get_pet"], tool_name_prefix="zoo")
    assert use("zoo_get_pet", make.route("zoo_get_pet", {}), agent=agent, pet_id=7).status == "answered"
    outcome = run.one(agent, make.turn(make.call("zoo_add_pet", "keeper")), mocks=[make.route("zoo_get_pet")])
    assert run.tools(outcome, "status") == [("unknown",)]


def oauth():
    endpoints = {"authorization_endpoint": "https://a.example/a", "token_endpoint": "https://a.example/t"}
    credential = AuthCredential(auth_type=AuthCredentialTypes.OPEN_ID_CONNECT, oauth2=OAuth2Auth(client_id="me"))
    return OpenIdConnectWithConfig(**endpoints), credential


def service_account():
    return service_account_scheme_credential(ServiceAccount(use_default_credential=True, scopes=["all"]))


@pytest.mark.parametrize(
    ("access", "header", "value"),
    [
        (token_to_scheme_credential("apikey", "header", "X-Key", "k"), "x-key", "k"),
        (token_to_scheme_credential("apikey", "header", "X-Key"), "x-key", "evalkit"),
        (token_to_scheme_credential("oauth2Token", "header", "Authorization", "t"), "authorization", "Bearer t"),
        (oauth(), "authorization", "Bearer evalkit"),
        (service_account(), "authorization", "Bearer evalkit"),
    ],
    ids=["key", "key to be asked for", "token", "user's consent", "service account"],
)
def test_credentials_are_used_where_the_agent_has_them_and_never_fetched(use, make, requests, access, header, value):
    scheme, credential = access
    agent = keeper(auth_scheme=scheme, auth_credential=credential)
    assert use("get_pet", make.route("get_pet", {}), agent=agent, pet_id=7).status == "answered"
    assert [request.headers[header] for request in requests] == [value]


def test_access_that_was_withdrawn_is_asked_for_again(use, make):
    scheme, credential = oauth()
    agent = keeper(auth_scheme=scheme, auth_credential=credential)
    made = use("get_pet", make.route("get_pet", {"$http": {"status": 401}}), agent=agent, pet_id=7)
    assert made.reply == {"pending": True, "message": "Needs your authorization to access your data."}


def test_the_agents_own_client_is_not_used(use, make):
    def client():
        raise AssertionError("the agent's own client was made")

    agent = keeper(httpx_client_factory=client)
    assert use("get_pet", make.route("get_pet", {}), agent=agent, pet_id=7).status == "answered"


def test_a_route_that_passes_through_sends_the_request(make, run):
    def send(request):
        return httpx.Response(200, json={"real": 1})

    def client():
        return httpx.AsyncClient(transport=httpx.MockTransport(send))

    agent = keeper(httpx_client_factory=client, allow_private_network_access=True)
    routes = [make.route("get_pet", args={"pet_id": 7}, passthrough=True), make.route("get_pet", {"real": 0})]
    turn = make.turn(make.call("get_pet", pet_id=7), make.call("get_pet", pet_id=8))
    outcome = run.one(agent, turn, mocks=routes, passthrough=True)
    assert run.tools(outcome, "status", "reply") == [("real", {"real": 1}), ("answered", {"real": 0})]


def test_a_tool_outside_of_a_toolset_is_answered_too(use, make):
    tool = OpenAPIToolset(spec_dict=spec()).get_tool("get_pet")
    agent = LlmAgent(name="keeper", model=MODEL, tools=[tool])
    assert use("get_pet", make.route("get_pet", {"name": "Rex"}), agent=agent, pet_id=7).reply == {"name": "Rex"}


def test_a_request_outside_of_a_tool_call_has_no_routes(make, run):
    tool = OpenAPIToolset(spec_dict=spec()).get_tool("get_pet")

    async def look(callback_context):
        await tool.call(args={"pet_id": 7}, tool_context=None)

    agent = LlmAgent(name="keeper", model=MODEL, tools=[tool], before_agent_callback=look)
    outcome = run.one(agent, make.turn())
    assert outcome.failure == Failure(
        kind="case_error",
        message="the request GET https://pets.example/v1/pets/7 was sent outside of any tool call of an agent,"
        " so that no route can answer it",
    )


def test_a_route_for_a_tool_that_the_specification_lacks_is_named_at_once(make, run):
    with pytest.raises(AgentLoadError) as caught:
        run.one(keeper(), make.turn(), mocks=[make.route("get_pets")])
    assert str(caught.value) == (
        "m.yaml get_pets: no agent has a tool named get_pets (did you mean get_pet?), and no toolset lists it"
    )


def test_afterwards_requests_are_adks_own_again():
    original = rest_api_tool._request
    with edges():
        assert rest_api_tool._request is not original
    assert rest_api_tool._request is original
