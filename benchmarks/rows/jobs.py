"""`evalkit run -j 2` against `-j 1` on two cores."""

from collections.abc import Iterator

import data
from measure import Bench, Figure, pairs


def measure(bench: Bench) -> Iterator[Figure]:
    """Play many small cases of one agent."""
    agent = data.write_agent(bench.folder)
    cases = bench.size(1_000, 100)
    files = data.write_evalsets(bench.folder / "evalsets", files=4, cases=cases)
    two, one = (bench.command("evalkit", "run", "--agent", agent, "-j", jobs, *files) for jobs in ("2", "1"))
    timed = pairs(two, one, rounds=bench.size(3, 1), warm_up=False)  # a minute's run needs none
    yield timed.faster(f"evalkit run -j 2 / -j 1, {4 * cases:,} cases", aim=1.6)
