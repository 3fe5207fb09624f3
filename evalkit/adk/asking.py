"""Asking an agent's own model: again if its server is busy, for as long as the case's time allows.

Production code often leaves it to the user to try again; `adk eval` therefore adds retries to Gemini's requests, with
the same statuses and as many tries as here. Here they apply to models of every class, heed the time that the server
asks for, and are told. A model that retries by itself, because its owner said so, is left to it.
"""

import asyncio
import random
import re
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from contextvars import ContextVar

from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai.errors import APIError

from evalkit.adk import private
from evalkit.adk.playing import Playing

TRIES = 7
FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""Seconds, doubled from try to try, where the server does not say how long to wait."""

BUSY = frozenset({408, 429, 500, 502, 503, 504})
"""HTTP statuses after which the same request may well succeed."""

_ASKING: ContextVar[bool] = ContextVar("evalkit_asking", default=False)
"""Whether a model is at work: one that asks another, or its own base class, is still the same request."""

Send = Callable[[], AsyncGenerator[LlmResponse, None]]


async def ask(playing: Playing, model: BaseLlm, request: LlmRequest, send: Send) -> AsyncGenerator[LlmResponse, None]:
    """Yield a model's responses.

    Args:
        playing: The case in play; it learns of retries, and of the error if there is no answer in the end.
        model: Who is asked.
        request: What for.
        send: Sends the request.

    Raises:
        Exception: Whatever the model raised last.
    """
    if _ASKING.get():
        async with aclosing(send()) as responses:
            async for response in responses:
                yield response
        return
    who = (request.config.labels or {}).get(private.AGENT_NAME_LABEL)
    model_name, contents, config = request.model, list(request.contents), request.config.model_copy()
    tried, begun = 0, False
    while True:
        tried += 1
        try:
            async with aclosing(_at_work(send())) as responses:
                async for response in responses:
                    begun, playing.model_down = True, None
                    yield response
        except Exception as error:
            playing.model_down = _say(error, who, model.model, tried)
            wait = None if begun or _retries_itself(model, request) else _wait(error, tried, playing.deadline)
            if wait is None:
                playing.model_errors.append((error, playing.model_down))
                raise
            playing.asked_again[f"{model.model} answered {status_of(error)}"] += 1
            await asyncio.sleep(wait)
            # Models prepare a request in place, such as by cutting off what they have cached.
            request.model, request.contents, request.config = model_name, list(contents), config.model_copy()
        else:
            return


async def _at_work(responses: AsyncGenerator[LlmResponse, None]) -> AsyncGenerator[LlmResponse, None]:
    """Mark each step as a model's work, and nothing that whoever takes the responses does between them."""
    async with aclosing(responses):
        while True:
            token = _ASKING.set(True)
            try:
                response = await anext(responses)
            except StopAsyncIteration:
                return
            finally:
                _ASKING.reset(token)
            yield response


def status_of(error: BaseException) -> int | None:
    """Return the HTTP status that an error carries, as each library names it."""
    response = getattr(error, "response", None)
    for owner, name in ((error, "status_code"), (error, "code"), (response, "status_code")):
        status = getattr(owner, name, None)
        if isinstance(status, int):
            return status
    return None


def _retries_itself(model: BaseLlm, request: LlmRequest) -> bool:
    http_options = request.config.http_options
    return bool(getattr(model, "retry_options", None) or (http_options and http_options.retry_options))


def _wait(error: Exception, tried: int, deadline: float | None) -> float | None:
    """Say how many seconds to wait before the next try; None if there is to be none."""
    if deadline is None or status_of(error) not in BUSY or tried >= TRIES:
        return None
    wanted = asked_for(error)
    if wanted is None:
        wait = min(FIRST_WAIT * 2 ** (tried - 1), LONGEST_WAIT)
        wanted = wait * random.uniform(0.5, 1)  # noqa: S311 - so that cases refused together do not come back together
    return wanted if time.monotonic() + wanted < deadline else None


def asked_for(error: Exception) -> float | None:
    """Return how many seconds the server wants: by the header `Retry-After`, or as Google's APIs say it in the body."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    told = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*", str(headers.get("retry-after", "")))
    if told is None:
        told = re.search(r"""["']retryDelay["']: ["'](\d+(?:\.\d+)?)s["']""", str(getattr(error, "details", "")))
    return float(told[1]) if told else None


def _say(error: Exception, who: str | None, model: str, tried: int) -> str:
    asked = f"{who} asked {model}" if who else f"{model} was asked"
    return f"{asked}{f', {tried} times' if tried > 1 else ''}: {_text(error)}"


def _text(error: Exception) -> str:
    if isinstance(error, APIError):
        return " ".join(str(part) for part in (error.code, error.status, error.message) if part)
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
