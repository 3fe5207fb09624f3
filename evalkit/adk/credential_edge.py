"""Credentials are never fetched: what ADK would exchange, refresh or ask the user for is there already.

A mocked tool needs no access, but ADK looks for it first, at a token endpoint or at the user. Keys and tokens that the
agent itself holds are used as they are. In a run that may pass calls through to real servers, all is ADK's own.
"""

from collections.abc import Awaitable, Callable
from types import ModuleType
from typing import Any

from google.adk.auth.auth_credential import AuthCredential, AuthCredentialTypes, HttpAuth, HttpCredentials
from google.adk.auth.auth_schemes import AuthScheme, AuthSchemeType

from evalkit.adk import private
from evalkit.adk.patches import Patches
from evalkit.adk.playing import CURRENT

Fetch = Callable[..., Awaitable[Any]]

_TOKEN = "evalkit"  # noqa: S105 - it opens nothing
_AT_HAND = (AuthCredentialTypes.API_KEY, AuthCredentialTypes.HTTP)


def replace_fetching(patches: Patches, module: ModuleType) -> None:
    """Have credentials at hand for toolsets and tools that ask ADK's credential manager."""
    private.check_late(module)
    patches.wrap(module.CredentialManager, "get_auth_credential", _at_get_auth_credential)


def replace_preparing(patches: Patches, module: ModuleType) -> None:
    """Have credentials at hand for OpenAPI tools."""
    private.check_late(module)

    def wrap(original: Fetch) -> Fetch:
        async def prepare_auth_credentials(self: Any) -> Any:
            if self.auth_scheme is None or not _stands_in(self.auth_credential):
                return await original(self)
            return module.AuthPreparationResult(
                state="done", auth_scheme=self.auth_scheme, auth_credential=_credential(self.auth_scheme)
            )

        return prepare_auth_credentials

    patches.wrap(module.ToolAuthHandler, "prepare_auth_credentials", wrap)


def _at_get_auth_credential(original: Fetch) -> Fetch:
    async def get_auth_credential(self: Any, *args: Any, **kwargs: Any) -> Any:
        config = getattr(self, private.AUTH_CONFIG)
        if not _stands_in(config.raw_auth_credential):
            return await original(self, *args, **kwargs)
        return _credential(config.auth_scheme)

    return get_auth_credential


def _stands_in(given: AuthCredential | None) -> bool:
    """Tell whether what the agent was given has to be made into something else first."""
    playing = CURRENT.get()
    if playing is None or playing.passthrough:
        return False
    return given is None or given.auth_type not in _AT_HAND


def _credential(scheme: AuthScheme) -> AuthCredential:
    if scheme.type_ == AuthSchemeType.apiKey:
        return AuthCredential(auth_type=AuthCredentialTypes.API_KEY, api_key=_TOKEN)
    http = HttpAuth(scheme="bearer", credentials=HttpCredentials(token=_TOKEN))
    return AuthCredential(auth_type=AuthCredentialTypes.HTTP, http=http)
