"""The pool: real processes that play, hang, crash and vanish.

ADK is left out of these workers, because importing it takes seconds; `test_worker.py` has it in. Everything else in
them is real: the pipes, the time limits, and the ways to die.
"""

import os
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import replace
from pathlib import Path

import pytest

from evalkit import pool as pool_module, process as process_module
from evalkit.cases import Case
from evalkit.errors import AdkVersionError, AgentLoadError
from evalkit.play import Job, PlayOptions
from evalkit.pool import Pool, split
from evalkit.protocol import Assignment

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="its workers die in ways that only POSIX knows")

WORKER = '''
"""A worker whose agents are functions of this file. A case does what its id says: `wait-0.2`."""

import asyncio, contextlib, ctypes, itertools, os, signal, sys, threading, time

from evalkit import worker
from evalkit.errors import AdkVersionError, AgentLoadError
from evalkit.protocol import AgentReady
from evalkit.traces import Trace


class Acts:
    """What cases do, by name; `detail` is what follows the name in the case's id."""

    def __init__(self, play):
        self.play = play

    async def fine(self, detail):
        pass

    async def wait(self, detail):
        await asyncio.sleep(float(detail))

    async def spin(self, detail):
        while True:
            pass

    async def exit(self, detail):
        sys.exit(int(detail))

    async def vanish(self, detail):
        print("about to vanish")
        os._exit(int(detail))

    async def kill(self, detail):
        os.kill(os.getpid(), signal.SIGKILL)

    async def segfault(self, detail):
        ctypes.string_at(0)

    async def deaf(self, detail):
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
        time.sleep(60)

    async def count(self, detail):
        sum(itertools.repeat(0))  # one call into C, which never gives up the interpreter

    async def stubborn(self, detail):
        while True:
            try:
                time.sleep(60)
            except BaseException:
                pass

    async def say(self, detail):
        print(detail)
        print(detail, file=sys.stderr)
        os.write(1, b"\\x00\\x01 not a message")

    async def answer(self, detail):
        return "x" * int(detail)

    async def show(self, detail):
        return object()

    async def unreadable(self, detail):
        class Unreadable(dict):
            def items(self):
                raise OSError("gone")

        return Unreadable(a=1)

    async def misname(self, detail):
        self.play.models = {"kafka": 3}

    async def thread(self, detail):
        asyncio.get_running_loop().run_in_executor(None, time.sleep, 60)

    async def fork(self, detail):
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
        os.kill(os.getpid(), signal.SIGKILL)

    async def spoil(self, detail):
        SPOILT.append(True)

    async def meet(self, detail):
        """Die only where another case is in play."""
        for _ in range(30):
            if len(IN_PLAY) > 1:
                os._exit(7)
            await asyncio.sleep(0.01)


SPOILT = []
IN_PLAY = set()


class Play:
    def __init__(self, case):
        self.case = case
        self.said = {"pid": os.getpid(), "text": case.eval_id}
        self.models = {}

    async def run(self):
        name, _, detail = self.case.eval_id.partition("-")
        IN_PLAY.add(self.case.eval_id)
        try:
            self.said["reply"] = await getattr(Acts(self), name)(detail)
        finally:
            IN_PLAY.discard(self.case.eval_id)

    def held_up(self):
        return None

    def trace(self):
        return Trace(mode="golden", state=self.said, models=self.models)


class Target:
    serial = False

    def prepare(self, case, backend, simulator):
        return Play(case)

    async def close(self):
        pass


@contextlib.contextmanager
def opened(assignment, in_environment):
    name = assignment.agent
    if name == "unusable":
        raise AgentLoadError("unusable: importing the agent failed: KeyError: 'x'")
    if name == "outdated":
        raise AdkVersionError("google-adk 9.9 has no FunctionTool._invoke_callable")
    if name == "vanishes":
        print("loading", file=sys.stderr)
        os._exit(3)
    if name == "hangs":
        time.sleep(60)
    if name == "delicate" and SPOILT:
        os._exit(4)
    if name == "restless":
        threading.Timer(0.2, os._exit, [5]).start()
        time.sleep(0.1)
    yield Target(), AgentReady(name, {name: ("get_lag",)})
    if name == "lingers":
        time.sleep(60)


def never_play(*args, **options):
    os._exit(6)


if "NEVER_PLAY" in os.environ:
    worker.play = never_play
worker.opened = opened
worker.main()
'''


@pytest.fixture(scope="module")
def light_worker(tmp_path_factory):
    path = tmp_path_factory.mktemp("worker") / "light_worker.py"
    path.write_text(textwrap.dedent(WORKER), encoding="utf-8")
    return path


@pytest.fixture(scope="module", autouse=True)
def _quick(light_worker):
    """Leave ADK out, and lose patience soon."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(process_module, "COMMAND", (sys.executable, "-P", str(light_worker)))
        patch.setattr(pool_module, "HARD_GRACE", 1.0)
        patch.setattr(pool_module, "CLOSING", 1.0)
        yield


def jobs(*ids):
    return tuple(Job(number=number, file="f", case=Case(eval_id=eval_id)) for number, eval_id in enumerate(ids))


def assignment(*ids, agent="fine", timeout=3.0, concurrency=1):
    return Assignment(agent=agent, jobs=jobs(*ids), options=PlayOptions(timeout=timeout, concurrency=concurrency))


def play(*assignments, workers=1):
    """Play everything and give the outcomes in the order in which they came."""
    with Pool(assignments, workers) as pool:
        return [outcome for _, outcome in pool.outcomes()]


def pids(outcomes):
    return {outcome.trace.state["pid"] for outcome in outcomes if outcome.trace}


def is_there(pid):
    """Whether the process exists, be it as a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def eventually(condition, seconds=20):
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.05)
    return condition()


# Each case does its worst in one run of two processes, and every other one goes on.
CUT = "the case could not be cut when its 3 s were up; its process was ended"
WORST = {
    "spin": ("timeout_exceeded", "the case used up its 3 s", None),
    "wait-60": ("timeout_exceeded", "the case used up its 3 s", None),
    "exit-3": ("worker_died", "the process ended with exit code 3 in the middle of the case", None),
    "vanish-0": (
        "worker_died",
        "the process ended with exit code 0 in the middle of the case; the last it wrote: about to vanish",
        None,
    ),
    "kill": ("worker_died", "the process was ended by SIGKILL in the middle of the case", None),
    "fork": ("worker_died", "the process was ended by SIGKILL in the middle of the case", None),
    "segfault": ("worker_died", "the process was ended by SIGSEGV in the middle of the case", "segfault"),
    "deaf": ("worker_died", CUT, "deaf"),
    "count": ("worker_died", CUT, "count"),
    "stubborn": ("worker_died", CUT, "stubborn"),
    "unreadable": ("agent_error", "what happened cannot be stored: OSError: gone", None),
    "misname": (
        "agent_error",
        "what happened cannot be read back: $.trace.models.kafka: expected a string, found 3",
        None,
    ),
}
HARMLESS = ("fine", "fine-2", "say-hello", "answer-100000", "show", "thread", "fine-3")


@pytest.fixture(scope="module")
def worst():
    """The outcomes, by case, of all that is bad and some that are good, shuffled."""
    ids = [*WORST, *HARMLESS]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool_module, "WORTH_A_WORKER", 1)
        outcomes = play(assignment(*ids[::2], *ids[1::2]), workers=2)
    assert sorted(outcome.eval_id for outcome in outcomes) == sorted(ids)
    return {outcome.eval_id: outcome for outcome in outcomes}


@pytest.mark.parametrize("eval_id", WORST)
def test_a_case_that_does_its_worst_is_data(eval_id, worst, light_worker):
    kind, message, function = WORST[eval_id]
    failure = worst[eval_id].failure

    assert (failure.kind, failure.message) == (kind, message)
    if function is None:
        assert failure.where is None
    else:
        assert failure.where.startswith(f"{light_worker}:")
        assert failure.where.endswith(f" in {function}")


@pytest.mark.parametrize("eval_id", HARMLESS)
def test_the_cases_beside_those_that_do_their_worst_go_on(eval_id, worst):
    assert worst[eval_id].failure is None
    assert worst[eval_id].trace.state["text"] == eval_id


def test_what_only_the_worker_knows_arrives_as_text(worst):
    assert worst["show"].trace.state["reply"]["$python"] == "builtins.object"


def test_the_time_of_a_case_that_ended_its_worker_is_known(worst):
    assert 3.0 < worst["deaf"].seconds < 30


def test_nothing_is_left_of_any_worker(worst):
    assert not [pid for pid in pids(worst.values()) if is_there(pid)]


def test_the_last_words_of_a_case_are_its_own():
    _, outcome = play(assignment("say-hello", "kill"))

    assert outcome.failure.message == WORST["kill"][1]


def test_with_several_in_play_the_one_that_kills_the_worker_is_found_and_the_others_are_played_again():
    outcomes = play(assignment("vanish-3", "wait-0.3", "wait-0.2", "fine", concurrency=3, timeout=20))

    assert {outcome.eval_id: outcome.failure and outcome.failure.kind for outcome in outcomes} == {
        "vanish-3": "worker_died",
        "wait-0.3": None,
        "wait-0.2": None,
        "fine": None,
    }
    assert len(outcomes) == 4


def test_cases_that_kill_the_worker_only_together_are_innocent():
    outcomes = play(assignment("meet-1", "meet-2", concurrency=2, timeout=20))

    assert sorted((outcome.eval_id, outcome.failure) for outcome in outcomes) == [("meet-1", None), ("meet-2", None)]


@pytest.mark.parametrize(
    ("agent", "error", "message"),
    [
        ("unusable", AgentLoadError, r"unusable: importing the agent failed: KeyError: 'x'"),
        ("outdated", AdkVersionError, r"google-adk 9\.9 has no FunctionTool\._invoke_callable"),
        (
            "vanishes",
            AgentLoadError,
            r"vanishes: the process ended with exit code 3 while the agent was loaded; the last it wrote: loading",
        ),
        (
            "hangs",
            AgentLoadError,
            r"hangs: loading the agent did not end within 1\.5 s, in .*light_worker\.py:\d+ in opened",
        ),
    ],
)
def test_an_agent_that_cannot_be_loaded_is_one_clear_line(agent, error, message, monkeypatch):
    monkeypatch.setattr(pool_module, "LOAD_TIMEOUT", 1.5)

    with pytest.raises(error, match=f"^{message}$"):
        play(assignment("fine", agent=agent))


def test_a_worker_that_dies_without_a_case_to_blame_is_not_replaced_for_ever(monkeypatch):
    monkeypatch.setenv("NEVER_PLAY", "1")

    with pytest.raises(AgentLoadError, match=r"^fine: the process ended with exit code 6 before a case was in play$"):
        play(assignment("fine", "fine-2"))


def test_an_agent_that_does_not_come_to_its_end_after_the_last_case_is_ended():
    outcomes = play(assignment("fine", agent="lingers"), assignment("fine"))

    assert [outcome.failure for outcome in outcomes] == [None, None]
    assert len(pids(outcomes)) == 2


def test_one_process_plays_one_agent_after_the_other():
    with Pool([assignment("fine", agent="first"), assignment("fine", agent="second")]) as pool:
        outcomes = [outcome for _, outcome in pool.outcomes()]

    assert len(pids(outcomes)) == 1
    assert {name: ready.tools for name, ready in pool.agents.items()} == {
        "first": {"first": ("get_lag",)},
        "second": {"second": ("get_lag",)},
    }


def test_an_agent_that_cannot_be_loaded_where_another_was_gets_a_process_of_its_own():
    outcomes = play(assignment("spoil", "fine"), assignment("fine", agent="delicate"))

    assert [outcome.failure for outcome in outcomes] == [None, None, None]
    assert len(pids(outcomes)) == 2


def test_a_worker_that_hangs_is_ended_while_another_talks_all_the_time():
    outcomes = play(
        assignment(*["wait-0.15"] * 24, agent="chatty", timeout=0.5), assignment("stubborn", timeout=0.5), workers=2
    )

    assert "stubborn" in [outcome.eval_id for outcome in outcomes][:-1]


@pytest.mark.parametrize(
    ("cases", "workers", "parts"),
    [
        ([0], 2, []),
        ([1], 4, [1]),
        ([25], 4, [25]),
        ([26], 4, [13, 13]),
        ([100], 2, [50, 50]),
        ([100], 8, [25, 25, 25, 25]),
        ([101], 2, [51, 50]),
        ([3, 60, 10], 2, [30, 30, 10, 3]),
    ],
)
def test_an_agents_cases_are_split_where_it_pays_and_the_biggest_part_comes_first(cases, workers, parts):
    assignments = [assignment(*["fine"] * count) for count in cases]

    assert [len(part.jobs) for part in split(assignments, workers)] == parts


def test_live_cases_take_so_long_that_each_is_worth_a_worker():
    parts = split([replace(assignment("a", "b", "c"), golden=False)], 2)

    assert [[job.number for job in part.jobs] for part in parts] == [[0, 2], [1]]


def test_two_workers_share_the_cases_and_each_is_played_once():
    ids = [f"wait-0.01{number}" for number in range(100)]
    outcomes = play(assignment(*ids), workers=2)

    assert sorted(outcome.eval_id for outcome in outcomes) == sorted(ids)
    assert len(pids(outcomes)) == 2


def test_there_are_never_more_processes_than_parts_nor_more_starting_than_cores(monkeypatch):
    monkeypatch.setattr(pool_module, "WORTH_A_WORKER", 1)
    monkeypatch.setattr(pool_module.os, "cpu_count", lambda: 1)
    starting = []
    start = Pool._start

    def watched(pool, part):
        starting.append(sum(not other.ready for other in pool._parts))
        start(pool, part)

    monkeypatch.setattr(Pool, "_start", watched)

    assert len(pids(play(assignment("wait-1", "wait-1", "wait-1", timeout=20), workers=1000))) <= 3
    assert starting == [0, 0, 0]


def test_large_assignments_and_large_outcomes_pass_each_other():
    text = "x" * 2_000
    ids = [f"fine-{number}-{text}" for number in range(2_500)]
    outcomes = play(assignment(*ids, timeout=60), workers=2)

    assert sorted(outcome.trace.state["text"] for outcome in outcomes) == sorted(ids)


def test_the_pool_stops_when_it_is_asked_to():
    seen = []
    with Pool([assignment("fine", "wait-60", "fine-2", timeout=60)]) as pool:
        for _, outcome in pool.outcomes(stop=lambda: bool(seen)):
            seen.append(outcome.eval_id)

    assert seen == ["fine"]


def test_leaving_the_pool_ends_its_workers_in_the_middle_of_a_case():
    with Pool([assignment("fine", "wait-60", timeout=60)]) as pool:
        _, outcome = next(pool.outcomes())
        (pid,) = pids([outcome])
        assert is_there(pid)

    assert not is_there(pid)


def test_no_file_is_left_open():
    def count():
        return len(list(Path("/dev/fd").iterdir()))

    play(assignment("fine"))
    before = count()
    play(assignment("fine", "vanish-1", "fine-2"), assignment("fine", agent="second"), workers=2)
    with pytest.raises(AgentLoadError):
        play(assignment("fine", agent="unusable"))

    assert count() == before


RUNNING = """
import sys
from evalkit import pool, process
from evalkit.cases import Case
from evalkit.play import Job, PlayOptions
from evalkit.protocol import Assignment

process.COMMAND = (sys.executable, "-P", sys.argv[1])
jobs = tuple(Job(number=n, file="f", case=Case(eval_id=e)) for n, e in enumerate(["fine", "deaf"]))
try:
    with pool.Pool([Assignment(agent="fine", jobs=jobs, options=PlayOptions(timeout=600))]) as running:
        for _, outcome in running.outcomes():
            print(outcome.trace.state["pid"], flush=True)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize(("end", "said"), [(signal.SIGINT, "interrupted\n"), (signal.SIGKILL, "")])
def test_no_worker_outlives_the_process_above_it(end, said, light_worker):
    with subprocess.Popen(
        [sys.executable, "-c", RUNNING, light_worker], stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as above:
        worker = int(above.stdout.readline())
        assert is_there(worker)
        os.killpg(above.pid, end)  # as a terminal does: the whole group gets it

        assert above.communicate(timeout=30)[0] == said
        assert eventually(lambda: not is_there(worker))


class Deaf:
    """Stands in for a process that is asked whether it lives."""

    def __init__(self):
        self.killed = 0

    def has_ended(self):
        return False

    def kill(self):
        self.killed += 1
        return True


@pytest.mark.parametrize(("not_looked_for", "killed"), [(2.0, 1), (60.0, 0)])
def test_who_was_suspended_itself_does_not_blame_the_workers(not_looked_for, killed):
    part = pool_module._Part(Deaf(), assignment("fine"), {}, ready=True)
    part.heard -= 120
    pool = Pool([])
    pool._parts.add(part)
    pool._looked -= not_looked_for

    pool._look()

    assert part.process.killed == killed


def test_more_can_be_handed_over_later_and_is_played_in_the_same_process():
    with Pool(()) as pool:
        assert list(pool.outcomes()) == []
        played = []
        for eval_id in ("fine", "wait-0.1"):
            pool.add(assignment(eval_id))
            played += [outcome for _, outcome in pool.outcomes()]
    assert [outcome.eval_id for outcome in played] == ["fine", "wait-0.1"]
    assert len(pids(played)) == 1


def test_an_agent_can_be_loaded_without_a_case():
    with Pool(()) as pool:
        pool.add(assignment(agent="kafka"))
        assert list(pool.outcomes()) == []
        assert pool.agents["kafka"].tools == {"kafka": ("get_lag",)}
