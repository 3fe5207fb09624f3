"""A judge behind an OpenAI-compatible endpoint (`/chat/completions`): hosted, or on one's own machine."""

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit, urlunsplit

import httpx

from evalkit.errors import JudgeError
from evalkit.judges.questions import Question
from evalkit.matching import show

_BUSY = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""HTTP statuses after which the same request may well succeed."""

_SAME_IN_OPENAI: Mapping[str, str] = {
    "temperature": "temperature",
    "top_p": "top_p",
    "seed": "seed",
    "max_output_tokens": "max_tokens",
    "presence_penalty": "presence_penalty",
    "frequency_penalty": "frequency_penalty",
}
"""The words of ADK's `judge_model_config` that such an endpoint knows, and its own names for them."""


@asynccontextmanager
async def open_endpoint(name: str, config: Mapping[str, Any], root: Path) -> AsyncIterator["Endpoint"]:  # noqa: ARG001 - as every opener
    """Open the endpoint that `https://HOST/v1?model=NAME&key=VARIABLE` describes.

    Raises:
        JudgeError: The name lacks a model, or the variable with the key is not set.
    """
    parts = urlsplit(name)
    words = {key: values[-1] for key, values in parse_qs(parts.query).items()}
    if not words.get("model"):
        raise JudgeError(f"{name} names no model; write https://HOST/v1?model=NAME&key=VARIABLE")
    variable = words.get("key")
    if variable and not os.environ.get(variable):
        raise JudgeError(f"the judge's key is to be in the variable {variable}, which is not set")
    headers = {"Authorization": f"Bearer {os.environ[variable]}"} if variable else {}
    base = urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/"), "", ""))
    options = {ours: config[adks] for adks, ours in _SAME_IN_OPENAI.items() if config.get(adks) is not None}
    async with httpx.AsyncClient(headers=headers, timeout=None) as client:  # noqa: S113 - whoever asks has the clock
        yield Endpoint(client, f"{base}/chat/completions", {"model": words["model"], **options})


class Endpoint:
    """Asks one model by HTTP.

    Args:
        client: Sends requests, with the key.
        url: Where to.
        options: The model, and how it is to answer.
    """

    def __init__(self, client: httpx.AsyncClient, url: str, options: Mapping[str, Any]) -> None:
        self._client = client
        self._url = url
        self._options = options

    async def ask(self, question: Question, prompt: str) -> str:  # noqa: ARG002 - a model reads the prompt alone
        """Ask the model; see `Judge`."""
        body = {**self._options, "messages": [{"role": "user", "content": prompt}]}
        try:
            response = await self._client.post(self._url, json=body)
        except httpx.ConnectError as error:
            raise JudgeError(f"{self._url} cannot be reached: {error}") from error
        except httpx.HTTPError as error:
            raise JudgeError(f"{self._url}: {type(error).__name__}: {error}", again=True) from error
        if response.is_error:
            message = f"{self._url} answered {response.status_code}: {show(response.text, 200)}"
            again = response.status_code in _BUSY
            raise JudgeError(message, again=again, retry_after=_seconds(response.headers.get("retry-after")))
        return _content(response, self._url)


def _content(response: httpx.Response, url: str) -> str:
    try:
        content = response.json()["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError) as error:
        message = f"{url} answered what is no chat completion: {show(response.text, 200)}"
        raise JudgeError(message, again=True) from error
    return content if isinstance(content, str) else ""


def _seconds(header: str | None) -> float | None:
    """Read `Retry-After`: seconds, or a date."""
    if header is None:
        return None
    try:
        return max(float(header), 0.0)
    except ValueError:
        pass
    try:
        return max((parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds(), 0.0)
    except (TypeError, ValueError):
        return None
