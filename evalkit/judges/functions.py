"""A judge that is a Python function of the user's: `python:package.module:function`.

It is called with one dict (`prompt`, `material`, `rubrics`), and returns the answer, as text or as the JSON value that
the prompt asks for. It may be `async`.
"""

import asyncio
import importlib
import inspect
import json
import sys
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from evalkit.errors import JudgeError
from evalkit.judges.questions import Question


@asynccontextmanager
async def open_function(name: str, config: Mapping[str, Any], root: Path) -> AsyncIterator["FunctionJudge"]:  # noqa: ARG001 - as every opener
    """Import the function.

    Raises:
        JudgeError: There is none of that name, or importing its module fails.
    """
    module, _, attribute = name.removeprefix("python:").partition(":")
    if str(root) not in sys.path:
        sys.path.append(str(root))  # last, so that nothing of the project hides what is installed
    try:
        function = getattr(importlib.import_module(module), attribute)
    except Exception as error:  # importing is the user's code
        raise JudgeError(f"{name} cannot be imported: {type(error).__name__}: {error}") from error
    if not callable(function):
        raise JudgeError(f"{name} is no function")
    yield FunctionJudge(name, function)


class FunctionJudge:
    """Asks a function."""

    def __init__(self, name: str, function: Callable[[dict[str, Any]], Any]) -> None:
        self._name = name
        self._function = function

    async def ask(self, question: Question, prompt: str) -> str:
        """Call the function; see `Judge`."""
        given = {**question.as_json(), "prompt": prompt}
        try:
            if inspect.iscoroutinefunction(self._function):
                answer = await self._function(given)
            else:
                answer = await _in_a_thread(lambda: self._function(given))
            return answer if isinstance(answer, str) else json.dumps(answer)
        except JudgeError:
            raise
        except Exception as error:  # calling it is the user's code
            raise JudgeError(f"{self._name} raised {type(error).__name__}: {error}") from error


async def _in_a_thread(call: Callable[[], Any]) -> Any:
    """Run blocking code in a thread that nobody waits for, should it never end."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Any] = loop.create_future()

    def settle(set_it: Callable[[Any], None], value: Any) -> None:
        if not answer.done():
            set_it(value)

    def work() -> None:
        try:
            outcome, set_it = call(), answer.set_result
        except Exception as error:  # noqa: BLE001 - handed over to whoever waits
            outcome, set_it = error, answer.set_exception
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, set_it, outcome)

    threading.Thread(target=work, daemon=True, name="evalkit-judge").start()
    return await answer
