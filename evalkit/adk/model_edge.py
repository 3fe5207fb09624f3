"""The model edge: whoever asks a model gets the case's next turn instead.

The model object stays the agent's own, so its name, type and capabilities do too; only the one method through which
every model is called is replaced, in every class of models. That reaches agents of all kinds, those made at run time,
inherited and default models, and summarizers. A model that is called by anybody else is an error of the case.
"""

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from contextvars import ContextVar
from typing import Any

from google.adk.apps.base_events_summarizer import BaseEventsSummarizer
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.models.registry import LLMRegistry
from google.genai import types
from google.genai.models import AsyncModels, Models

from evalkit.adk import private
from evalkit.adk.asking import ask
from evalkit.adk.frames import calling_place
from evalkit.adk.patches import Patches
from evalkit.adk.playing import CURRENT, INSIDE, Playing
from evalkit.adk.speech import neutral_text, spoken, wrapped
from evalkit.adk.survey import declaration_of
from evalkit.errors import EvalkitError
from evalkit.models.golden import ModelTurn, ScriptedCall
from evalkit.models.owners import UnplayableCaseError
from evalkit.models.tree import FINISH_TASK, SET_MODEL_RESPONSE
from evalkit.traces import Failure

Generate = Callable[..., AsyncGenerator[LlmResponse, None]]

_SUMMARIZING: ContextVar[bool] = ContextVar("evalkit_summarizing", default=False)


class ForeignModelCallError(EvalkitError):
    """A model was called that is not the model of the agent whose turn it is."""


def install(patches: Patches) -> None:
    """Put the edge in place until `patches` is left."""
    patches.wrap_family(BaseLlm, "generate_content_async", _answering, born="__pydantic_init_subclass__")
    patches.wrap_family(BaseLlm, "connect", _refusing, born="__pydantic_init_subclass__")
    patches.wrap_family(BaseEventsSummarizer, "maybe_summarize_events", _marking_summaries)
    for client in (Models, AsyncModels):
        for method in ("generate_content", "generate_content_stream"):
            patches.wrap(client, method, _refusing_client)
    patches.set(LLMRegistry, "new_llm", staticmethod(_or_stand_in(LLMRegistry.new_llm)))


def _answering(original: Generate) -> Generate:
    async def generate_content_async(
        self: BaseLlm, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        playing = CURRENT.get()
        if playing is not None and playing.golden is not None:
            yield _answer(playing, self, llm_request)
            return
        if playing is None:
            asked = original(self, llm_request, stream)
        else:
            _note_who_asks(playing, self, llm_request)
            asked = ask(playing, self, llm_request, lambda: original(self, llm_request, stream))
        async with aclosing(asked) as responses:
            async for response in responses:
                yield response

    return generate_content_async


def _refusing(original: Callable[..., Any]) -> Callable[..., Any]:
    def connect(self: BaseLlm, *args: Any, **kwargs: Any) -> Any:
        playing = CURRENT.get()
        if playing is None or playing.golden is None:
            return original(self, *args, **kwargs)
        raise _foreign(playing, f"{type(self).__name__} was asked for a live (bidirectional) connection")

    return connect


def _refusing_client(original: Callable[..., Any]) -> Callable[..., Any]:
    """Refuse whoever goes past ADK's models to Google's client below them."""

    def generate(self: Models | AsyncModels, *args: Any, **kwargs: Any) -> Any:
        playing = CURRENT.get()
        if playing is None or playing.golden is None:
            return original(self, *args, **kwargs)
        raise _foreign(playing, f"google.genai's {original.__name__} was called")

    return generate


def _marking_summaries(original: Callable[..., Any]) -> Callable[..., Any]:
    async def maybe_summarize_events(self: BaseEventsSummarizer, *args: Any, **kwargs: Any) -> Any:
        token = _SUMMARIZING.set(True)
        try:
            return await original(self, *args, **kwargs)
        finally:
            _SUMMARIZING.reset(token)

    return maybe_summarize_events


class StandInModel(BaseLlm):
    """Keeps the name of a model whose provider's package is not installed; the name is all that replay needs."""

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """Fail as the real model does where nothing is replayed."""
        async with aclosing(LLMRegistry.new_llm(self.model).generate_content_async(llm_request, stream)) as responses:
            async for response in responses:
                yield response


def _or_stand_in(original: Callable[[str], BaseLlm]) -> Callable[[str], BaseLlm]:
    def new_llm(model: str) -> BaseLlm:
        playing = CURRENT.get()
        try:
            return original(model)
        except (ImportError, ValueError) as unavailable:
            if playing is None or playing.golden is None:
                raise
            reason = str(unavailable).splitlines()[0]
            playing.note(f"model {model!r} cannot be built here ({reason}); replay does not need it, a live run does")
            return StandInModel(model=model)

    return new_llm


def _note_who_asks(playing: Playing, model: BaseLlm, request: LlmRequest) -> str | None:
    """Note an agent's model and what its request lists; return the agent, None if it is none that asks."""
    agent = (request.config.labels or {}).get(private.AGENT_NAME_LABEL)
    if agent is not None:
        playing.models[agent] = model.model
        playing.offered[agent] = frozenset(request.tools_dict)
    return agent


def _answer(playing: Playing, model: BaseLlm, request: LlmRequest) -> LlmResponse:
    agent = _note_who_asks(playing, model, request)
    if _SUMMARIZING.get() and agent is None:
        return _text("The conversation so far, in short.")
    if agent is None:
        raise _foreign(playing, f"{type(model).__name__} ({model.model}) was called")
    assert playing.golden is not None
    inside = INSIDE.get()
    if inside is None and playing.tree.get(agent).task:
        inside = playing.delegated.get(agent)
    around = playing.scripted.get(inside) if inside else None
    turn = playing.golden.ask(agent, playing.offered[agent], nested=inside is not None, inside=around)
    try:
        response = _response(playing, agent, turn, request)
    except UnplayableCaseError as error:
        playing.fail(Failure(kind="case_error", message=str(error)))  # whatever becomes of the exception above
        raise
    response.model_version = model.model  # by which ADK, and the trace, know a model's event
    return response


def _response(playing: Playing, agent: str, turn: ModelTurn, request: LlmRequest) -> LlmResponse:
    if turn.calls:
        parts = spoken(turn.message) if turn.message else []
        parts += [_call_part(playing, agent, call, request) for call in turn.calls]
        return LlmResponse(content=types.Content(role="model", parts=parts))
    for wrapper in (FINISH_TASK, SET_MODEL_RESPONSE):
        if wrapper in request.tools_dict:
            call = ScriptedCall(name=wrapper, args=_through(playing, agent, turn, request.tools_dict[wrapper]))
            return LlmResponse(content=types.Content(role="model", parts=[_call_part(playing, agent, call, request)]))
    if turn.message:
        return LlmResponse(content=types.Content(role="model", parts=spoken(turn.message)))
    return _text(neutral_text(agent, request.config))


def _through(playing: Playing, agent: str, turn: ModelTurn, tool: Any) -> dict[str, Any]:
    """Say through a tool what an agent with an output schema, or a task, may not say as text."""
    declared = declaration_of(tool)
    assert declared is not None  # ADK's own two tools declare their arguments
    args = wrapped(agent, turn.message, tool.output_schema, declared)
    playing.misfits += [misfit for misfit in declared.misfits(args) if misfit not in playing.misfits]
    return args


def _call_part(playing: Playing, agent: str, call: ScriptedCall, request: LlmRequest) -> types.Part:
    playing.calls_made += 1
    call_id = f"call-{playing.calls_made}"
    playing.sent[call_id] = call.args
    playing.scripted[call_id] = call.golden
    target = playing.tree.get(agent).agent_tools.get(call.name)
    if target:
        playing.delegated[target] = call_id
    if call.golden:
        playing.misfits += _misfits(playing, call.golden, request)
    args = json.loads(json.dumps(call.args))  # a copy, so that nothing the agent does to it reaches the case
    return types.Part(function_call=types.FunctionCall(id=call_id, name=call.name, args=args))


def _misfits(playing: Playing, call: Any, request: LlmRequest) -> list[str]:
    tool = request.tools_dict.get(call.name)
    if tool is None:
        return []
    declared = playing.declarations.of(tool)
    place = f"{call.where}: " if call.where else ""
    return [f"{place}{misfit}" for misfit in declared.misfits(call.args)] if declared else []


def _text(text: str) -> LlmResponse:
    return LlmResponse(content=types.Content(role="model", parts=[types.Part(text=text)]))


def _foreign(playing: Playing, what: str) -> ForeignModelCallError:
    where = calling_place() or "an unknown place"
    message = f"{what} outside an agent's turn, at {where}; replay answers agents only, so mock the tool that does it"
    playing.fail(Failure(kind="model_error", message=message, where=where))
    return ForeignModelCallError(message)
