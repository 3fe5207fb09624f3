"""What a tool answers.

A reply has the `status` `success` and the data, or the `status` `error` and one sentence under `error`. What the
caller got wrong and what the file system refuses is a reply, so that the model can tell the user; only a bug raises.
"""

import functools
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

    return reply


def failure(sentence: str) -> dict[str, Any]:
    """Return the reply that says why there is no data."""
    return {"status": "error", "error": sentence}
