"""What a tool answers.

A reply has the `status` `success` and the data, or the `status` `error`, one sentence under `error` and, where the API
server answered with an HTTP status, that number under `code`. What the caller got wrong, what Kubernetes refuses and
what it garbles is a reply, so that the model can tell the user; only a bug raises.
"""

import functools
import json
from collections.abc import Callable
from typing import Any, ParamSpec

Parameters = ParamSpec("Parameters")


class ToolError(Exception):
    """A tool cannot do what it was asked; the message is one sentence for the model and the user."""


def replying(tool: Callable[Parameters, dict[str, Any]]) -> Callable[Parameters, dict[str, Any]]:
    """Make a function that returns data or raises into a tool that always replies."""

    @functools.wraps(tool)
    def reply(*args: Parameters.args, **kwargs: Parameters.kwargs) -> dict[str, Any]:
        try:
            return {"status": "success", **tool(*args, **kwargs)}
        except ToolError as error:
            return failure(str(error))
        except _client_errors() as error:
            return failure(explain(error), getattr(error, "status", None))

    return reply


def failure(sentence: str, code: int | None = None) -> dict[str, Any]:
    """Return the reply that says why there is no data; a code of 0 or None says nothing and is left out."""
    reply = {"status": "error", "error": sentence}
    return {**reply, "code": code} if code else reply


def explain(error: BaseException) -> str:
    """Turn an error of the Kubernetes client, or of the HTTP library below it, into one line."""
    from kubernetes.client import ApiException
    from urllib3.exceptions import NewConnectionError, TimeoutError as HttpTimeoutError

    if isinstance(error, HttpTimeoutError) and not isinstance(error, NewConnectionError):
        return "Kubernetes did not answer in time."
    if not isinstance(error, ApiException):
        return f"Kubernetes could not be asked: {error}"
    if not error.status:
        return f"Kubernetes' client failed: {' '.join(str(error.reason).split())}"
    answer = f"Kubernetes answered {error.status} {error.reason}"
    message = _message(error.body)
    return f"{answer}: {message}" if message else f"{answer}."


def _message(body: str | bytes | None) -> str | None:
    """Return the text of the `Status` that Kubernetes answers errors with; a proxy in between answers with others."""
    try:
        status = json.loads(body or "")
    except ValueError:
        return None
    message = status.get("message") if isinstance(status, dict) else None
    return message if isinstance(message, str) else None


def _client_errors() -> tuple[type[Exception], ...]:
    """What the client raises; looked up when something was raised, since the agent must load without it."""
    from kubernetes.client import ApiException
    from urllib3.exceptions import HTTPError

    return (ApiException, HTTPError)
