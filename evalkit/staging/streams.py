"""Reading what processes write, and what the keeper is told, whenever there is something; and keeping it in bounds."""

import os
import subprocess
from selectors import EVENT_READ, DefaultSelector
from typing import BinaryIO

LARGEST = 16_384
"""Bytes that are kept of what a process writes: of the beginning and of the end."""

_HEAD = LARGEST // 4
_BLOCK = 65_536


class Capture:
    """Takes bytes as they come, however many, and keeps `LARGEST` of them."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._tail = bytearray()
        self._taken = 0

    def take(self, data: bytes) -> None:
        """Take what was written."""
        self._taken += len(data)
        room = _HEAD - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        del self._tail[: max(0, len(self._tail) - (LARGEST - _HEAD))]

    def text(self) -> str:
        """Return it as text, with a line for what was left out; bytes that are no UTF-8 become replacement marks."""
        left_out = self._taken - len(self._head) - len(self._tail)
        between = f"\n… {left_out:,} bytes left out …\n".encode() if left_out else b""
        return bytes(self._head + between + self._tail).decode("utf-8", "replace")


class Streams:
    """All that the keeper reads, so that no process waits for a reader.

    Args:
        orders: What the process above says; nothing but that it has ended or wants an end: the stream's end says so.

    Attributes:
        over: Whether that was said.
    """

    def __init__(self, orders: BinaryIO) -> None:
        self.over = False
        self._selector = DefaultSelector()
        self._selector.register(orders, EVENT_READ)

    def follow(self, process: "subprocess.Popen[bytes]") -> tuple[Capture, Capture]:
        """Read both outputs of a process from now on."""
        captures = Capture(), Capture()
        for stream, capture in zip((process.stdout, process.stderr), captures, strict=True):
            assert stream is not None
            self._selector.register(stream, EVENT_READ, capture)
        return captures

    def read(self, seconds: float) -> bool:
        """Wait so long for something to be read, and read it; return whether there was anything."""
        ready = self._selector.select(seconds)
        for key, _ in ready:
            data = os.read(key.fd, _BLOCK)
            if not data:
                self._selector.unregister(key.fileobj)
            if isinstance(key.data, Capture):
                key.data.take(data)
            elif not data:
                self.over = True
        return bool(ready)
