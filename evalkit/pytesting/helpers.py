"""The fixture `evalkit`: checks and mocks for test functions that people write themselves."""

import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NoReturn

import pytest

from evalkit.check import CheckReport, check
from evalkit.errors import EvalkitError, SelectionError, SettingsError
from evalkit.locate import named_agent
from evalkit.plan import CheckError
from evalkit.pytesting.asked import project_settings
from evalkit.selection import Selector, parse_selector

Place = str | os.PathLike[str]


class Helpers:
    """What the fixture gives. Paths are relative to the current folder, the project's, or that of the test.

    Args:
        request: The test that asked for the fixture.
    """

    def __init__(self, request: pytest.FixtureRequest) -> None:
        try:
            self._settings = project_settings(request.config)
        except SettingsError as error:
            _fail(error)
        self._folders = (self._settings.root, request.path.parent)
        self._nodeid = request.node.nodeid

    def check(self, *paths: Place) -> CheckReport:
        """Check evalsets, configs and mocks as `evalkit check` does; the test fails if there is an error in them.

        Returns:
            What was found, warnings and notes included.
        """
        __tracebackhide__ = True
        try:
            found = check([self._selector(path).path for path in paths]).without(self._settings.ignore)
            if found.count("error"):
                raise CheckError(found.problems)
        except EvalkitError as error:
            _fail(error)
        return found

    def mocks(
        self, source: Place, *, agent: Place | None = None, golden: bool = False, allow_misses: bool = False
    ) -> AbstractContextManager[Any]:
        """Put mocks in place around a `Runner` or an `AgentEvaluator` that the test runs itself.

        Tools do not run for real: what no mock answers fails the test at the end of the `with` block. The model is the
        agent's own, unless `golden` says otherwise.

        Args:
            source: A mocks file; or an evalset, or `FILE:CASE`, whose mocks and recorded tool responses answer. Of
                several cases, a session's first message tells which one it is.
            agent: Load this agent (its name, folder or dotted module) with its own `.env`, for as long as the block
                lasts; it is then `played.root_agent`. A test may as well use an agent that it imported itself.
            golden: Whether models play the cases' own turns back, which needs no credentials.
            allow_misses: Whether unanswered calls are left to the test to look at.

        Returns:
            A context manager that gives an `evalkit.adk.played.Played`: `calls`, `turns`, `misses`, `unused_routes`.
        """
        __tracebackhide__ = True
        from evalkit.pytesting.scenes import in_place

        try:
            origin = f"{self._nodeid}: evalkit.mocks(agent=...)"
            folder = named_agent(os.fspath(agent), self._settings, origin) if agent else None
            return in_place(
                self._selector(source),
                agent=folder,
                root=self._settings.root,
                golden=golden,
                allow_misses=allow_misses,
            )
        except EvalkitError as error:
            _fail(error)

    def _selector(self, source: Place) -> Selector:
        """Find what a path, or `FILE:CASE`, names.

        Raises:
            SelectionError: Nothing of that name is there.
        """
        text = os.fspath(source)
        for candidate in (text, *(str(folder / text) for folder in self._folders)):
            try:
                return parse_selector(candidate)
            except SelectionError:
                continue
        looked = ", ".join(dict.fromkeys(map(str, (Path.cwd(), *self._folders))))
        raise SelectionError(f"{text}: no such file or folder (looked in {looked})")


def _fail(error: EvalkitError) -> NoReturn:
    """Fail the test with what is wrong, and without a traceback through code that is not the test's."""
    __tracebackhide__ = True
    problems = error.problems if isinstance(error, CheckError) else ()
    told = "\n".join([*(str(one) for one in problems if one.severity == "error"), str(error)])
    raise pytest.fail.Exception(told, pytrace=False) from None
