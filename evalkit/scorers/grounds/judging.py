"""Whether each claim of an answer has a source, and what is wrong with those that have none."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

from evalkit.answers.numerals import other_readings
from evalkit.formats.own_metrics import GROUNDING_KINDS
from evalkit.scorers.grounds.absence import unseen
from evalkit.scorers.grounds.advice import Region, almost, claims_nothing, is_in, regions
from evalkit.scorers.grounds.belonging import misplaced, owner, whose
from evalkit.scorers.grounds.claims import Claim, blank_quotations, claims
from evalkit.scorers.grounds.comparisons import Comparisons
from evalkit.scorers.grounds.contrasts import Contrasts
from evalkit.scorers.grounds.doings import Doings
from evalkit.scorers.grounds.facts import Facts
from evalkit.scorers.grounds.figures import Figures
from evalkit.scorers.grounds.listings import Listings
from evalkit.scorers.grounds.names import parts_of
from evalkit.scorers.grounds.naming import Naming
from evalkit.scorers.grounds.reckoning import Reckoning
from evalkit.scorers.grounds.scenes import Names, Scene, scenes
from evalkit.scorers.grounds.states import States
from evalkit.scorers.grounds.statuses import GOOD, Status, statuses

_ELLIPSIS = re.compile(r"\s*(?:…|\.\.\.)\s*")
_EACH = re.compile(r"\b(?:both|each|every|(?<!at )all)\b", re.IGNORECASE)
_VALUE = re.compile(r"[*_`]*(?:\s+\w+)?[*_`]*:[\s*_`]*(\d|none|no\b|yes\b|true|false|unknown|\[)", re.IGNORECASE)
_OF_ALL = re.compile(rf"{_EACH.pattern}|\b(?:none|neither|no)\b", re.IGNORECASE)
_EACH_WITH = re.compile(r"\beach (?:with|has|having|of them has)\s+$", re.IGNORECASE)
_NOW = re.compile(r"\b(?:is|are|now|still|remains?)\b", re.IGNORECASE)
_THEN = re.compile(r"\b(?:was|were|had|first|initially|before|earlier|after|originally)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Rules:
    """What is judged, and how strictly; the options of the criterion."""

    strictness: str = "normal"
    kinds: frozenset[str] = frozenset(GROUNDING_KINDS)
    ignore: tuple[str, ...] = ()
    identifiers: re.Pattern[str] | None = None

    @property
    def reads_states(self) -> bool:
        """Whether words that tell something are looked at, and not only whether names and numbers were shown."""
        return "status" in self.kinds and self.strictness != "lenient"

    def ignores(self, text: str) -> bool:
        """Tell whether a claim is not to be judged."""
        return any(fnmatchcase(text.casefold(), pattern.casefold()) for pattern in self.ignore)


@dataclass(frozen=True, slots=True)
class Fault:
    """A claim without a source; `why` is empty if nothing at all has it."""

    kind: str
    text: str
    why: str = ""


@dataclass(slots=True)
class Verdict:
    """What an answer states, and what is wrong with it."""

    stated: int = 0
    faults: list[Fault] = field(default_factory=list)


class Judge:
    """Judges answers by what was shown up to then."""

    def __init__(self, rules: Rules) -> None:
        self.facts = Facts()
        self.doings = Doings()
        self._rules = rules
        self._figures = Figures(self.facts)
        self._names = Names(self.facts)
        self._states = States(self.facts)
        self._reckoning = Reckoning(self.facts, self._figures, self._states, rules.strictness)
        self._comparisons = Comparisons(self.facts, self._figures)
        self._contrasts = Contrasts(self.facts)
        self._listings = Listings(self.facts)
        self._naming = Naming(self.facts)

    def judge(self, answer: str) -> Verdict:
        """Look for the source of each claim of an answer."""
        unclaimed = regions(answer)
        stated = [c for c in claims(answer, self._rules.identifiers) if c.kind in self._rules.kinds]
        found: dict[object, Fault | None] = {}
        sentence = -1
        for scene in scenes(blank_joints(answer), stated, self._names):
            for claim, fault in self._claimed(scene, answer, unclaimed):
                found[claim.key] = found.get(claim.key) or fault
            if self._rules.reads_states:
                found |= {(fault.kind, fault.text): fault for fault in self._told(scene, unclaimed)}
                if scene.segment.sentence != sentence:
                    sentence = scene.segment.sentence
                    found |= {("compared", fault.text): fault for fault in self._compared(scene, unclaimed)}
        return Verdict(len(found), [fault for fault in found.values() if fault])

    def _claimed(self, scene: Scene, answer: str, unclaimed: Sequence[Region]) -> Iterator[tuple[Claim, Fault | None]]:
        """Yield the claims of a segment, each with what is wrong with it."""
        for claim in [*scene.claims, *self._told_states(scene)]:
            if self._rules.ignores(claim.text):
                continue
            if claims_nothing(claim, answer, unclaimed):
                if claim.kind == "identifier":
                    yield from self._advised(claim)
                continue
            fault = self._fault(claim, scene)
            if fault or not claim.vague:
                yield claim, fault

    def _advised(self, claim: Claim) -> Iterator[tuple[Claim, Fault | None]]:
        """Yield a name in a piece of advice if it was shown, or is almost one that was."""
        if self.facts.find(claim.text):
            yield claim, None
        else:
            like = almost(claim.text, self.facts.text())
            if like:
                yield claim, Fault("identifier", claim.text, f"the tools have `{like}`")

    def _told_states(self, scene: Scene) -> Iterator[Claim]:
        """Yield the states that a segment tells, as far as something shows them or they can be nothing else."""
        is_head = scene.segment.text.lstrip().startswith("|") and not scene.segment.head
        if is_head or not self._rules.reads_states:
            return
        text = blank_quotations(scene.segment.text)
        for status in statuses(text):
            unseen_good = status.word in GOOD and bool(self.doings.failures)
            start = scene.segment.start + status.start
            value = _VALUE.match(scene.sentence, start + len(status.text) - scene.sentence_start)
            if value and value[1].casefold() not in ("true", "yes"):
                if value[1].casefold() not in ("false", "no"):
                    continue  # `In sync: 11, 12` and `Offline partitions: none` count
                status = replace(status, denied=True)  # noqa: PLW2901 - the state as it is told
            told = not status.denied and ((status.hard and len(self.facts.parents) > 1) or unseen_good)
            if told or self._states.of(status.word):
                yield Claim("status", status.text, start, status=status)

    def _told(self, scene: Scene, unclaimed: Sequence[Region]) -> Iterator[Fault]:
        """Yield what a segment tells falsely in words that are no states: what was done, what there is none of."""
        text, start = scene.segment.text, scene.segment.start
        for word, place, why in (*self.doings.belied(text, scene.lead), *self.doings.unchanged(text)):
            if not is_in(start + place, unclaimed):
                yield Fault("statement", word, why)
        for name, place in self._naming.unknown(text) if "identifier" in self._rules.kinds else ():
            if not is_in(start + place, unclaimed):
                yield Fault("identifier", name, "nothing that was shown has that name")
        if not is_in(start, unclaimed):
            blind = self.doings.blind(anchor.text for anchor in scene.anchors)
            yield from (
                Fault("statement", words, "no tool could see that")
                for words in unseen(text, self.doings.failures, self.doings.asked, blind)
            )
            for words, instead in self._contrasts.mixed_up(text):
                yield Fault("statement", words, f"the tools speak of `{instead}`")
            for words, instead in self._listings.denied(text, scene.anchors):
                yield Fault("statement", words, instead)
            yield from (Fault("number", words, why) for words, why in self._listings.wrong(text, scene.anchors))

    def _compared(self, scene: Scene, unclaimed: Sequence[Region]) -> Iterator[Fault]:
        if not is_in(scene.sentence_start, unclaimed):
            for words, why in self._comparisons.wrong(scene.sentence, scene.sentence_start, scene.among):
                yield Fault("comparison", words, why)

    def _fault(self, claim: Claim, scene: Scene) -> Fault | None:
        if claim.status is not None:
            return self._of_state(claim, claim.status, scene)
        if claim.kind == "quotation":
            return None if self._is_quoted(claim.text) else Fault("quotation", claim.text)
        if claim.kind == "date":
            return None if self.facts.has_pattern(claim.pattern) else Fault("date", claim.text)
        if claim.quantity is not None:
            why = self._reckoning.wrong(claim, claim.quantity, scene)
            return None if why is None else Fault("number", claim.text, why)
        return self._of_identifier(claim, scene)

    def _is_quoted(self, text: str) -> bool:
        parts = [part for part in _ELLIPSIS.split(text) if part]
        return all(self.facts.has_text(part.strip(" .,;:")) for part in parts)

    def _of_identifier(self, claim: Claim, scene: Scene) -> Fault | None:
        leaves = self.facts.find(claim.text)
        if not leaves:
            parts = parts_of(claim.text)
            held = bool(parts) and self.facts.have_together(parts)
            held = held or any(self._figures.find(number) for number in other_readings(claim.text))
            held = held or bool(self._names.numbered(claim.text)) or self.facts.has_pair(claim.text)
            return None if held else Fault("identifier", claim.text)
        keys = {self.facts.leaves[leaf].key for leaf in leaves}
        of_each = bool(_EACH.search(scene.before(claim)))
        told_of = scene.among if of_each and scene.segment.backward else scene.anchors
        before = [anchor for anchor in told_of if anchor.start < claim.start and not anchor.keys & keys]
        if self._rules.strictness == "lenient":
            return None
        wrong = owner(self.facts, leaves, before, of_each=of_each)
        return Fault("identifier", claim.text, misplaced(self.facts, leaves, wrong)) if wrong else None

    def _of_state(self, claim: Claim, status: Status, scene: Scene) -> Fault | None:
        text = scene.segment.text
        if scene.segment.elsewhere and not scene.named:
            return None
        now = bool(_NOW.search(text)) and not _THEN.search(text)
        count = next((one for one in scene.numbers if scene.tells_of(one, claim)), None)
        counted = count is not None
        before = "" if count is None else scene.sentence[: count.start - scene.sentence_start]
        if count is not None and (not _OF_ALL.search(before) or _EACH_WITH.search(before)):
            status = replace(status, scope="")  # `146 have all of them in sync`
            if not (count.quantity and count.quantity.number) or self._states.numbers(status, ()):
                return None  # if it is wrong, the number is
        against = self._states.contradiction(status, scene.anchors, scene.among, now=now, counted=counted)
        if against is not None:
            word = f"not {claim.text}" if status.denied else claim.text
            return Fault("status", word, f"{whose(self.facts, against.node)} has {against}")
        wrong = self._states.misplaced(status, scene.anchors)
        if wrong is not None:
            return Fault("status", claim.text, f"is not said of `{wrong.text}`")
        if not self._states.of(status.word) and not self.facts.find(claim.text):
            return Fault("status", claim.text)
        return None


def blank_joints(text: str) -> str:
    """Take out of quotations what would part a sentence, without moving anything."""
    blanked = blank_quotations(text)
    return "".join(
        char if other == char or char.isalnum() or char in "-_./" else " "
        for char, other in zip(text, blanked, strict=True)
    )
