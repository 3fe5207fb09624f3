"""Has a number of an answer a source, and is it told as what it is there?"""

import re

from evalkit.answers.numerals import Quantity
from evalkit.scorers.grounds.belonging import misplaced
from evalkit.scorers.grounds.claims import Claim
from evalkit.scorers.grounds.counting import Counting
from evalkit.scorers.grounds.derived import Derived
from evalkit.scorers.grounds.facts import Facts
from evalkit.scorers.grounds.figures import Figures
from evalkit.scorers.grounds.scenes import Scene
from evalkit.scorers.grounds.shares import unlike_its_parts
from evalkit.scorers.grounds.states import States

_TOGETHER = re.compile(r"\b(?:together|combined|in total|altogether|in sum)\b", re.IGNORECASE)
_SHORT_OF = re.compile(r"\b(?:within|short)\b", re.IGNORECASE)
_UNDONE = re.compile(r"[^.;:]{0,40}\b(?:yet|still) to\b", re.IGNORECASE)
_PER_MORE = re.compile(r"(?:\s+\w+){0,3}\s+(?:per|an?) (?:minute|hour|day)\b", re.IGNORECASE)
_TIMES = re.compile(r"\s+times (?:as|more|higher|larger|the|its|that|what)\b", re.IGNORECASE)


class Reckoning:
    """Looks a number up, or computes it, and looks whether it is told of the right thing.

    Args:
        facts: What was shown.
        figures: The numbers in it.
        states: The states in it.
        strictness: See `grounding`.
    """

    def __init__(self, facts: Facts, figures: Figures, states: States, strictness: str) -> None:
        self._facts = facts
        self._figures = figures
        self._derived = Derived(facts, figures)
        self._counting = Counting(facts, figures, states)
        self._strict, self._lenient = strictness == "strict", strictness == "lenient"

    def wrong(self, claim: Claim, number: Quantity, scene: Scene) -> str | None:
        """Say what is wrong with a number: None if nothing is, an empty text if nothing that was shown has it."""
        if claim.vague:
            return None if self._lenient else self._counting.wrong(claim, number, (), scene) or None
        leaves, words = self._found(claim, number, scene), self._words(claim, scene)
        if not leaves and not self._has_ground(claim, number, words, scene):
            return ""
        return None if self._lenient else self._told_otherwise(claim, number, leaves, words, scene)

    def _has_ground(self, claim: Claim, number: Quantity, words: str, scene: Scene) -> bool:
        """Tell whether a number that was not shown was asked for, or follows."""
        if number.unit.dimension == "seconds" and number.base in self._facts.spans:
            return True
        return not self._strict and self._derived.holds(number, words, scene.beside(claim), scene.sentence)

    def _told_otherwise(
        self, claim: Claim, number: Quantity, leaves: list[int], words: str, scene: Scene
    ) -> str | None:
        """Say as what a number was shown, if not as what is told."""
        unlike = unlike_its_parts(claim, number, scene)
        if unlike:
            return unlike
        if (
            _PER_MORE.match(scene.behind(claim))
            and leaves
            and all(self._facts.asked_for(one, "rate(") for one in leaves)
        ):
            return "`rate` counts per second"
        why = self._counting.wrong(claim, number, leaves, scene) or self._told_of_another(claim, leaves, scene)
        return None if not why or self._follows(claim, number, words, scene) else why

    def _found(self, claim: Claim, number: Quantity, scene: Scene) -> list[int]:
        if _TIMES.match(scene.behind(claim)):
            return []  # a ratio is computed
        rounding = not self._strict
        leaves = self._figures.find(number, rounding=rounding)
        for reading in claim.readings:
            found = [self._figures.find(part, rounding=rounding) for part in reading]
            leaves = leaves or (found[0] if all(found) else [])
        return leaves

    def _words(self, claim: Claim, scene: Scene) -> str:
        """Return the words that may ask for something computed."""
        together = _TOGETHER.search(scene.sentence[: claim.start - scene.sentence_start])
        signed = "more" if claim.text.startswith(("+", "-")) else ""
        undone = _UNDONE.match(scene.sentence[claim.start + len(claim.text) - scene.sentence_start :])
        return " ".join([scene.segment.text, signed, together[0] if together else "", "missing" if undone else ""])

    def _told_of_another(self, claim: Claim, leaves: list[int], scene: Scene) -> str:
        wrong = self._counting.owner(claim, leaves, scene) or self._counting.time_of_another(leaves, scene)
        return misplaced(self._facts, leaves, wrong) if wrong else ""

    def _follows(self, claim: Claim, number: Quantity, words: str, scene: Scene) -> bool:
        """Tell whether a number that was shown as something else is what the words ask to compute."""
        asked = _SHORT_OF.search(scene.before(claim)) or _TOGETHER.search(words)
        return bool(not self._strict and (asked or not number.unit.dimension) and self._derived.follows(number, words))
