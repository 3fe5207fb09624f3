"""One fault in a text that is not JSON."""

from typing import NamedTuple


class Fault(NamedTuple):
    """What is wrong at an offset of the text, what to write instead, and whether `mechanical` mends it."""

    offset: int
    message: str
    hint: str | None = None
    mechanical: bool = False
