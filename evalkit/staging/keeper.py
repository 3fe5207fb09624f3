"""The keeper of a stage: a process that sets up, waits while the case is played, and cleans up whatever happens.

It is given an order, one line of JSON on standard input: `before` and `after` (each the argv of a script, or null),
`forwards`, `workdir`, `seconds` for each script, and `root`, the tree to be removed at the end. It answers with lines
of JSON on standard output:

    {"before": {…}}         how `before_test` ran, if there is one
    {"ready": true}         the case may be played; or {"failed": "…"}: why it may not
    {"after": {…}}          how `after_test` ran, if there is one
    {"over": ["…"]}         the command lines of what was still running and was ended

Its input ends when the case has been played, or shall not be played any more, or the process above is gone: then
`after_test` runs. SIGTERM means that even this is not wanted, or has to stop: what runs is ended at once.
"""

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, BinaryIO

from evalkit.staging.forwards import ForwardError, Forwards
from evalkit.staging.processes import Offspring
from evalkit.staging.scripts import Script, run
from evalkit.staging.streams import Streams

_IDLE = 0.5
"""Seconds between two looks at port-forwards."""


class Keeper:
    """Sets up one stage and takes it down.

    Args:
        order: What to do.
        orders: Where it came from, and whose end is the case's.
    """

    def __init__(self, order: Mapping[str, Any], orders: BinaryIO) -> None:
        self._order = order
        self._streams = Streams(orders)
        self._offspring = Offspring()
        self._forwards = Forwards(order["forwards"], self._offspring, self._streams)
        self._given_up = False

    def serve(self) -> None:
        """Do all of it."""
        try:
            if self._set_up():
                _say(ready=True)
                while not self._ends():
                    self._streams.read(_IDLE)
                    self._forwards.keep()
            if self._order["after"] and not self._given_up:
                _say(after=self._run("after", lambda: self._given_up))
        finally:
            ended = self._offspring.end()
            shutil.rmtree(self._order["root"], ignore_errors=True)
            _say(over=ended)

    def give_up(self, *_: object) -> None:
        """Take SIGTERM."""
        self._given_up = True

    def _ends(self) -> bool:
        return self._streams.over or self._given_up

    def _set_up(self) -> bool:
        if self._order["before"]:
            done = self._run("before", self._ends)
            _say(before=done)
            if done["exit_code"] != 0:
                return False
        try:
            self._forwards.open(self._ends)
        except ForwardError as error:
            _say(failed=str(error))
            return False
        return not self._ends()

    def _run(self, which: str, stopped: Callable[[], bool]) -> dict[str, Any]:
        script = Script(self._order[which], self._order["workdir"], self._order["seconds"])
        return run(script, self._offspring, self._streams, stopped)


def _say(**what: Any) -> None:
    """Tell the process above, which may be gone."""
    with suppress(OSError):
        sys.stdout.write(json.dumps(what) + "\n")
        sys.stdout.flush()


def main() -> None:
    """Serve one order."""
    source = os.fdopen(0, "rb", buffering=0)
    line = b""
    while not line.endswith(b"\n"):
        piece = source.read(65_536)
        if not piece:
            return  # the process above ended before it said what to do
        line += piece
    keeper = Keeper(json.loads(line), source)
    signal.signal(signal.SIGTERM, keeper.give_up)
    keeper.serve()


if __name__ == "__main__":
    main()
