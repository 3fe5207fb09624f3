"""Whom a part of an answer speaks of: the names in it, or those named just before."""

import bisect
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from evalkit.answers.tokens import tokens
from evalkit.answers.units import key_words
from evalkit.scorers.grounds.claims import Claim
from evalkit.scorers.grounds.facts import Facts, Leaf
from evalkit.scorers.grounds.segments import Segment, columns, segments
from evalkit.scorers.grounds.statuses import WORDS, statuses

_NAMES = """
name id host hostname service container group topic app pod node queue project instance deployment namespace repository
job receiver receivers client broker cluster image title alertname user member label
"""
_NAMING = frozenset(_NAMES.split())
_PREPOSITION = re.compile(
    r"\b(?:on|in|of|from|at|to|with|by|for|via|through|into|under)(?:\s+\w+){0,2}\W*$", re.IGNORECASE
)
_WHEN = re.compile(r"\d{1,2}:\d\d|\d{4}-\d\d")
_WHOLE = re.compile(r"\bof (?:the |its |all |these |those |their )?$", re.IGNORECASE)
_GOES_ON = re.compile(r"\W*(?:it|they|both|these|those|all|each)\b(?! of (?!them\b|these\b|those\b))", re.IGNORECASE)
"""A segment that tells of those named before, though it has a name itself: `Both run on node-b`."""

_ASIDE = re.compile(r"\([^()]*\)")
_PARTS = re.compile(r"[,;:](?=\s)|\b(?:and|but|while|whereas|though|although)\b")
_LONGEST = 80
_NEAR = 12
"""Segments, and numbers of a sentence, that are looked at together."""

_NUMBERED = re.compile(r"([A-Za-z]+)s?[ #]*(\d+)\b")


@dataclass(frozen=True, slots=True)
class Anchor:
    """A name in an answer, and where what was shown has it."""

    text: str
    start: int
    keys: frozenset[str]
    nodes: tuple[int, ...]


@dataclass(slots=True)
class Scene:
    """A segment with its claims, the names that they are told of, and those of its sentence, or of the one before."""

    segment: Segment
    claims: list[Claim] = field(default_factory=list)
    named: list[Anchor] = field(default_factory=list)
    anchors: list[Anchor] = field(default_factory=list)
    numbers: list[Claim] = field(default_factory=list)
    among: list[Anchor] = field(default_factory=list)

    aside: bool = False
    sentence: str = ""
    sentence_start: int = 0

    def before(self, claim: Claim) -> str:
        """Return what stands before a claim in its segment."""
        return self.segment.text[: max(0, claim.start - self.segment.start)]

    def behind(self, claim: Claim) -> str:
        """Return what stands behind a claim in its segment."""
        return self.segment.text[claim.start + len(claim.text) - self.segment.start :]

    @property
    def lead(self) -> str:
        """What stands before the segment in its sentence."""
        return self.sentence[: max(0, self.segment.start - self.sentence_start)]

    def tells_of(self, number: Claim, state: Claim) -> bool:
        """Tell whether a state is told of so many: nothing but an aside parts it from the number before it."""
        start = number.start + len(number.text) - self.sentence_start
        between = _ASIDE.sub("", self.sentence[start : max(start, state.start - self.sentence_start)])
        of_all = _WHOLE.search(self.sentence[: max(0, number.start - self.sentence_start)])
        return number.start < state.start and not number.vague and not of_all and not _PARTS.search(between)

    def beside(self, claim: Claim) -> list[Decimal]:
        """Return the other numbers of the sentence."""
        return [one.quantity.base for one in self.numbers if one.quantity and one.start != claim.start]


class Names:
    """The names that records have, by word."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._words: dict[str, list[int]] = defaultdict(list)
        self._numbered: dict[tuple[str, Decimal], list[int]] = defaultdict(list)
        self._read = 0

    def in_segment(self, segment: Segment, claims: Sequence[Claim]) -> list[Anchor]:
        """Return the names in a segment, in order."""
        self._catch_up()
        found: dict[int, Anchor] = {}
        for claim in claims:
            if claim.kind in ("identifier", "quotation") and not _WHEN.match(claim.text):
                self._note(found, claim.text, claim.start, self._facts.find(claim.text))
        for word, place in tokens(segment.text):
            start = segment.start + place
            if start not in found and word.casefold() not in WORDS:
                self._note(found, word, start, self._words.get(word.casefold(), ()))
        for match in _NUMBERED.finditer(segment.text):
            leaves = self._numbered.get((stem(match[1]), Decimal(match[2])), ())
            self._note(found, match[0], segment.start + match.start(), leaves)
        for noun, number, place in _numbered_cells(segment):
            self._note(found, number, segment.start + place, self._numbered.get((noun, Decimal(number)), ()))
        return [found[start] for start in sorted(found)]

    def numbered(self, word: str) -> list[int]:
        """Return the leaves of a thing that is known by number, such as `p0` for a partition."""
        self._catch_up()
        match = _NUMBERED.fullmatch(word)
        return self._numbered.get((stem(match[1]), Decimal(match[2])), []) if match else []

    def _note(self, found: dict[int, Anchor], text: str, start: int, leaves: Sequence[int]) -> None:
        nodes = [self._facts.leaves[leaf].node for leaf in leaves] + self._facts.named(text)
        nodes = [node for node in dict.fromkeys(nodes) if node]
        if nodes:
            keys = frozenset(self._facts.leaves[leaf].key for leaf in leaves)
            found.setdefault(start, Anchor(text, start, keys, tuple(nodes)))

    def _catch_up(self) -> None:
        for index in range(self._read, len(self._facts.leaves)):
            leaf = self._facts.leaves[index]
            if isinstance(leaf.value, str):
                if 1 < len(leaf.value) <= _LONGEST and " " not in leaf.value and self._is_name(leaf):
                    self._words[leaf.value.casefold()].append(index)
            elif isinstance(leaf.value, int) and not isinstance(leaf.value, bool):
                words = key_words(leaf.key)
                if words and (words[-1] == "id" or (len(words) == 1 and not words[0].endswith("s"))):
                    for noun in (stem(words[0]), *words[0][:1].replace("v", "")):
                        self._numbered[noun, Decimal(leaf.value)].append(index)
        self._read = len(self._facts.leaves)

    def _is_name(self, leaf: Leaf) -> bool:
        if not leaf.is_key:
            return not _NAMING.isdisjoint(key_words(leaf.key))
        above = self._facts.parents[leaf.node]
        return self._facts.lists[above] and isinstance(self._facts.values[above], dict)


def _numbered_cells(segment: Segment) -> Iterator[tuple[str, str, int]]:
    """Yield the numbers that are names by the head of their column: its noun, the number, the place."""
    for (start, cell), (_, head) in zip(columns(segment.text), columns(segment.head), strict=False):
        number, words = re.match(r"[\s*_`#]*(\d+)\b", cell), re.findall(r"[A-Za-z]+", head)
        if number and words:
            yield stem(words[-1] if words[-1].casefold() != "id" else words[0]), number[1], start + number.start(1)


def scenes(text: str, stated: Sequence[Claim], names: Names) -> list[Scene]:
    """Give each segment of a text its claims and its names; one without names speaks of those of its sentence."""
    parts = list(segments(text))
    starts = [claim.start for claim in stated]
    found: list[Scene] = []
    for index, part in enumerate(parts):
        end = parts[index + 1].start if index + 1 < len(parts) else part.start + len(part.text) + 1
        last = max(end, part.start + len(part.text))
        among = stated[bisect.bisect_left(starts, part.start) : bisect.bisect_left(starts, last)]
        own = list({claim.key: claim for claim in reversed(among)}.values())[::-1]  # each thing once, the first time
        named = names.in_segment(part, own)
        found.append(Scene(part, own, named, list(named)))
    _share(found, text)
    for index, scene in enumerate(found):
        previous = found[index - 1] if index else None
        if previous and scene.named and _only_names(previous) and _go_together(previous, scene):
            scene.anchors = [*previous.anchors, *scene.anchors]
        subject = _subject_of_aside(found, index)
        if subject:
            scene.aside = True
            scene.anchors = [*subject.anchors, *scene.named]
        elif scene.segment.elsewhere and not scene.named:
            continue
        elif all(is_attribute(scene.segment, name) for name in scene.named):
            scene.anchors = [*_inherited(found, index), *scene.named]
    return found


def _subject_of_aside(found: Sequence[Scene], index: int) -> Scene | None:
    """Return whom a segment tells of that has only a name of another kind, as of a pod `(node-b, 3 restarts)`."""
    scene = found[index]
    if not scene.named or not _only_names(scene):
        return None
    for earlier in reversed(found[max(0, index - _NEAR) : index]):
        if earlier.segment.sentence != scene.segment.sentence:
            return None
        if earlier.named and not earlier.aside:
            return None if _go_together(scene, earlier) else earlier
    return None


def _share(found: Sequence[Scene], text: str) -> None:
    """Give the scenes of a sentence its numbers and its names; one that goes on about the one before, those of that."""
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    numbers: dict[int, list[Claim]] = defaultdict(list)
    among: dict[int, list[Anchor]] = defaultdict(list)
    for scene in found:
        sentence = scene.segment.sentence
        first.setdefault(sentence, scene.segment.start)
        last[sentence] = scene.segment.start + len(scene.segment.text)
        scene.numbers, scene.among = numbers[sentence], among[sentence]
        scene.numbers += [claim for claim in scene.claims if claim.quantity][: _NEAR - len(scene.numbers)]
        scene.among += [name for name in scene.named if not is_attribute(scene.segment, name)]
    for scene in found:
        scene.sentence_start = first[scene.segment.sentence]
        scene.sentence = text[scene.sentence_start : last[scene.segment.sentence]]
        if scene.segment.backward and not among[scene.segment.sentence]:
            scene.among = among[scene.segment.sentence - 1]


def is_attribute(segment: Segment, name: Anchor) -> bool:
    """Tell whether a name is no subject, but where or what something is: `on node-b`, `in namespace shop`."""
    return bool(_PREPOSITION.search(segment.text[: name.start - segment.start]))


def _only_names(scene: Scene) -> bool:
    """Tell whether a segment is a name in an enumeration, that shares what is said of the next one."""
    words = [word for word, _ in tokens(scene.segment.text)]
    plainly = all(claim.kind == "identifier" for claim in scene.claims) and not any(statuses(scene.segment.text))
    kinds = [name.keys for name in scene.named]
    alike = bool(kinds) and all(kinds[0] & other for other in kinds)
    return alike and plainly and len(words) <= len(scene.named) + 1


def _go_together(one: Scene, other: Scene) -> bool:
    """Tell whether two segments of a sentence name things of one kind."""
    kinds = frozenset().union(*(name.keys for name in one.named))
    subjects = [name for name in other.named if not is_attribute(other.segment, name)]
    return one.segment.sentence == other.segment.sentence and any(name.keys & kinds for name in subjects)


def _inherited(found: Sequence[Scene], index: int) -> Iterator[Anchor]:
    here = found[index].segment
    near = found[max(0, index - _NEAR) : index]
    before = [scene for scene in near if scene.segment.sentence == here.sentence and scene.named and not scene.aside]
    behind = found[index].sentence[here.start + len(here.text) - found[index].sentence_start :]
    if not before and found[index].named and not behind.startswith(":") and not _GOES_ON.match(here.text):
        return
    if not before and here.backward:
        before = [
            scene for scene in near if scene.segment.sentence == here.sentence - 1 and scene.named and not scene.aside
        ]
    after = [
        scene for scene in found[index + 1 : index + _NEAR] if scene.segment.sentence == here.sentence and scene.named
    ]
    if before:
        yield from before[-1].anchors
    elif after:
        yield from after[0].anchors


def stem(word: str) -> str:
    """Return what a word and its plural have in common, roughly; `replicas` and `replication` count as one."""
    return word.casefold().rstrip("s")[:6]
