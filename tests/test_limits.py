"""Time limits on a real event loop, with code that waits, blocks, and defends itself."""

# ruff: noqa: ASYNC251, BLE001, S112 - code that behaves badly is what these tests are about

import asyncio
import signal
import threading
import time

import pytest

from evalkit import limits as limits_module
from evalkit.limits import OverTimeError, TimeIsUp, TimeLimits

TICK = 0.05
"""The beat of the loop in these tests: quicker than in life."""

SOON = 0.15
"""A time limit that nothing in these tests keeps, unless it is meant to."""

HANG = 20.0
"""What would be a hang: nothing here is cut as late as this."""

needs_timer_signals = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timer signals")


async def spin():
    while True:
        pass


async def sleep_in_the_way():
    time.sleep(HANG)


async def retry_for_ever():
    while True:
        try:
            time.sleep(HANG)
        except Exception:
            continue


async def give_in_at_the_third_time():
    for _ in range(2):
        try:
            time.sleep(HANG)
        except BaseException:
            continue
    time.sleep(HANG)


async def turn_the_cut_into_an_answer():
    try:
        time.sleep(HANG)
    except BaseException:
        return "late"


async def turn_the_cut_into_an_error_of_its_own():
    try:
        time.sleep(HANG)
    except BaseException as error:
        raise ValueError("hidden") from error


async def block_in_a_group_of_tasks():
    async with asyncio.TaskGroup() as group:
        group.create_task(spin())
        group.create_task(asyncio.sleep(HANG))


async def wait():
    await asyncio.sleep(HANG)


async def wait_in_spite_of_being_cancelled():
    try:
        await asyncio.sleep(HANG)
    except asyncio.CancelledError:
        await asyncio.sleep(HANG)


async def answer_when_cancelled():
    try:
        await asyncio.sleep(HANG)
    except asyncio.CancelledError:
        return "late"


async def limited(work, seconds=SOON):
    with TimeLimits() as limits:
        return await limits.within(seconds, work)


async def outcome(limits, seconds, work):
    """What became of the work: its result, or the type of what it raised."""
    try:
        return await limits.within(seconds, work)
    except BaseException as error:
        return type(error)


@pytest.fixture(autouse=True)
def _quick_and_within_reason(monkeypatch):
    """Make the clock tick faster, and fail where nothing is cut."""
    monkeypatch.setattr(limits_module, "TICK", TICK)
    monkeypatch.setattr(limits_module, "AGAIN", 4 * TICK)
    began = time.monotonic()
    yield
    assert time.monotonic() - began < HANG


def test_work_within_its_time_gives_its_result():
    async def work():
        await asyncio.sleep(0)
        return "done"

    assert asyncio.run(limited(work())) == "done"


def test_what_work_raises_comes_out_as_it_is():
    async def work():
        raise KeyError("x")

    with pytest.raises(KeyError, match="x"):
        asyncio.run(limited(work()))


def test_a_timeout_of_the_work_itself_is_told_from_the_end_of_its_time():
    async def work():
        raise TimeoutError("broker")

    with pytest.raises(TimeoutError, match="broker") as raised:
        asyncio.run(limited(work()))
    assert not isinstance(raised.value, OverTimeError)


@pytest.mark.parametrize("work", [wait, wait_in_spite_of_being_cancelled, answer_when_cancelled])
def test_waiting_code_is_cut(work):
    with pytest.raises(OverTimeError):
        asyncio.run(limited(work()))


@needs_timer_signals
@pytest.mark.parametrize(
    "work",
    [
        spin,
        sleep_in_the_way,
        retry_for_ever,
        give_in_at_the_third_time,
        turn_the_cut_into_an_answer,
        turn_the_cut_into_an_error_of_its_own,
        block_in_a_group_of_tasks,
    ],
)
def test_code_that_blocks_the_loop_is_cut(work):
    with pytest.raises(OverTimeError):
        asyncio.run(limited(work()))


@needs_timer_signals
def test_the_cut_of_blocking_code_passes_by_those_who_catch_exceptions():
    seen = []

    async def work():
        try:
            time.sleep(HANG)
        except Exception as error:
            seen.append(error)
        finally:
            seen.append("tidied up")

    with pytest.raises(OverTimeError):
        asyncio.run(limited(work()))
    assert seen == ["tidied up"]


@needs_timer_signals
def test_while_one_case_blocks_the_loop_the_clocks_of_the_others_stand_still():
    async def run():
        with TimeLimits() as limits:
            return await asyncio.gather(
                outcome(limits, 0.8, sleep_in_the_way()),
                outcome(limits, 0.4, asyncio.sleep(0.2, "in time")),
                outcome(limits, 0.4, wait()),
            )

    assert asyncio.run(run()) == [OverTimeError, "in time", OverTimeError]


@needs_timer_signals
def test_time_spent_blocking_in_pieces_counts_against_the_one_that_blocks():
    async def blocks_in_pieces():
        while True:
            time.sleep(2.2 * TICK)
            await asyncio.sleep(0)

    with pytest.raises(OverTimeError):
        asyncio.run(limited(blocks_in_pieces(), 0.4))


@needs_timer_signals
def test_the_cases_after_one_that_was_cut_have_their_own_time():
    async def run():
        with TimeLimits() as limits:
            return [
                await outcome(limits, SOON, spin()),
                await outcome(limits, SOON, asyncio.sleep(0.01, "fine")),
                await outcome(limits, SOON, spin()),
            ]

    assert asyncio.run(run()) == [OverTimeError, "fine", OverTimeError]


def test_outside_the_main_thread_waiting_code_is_cut_and_blocking_code_runs_on():
    async def block_for_a_while():
        time.sleep(2 * SOON)
        return "uncut"

    async def run():
        with TimeLimits() as limits:
            return [await outcome(limits, SOON, wait()), await outcome(limits, SOON, block_for_a_while())]

    found = []
    thread = threading.Thread(target=lambda: found.extend(asyncio.run(run())))
    thread.start()
    thread.join(HANG)
    assert found == [OverTimeError, "uncut"]


def test_whoever_cancels_the_one_that_waits_cancels_the_work():
    ended = []

    async def work():
        try:
            await asyncio.sleep(HANG)
        finally:
            ended.append("work")

    async def run():
        waiting = asyncio.create_task(limited(work(), HANG))
        await asyncio.sleep(0.01)
        waiting.cancel()
        await asyncio.wait([waiting])
        return waiting.cancelled()

    assert asyncio.run(run())
    assert ended == ["work"]


@needs_timer_signals
def test_the_signal_is_given_back_as_it_was_found():
    def handler(*_):
        raise AssertionError("not before its time")

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 3 * HANG, 7.0)
    try:
        with pytest.raises(OverTimeError):
            asyncio.run(limited(spin()))
        assert signal.getsignal(signal.SIGALRM) is handler
        remaining, interval = signal.getitimer(signal.ITIMER_REAL)
        assert 2 * HANG < remaining < 3 * HANG - SOON
        assert interval == 7.0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@needs_timer_signals
def test_an_alarm_that_fell_due_meanwhile_goes_off_afterwards():
    rung = threading.Event()
    before = signal.signal(signal.SIGALRM, lambda *_: rung.set())
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        asyncio.run(limited(asyncio.sleep(0.1)))
        assert rung.wait(HANG)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@needs_timer_signals
def test_no_timer_is_left_behind():
    before = signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)

    asyncio.run(limited(asyncio.sleep(0)))

    assert (signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)) == before


@needs_timer_signals
def test_code_that_takes_the_signal_for_itself_keeps_it():
    rung = []

    async def work():
        before = signal.signal(signal.SIGALRM, lambda *_: rung.append("own"))
        await asyncio.sleep(2 * TICK)  # beats go by, and leave it alone
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        time.sleep(4 * TICK)
        signal.signal(signal.SIGALRM, before)
        return "done"

    assert asyncio.run(limited(work(), HANG)) == "done"
    assert rung == ["own"]


@needs_timer_signals
def test_a_loop_that_is_not_blocked_sees_no_signal(monkeypatch):
    rung = []
    monkeypatch.setattr(TimeLimits, "_look", lambda *_: rung.append("alarm"))

    asyncio.run(limited(asyncio.sleep(5 * TICK), HANG))

    assert rung == []


def test_the_cut_is_no_exception_that_agents_catch_by_habit():
    assert not issubclass(TimeIsUp, Exception)
