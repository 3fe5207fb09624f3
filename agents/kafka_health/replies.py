"""What a tool answers.

A reply has the `status` `success` and the data, or the `status` `error` and one sentence under `error`. What the
caller got wrong and what Kafka refuses is a reply, so that the model can tell the user; only a bug raises.
"""

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec

if TYPE_CHECKING:
    from confluent_kafka import KafkaError

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
            return failure(explain(error))

    return reply


def failure(sentence: str) -> dict[str, Any]:
    """Return the reply that says why there is no data."""
    return {"status": "error", "error": sentence}


def explain(error: "BaseException | KafkaError") -> str:
    """Turn an error of Kafka's client into one line: Kafka's name for it, its code, and the text that came along.

    The client raises exceptions that hold a `KafkaError`, and lists bare ones where only some brokers failed.
    """
    if isinstance(error, TimeoutError):
        return "Kafka did not answer in time."
    from confluent_kafka import KafkaError

    reason = error.args[0] if isinstance(error, BaseException) and error.args else error
    if isinstance(reason, KafkaError):
        return f"Kafka reported {reason.name()} ({reason.code()}): {reason.str()}"
    return f"Kafka's client failed: {reason}"


def _client_errors() -> tuple[type[BaseException], ...]:
    """What Kafka's client raises; looked up when something was raised, since the agent must load without it."""
    from confluent_kafka import KafkaException

    return (KafkaException, TimeoutError)
