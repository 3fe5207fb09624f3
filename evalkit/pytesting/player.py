"""Playing for pytest, which asks for one case after the other and may stop, choose and repeat as it likes.

All cases are played in one worker process, one agent after the other, so that nothing of an agent, its environment
included, is ever in the process of pytest. Golden cases of an agent can be handed over together: it is then loaded
once, and the worker plays on while pytest does something else.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import cached_property

from evalkit.errors import EvalkitError
from evalkit.judges.jury import Jury
from evalkit.play import Job, PlayOptions
from evalkit.pool import Pool
from evalkit.protocol import Assignment
from evalkit.pytesting.asked import Asked
from evalkit.redaction.redactor import Redactor
from evalkit.traces import Outcome


class Player:
    """Plays cases in a worker process, which is started when the first one is due.

    Args:
        asked: What pytest was asked for.

    Attributes:
        redactor: Knows the secrets of this process and of the agents that were loaded, to hide them in what is told.
    """

    def __init__(self, asked: Asked) -> None:
        self.redactor = Redactor.of_process()
        self._asked = asked
        self._open = ExitStack()
        self._pool: Pool | None = None
        self._stream: Iterator[tuple[Job, Outcome]] = iter(())
        self._playing = ""
        self._handed_over: set[int] = set()
        self._outcomes: dict[int, Outcome] = {}
        self._unusable: dict[str, EvalkitError] = {}
        self._reach: dict[str, str | None] = {}

    @cached_property
    def jury(self) -> Jury:
        """Whoever judges, asked no question twice in a session.

        Raises:
            SettingsError: The settings name a judge that is none.
        """
        return Jury(self._asked.settings, hide=self.redactor.text)

    def outcome(self, agent: str, job: Job, ahead: Iterable[Job] = ()) -> Outcome:
        """Play a case, unless it was played ahead; a second call for the same job plays it again.

        Args:
            agent: The agent's folder or module.
            job: The case.
            ahead: Cases of the same agent that will be asked for later.

        Raises:
            AgentLoadError: The agent cannot be loaded.
            AdkVersionError: The installed google-adk does not fit.
        """
        if job.number not in self._handed_over:
            apart = job.case.gold is not None
            alike = (one for one in (job, *ahead) if (one.case.gold is not None) is apart)
            due = {one.number: one for one in alike if one.number not in self._handed_over}
            self._hand_over(agent, list(due.values()))
        while job.number not in self._outcomes:
            if not self._take():
                raise self._unusable[agent]
        self._handed_over.remove(job.number)
        return self._outcomes.pop(job.number)

    def out_of_reach(self, agent: str) -> str | None:
        """Say why an agent's own models cannot be asked from here, None if they can; it is loaded once to find out.

        Raises:
            AgentLoadError: The agent cannot be loaded.
            AdkVersionError: The installed google-adk does not fit.
        """
        if agent not in self._reach:
            self._hand_over(agent, [])
            while self._take():
                pass
            if agent in self._unusable:
                raise self._unusable[agent]
            assert self._pool is not None
            self._reach[agent] = self._pool.agents[agent].out_of_reach
        return self._reach[agent]

    def close(self) -> None:
        """End the worker, whatever it does."""
        self._open.close()

    def _hand_over(self, agent: str, jobs: Sequence[Job]) -> None:
        """Let the worker finish what it has, and give it the next."""
        while self._take():
            pass
        if agent in self._unusable:
            raise self._unusable[agent]
        if self._pool is None:
            self._pool = self._open.enter_context(Pool((), redactor=self.redactor))
        assignment = Assignment(
            agent=agent,
            jobs=tuple(jobs),
            options=PlayOptions(timeout=self._asked.settings.timeout),
            golden=self._asked.mode == "golden",
            root=str(self._asked.settings.root),
            apart=any(job.case.gold for job in jobs),
        )
        self._playing = agent
        self._handed_over.update(job.number for job in jobs)
        self._pool.add(assignment)
        self._stream = self._pool.outcomes()

    def _take(self) -> bool:
        """Take the worker's next outcome; return whether there was one."""
        try:
            job, outcome = next(self._stream)
        except StopIteration:
            return False
        except EvalkitError as error:
            self._unusable[self._playing] = error
            return False
        self._outcomes[job.number] = outcome
        return True
