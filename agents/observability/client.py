"""The three services, as the environment describes them: one request, one JSON document.

Nothing is kept between requests but the certificates, which take long to load; the address is read anew each time.
"""

import functools
import os
import ssl
from collections.abc import Mapping
from typing import Any, NamedTuple

import httpx

from .replies import ToolError

TIMEOUT_SECONDS = 15.0
"""How long connecting, sending, and each wait for more of the answer may take."""

MAX_QUOTED = 300
"""How many characters of a service's own words an error quotes."""


class Service(NamedTuple):
    """A service by its name, and the environment variable that has its URL."""

    name: str
    variable: str


PROMETHEUS = Service("Prometheus", "PROMETHEUS_URL")
LOKI = Service("Loki", "LOKI_URL")
ALERTMANAGER = Service("Alertmanager", "ALERTMANAGER_URL")
SERVICES = (PROMETHEUS, LOKI, ALERTMANAGER)


def get(service: Service, path: str, parameters: Mapping[str, str | int]) -> Any:
    """Ask a service and return its answer's JSON.

    Raises:
        ToolError: The service has no URL, cannot be reached, does not answer in time, refuses, or answers with
            something other than JSON.
    """
    url = os.environ.get(service.variable, "")
    if not url.startswith(("http://", "https://")):
        raise ToolError(f"{service.variable} must be the URL of {service.name}, with http:// or https://, not {url!r}.")
    try:
        with httpx.Client(base_url=url, timeout=TIMEOUT_SECONDS, verify=_certificates()) as client:
            response = client.get(path, params=dict(parameters))
    except httpx.InvalidURL as error:
        raise ToolError(f"{service.variable} is not a URL: {error}") from error
    except httpx.TimeoutException as error:
        raise ToolError(f"{service.name} did not answer within {TIMEOUT_SECONDS:g} seconds.") from error
    except httpx.HTTPError as error:
        raise ToolError(f"{service.name} could not be asked: {str(error) or type(error).__name__}") from error
    return _read(service, response)


def _read(service: Service, response: httpx.Response) -> Any:
    document: Any
    try:
        document = response.json()
    except ValueError as error:
        document = response.text
        if response.is_success:
            raise ToolError(f"{service.name}'s answer is not JSON ({error}) but {quote(document)!r}.") from error
    if response.is_success:
        return document
    answer = f"{service.name} answered {response.status_code} {response.reason_phrase}"
    message = quote(_message(document))
    raise ToolError(f"{answer}: {message}" if message else f"{answer}.")


def _message(document: Any) -> str:
    """Return the reason that a service gives: under `error` or `message`, or as plain text; a proxy's page is none."""
    if isinstance(document, dict):
        document = document.get("error") or document.get("message")
    return document if isinstance(document, str) and not document.lstrip().startswith("<") else ""


def quote(text: str) -> str:
    """Return the beginning of a text on one line."""
    return " ".join(text.split())[:MAX_QUOTED]


@functools.cache
def _certificates() -> ssl.SSLContext:
    return httpx.create_ssl_context()
