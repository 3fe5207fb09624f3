"""The connection to the Kubernetes API, as the environment describes it."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from .replies import ToolError

if TYPE_CHECKING:
    from kubernetes.client import ApiClient, Configuration

REQUEST_TIMEOUT_SECONDS = 10
"""How long one request may take, connecting included."""

SETTINGS = ("K8S_API_SERVER", "K8S_API_TOKEN", "K8S_API_CA_FILE", "KUBECONFIG", "K8S_CONTEXT")
"""The environment variables that are read; one that is empty counts as not set."""

Answer = TypeVar("Answer")


def connect(environment: Mapping[str, str]) -> "ApiClient":
    """Return a new client for this environment, to be used in a `with`; nothing is sent before its first request.

    K8S_API_SERVER, with K8S_API_TOKEN and K8S_API_CA_FILE if it asks for them, wins over KUBECONFIG and K8S_CONTEXT.

    Raises:
        ToolError: The settings are incomplete or cannot be used, or the package kubernetes is not installed.
    """
    settings = {name: environment[name] for name in SETTINGS if environment.get(name)}
    if not settings.keys() & {"K8S_API_SERVER", "KUBECONFIG"}:
        raise ToolError(
            "Neither K8S_API_SERVER nor KUBECONFIG is set; set one to the API server's URL or to a kubeconfig file."
        )
    try:
        from kubernetes.client import ApiClient
    except ImportError as error:
        raise ToolError("The package kubernetes is not installed; run `pip install kubernetes`.") from error
    configuration = _by_address(settings) if "K8S_API_SERVER" in settings else _by_kubeconfig(settings)
    # Whether to try again is for the model and the user to decide, who see why it failed.
    configuration.retries = False
    return ApiClient(configuration)


def ask(call: Callable[..., Answer | None], *args: Any, **kwargs: Any) -> Answer:
    """Send one request and return its answer as the client's own type.

    Raises:
        ToolError: Kubernetes answered, but not with an object of the kind that was asked for.
    """
    try:
        answer = call(*args, **kwargs, _request_timeout=REQUEST_TIMEOUT_SECONDS)
    except (AttributeError, TypeError, ValueError) as error:  # how the client takes JSON that it did not expect
        raise ToolError(f"Kubernetes' answer cannot be read: {_reason(error)}") from error
    if answer is None:
        raise ToolError("Kubernetes' answer cannot be read: it is null")
    return answer


def _by_address(settings: Mapping[str, str]) -> "Configuration":
    from kubernetes.client import Configuration

    server = settings["K8S_API_SERVER"]
    if not server.startswith(("http://", "https://")):
        raise ToolError(f"K8S_API_SERVER must be a URL with http:// or https://, not {server!r}.")
    configuration = Configuration(host=server.rstrip("/"))
    if token := settings.get("K8S_API_TOKEN"):
        configuration.api_key = {"authorization": f"Bearer {token}"}
    configuration.ssl_ca_cert = settings.get("K8S_API_CA_FILE")
    return configuration


def _by_kubeconfig(settings: Mapping[str, str]) -> "Configuration":
    from kubernetes.client import Configuration
    from kubernetes.config import ConfigException, load_kube_config
    from yaml import YAMLError

    configuration = Configuration()
    try:
        load_kube_config(  # type: ignore[no-untyped-call]  # the client's own gap
            config_file=settings["KUBECONFIG"],
            context=settings.get("K8S_CONTEXT"),
            client_configuration=configuration,
            persist_config=False,
        )
    except (ConfigException, YAMLError, OSError) as error:
        reason = " ".join(str(error).split())
        raise ToolError(f"KUBECONFIG {settings['KUBECONFIG']} cannot be used: {reason}") from error
    return configuration


def _reason(error: Exception) -> str:
    """Return one line; pydantic, which checks objects for the client, would fill several with the first fault."""
    from pydantic import ValidationError

    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        return f"{'.'.join(map(str, (error.title, *first['loc'])))}: {first['msg']}"
    return str(error)
