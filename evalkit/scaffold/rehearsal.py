"""A rehearsal: drafts are played in golden mode before they are written, so that what is written can be played.

What a case needs beside its calls shows only when the agent runs: whether the user has to confirm, whether a callback
stands in the way of a tool, whether an answer may have any words. A draft is changed by what the rehearsal shows, and
played again, until it passes or nothing is left to change. No model, server or tool is reached.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from evalkit.cases import CaseSet, Config
from evalkit.errors import InputError
from evalkit.formats import config as config_format, evalset as evalset_format, mocks as mocks_format
from evalkit.formats.files import MOCKS_NAMES, Loaded
from evalkit.play import Job, PlayOptions
from evalkit.pool import Pool
from evalkit.protocol import Assignment
from evalkit.results import CaseResult
from evalkit.routes import MockSet
from evalkit.scaffold.drafts import Draft, Exchange
from evalkit.scaffold.folders import Folder, Frame, folders_of, texts_of
from evalkit.scaffold.refusals import without_repeats
from evalkit.scaffold.secrets import Cleaner
from evalkit.score import JudgeOptions, judge
from evalkit.traces import Outcome, ToolEvent, TurnTrace

T = TypeVar("T")

Player = Callable[[Assignment], Iterator[tuple[Job, Outcome]]]
"""Plays the cases of an assignment in golden mode, and yields each with its outcome."""

ROUNDS = 5
"""How often a draft may be changed."""

SECONDS = 60.0
"""How long a case may take; a golden one takes a few hundredths of a second."""


_REFUSED = "Nothing was done: it was refused."
_OF_ANSWERS = frozenset({"replay", "grounding", "response"})
"""Metrics that may fail for what the agent says in the end."""


class UnwritableError(InputError):
    """The examples of an agent make a file that cannot be read back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where drafts are rehearsed.

    Attributes:
        reference: The agent's folder, or a dotted module.
        root: The project's folder.
    """

    reference: str
    root: Path


@dataclass(frozen=True, slots=True)
class _Played:
    """A draft with what came of it."""

    draft: Draft
    outcome: Outcome
    result: CaseResult

    @property
    def is_exact(self) -> bool:
        """Whether ADK sees exactly the expected calls."""
        turns = self.outcome.trace.turns if self.outcome.trace else ()
        seen = [(call.name, call.args) for turn in turns for call in turn.adk_calls]
        return seen == [(exchange.tool.name, exchange.args) for exchange in self.draft.exchanges]


@contextmanager
def in_a_worker() -> Iterator[Player]:
    """Play in a process of its own, which ends afterwards."""
    with Pool(()) as pool:

        def play(assignment: Assignment) -> Iterator[tuple[Job, Outcome]]:
            pool.add(assignment)
            yield from pool.outcomes()

        yield play


def rehearse(
    drafts: Sequence[Draft], frame: Frame, place: Place, cleaner: Cleaner, play: Player
) -> tuple[tuple[Folder, ...], dict[str, str]]:
    """Play drafts, and return them as they can be played.

    Args:
        drafts: The cases.
        frame: What their files have in common.
        place: Where they are played.
        cleaner: Hides secrets in what the agent said.
        play: Plays cases.

    Returns:
        The cases in their folders, and the tools that cannot be reached (`agent.tool`), each with why.

    Raises:
        AgentLoadError: A process of its own cannot load the agent, or the agent ends the process.
    """
    settled: dict[str, _Played] = {}
    waiting = list(drafts)
    for left in reversed(range(ROUNDS)):
        played = [*_played(waiting, frame, place, play)]
        settled |= {one.draft.eval_id: one for one in played}
        waiting = [changed for one in played if left and (changed := _changed(one))]
        if not waiting:
            break
    kept, unreached = without_repeats([_final(settled[draft.eval_id], cleaner) for draft in drafts])
    return folders_of(kept), unreached


def _final(played: _Played, cleaner: Cleaner) -> Draft:
    """Return a draft as it was played last, with what a callback said or why it does not pass."""
    draft = replace(played.draft, refusal=cleaner.reply(played.draft.refusal), exact=played.is_exact)
    if played.result.verdict == "passed":
        return draft
    return replace(draft, fault=cleaner.text(next(iter(played.result.reasons), played.result.verdict)))


def _played(drafts: Sequence[Draft], frame: Frame, place: Place, play: Player) -> Iterator[_Played]:
    """Play drafts from the very texts that would be written."""
    jobs: list[Job] = []
    configs: dict[str, Config] = {}
    for folder in folders_of(drafts):
        cases, configs[folder.name], mocks = _read(folder, frame)
        jobs += [
            Job(number=number, file=folder.name, case=replace(case, skip=None), folder_mocks=mocks)
            for number, case in enumerate(cases.cases, start=len(jobs))
        ]
    by_id = {draft.eval_id: draft for draft in drafts}
    options = PlayOptions(timeout=SECONDS)
    assignment = Assignment(agent=place.reference, jobs=tuple(jobs), options=options, root=str(place.root))
    for job, outcome in play(assignment):
        result = judge(job.case, outcome, configs[job.file], JudgeOptions())
        yield _Played(by_id[job.case.eval_id], outcome, result)


def _read(folder: Folder, frame: Frame) -> tuple[CaseSet, Config, MockSet]:
    """Read what would be written, as a run would."""
    evalset, config, mocks = (text for _, text in texts_of(folder, frame))
    return (
        _loaded(evalset_format.parse(evalset, file=folder.name)),
        _loaded(config_format.parse(config, file=folder.name)),
        _loaded(mocks_format.parse(mocks.encode(), file=MOCKS_NAMES[0], folder=Path())),
    )


def _loaded(loaded: Loaded[T]) -> T:
    if loaded.value is None:
        raise UnwritableError(f"the examples of this agent make no valid file: {loaded.problems[0]}")
    return loaded.value


def _changed(played: _Played) -> Draft | None:
    """Return what to play instead of a draft that did not pass; None if it did, or if nothing is left to try."""
    draft, trace = played.draft, played.outcome.trace
    if played.result.verdict == "passed" or trace is None or not trace.turns:
        return None
    first = trace.turns[0]
    if draft.ending == "answered":
        stopped = next((event for event in first.tools if event.status == "blocked"), None)
        if stopped is not None:
            return _blocked(draft, stopped)
        if _ends_with_a_question(first):
            return replace(draft, ending="confirmed")
    failed = {item.criterion.name for item in played.result.criteria if item.gates and item.passed is False}
    if failed == {"route"} and draft.route is not None:
        return replace(draft, route=None)  # code of the agent's own chooses who works
    if draft.answer is not None and failed and failed <= _OF_ANSWERS and _calls_went_through(played):
        return replace(draft, answer=None, must_say=None)
    return None


def _ends_with_a_question(turn: TurnTrace) -> bool:
    """Tell whether a tool waits for the user, so that nobody was asked for an answer."""
    answered = turn.golden is not None and turn.golden.final_given
    return not answered and any(event.status == "waiting" for event in turn.tools)


def _blocked(draft: Draft, stopped: ToolEvent) -> Draft:
    """Let a draft end where a callback stopped it."""
    made = (index for index, one in enumerate(draft.exchanges) if _is_call(one, stopped))
    at = next(made, len(draft.exchanges) - 1)
    return replace(
        draft,
        exchanges=draft.exchanges[: at + 1],
        at=at,
        answer=_REFUSED,
        must_say=None,
        route=None if draft.route is None else draft.route[:at],
        ending="blocked",
        refusal=stopped.reply,
    )


def _is_call(exchange: Exchange, event: ToolEvent) -> bool:
    return (exchange.agent, exchange.tool.name, exchange.args) == (event.agent, event.name, event.args)


def _calls_went_through(played: _Played) -> bool:
    """Tell whether nothing but the words in the end is not what it should be."""
    return all(".final_response: " in reason for reason in played.result.reasons if reason.startswith("replay: "))
