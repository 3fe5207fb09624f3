"""What the pytest plugin weighs in a run without an evalset."""

import statistics
from collections.abc import Iterator

from measure import Bench, Figure, Timer, children_cpu, duration, pairs

AIM = 0.020


def measure(bench: Bench) -> Iterator[Figure]:
    """Run one empty test with the plugin and without.

    No other plugin is loaded, and CPU time is compared: 20 ms drown in the noise of what other plugins do.
    """
    (bench.folder / "test_nothing.py").write_text("def test_nothing():\n    pass\n", encoding="utf-8")

    def pytest(*args: str) -> Timer:
        fixed = ("-q", "-p", "no:cacheprovider", "test_nothing.py")
        return bench.command("pytest", *args, *fixed, clock=children_cpu, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")

    timed = pairs(pytest("-p", "evalkit.pytest_plugin"), pytest(), rounds=bench.size(41, 11))
    yield Figure(
        what="pytest with the plugin / without, no evalset",
        ours=duration(statistics.median(timed.ours)),
        other=duration(statistics.median(timed.other)),
        result=f"{timed.added * 1e3:+.1f} ms",
        aim=f"{AIM * 1e3:.0f} ms",
        met=timed.added <= AIM,
    )
