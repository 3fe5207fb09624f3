"""Which judge a name stands for.

- `gemini-2.5-flash`, `openai/gpt-4.1`: a model that ADK can name, with ADK's credentials.
- `https://HOST/v1?model=NAME&key=VARIABLE`: an OpenAI-compatible endpoint; the key is the value of a variable.
- `python:package.module:function`: a function of the user's.
"""

import importlib
import json
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from evalkit.cases import Json
from evalkit.errors import JudgeError, SettingsError
from evalkit.judges.questions import Question


class Judge(Protocol):
    """Answers questions; see `evalkit.judges.answers` for what counts as an answer."""

    async def ask(self, question: Question, prompt: str) -> str:
        """Return the answer to a prompt that puts a question.

        Raises:
            JudgeError: There is none.
        """


@dataclass(frozen=True, slots=True)
class JudgeChoice:
    """A judge by name, and how it is to be asked: ADK's `judge_model_config`, as JSON text."""

    name: str
    config: str = "{}"

    @classmethod
    def of(cls, name: str, config: Mapping[str, Json] | None = None) -> "JudgeChoice":
        """Choose a judge."""
        return cls(name, json.dumps(config or {}, sort_keys=True))


Opener = Callable[[str, Mapping[str, Any], Path], AbstractAsyncContextManager[Judge]]

_OPENERS: Mapping[str, str] = {
    "http": "evalkit.judges.endpoint:open_endpoint",
    "https": "evalkit.judges.endpoint:open_endpoint",
    "python": "evalkit.judges.functions:open_function",
}
_BY_ADK = "evalkit.adk.judge_model:open_model"


def open_judge(choice: JudgeChoice, root: Path) -> AbstractAsyncContextManager[Judge]:
    """Find a judge; it is open for questions inside the block.

    Args:
        choice: Which one.
        root: The project's folder, from which functions are imported.

    Raises:
        JudgeError: There is no such judge, or what it needs is not installed.
    """
    scheme, colon, _ = choice.name.partition(":")
    module, _, function = (_OPENERS.get(scheme, _BY_ADK) if colon else _BY_ADK).partition(":")
    try:
        opener: Opener = getattr(importlib.import_module(module), function)
    except ImportError as error:
        raise JudgeError(f"{choice.name} cannot be asked: {error}") from error
    return opener(choice.name, json.loads(choice.config), root)


def check_name(name: str, where: str) -> str:
    """Return the name of a judge, if it can be one.

    Raises:
        SettingsError: It lacks a part.
    """
    if not name.strip():
        raise SettingsError(f"{where}: expected a judge, such as gemini-2.5-flash, found {name!r}")
    if name.startswith(("http:", "https:")) and "model=" not in name:
        raise SettingsError(f"{where}: {name!r} names no model; write https://HOST/v1?model=NAME&key=VARIABLE")
    if name.startswith("python:") and name.count(":") != 2:  # noqa: PLR2004 - the scheme's and the function's
        raise SettingsError(f"{where}: {name!r} names no function; write python:package.module:function")
    return name
