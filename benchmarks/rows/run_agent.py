"""`evalkit run` of one agent's evalsets against `adk eval` of the same files with a stand-in model, start to finish."""

from collections.abc import Iterator

import data
from measure import Bench, Figure, pairs


def measure(bench: Bench) -> Iterator[Figure]:
    """Evaluate twelve cases in two files; both sides score trajectory and response, and store what they found."""
    agent = data.write_agent(bench.folder)
    evalsets = bench.folder / "evalsets"
    files = data.write_evalsets(evalsets, files=2, cases=6)
    ours = bench.command("evalkit", "run", "--agent", agent, *files)
    config = f"--config_file_path={evalsets / 'test_config.json'}"
    adk = bench.command("adk", "eval", config, agent, *files)
    yield pairs(ours, adk, rounds=bench.size(7, 2)).faster("evalkit run / adk eval, one agent, 12 cases", aim=3.0)
