"""A judge that is a model of ADK's: any name that its registry knows."""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.models.registry import LLMRegistry
from google.genai import types

from evalkit.adk.asking import BUSY, asked_for, status_of
from evalkit.errors import JudgeError


@asynccontextmanager
async def open_model(name: str, config: Mapping[str, Any], root: Path) -> AsyncIterator["ModelJudge"]:  # noqa: ARG001 - as every opener
    """Have ADK make the model.

    Raises:
        JudgeError: ADK knows no such model, its library is missing, or the config is none.
    """
    try:
        model = LLMRegistry.new_llm(name)
        options = types.GenerateContentConfig.model_validate(dict(config))
    except Exception as error:  # each model class has its own
        raise JudgeError(f"ADK cannot make the judge {name}: {type(error).__name__}: {error}") from error
    yield ModelJudge(model, options)


class ModelJudge:
    """Asks a model of ADK's."""

    def __init__(self, model: BaseLlm, options: types.GenerateContentConfig) -> None:
        self._model = model
        self._options = options

    async def ask(self, question: object, prompt: str) -> str:  # noqa: ARG002 - a model reads the prompt alone
        """Ask the model; see `evalkit.judges.kinds.Judge`."""
        content = types.Content(role="user", parts=[types.Part(text=prompt)])
        options = self._options.model_copy(deep=True)  # models prepare a request in place
        request = LlmRequest(model=self._model.model, contents=[content], config=options)
        try:
            async with aclosing(self._model.generate_content_async(request)) as responses:
                given = [response async for response in responses]
        except Exception as error:  # each model class has its own
            again, wait = status_of(error) in BUSY, asked_for(error)
            message = f"{self._model.model}: {type(error).__name__}: {error}"
            raise JudgeError(message, again=again, retry_after=wait) from error
        for response in given:
            if response.error_code:
                raise JudgeError(f"{self._model.model}: {response.error_code}: {response.error_message}")
        return "".join(part.text for part in _parts(given) if part.text and not part.thought)


def _parts(responses: Sequence[LlmResponse]) -> Iterator[types.Part]:
    for response in responses:
        yield from (response.content.parts or () if response.content else ())
