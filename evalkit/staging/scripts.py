"""A script of a case, run to its end or to the end of its time, in the keeper.

It runs in a session of its own, with an empty input. What it leaves in the background runs on, as a server that the
case needs does; only what is written until the script itself ends is its output.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalkit.staging.processes import Offspring
from evalkit.staging.streams import Streams

CANNOT_RUN = 127
"""The exit code where there is no such program, as shells have it."""

_LAST_WORDS = 0.5
"""Seconds for reading what a script wrote before it ended, where something in the background goes on writing."""

_LOOK = 0.02
"""Seconds between two looks at whether a script has ended."""


@dataclass(frozen=True, slots=True)
class Script:
    """What runs: the shell with its arguments, where, and for how many seconds at most."""

    argv: Sequence[str]
    workdir: str
    seconds: float


def run(script: Script, offspring: Offspring, streams: Streams, stopped: Callable[[], bool]) -> dict[str, Any]:
    """Run a script.

    Args:
        script: What to run.
        offspring: Starts it; where its time is up, everything below this process is ended.
        streams: Reads its output.
        stopped: Tells whether it is to end early.

    Returns:
        The fields of a `ScriptRun`.
    """
    began = time.monotonic()
    try:
        process = offspring.start(script.argv, script.workdir)
    except OSError as error:
        return {"exit_code": CANNOT_RUN, "stderr": f"{script.argv[0]}: {error.strerror}", "seconds": 0.0}
    stdout, stderr = streams.follow(process)
    ended = None
    while ended is None and process.poll() is None:
        streams.read(_LOOK)
        if stopped():
            ended = "stopped"
        elif time.monotonic() - began > script.seconds:
            ended = "time_limit"
    seconds = min(time.monotonic() - began, script.seconds)
    if ended is not None:
        offspring.end()
    until = time.monotonic() + _LAST_WORDS
    while streams.read(0) and time.monotonic() < until:
        pass
    return {
        "exit_code": None if ended else process.returncode,
        "ended": ended,
        "seconds": seconds,
        "stdout": stdout.text(),
        "stderr": stderr.text(),
    }


def argv_of(shell: str, text: str, file: Path) -> list[str]:
    """Say how a script is run: by `bash` from a file, where an error ends it, or by `sh` as HolmesGPT does it."""
    if shell == "sh":
        return ["/bin/sh", "-c", text]
    file.write_text(text, encoding="utf-8")
    return ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(file)]
