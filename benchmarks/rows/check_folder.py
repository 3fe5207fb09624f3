"""`evalkit check` of a folder of 100 files and 1 MB, as a command."""

from collections.abc import Iterator

import data
from measure import Bench, Figure, duration, median

AIM = 0.3


def measure(bench: Bench) -> Iterator[Figure]:
    """Check ten folders of eight evalsets, a config and a mocks file each."""
    folder = bench.folder / "evalsets"
    for number in range(10):
        data.write_evalsets(folder / f"part{number}", files=8, cases=9)
    files = [path for path in folder.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    seconds = median(bench.command("evalkit", "check", folder), rounds=bench.size(11, 3))
    yield Figure(
        what=f"evalkit check of {len(files)} files, {size / 1e6:.1f} MB",
        ours=duration(seconds),
        result=duration(seconds),
        aim=duration(AIM),
        met=seconds <= AIM,
    )
