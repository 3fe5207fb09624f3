"""Asking judges: several questions at once, each as often as its criterion wants, and none twice.

What may help is tried a few times: a server that is busy or silent, and an answer that leaves open what it means. What
then is still missing is no verdict. A rubric holds where more than half of all samples say so, a missing one counting
for neither side; that is ADK's majority, where a tie is a no, as long as every sample gives a verdict.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from evalkit.errors import JudgeError
from evalkit.judges.answers import UnusableAnswerError, Verdict, read_answer
from evalkit.judges.kinds import Judge, JudgeChoice, open_judge
from evalkit.judges.questions import Question
from evalkit.scorers.rubrics.checks import Ruling

STOPPED = "the run was interrupted before the judge was asked"


@dataclass(frozen=True, slots=True)
class Pace:
    """How patiently judges are asked.

    Attributes:
        at_once: Requests under way at the same time, to each judge.
        timeout: Seconds for one request.
        tries: Requests for one answer, where a judge is busy or silent.
        answers: Answers for one sample, where one leaves open what it means.
        first_wait: Seconds before the second try, doubled from try to try, unless the server says how long.
        longest_wait: Seconds that are waited at most; a server that wants more is given up.
    """

    at_once: int = 8
    timeout: float = 120.0
    tries: int = 4
    answers: int = 3
    first_wait: float = 1.0
    longest_wait: float = 60.0


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to a judge, and how many samples of its answer are wanted; `at_once` narrows the pace."""

    judge: JudgeChoice
    question: Question
    samples: int = 1
    at_once: int | None = None


Rulings = Mapping[str, Ruling]
"""By rubric."""

_Sample = dict[str, Verdict] | str
"""Verdicts, or why there are none."""


@dataclass(frozen=True, slots=True)
class _Seat:
    """A judge that can be asked now, or why it cannot."""

    judge: Judge | None
    fault: str
    turn: asyncio.Semaphore


def silently(*_: object) -> None:
    """Tell nobody."""


class Panel:
    """Judges, and what they have said so far; the same question is never put to one twice.

    Args:
        root: The project's folder.
        pace: How patiently they are asked.
        hide: Takes secrets out of a text before it goes to a judge.
    """

    def __init__(self, root: Path, pace: Pace | None = None, hide: Callable[[str], str] = str) -> None:
        self._root = root
        self._pace = pace or Pace()
        self._hide = hide
        self._known: dict[Ask, Rulings] = {}

    async def rule(
        self,
        asks: Sequence[Ask],
        tell: Callable[[int, int], None] = silently,
        stop: Callable[[], bool] = lambda: False,
    ) -> dict[Ask, Rulings]:
        """Put questions, and return what was said to each.

        Args:
            asks: The questions.
            tell: Called after each sample, with how many there are and how many there will be.
            stop: Tells whether the user wants no more to be asked.
        """
        new = [ask for ask in dict.fromkeys(asks) if ask not in self._known]
        total, done = sum(ask.samples for ask in new), 0
        samples: dict[Ask, list[_Sample]] = {ask: [] for ask in new}

        async def take(ask: Ask, seat: _Seat) -> None:
            nonlocal done
            samples[ask].append(await self._sample(seat, ask.question))
            done += 1
            tell(done, total)

        async with self._seated(new) as seats:
            tasks = [asyncio.create_task(take(ask, seats[ask])) for ask in new for _ in range(ask.samples)]
            await _all_or_stopped(tasks, stop)
        for ask in new:
            missing = ask.samples - len(samples[ask])
            self._known[ask] = _rulings(ask, [*samples[ask], *[STOPPED] * missing])
        return {ask: self._known[ask] for ask in asks}

    @asynccontextmanager
    async def _seated(self, asks: Sequence[Ask]) -> AsyncIterator[Mapping[Ask, _Seat]]:
        """Open each judge once; those with a narrower pace of their own wait for one another."""
        async with AsyncExitStack() as stack:
            judges: dict[JudgeChoice, tuple[Judge | None, str]] = {}
            turns: dict[tuple[JudgeChoice, int], asyncio.Semaphore] = {}
            seats = {}
            for ask in asks:
                if ask.judge not in judges:
                    judges[ask.judge] = await self._open(ask.judge, stack)
                limit = min(ask.at_once or self._pace.at_once, self._pace.at_once)
                turn = turns.setdefault((ask.judge, limit), asyncio.Semaphore(limit))
                seats[ask] = _Seat(*judges[ask.judge], turn)
            yield seats

    async def _open(self, choice: JudgeChoice, stack: AsyncExitStack) -> tuple[Judge | None, str]:
        try:
            return await stack.enter_async_context(open_judge(choice, self._root)), ""
        except JudgeError as error:
            return None, str(error)

    async def _sample(self, seat: _Seat, question: Question) -> _Sample:
        """Ask until an answer can be used, or enough is enough."""
        if seat.judge is None:
            return seat.fault
        prompt, fault = question.prompt, ""
        for _ in range(self._pace.answers):
            try:
                async with seat.turn:
                    answer = await self._answer(seat.judge, question, self._hide(prompt))
                return read_answer(answer, question.ids)
            except UnusableAnswerError as unusable:
                fault = str(unusable)
                prompt = question.again(fault)
            except JudgeError as error:
                return str(error)
        return f"the judge gave {self._pace.answers} answers that cannot be used; in the last one {fault}"

    async def _answer(self, judge: Judge, question: Question, prompt: str) -> str:
        """Get one answer, in spite of a server that is busy for a while.

        Raises:
            JudgeError: There is none.
        """
        for tried in range(1, self._pace.tries + 1):
            try:
                async with asyncio.timeout(self._pace.timeout):
                    return await judge.ask(question, prompt)
            except TimeoutError:
                error = JudgeError(f"the judge did not answer within {self._pace.timeout:g} s", again=True)
            except JudgeError as raised:
                error = raised
            wait = error.retry_after if error.retry_after is not None else self._pace.first_wait * 2 ** (tried - 1)
            if not error.again or wait > self._pace.longest_wait or tried == self._pace.tries:
                break
            await asyncio.sleep(wait)
        raise JudgeError(f"{error}{f' (asked {tried} times)' if tried > 1 else ''}")


async def _all_or_stopped(tasks: Sequence[asyncio.Task[None]], stop: Callable[[], bool]) -> None:
    """Wait for all tasks, or end them when the user wants to stop."""
    left = set(tasks)
    while left and not stop():
        ended, left = await asyncio.wait(left, timeout=0.2, return_when=asyncio.FIRST_EXCEPTION)
        for task in ended:
            task.result()
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)


def _rulings(ask: Ask, samples: Sequence[_Sample]) -> dict[str, Ruling]:
    return {rubric_id: _ruling(ask, rubric_id, samples) for rubric_id in ask.question.ids}


def _ruling(ask: Ask, rubric_id: str, samples: Sequence[_Sample]) -> Ruling:
    verdicts = [None if isinstance(sample, str) else sample[rubric_id] for sample in samples]
    votes = tuple(None if verdict is None else verdict.holds for verdict in verdicts)
    holds = _majority(votes)
    if holds is None:
        fault = next(sample for sample in samples if isinstance(sample, str))
        few = f"{votes.count(None)} of {len(votes)} samples have no verdict: " if len(votes) > 1 else ""
        return Ruling(value=None, reason=few + fault, by=ask.judge.name, votes=votes)
    rationale = next(verdict.rationale for verdict in verdicts if verdict is not None and verdict.holds is holds)
    return Ruling(value=float(holds), reason=rationale, by=ask.judge.name, votes=votes)


def _majority(votes: Sequence[bool | None]) -> bool | None:
    """Say what most samples say; None where those without a verdict could have turned it."""
    yes, no, open_ones = votes.count(True), votes.count(False), votes.count(None)
    if yes > no + open_ones:
        return True
    return False if no >= yes + open_ones and no else None


class Pulse:
    """Tells of progress at most every so many seconds.

    Args:
        tell: What to tell it.
        every: Seconds.
    """

    def __init__(self, tell: Callable[[str], None], every: float = 10.0) -> None:
        self._tell = tell
        self._every = every
        self._last = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        """Tell how many samples of the judges' answers there are."""
        if time.monotonic() - self._last >= self._every and done < total:
            self._last = time.monotonic()
            self._tell(f"judging: {done} of {total} answers")
