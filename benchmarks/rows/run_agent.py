"""`evalkit run` against `adk eval` of the same files with a stand-in model, start to finish.

Of one agent, and of a whole project: evalkit plays every agent's evalsets in one run, ADK needs a command for each.
"""

from collections.abc import Iterator
from pathlib import Path

import data
from measure import Bench, Figure, Timer, pairs


def measure(bench: Bench) -> Iterator[Figure]:
    """Evaluate twelve cases an agent in two files; both sides score trajectory and response, and store the results."""
    agent = data.write_agent(bench.folder)
    evalsets = bench.folder / "evalsets"
    files = data.write_evalsets(evalsets, files=2, cases=6)
    ours = bench.command("evalkit", "run", "--agent", agent, *files)
    adks = _adk_eval(bench, agent, evalsets)
    yield pairs(ours, adks, rounds=bench.size(7, 2)).faster("evalkit run / adk eval, one agent, 12 cases", aim=3.0)
    yield _of_all_agents(bench)


def _of_all_agents(bench: Bench) -> Figure:
    count = bench.size(5, 2)
    project = bench.folder / "project"
    adks = []
    for number in range(count):
        agent = data.write_agent(project / "agents", f"bench_agent_{number}")
        evalsets = project / "evalsets" / agent.name
        data.write_evalsets(evalsets, files=2, cases=6, agent=agent.name)
        adks.append(_adk_eval(bench, agent, evalsets))
    folders = "".join(f'{key} = "{project / key}"\n' for key in ("agents", "evalsets"))
    (bench.folder / "pyproject.toml").write_text(f"[tool.evalkit]\n{folders}", encoding="utf-8")
    ours = bench.command("evalkit", "run")
    # Minutes long in all, so a warm-up would change nothing.
    timed = pairs(ours, lambda: sum(adk() for adk in adks), rounds=1, warm_up=False)
    return timed.faster(f"evalkit run of all agents / adk eval of each, {count} agents, {12 * count} cases", aim=8.0)


def _adk_eval(bench: Bench, agent: Path, evalsets: Path) -> Timer:
    config = f"--config_file_path={evalsets / 'test_config.json'}"
    return bench.command("adk", "eval", config, agent, *sorted(evalsets.glob("*.evalset.json")))
