"""Evalsets as files that pytest collects, and their cases as its items."""

import asyncio
import dataclasses
import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evalkit.errors import EvalkitError
from evalkit.plan import CheckError, Planned, RunOptions, plan
from evalkit.play import Job
from evalkit.pytesting.asked import Asked
from evalkit.pytesting.explain import explain
from evalkit.pytesting.player import Player
from evalkit.pytesting.properties import replace
from evalkit.repeats import Terms, settle
from evalkit.report.escape import one_line
from evalkit.report.properties import MODE, VERDICT, describe
from evalkit.score import JudgeOptions, judge
from evalkit.sealed import audited

_NUMBERS = itertools.count()
_LONGEST_NAME = 1_000


class EvalsetWarning(pytest.PytestWarning):
    """Something in an evalset, its config or its mocks that is worth a look and stops nothing."""


class NotPassedError(Exception):
    """A case came to another verdict than `passed`; the message is the whole story."""


class EvalsetFile(pytest.File):
    """An evalset, read and checked when pytest wants to know its cases.

    Its parent is the session. Below the package that it lies in, pytest would import that package, which is often the
    agent itself, before the first case is run.
    """

    def __init__(self, *, asked: Asked, player: Player, **node: Any) -> None:
        super().__init__(**node)
        self.asked = asked
        self.player = player

    def collect(self) -> Iterator["EvalItem"]:
        """Yield the cases.

        Raises:
            CollectError: The evalset, or what belongs to it, has a fault; the message lists all of them.
        """
        try:
            planned = plan(RunOptions(paths=(_as_typed(self.path),), mode=self.asked.mode), self.asked.settings)
        except CheckError as error:
            raise self.CollectError("\n".join([*map(str, error.problems), str(error)])) from None
        except EvalkitError as error:
            raise self.CollectError(str(error)) from None
        for problem in planned.problems:
            if problem.severity == "warning":
                self.warn(EvalsetWarning(str(problem)))
        terms = dataclasses.replace(planned.terms, replayed=True)  # a lower bound is asked of repeats, not of one run
        for case in planned.cases:
            name = one_line(case.case.eval_id, _LONGEST_NAME)
            yield EvalItem.from_parent(self, name=name, planned=case, terms=terms)


class EvalItem(pytest.Item):
    """A case: it is played in a worker process and judged here.

    Attributes:
        agent: The folder or module of the agent that plays it.
        job: What is handed to the worker.
    """

    parent: EvalsetFile

    def __init__(self, *, planned: Planned, terms: Terms, **node: Any) -> None:
        super().__init__(**node)
        case = planned.case
        self.agent = planned.agent
        self.job: Job = planned.job(next(_NUMBERS))
        self._planned = planned
        self._terms = terms
        self.extra_keyword_matches.update(case.tags)
        self.add_marker("eval")
        if self.config.pluginmanager.has_plugin("xdist"):
            self.add_marker(pytest.mark.xdist_group(Path(planned.agent).name))
        if planned.skipped is not None:
            self.skip(planned.skipped)
        if (why := self._why_aside()) is not None:
            raises = (NotPassedError, EvalkitError)  # not what a fault of evalkit's own raises
            self.add_marker(pytest.mark.xfail(reason=one_line(why), raises=raises))

    @property
    def mode(self) -> str:
        """Where its model turns come from."""
        return self.parent.asked.mode

    def skip(self, reason: str) -> None:
        """Have it skipped, and say so in its properties."""
        replace(self, [(VERDICT, "skipped"), (MODE, self.mode)])
        self.add_marker(pytest.mark.skip(reason=one_line(reason, _LONGEST_NAME)))

    def _why_aside(self) -> str | None:
        """Say why it does not gate, if so; a quarantine that has expired must fail."""
        entry = self._terms.quarantine.get((self._planned.bundle.file, self._planned.case.eval_id))
        if entry is None:
            return self._planned.case.known_failing
        return None if entry.has_expired() else str(entry)

    def why_out_of_reach(self) -> str | None:
        """Say why its agent's own models cannot be asked from here; None if they can, or need not be."""
        return self.parent.player.out_of_reach(self.agent) if self.mode == "live" else None

    def runtest(self) -> None:
        """Play and judge the case.

        Raises:
            NotPassedError: It did not pass.
            EvalkitError: It could not be played.
        """
        outcome = self.parent.player.outcome(self.agent, self.job, self._ahead())
        options = JudgeOptions.of(self.parent.asked.settings)
        hearing = self._planned.hearing(outcome)
        (found,) = asyncio.run(self.parent.player.jury.hear([hearing]))
        judged = audited(judge(hearing.case, outcome, hearing.config, options, found), hearing.audit)
        (result,) = settle([judged], self._terms)
        redactor = self.parent.player.redactor
        redactor.learn_from(outcome)  # which the result may quote
        result = redactor.clear(result)
        models = outcome.trace.models if outcome.trace else {}
        replace(self, describe(result, _as_typed(Path(self.agent)), self.mode, models))
        if result.verdict != "passed":
            raise NotPassedError(explain(result, self.mode))

    def _ahead(self) -> Iterator[Job]:
        """Yield the cases that the worker may play before they are asked for.

        Live cases are not among them, since nobody wants to pay for what pytest stops before; nor is anything in a
        worker of pytest-xdist, which is told one test after the other.
        """
        if self.mode == "live" or hasattr(self.config, "workerinput"):
            return
        for item in self.session.items:
            if isinstance(item, EvalItem) and item.agent == self.agent and item.get_closest_marker("skip") is None:
                yield item.job

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Tell the reason, and the differences, without a traceback."""
        if isinstance(excinfo.value, NotPassedError):
            return str(excinfo.value)
        if isinstance(excinfo.value, EvalkitError):
            return f"error: {excinfo.value}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Point at the case in its file."""
        line = self._planned.case.line
        return self.path, None if line is None else line - 1, f"{self.name} ({self.parent.nodeid})"


def _as_typed(path: Path) -> str:
    """Name a file or folder as a user in the current one would."""
    relative = os.path.relpath(path)
    return str(path) if relative.startswith(os.pardir) else relative
