"""Playing a golden case against a bare ADK `Runner` with a scripted model, in CPU time; storing is not counted."""

import asyncio
import logging
from collections.abc import Iterator, Sequence

import data
from google.adk.artifacts import InMemoryArtifactService
from google.adk.memory import InMemoryMemoryService
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService
from google.genai import types
from measure import Bench, Figure, cpu, pairs

from evalkit.adk.edges import edges
from evalkit.adk.load import LoadedAgent, loaded_agent
from evalkit.adk.target import AdkTarget
from evalkit.gather import gather
from evalkit.play import Job, PlayOptions, play
from evalkit.selection import parse_selector
from evalkit.traces import Outcome

USER = "bench"


def measure(bench: Bench) -> Iterator[Figure]:
    """Play cases of two calls, that is three model turns, on the same agent; a fresh session each on both sides."""
    logging.disable()  # ADK warns of every answer of the stand-in, which counts no tokens
    count = bench.size(200, 40)
    folder = data.write_agent(bench.folder)
    (file,) = data.write_evalsets(bench.folder / "evalsets", files=1, cases=count)
    (bundle,), _ = gather([parse_selector(str(file))])
    jobs = [
        Job(number=number, file=bundle.file, case=case, folder_mocks=bundle.mocks)
        for number, case in enumerate(bundle.cases.cases)
    ]
    questions = [case.turns[0].user.text for case in bundle.cases.cases if case.turns]
    with loaded_agent(str(folder)) as agent:
        golden = cpu(lambda: _play_golden(agent, jobs), each=count)
        bare = cpu(lambda: asyncio.run(_play_bare(agent, questions)), each=count)
        timed = pairs(golden, bare, rounds=bench.size(9, 3))
    yield timed.faster("golden case / bare Runner with a scripted model, CPU a case", aim=0.8)  # 1.25 of its time


def _play_golden(agent: LoadedAgent, jobs: Sequence[Job]) -> None:
    outcomes: list[Outcome] = []
    with edges():
        target = AdkTarget(agent)
        asyncio.run(play(jobs, target, PlayOptions(), lambda _, outcome: outcomes.append(outcome)))
    assert all(outcome.trace and not outcome.failure and not outcome.trace.misses for outcome in outcomes)


async def _play_bare(agent: LoadedAgent, questions: Sequence[str]) -> None:
    for question in questions:
        runner = Runner(
            agent=agent.root,  # type: ignore[arg-type]  # the sample agent is an agent, not another node
            app_name=agent.name,
            session_service=InMemorySessionService(),
            artifact_service=InMemoryArtifactService(),
            memory_service=InMemoryMemoryService(),
        )
        session = await runner.session_service.create_session(app_name=agent.name, user_id=USER)
        message = types.Content(role="user", parts=[types.Part(text=question)])
        events = [event async for event in runner.run_async(user_id=USER, session_id=session.id, new_message=message)]
        assert events[-1].is_final_response()
