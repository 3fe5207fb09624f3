"""On behalf of which case code runs, so that a refusal is kept where it belongs."""

import functools
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from evalkit.mocks.below.case import CaseFakes
from evalkit.mocks.below.replacing import replaced

T = TypeVar("T")

CASE: ContextVar[CaseFakes | None] = ContextVar("evalkit_fakes", default=None)
"""The case; None where nobody said."""

TOOL_CODE: ContextVar[bool] = ContextVar("evalkit_tool_code", default=False)
"""Whether code runs that belongs to a tool, over the fakes of a case."""


@contextmanager
def followed_into_executors() -> Iterator[None]:
    """While the block lasts, have threads of executors work on behalf of the case of whoever gave them the work.

    Event loops look up names in such threads, which know nothing of the task that waits for them.
    """
    submit: Callable[..., Future[Any]] = ThreadPoolExecutor.submit

    def submit_for_the_case(
        self: ThreadPoolExecutor, function: Callable[..., T], /, *args: Any, **kwargs: Any
    ) -> Future[T]:
        return submit(self, _run_for, CASE.get(), TOOL_CODE.get(), function, *args, **kwargs)

    with replaced(ThreadPoolExecutor, "submit", functools.wraps(submit)(submit_for_the_case)):
        yield


def _run_for(case: CaseFakes | None, tool: bool, function: Callable[..., T], /, *args: Any, **kwargs: Any) -> T:
    tokens = CASE.set(case), TOOL_CODE.set(tool)
    try:
        return function(*args, **kwargs)
    finally:
        CASE.reset(tokens[0])
        TOOL_CODE.reset(tokens[1])
