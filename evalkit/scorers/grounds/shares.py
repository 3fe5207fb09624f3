"""Is a share what the numbers beside it make?"""

import re
from decimal import Decimal

from evalkit.answers.numerals import DIGITS, WORDS, Quantity
from evalkit.scorers.grounds.claims import Claim
from evalkit.scorers.grounds.scenes import Scene

_NUMBER = rf"{DIGITS}|{'|'.join(sorted(WORDS, key=len, reverse=True))}"
_PART = rf"\b(?P<part>{_NUMBER})\s?(?:/|(?:of|out of)(?: the| its| all)?)\s?(?P<whole>{_NUMBER})\b"
_PART_BEFORE = re.compile(rf"{_PART}[^.;|%\d]{{0,50}}$", re.IGNORECASE)
_PART_BEHIND = re.compile(rf"^[^.;|%\d]{{0,12}}\((?:i\.e\. |that is )?{_PART}", re.IGNORECASE)
_HUNDRED = Decimal(100)


def unlike_its_parts(claim: Claim, number: Quantity, scene: Scene) -> str | None:
    """Say that a share is not what the two numbers make that it is told with: `33 of 45 (78%)`."""
    if number.unit.dimension != "percent":
        return None
    text, place = scene.sentence, claim.start - scene.sentence_start
    found = _PART_BEFORE.search(text[:place]) or _PART_BEHIND.search(text[place + len(claim.text) :])
    part, whole = (_number(found[name]) for name in ("part", "whole")) if found else (0, 0)
    if not found or not whole or part > whole:
        return None
    share = _HUNDRED * part / whole
    slack = number.step if number.hedged else number.step / 2
    if min(abs(number.number - share), abs(number.number - (_HUNDRED - share))) <= max(slack, Decimal("0.5")):
        return None
    return f"{found['part']} of {found['whole']} is {share:.3g} %"


def _number(written: str) -> Decimal:
    word = written.casefold()
    return Decimal(WORDS[word]) if word in WORDS else Decimal(word.replace(",", ""))
