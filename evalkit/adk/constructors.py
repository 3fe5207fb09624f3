"""Toolsets that ask their server when they are made, while the agent is imported: here they do not.

What they would list stands in the mocks file, so it is no loss that they know nothing.
"""

from collections.abc import Callable
from types import ModuleType
from typing import Any

from evalkit.adk import private
from evalkit.adk.patches import Patches


class _Nothing:
    """Stands in for the OpenAPI toolset that a toolset would make of what it fetched."""

    async def close(self) -> None:
        """Have nothing to close."""


def keep_google_apis_offline(patches: Patches, module: ModuleType) -> None:
    """Make Google API toolsets without a look at the API's description."""
    private.check_late(module)
    patches.set(module.GoogleApiToolset, private.LOAD_GOOGLE_API, _returning(_Nothing()))


def keep_api_hub_offline(patches: Patches, module: ModuleType) -> None:
    """Make API Hub toolsets without their specification."""
    private.check_late(module)
    patches.set(module.APIHubToolset, private.PREPARE_API_HUB, _returning(None))


def keep_integrations_offline(patches: Patches, module: ModuleType) -> None:
    """Make Application Integration toolsets without tools of their own."""
    private.check_late(module)
    patches.set(module.ApplicationIntegrationToolset, private.PARSE_INTEGRATION, _returning(None))


def keep_connections_offline(patches: Patches, module: ModuleType) -> None:
    """Keep an Application Integration toolset from asking for its connection."""
    private.check_late(module)
    patches.set(module.ConnectionsClient, "get_connection_details", _returning({}))


def keep_integration_client_offline(patches: Patches, module: ModuleType) -> None:
    """Keep an Application Integration toolset from asking for its specification."""
    private.check_late(module)
    for method in ("get_openapi_spec_for_connection", "get_openapi_spec_for_integration"):
        patches.set(module.IntegrationClient, method, _returning({}))


def _returning(value: object) -> Callable[..., Any]:
    def instead(*_: Any, **__: Any) -> Any:
        return value

    return instead
