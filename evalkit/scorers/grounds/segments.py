"""An answer in parts: sentences, and the segments of a sentence that each tell of something else."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_SENTENCES = re.compile(r"(?<=[.!?…])[*_)\"”]*\s+|\n+|(?<=[\u3002\uff01\uff1f])")
_JOINTS = re.compile(
    r"[;:](?=\s)|,(?=\s)|\s[-\u2013\u2014]+\s|[()]|\b(?:and|but|while|whereas|though|although|yet|nor)\b", re.IGNORECASE
)
_BACKWARD = re.compile(r"^\W*(?:it|its|they|their|this|these|that|those|he|she|both|there)\b", re.IGNORECASE)
_ELSEWHERE = re.compile(r"\b(?:other|others|another|rest|remaining|else|elsewhere)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of an answer.

    Attributes:
        text: As written.
        start: Where it begins in the answer.
        sentence: Which sentence it is part of.
        backward: Whether its sentence goes on about the one before, as with `It`.
        elsewhere: Whether it speaks of others than were named.
    """

    text: str
    start: int
    sentence: int
    backward: bool = False
    elsewhere: bool = False


def segments(text: str) -> Iterator[Segment]:
    """Yield the segments of a text; a row of a table is one."""
    for number, (start, sentence) in enumerate(_split(_SENTENCES, text)):
        parts = [(0, sentence)] if sentence.lstrip().startswith("|") else list(_split(_JOINTS, sentence))
        backward = bool(_BACKWARD.search(sentence))
        for place, part in parts:
            yield Segment(part, start + place, number, backward, bool(_ELSEWHERE.search(part)))


def _split(joint: re.Pattern[str], text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for match in joint.finditer(text):
        if text[start : match.start()].strip():
            yield start, text[start : match.start()]
        start = match.end()
    if text[start:].strip():
        yield start, text[start:]
