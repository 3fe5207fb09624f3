"""Asking a model again: after which errors, how often, how long after, and who is left to do it alone."""

import asyncio
import time
from types import SimpleNamespace

import pytest
from google.adk.models import BaseLlm, Gemini, LlmRequest, LlmResponse
from google.genai import errors, types

from evalkit.adk import asking
from evalkit.adk.asking import ask, status_of
from evalkit.adk.playing import Playing
from evalkit.mocks.backend import Backend
from evalkit.models.tree import AgentTree


class RefusedError(Exception):
    """An error as OpenAI's and Anthropic's clients raise it."""

    def __init__(self, status=429, **headers):
        super().__init__(f"status {status}")
        self.status_code = status
        self.response = SimpleNamespace(headers={name.replace("_", "-"): value for name, value in headers.items()})


class House(BaseLlm):
    """A model whose answers a test gives: texts, and errors to be raised."""

    async def generate_content_async(self, llm_request, stream=False):
        raise AssertionError
        yield


@pytest.fixture
def waits(monkeypatch):
    """Note how long would be waited, and go on at once."""
    waited = []

    async def sleep(seconds):
        waited.append(seconds)

    monkeypatch.setattr(asking.asyncio, "sleep", sleep)
    monkeypatch.setattr(asking.random, "uniform", max)
    return waited


@pytest.fixture
def playing():
    tree = AgentTree(root="lag", agents={})
    return Playing(tree=tree, backend=Backend(None, None, ()), deadline=time.monotonic() + 1000)


def asked(playing, *answers, model=None, request=None):
    """Ask a model that answers so, and return what it said."""
    request = request or LlmRequest(config=types.GenerateContentConfig(labels={"adk_agent_name": "lag"}))
    waiting = iter(answers)

    async def send():
        for answer in iter(lambda: next(waiting), None):
            if isinstance(answer, Exception):
                raise answer
            yield LlmResponse(content=types.ModelContent(answer))

    async def collect():
        stream = ask(playing, model or House(model="house-7b"), request, send)
        return [response.content.parts[0].text async for response in stream]

    return asyncio.run(collect())


def test_a_busy_model_is_asked_again_after_ever_longer_waits(playing, waits):
    assert asked(playing, RefusedError(), RefusedError(503), RefusedError(), "75", None) == ["75"]
    assert waits == [1, 2, 4]
    assert playing.asked_again == {"house-7b answered 429": 2, "house-7b answered 503": 1}
    assert playing.model_errors == []


def test_a_model_that_stays_busy_is_given_up_after_seven_tries(playing, waits):
    error = RefusedError()
    with pytest.raises(RefusedError):
        asked(playing, *[RefusedError()] * 6, error)
    assert waits == [1, 2, 4, 8, 16, 32]
    assert playing.model_errors == [(error, "lag asked house-7b, 7 times: RefusedError: status 429")]


@pytest.mark.parametrize("error", [RefusedError(400), RefusedError(401), ValueError("no such model")])
def test_what_will_not_get_better_is_not_asked_again(playing, waits, error):
    with pytest.raises(type(error)):
        asked(playing, error)
    assert waits == []
    assert playing.model_errors == [(error, f"lag asked house-7b: {type(error).__name__}: {error}")]


def gemini_error(**details):
    return errors.ClientError(429, {"error": {"status": "RESOURCE_EXHAUSTED", "message": "quota", **details}})


@pytest.mark.parametrize(
    ("error", "seconds"),
    [
        (RefusedError(retry_after="3"), 3),
        (RefusedError(retry_after=" 2.5 "), 2.5),
        (RefusedError(retry_after="Wed, 21 Oct 2026 07:28:00 GMT"), 1),
        (gemini_error(details=[{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34s"}]), 34),
    ],
    ids=["header", "header with spaces", "a date", "Google's body"],
)
def test_the_wait_that_the_server_asks_for_is_kept(playing, waits, error, seconds):
    asked(playing, error, "75", None)
    assert waits == [seconds]


def test_a_wait_beyond_the_cases_time_is_not_begun(playing, waits):
    playing.deadline = time.monotonic() + 30
    with pytest.raises(errors.ClientError):
        asked(playing, RefusedError(), gemini_error(details=[{"retryDelay": "34s"}]))
    assert waits == [1]
    assert playing.model_errors[0][1] == "lag asked house-7b, 2 times: 429 RESOURCE_EXHAUSTED quota"


def test_in_a_test_that_runs_its_agent_itself_nothing_is_asked_again(playing, waits):
    playing.deadline = None
    with pytest.raises(RefusedError):
        asked(playing, RefusedError())
    assert waits == []


def test_an_answer_that_breaks_off_is_not_asked_for_again(playing, waits):
    with pytest.raises(RefusedError):
        asked(playing, "The la", RefusedError(503))
    assert waits == []


@pytest.mark.parametrize(
    ("model", "request_"),
    [
        (Gemini(model="gemini-2.5-flash", retry_options=types.HttpRetryOptions(attempts=2)), None),
        (
            None,
            LlmRequest(
                config=types.GenerateContentConfig(
                    http_options=types.HttpOptions(retry_options=types.HttpRetryOptions(attempts=2))
                )
            ),
        ),
    ],
    ids=["the model", "the request"],
)
def test_where_somebody_settled_retries_nothing_is_added(playing, waits, model, request_):
    with pytest.raises(RefusedError):
        asked(playing, RefusedError(), model=model, request=request_)
    assert waits == []


def test_a_model_that_asks_another_is_one_request(playing, waits):
    """As of ADK's fallback model: the first that is busy must not be asked again before the second is."""
    inner = iter([RefusedError(), "75", None])

    async def send_inner():
        for answer in iter(lambda: next(inner), None):
            if isinstance(answer, Exception):
                raise answer
            yield LlmResponse(content=types.ModelContent(answer))

    async def send_outer():
        request = LlmRequest()
        try:
            async for response in ask(playing, House(model="first"), request, send_inner):
                yield response
        except RefusedError:
            yield LlmResponse(content=types.ModelContent("from the second"))

    async def collect():
        stream = ask(playing, House(model="both"), LlmRequest(), send_outer)
        return [response.content.parts[0].text async for response in stream]

    assert asyncio.run(collect()) == ["from the second"]
    assert (waits, playing.model_errors) == ([], [])


def test_each_try_gets_the_request_as_it_was(playing, waits):
    request = LlmRequest(model="house-7b", contents=[types.UserContent("hi")])
    seen = []

    async def send():
        seen.append((request.model, len(request.contents), request.config.cached_content))
        request.model, request.config.cached_content = "other", "cache"
        request.contents.clear()
        if len(seen) < 2:
            raise RefusedError
        yield LlmResponse(content=types.ModelContent("75"))

    async def collect():
        return [response async for response in ask(playing, House(model="house-7b"), request, send)]

    assert len(asyncio.run(collect())) == 1
    assert seen == [("house-7b", 1, None)] * 2


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (gemini_error(), 429),
        (RefusedError(503), 503),
        (SimpleNamespace(response=SimpleNamespace(status_code=502)), 502),
        (SimpleNamespace(code="rate_limited"), None),
        (ValueError(), None),
    ],
    ids=["google-genai", "openai", "httpx", "a code that is no status", "none"],
)
def test_a_status_is_found_where_each_library_puts_it(error, status):
    assert status_of(error) == status
