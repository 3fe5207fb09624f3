"""Each private name of google-adk that is looked at only once an agent has loaded it; see `test_private.py`."""

import importlib

import pytest
from google.adk.auth.auth_credential import AuthCredential
from google.adk.auth.auth_tool import AuthConfig
from google.adk.auth.credential_manager import CredentialManager
from google.adk.tools.mcp_tool import McpToolset, StdioConnectionParams
from google.adk.tools.openapi_tool import OpenAPIToolset
from google.adk.tools.openapi_tool.auth.auth_helpers import token_to_scheme_credential
from google.adk.version import __version__ as adk_version
from mcp import StdioServerParameters
from mcp.shared import exceptions

from evalkit.adk import private
from evalkit.errors import AdkVersionError

NEEDS = {"google.adk.tools.google_api_tool.google_api_toolset": "googleapiclient"}
"""Modules that need a library beyond ADK's `mcp` extra."""

NAMES = [(module, path) for module, paths in private.LATE.items() for path in paths]


def load(module):
    if module in NEEDS:
        pytest.importorskip(NEEDS[module], reason="needs Google's API client")
    return importlib.import_module(module)


@pytest.mark.parametrize("module", private.LATE)
def test_this_google_adk_has_every_name(module):
    private.check_late(load(module))


@pytest.mark.parametrize(("module", "path"), NAMES, ids=lambda value: value.rpartition(".")[2])
def test_a_name_that_is_gone_is_one_line_with_adks_version(monkeypatch, module, path):
    loaded = load(module)
    owner, _, name = path.rpartition(".")
    holder = getattr(loaded, owner) if owner else loaded
    monkeypatch.delattr(holder, name)
    with pytest.raises(AdkVersionError) as caught:
        private.check_late(loaded)
    assert str(caught.value) == (
        f"google-adk {adk_version} has no {holder.__name__}.{name}, which evalkit replaces while it plays a case;"
        " install a google-adk that this evalkit knows (2.13) or a newer evalkit"
    )


@pytest.fixture
def toolset():
    params = StdioConnectionParams(server_params=StdioServerParameters(command="/no/such/server"))
    return McpToolset(connection_params=params, use_mcp_resources=True, tool_filter=["add"])


def test_an_mcp_toolset_keeps_its_session_manager_and_whether_it_lists_resources(toolset):
    assert type(getattr(toolset, private.SESSION_MANAGER)).__name__ == "MCPSessionManager"
    assert getattr(toolset, private.LISTS_RESOURCES) is True


async def test_an_mcp_toolset_gives_its_session_to_whoever_needs_one(toolset, monkeypatch):
    manager = getattr(toolset, private.SESSION_MANAGER)

    async def create_session(headers=None):
        return "session"

    async def ask(session):
        return f"asked {session}"

    monkeypatch.setattr(manager, "create_session", create_session)
    assert await getattr(toolset, private.WITH_SESSION)(ask, "it failed") == "asked session"


def test_a_filter_is_applied_by_one_method(toolset):
    spec = {
        "openapi": "3.0.0",
        "info": {"title": "t", "version": "1"},
        "paths": {"/": {"get": {"operationId": "add", "responses": {}}}},
    }
    (tool,) = getattr(OpenAPIToolset(spec_dict=spec), private.OPENAPI_TOOLS)
    assert private.is_selected(toolset, tool, None)
    tool.name = "pay"
    assert not private.is_selected(toolset, tool, None)


def test_a_credential_manager_keeps_what_it_is_for():
    scheme, credential = token_to_scheme_credential("apikey", "header", "X-Key", "k")
    config = AuthConfig(auth_scheme=scheme, raw_auth_credential=credential)
    kept = getattr(CredentialManager(config), private.AUTH_CONFIG)
    assert isinstance(kept.raw_auth_credential, AuthCredential)
    assert kept.auth_scheme == scheme


def test_the_error_of_an_mcp_server_is_that_of_the_installed_sdk():
    error = private.mcp_error("quota used up")
    assert isinstance(error, (getattr(exceptions, "MCPError", None) or exceptions.McpError))
    assert (str(error), error.error.message, error.error.code) == ("quota used up", "quota used up", -32603)
