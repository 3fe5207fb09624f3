"""Whether each claim of an answer has a source, and what is wrong with those that have none."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from evalkit.cases import Json
from evalkit.formats.own_metrics import GROUNDING_KINDS
from evalkit.scorers.grounds.belonging import owner
from evalkit.scorers.grounds.claims import Claim, blank_quotations, claims
from evalkit.scorers.grounds.counts import Counts
from evalkit.scorers.grounds.derived import Derived
from evalkit.scorers.grounds.doings import Doing, belied
from evalkit.scorers.grounds.facts import Facts
from evalkit.scorers.grounds.figures import Figures
from evalkit.scorers.grounds.names import parts_of
from evalkit.scorers.grounds.numerals import Quantity, other_readings
from evalkit.scorers.grounds.scenes import Anchor, Names, Scene, is_attribute, scenes, stem
from evalkit.scorers.grounds.segments import segments
from evalkit.scorers.grounds.states import States, shown
from evalkit.scorers.grounds.statuses import Status, statuses

_NEAR = 12
_OF_THEM = re.compile(r"\s+(?:of|out of)(?:\s+(?:its|the|their|all|these|those|his|her))*\s")
_NOUN = re.compile(r"\s+([a-z]{4,}s)\b")
_UNCLAIMED = re.compile(r"\b(?:one|none|no|half|half|neither|each|some|most|many)\b", re.IGNORECASE)
_LABEL = re.compile(r"([A-Za-z]+)[ #]+$")
_COUNTS = re.compile(r"\s+(?:of|out of|[a-z-]+)\b")
_ELLIPSIS = re.compile(r"\s*(?:…|\.\.\.)\s*")


@dataclass(frozen=True, slots=True)
class Rules:
    """What is judged, and how strictly; the options of the criterion."""

    strictness: str = "normal"
    kinds: frozenset[str] = frozenset(GROUNDING_KINDS)
    ignore: tuple[str, ...] = ()
    identifiers: re.Pattern[str] | None = None

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
        self.doings: dict[str, Doing] = {}
        self._rules = rules
        self._figures = Figures(self.facts)
        self._names = Names(self.facts)
        self._states = States(self.facts)
        self._derived = Derived(self.facts, self._figures)
        self._counts = Counts(self.facts)

    def judge(self, answer: str) -> Verdict:
        """Look for the source of each claim of an answer."""
        stated = [c for c in claims(answer, self._rules.identifiers) if c.kind in self._rules.kinds]
        parts = list(segments(blank_joints(answer)))
        found: dict[object, Fault | None] = {}
        for scene in scenes(parts, stated, self._names):
            told = [*scene.claims, *self._told_states(scene)]
            for claim in told:
                if self._rules.ignores(claim.text):
                    continue
                fault = self._fault(claim, scene)
                if fault or found.get(claim.key) is None:
                    found[claim.key] = found.get(claim.key) or fault
            for word, doing in self._belied(scene):
                found["done", word] = Fault("statement", word, f"{doing.tool} {_ended(doing)}")
        return Verdict(len(found), [fault for fault in found.values() if fault])

    def _told_states(self, scene: Scene) -> Iterator[Claim]:
        """Yield the states that a segment tells, as far as something shows them or they can be nothing else."""
        if "status" not in self._rules.kinds or self._rules.strictness == "lenient":
            return
        text = blank_quotations(scene.segment.text)
        for status in statuses(text):
            if self._states.of(status.word) or (status.hard and not status.denied and len(self.facts.parents) > 1):
                start = scene.segment.start + status.start
                yield Claim("status", status.text, start, status=status)

    def _belied(self, scene: Scene) -> Iterator[tuple[str, Doing]]:
        if "status" in self._rules.kinds and self._rules.strictness != "lenient":
            for word, _, doing in belied(scene.segment.text, self.doings):
                yield word, doing

    def _fault(self, claim: Claim, scene: Scene) -> Fault | None:
        if claim.status is not None:
            return self._of_state(claim, claim.status, scene)
        if claim.kind == "quotation":
            return None if self._is_quoted(claim.text) else Fault("quotation", claim.text)
        if claim.kind == "date":
            return None if self.facts.has_pattern(claim.pattern) else Fault("date", claim.text)
        if claim.quantity is not None:
            return self._of_number(claim, claim.quantity, scene)
        return self._of_identifier(claim, scene)

    def _is_quoted(self, text: str) -> bool:
        parts = [part for part in _ELLIPSIS.split(text) if part]
        return all(self.facts.has_text(part.strip(" .,;:")) for part in parts)

    def _of_identifier(self, claim: Claim, scene: Scene) -> Fault | None:
        leaves = self.facts.find(claim.text)
        if not leaves:
            parts = parts_of(claim.text)
            held = bool(parts) and all(self.facts.find(part) for part in parts)
            held = held or any(self._figures.find(number) for number in other_readings(claim.text))
            return None if held else Fault("identifier", claim.text)
        keys = {self.facts.leaves[leaf].key for leaf in leaves}
        before = [anchor for anchor in scene.anchors if anchor.start < claim.start and not anchor.keys & keys]
        return self._misplaced("identifier", claim.text, leaves, before)

    def _of_number(self, claim: Claim, number: Quantity, scene: Scene) -> Fault | None:
        strict = self._rules.strictness == "strict"
        leaves = self._figures.find(number, rounding=not strict)
        for reading in claim.readings:
            found = [self._figures.find(part, rounding=not strict) for part in reading]
            leaves = leaves or (found[0] if all(found) else [])
        if not leaves and (strict or not self._derived.holds(number, scene.segment.text, scene.beside(claim))):
            return Fault("number", claim.text)
        fault = None if self._rules.strictness == "lenient" else self._misused(claim, number, leaves, scene)
        computed = fault and not strict and self._derived.computed(number, scene.segment.text)
        return None if computed else fault

    def _misused(self, claim: Claim, number: Quantity, leaves: Sequence[int], scene: Scene) -> Fault | None:
        """Say what is wrong with a number that was shown: it counts something else, or belongs to another."""
        wrong = self._error_code(claim, leaves, scene) or self._miscounted(claim, number, scene)
        if wrong is not None:
            return Fault("number", claim.text, wrong)
        own = [anchor.keys for anchor in scene.named if _is_part(claim, anchor)]  # `partition 1` is a name itself
        anchors = [anchor for anchor in scene.anchors if not any(anchor.keys & keys for keys in own)]
        anchors = [anchor for anchor in scene.named if anchor in anchors] or anchors
        return self._misplaced("number", claim.text, leaves, anchors)

    def _misplaced(self, kind: str, text: str, leaves: Sequence[int], anchors: Iterable[Anchor]) -> Fault | None:
        if self._rules.strictness == "lenient":
            return None
        wrong = owner(self.facts, leaves, anchors)
        if wrong is None:
            return None
        leaf = self.facts.leaves[leaves[0]]
        return Fault(kind, text, f"is not said of `{wrong.text}`: {self._whose(leaf.node)} has {shown(leaf)}")

    def _whose(self, node: int) -> str:
        """Name a record by its first text."""
        for above in self.facts.ancestors(node):
            value: Json = self.facts.values[above]
            if isinstance(value, dict):
                name = next((v for k, v in value.items() if isinstance(v, str) and k != "status"), None)
                name = name or next((f"{k} {v}" for k, v in value.items() if isinstance(v, int)), None)
                if name:
                    return f"`{name}`"
        return "another"

    def _of_state(self, claim: Claim, status: Status, scene: Scene) -> Fault | None:
        against = self._states.contradiction(status, scene.anchors, scene.segment.text)
        if against is not None:
            leaf = self.facts.leaves[against.leaf]
            word = f"not {claim.text}" if status.denied else claim.text
            return Fault("status", word, f"{self._whose(leaf.node)} has {shown(leaf)}")
        wrong = self._states.misplaced(status, scene.anchors)
        if wrong is not None:
            return Fault("status", claim.text, f"is not said of `{wrong.text}`")
        if not self._states.of(status.word) and not self.facts.find(claim.text):
            return Fault("status", claim.text)
        return None

    def _error_code(self, claim: Claim, leaves: Sequence[int], scene: Scene) -> str | None:
        """Say that a number only stands in an error, if the answer counts something by it that the error lacks."""
        place = claim.start + len(claim.text) - scene.segment.start
        noun = _NOUN.match(scene.segment.text, place)
        texts = [str(self.facts.leaves[leaf].value) for leaf in leaves if self.facts.leaves[leaf].key == "error"]
        if noun is None or not leaves or len(texts) < len(leaves):
            return None
        return None if any(stem(noun[1]) in text.casefold() for text in texts) else "it only stands in an error"

    def _miscounted(self, claim: Claim, number: Quantity, scene: Scene) -> str | None:
        """Say how many there are where the answer counts otherwise."""
        if number.number != number.number.to_integral_value() or number.unit.dimension or number.hedged:
            return None
        after = scene.segment.text[claim.start + len(claim.text) - scene.segment.start :]
        count = int(number.number)
        label = _LABEL.search(scene.segment.text[: claim.start - scene.segment.start])
        if label and self._counts.is_key(label[1]):
            return None
        told_of = [*(anchor for anchor in scene.anchors if anchor.start < claim.start), *scene.named]
        anchors = [anchor for anchor in told_of if not _is_part(claim, anchor)]
        status, allowed = self._states_counted(claim, scene, after, anchors)
        if allowed and count not in allowed:
            return f"the tools count {_listed(allowed)} as `{status}`"
        noun, known = self._counts.of_noun(after, anchors)
        of_them = _OF_THEM.match(after)
        if of_them:
            noun, known = self._counts.of_noun(after[of_them.end() - 1 :], anchors)
        wrong = count > max(known, default=count) if of_them else bool(known) and count not in known
        if wrong and not self._figures.said(number):
            return f"the tools count {_listed(known)} for `{noun}`"
        return None

    def _states_counted(
        self, claim: Claim, scene: Scene, after: str, anchors: Sequence[Anchor]
    ) -> tuple[str, set[int]]:
        """Return the state that follows a number in its segment, as in `2 pods are unhealthy`, and how many have it."""
        if self._is_second(claim, scene) or any(
            anchor.start > claim.start and not is_attribute(scene.segment, anchor) for anchor in scene.named
        ):
            return "", set()
        place = claim.start - scene.segment.start
        following = next((status for status in statuses(scene.segment.text) if status.start > place), None)
        if following is None or not _COUNTS.match(after):
            return "", set()
        word = f"not {following.text}" if following.denied else following.text
        return word, self._states.numbers(following, anchors)

    @staticmethod
    def _is_second(claim: Claim, scene: Scene) -> bool:
        """Whether another number of the segment stands before: of `2 of 3 are ready` the first is counted."""
        before = scene.segment.text[: claim.start - scene.segment.start]
        earlier = any(c.quantity is not None and c.start < claim.start for c in scene.claims)
        return earlier or bool(_UNCLAIMED.search(before))


def blank_joints(text: str) -> str:
    """Take out of quotations what would part a sentence, without moving anything."""
    blanked = blank_quotations(text)
    return "".join(
        char if other == char or char.isalnum() or char in "-_./" else " "
        for char, other in zip(text, blanked, strict=True)
    )


def _is_part(claim: Claim, anchor: Anchor) -> bool:
    return anchor.start <= claim.start < anchor.start + len(anchor.text)


def _listed(numbers: Iterable[int]) -> str:
    some = sorted(numbers)[:_NEAR]
    return " or ".join(map(str, some))


def _ended(doing: Doing) -> str:
    if doing.done:
        return "worked"
    return f'replied with an error: "{doing.error}"' if doing.error else "did not do it"
