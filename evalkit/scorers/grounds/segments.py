"""An answer in parts: sentences, and the segments of a sentence that each tell of something else."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_ABBREVIATIONS = r"(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\bapprox\.)(?<!\bca\.)(?<!\bincl\.)"
SENTENCES = re.compile(rf"(?<=[.!?…]){_ABBREVIATIONS}[*_)\"”]*\s+|\n+|(?<=[\u3002\uff01\uff1f])")
_JOINTS = re.compile(
    r"[;:](?=\s)|,(?=\s)|\s(?:[-\u2013\u2014]+|[/\u00b7\u2022])\s|[()]|\b(?:and|but|while|whereas|though|although|yet|nor)\b",
    re.IGNORECASE,
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
        head: Of a row of a table: the row with the names of the columns.
    """

    text: str
    start: int
    sentence: int
    backward: bool = False
    elsewhere: bool = False
    head: str = ""


def segments(text: str) -> Iterator[Segment]:
    """Yield the segments of a text; a row of a table is one."""
    head = ""
    for number, (start, sentence) in enumerate(split(SENTENCES, text)):
        if sentence.lstrip().startswith("|"):
            yield Segment(sentence, start, number, head=head)
            head = head or sentence
            continue
        head = ""
        backward = bool(_BACKWARD.search(sentence))
        for place, part in split(_JOINTS, sentence):
            yield Segment(part, start + place, number, backward, bool(_ELSEWHERE.search(part)))


def split(joint: re.Pattern[str], text: str) -> Iterator[tuple[int, str]]:
    """Yield the parts of a text that are not blank, each with its place."""
    start = 0
    for match in joint.finditer(text):
        if text[start : match.start()].strip():
            yield start, text[start : match.start()]
        start = match.end()
    if text[start:].strip():
        yield start, text[start:]


@lru_cache(maxsize=500)
def columns(row: str) -> tuple[tuple[int, str], ...]:
    """Return the cells of a row of a table, each with its place in the row."""
    return tuple(_cells(row))


def _cells(row: str) -> Iterator[tuple[int, str]]:
    place = row.find("|") + 1
    for cell in row[place:].split("|"):
        yield place, cell
        place += len(cell) + 1
