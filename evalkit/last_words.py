"""What a process wrote before it ended, boiled down: its last lines, and where in the user's code it was.

The place comes from a dump of Python's `faulthandler`: a crash leaves one, and so does a process asked where it hangs.
"""

import re
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LINES = 4
"""How many lines are kept."""

_STEERING = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f]")
_THREAD = re.compile(r"(Current thread|Thread) 0x")
_FRAME = re.compile(r'  File "(.+)", line (\d+) in (.+)')
_OTHER = re.compile(
    r"  (\.\.\.$|<|Binary file )|Fatal Python error: |Extension modules: |Current thread's C stack trace "
)
_NOT_THE_USERS = (sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"), str(Path(__file__).parent), "<")


@dataclass(frozen=True, slots=True)
class LastWords:
    """The last lines as one, and the place in the user's code (`file:line in name`) if there is a dump that has one."""

    text: str = ""
    where: str | None = None


def last_words(written: str) -> LastWords:
    """Boil down what a process wrote."""
    lines = _STEERING.sub("", written).splitlines()
    said = [line.strip() for line in lines if line.strip() and not _is_dump(line)]
    return LastWords(" | ".join(said[-LINES:]), next(_places(lines), None))


def _is_dump(line: str) -> bool:
    return any(pattern.match(line) for pattern in (_THREAD, _FRAME, _OTHER))


def _places(lines: list[str]) -> Iterator[str]:
    """Yield places in the user's code, innermost first; those of the thread that crashed or was asked come first."""
    asked: list[tuple[str, str, str]] = []
    others: list[tuple[str, str, str]] = []
    stack = others
    for line in lines:
        if thread := _THREAD.match(line):
            stack = asked if thread[1] == "Current thread" else others
        elif frame := _FRAME.match(line):
            stack.append((frame[1], frame[2], frame[3]))
    for file, number, name in asked + others:
        if not file.startswith(_NOT_THE_USERS):
            yield f"{file}:{number} in {name}"
