"""Playing cases on a target made by hand: what each one gets, and what becomes of what goes wrong."""

import asyncio
import time

import pytest

from evalkit.cases import Case, Message, Step, ToolCall, ToolReply, Turn
from evalkit.mocks import Missed, Returned
from evalkit.play import Job, PlayOptions, play, why_skipped
from evalkit.routes import MockSet, Reply, Route
from evalkit.traces import Failure, Trace

USER = Message(role="user", parts=({"text": "lag?"},))


class FakePlay:
    """Plays a case by calling the function of the case's name."""

    def __init__(self, target, case, backend):
        self.target, self.case, self.backend = target, case, backend
        self.said = []

    async def run(self):
        self.target.in_play += 1
        self.target.most_in_play = max(self.target.most_in_play, self.target.in_play)
        try:
            return await self.target.acts[self.case.eval_id](self)
        finally:
            self.target.in_play -= 1

    def held_up(self):
        return None

    def trace(self):
        return Trace(mode="golden", notes=tuple(self.said))


class FakeTarget:
    def __init__(self, serial=False, **acts):
        self.serial = serial
        self.acts = acts
        self.in_play = self.most_in_play = self.closed = 0
        self.backends = []

    def prepare(self, case, backend, simulator=None):
        self.backends.append(backend)
        return FakePlay(self, case, backend)

    async def close(self):
        self.closed += 1


def job(name, number=0, **fields):
    case = fields.pop("case", Case(eval_id=name, turns=(Turn(index=0, user=USER, steps=()),)))
    return Job(number=number, file="lag.test.json", case=case, **fields)


def played(target, *jobs, **options):
    """Play the jobs and give the outcomes by case, in the order in which they ended."""
    outcomes = {}
    asyncio.run(
        play(jobs, target, PlayOptions(**options), lambda job, outcome: outcomes.update({job.case.eval_id: outcome}))
    )
    return outcomes


def jobs(*names):
    return [job(name, number) for number, name in enumerate(names)]


async def fine(play):
    play.said.append("played")


async def meet_others(play):
    for _ in range(3):
        await asyncio.sleep(0)


async def spin(_):
    while True:
        pass


def test_an_outcome_says_which_case_it_is_of_and_what_happened():
    outcome = played(FakeTarget(one=fine), job("one", run=2))["one"]

    assert (outcome.file, outcome.eval_id, outcome.run) == ("lag.test.json", "one", 2)
    assert outcome.trace == Trace(mode="golden", notes=("played",))
    assert outcome.failure is None
    assert outcome.seconds > 0


def test_what_the_target_gives_as_the_reason_for_an_early_end_is_the_outcomes_failure():
    failure = Failure(kind="tool_error", message="TimeoutError: broker", where="tools.py:3 in lag")

    async def fail(_):
        return failure

    assert played(FakeTarget(one=fail), job("one"))["one"].failure == failure


def test_each_case_has_fresh_mocks():
    replies = (Reply(value="first"), Reply(value="second"))
    mocks = MockSet(file="mocks.yaml", routes=(Route(tool="get_lag", replies=replies),))
    heard = []

    async def ask(play):
        answer = play.backend.answer("kafka", "get_lag", {}, 0)
        assert isinstance(answer, Returned)
        heard.append(answer.value)

    played(FakeTarget(one=ask, two=ask), job("one", 0, folder_mocks=mocks), job("two", 1, folder_mocks=mocks))

    assert heard == ["first", "first"]


def test_a_cases_own_mocks_come_before_the_folders_and_its_recording():
    def mocks(tool, value):
        return MockSet(file=f"{value}.yaml", routes=(Route(tool=tool, replies=(Reply(value=value),)),))

    steps = (
        Step(calls=(ToolCall(name="third", id="1"),), replies=(ToolReply(name="third", id="1", response={"r": 3}),)),
    )
    case = Case(eval_id="one", turns=(Turn(index=0, user=USER, steps=steps),))
    heard = []

    async def ask(play):
        for tool in ("first", "second", "third", "fourth"):
            answer = play.backend.answer("kafka", tool, {}, 0)
            heard.append("miss" if isinstance(answer, Missed) else answer.value)

    played(
        FakeTarget(one=ask),
        job("one", case=case, case_mocks=mocks("first", "case"), folder_mocks=mocks("second", "folder")),
    )

    assert heard == ["case", "folder", {"r": 3}, "miss"]


def test_as_many_cases_are_in_play_at_once_as_the_options_allow():
    names = ("a", "b", "c", "d", "e")
    target = FakeTarget(**dict.fromkeys(names, meet_others))

    assert set(played(target, *jobs(*names), concurrency=3)) == set(names)
    assert target.most_in_play == 3


def test_a_target_whose_cases_share_something_plays_them_one_at_a_time():
    names = ("a", "b", "c")
    target = FakeTarget(serial=True, **dict.fromkeys(names, meet_others))

    assert list(played(target, *jobs(*names), concurrency=3)) == ["a", "b", "c"]
    assert target.most_in_play == 1


def test_the_target_is_closed_once_after_its_last_case():
    target = FakeTarget(one=fine, two=fine)

    played(target, *jobs("one", "two"), concurrency=2)

    assert (target.closed, target.in_play) == (1, 0)


def test_a_target_without_cases_is_closed_too():
    target = FakeTarget()

    assert played(target) == {}
    assert target.closed == 1


def test_each_case_is_announced_before_it_is_played_and_only_once():
    story = []

    async def tell(play):
        story.append(f"play {play.case.eval_id}")

    asyncio.run(
        play(
            jobs("a", "b"),
            FakeTarget(a=tell, b=tell),
            PlayOptions(),
            emit=lambda job, _: story.append(f"end {job.number}"),
            started=lambda job: story.append(f"start {job.number}"),
        )
    )

    assert story == ["start 0", "play a", "end 0", "start 1", "play b", "end 1"]


class NotAnException(BaseException):
    pass


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (KeyError("x"), "KeyError: 'x'"),
        (ValueError("two\n  lines"), "ValueError: two lines"),
        (ValueError(), "ValueError"),
        (TimeoutError("broker"), "TimeoutError: broker"),
        (NotAnException("given up"), "NotAnException: given up"),
        (asyncio.CancelledError(), "the agent cancelled the task that plays it"),
        (BaseExceptionGroup("both", [NotAnException()]), "BaseExceptionGroup: both (1 sub-exception)"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else None,
)
def test_a_target_that_crashes_while_it_plays_is_data_and_the_others_go_on(error, message):
    async def crash(play):
        play.said.append("so far")
        raise error

    outcomes = played(FakeTarget(one=crash, two=fine), *jobs("one", "two"))

    assert outcomes["one"].failure == Failure(kind="agent_error", message=message)
    assert outcomes["one"].trace == Trace(mode="golden", notes=("so far",))
    assert outcomes["two"].failure is None


def test_a_target_that_cannot_prepare_a_case_is_data_and_the_others_go_on():
    class Unprepared(FakeTarget):
        def prepare(self, case, backend, simulator=None):
            if case.eval_id == "one":
                raise AttributeError("no tree")
            return super().prepare(case, backend)

    outcomes = played(Unprepared(two=fine), *jobs("one", "two"))

    assert outcomes["one"].failure == Failure(kind="agent_error", message="AttributeError: no tree")
    assert outcomes["one"].trace is None
    assert outcomes["two"].failure is None


def test_a_trace_that_cannot_be_had_does_not_hide_why_the_case_failed():
    class Traceless(FakeTarget):
        def prepare(self, case, backend, simulator=None):
            play = super().prepare(case, backend)
            play.trace = lambda: 1 / 0
            return play

    async def crash(_):
        raise KeyError("x")

    outcomes = played(Traceless(one=crash, two=fine), *jobs("one", "two"))

    assert outcomes["one"].failure.message == "KeyError: 'x'"
    assert outcomes["two"].failure.message == "ZeroDivisionError: division by zero"


@pytest.mark.parametrize("act", [spin, lambda _: asyncio.sleep(60)], ids=["blocking", "waiting"])
def test_a_case_that_takes_too_long_is_cut_and_keeps_its_trace(act):
    async def begin(play):
        play.said.append("begun")
        await act(play)

    began = time.monotonic()
    outcomes = played(FakeTarget(one=begin, two=fine), *jobs("one", "two"), timeout=3.0)

    assert outcomes["one"].failure == Failure(kind="timeout_exceeded", message="the case used up its 3 s")
    assert outcomes["one"].trace.notes == ("begun",)
    assert outcomes["two"].failure is None
    assert time.monotonic() - began < 30


def test_cancelling_the_run_is_no_outcome_of_a_case():
    async def run():
        outcomes = []
        target = FakeTarget(one=lambda _: asyncio.sleep(60))
        running = asyncio.create_task(play([job("one")], target, PlayOptions(), lambda *pair: outcomes.append(pair)))
        await asyncio.sleep(0.01)
        running.cancel()
        await asyncio.wait([running])
        return running.cancelled(), outcomes, target.closed

    assert asyncio.run(run()) == (True, [], 1)


@pytest.mark.parametrize(
    ("case", "mode", "reason"),
    [
        (Case(eval_id="a", turns=()), "golden", None),
        (Case(eval_id="a", turns=(), skip="needs a cluster"), "golden", "needs a cluster"),
        (Case(eval_id="a", turns=(), skip="needs a cluster"), "live", "needs a cluster"),
        (Case(eval_id="a", turns=(), skip=""), "live", "skipped without a reason"),
        (
            Case(eval_id="a", scenario={"starting_prompt": "hi"}),
            "golden",
            "conversation_scenario: there is no golden conversation to play; a simulated user needs a live model",
        ),
        (
            Case(eval_id="a", scenario={"starting_prompt": "hi"}),
            "live",
            "conversation_scenario: `evalkit run --mode live --scenarios` plays it, with a model for the user too",
        ),
    ],
)
def test_a_case_that_is_not_played_has_its_reason(case, mode, reason):
    assert why_skipped(case, mode) == reason


def test_a_scenario_is_played_live_where_simulated_users_are_wanted():
    assert why_skipped(Case(eval_id="a", scenario={"starting_prompt": "hi"}), "live", scenarios=True) is None
