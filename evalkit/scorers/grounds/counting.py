"""Is a number that was shown, or that follows from what was, told as what it is?

It may count something else, stand under another name, belong to another thing, or be a share that the numbers beside it
do not make.
"""

import re
from collections.abc import Iterable, Sequence

from evalkit.answers.numerals import Quantity
from evalkit.answers.units import key_words, unit_of_key
from evalkit.scorers.grounds.belonging import owner
from evalkit.scorers.grounds.claims import Claim
from evalkit.scorers.grounds.counts import Counts
from evalkit.scorers.grounds.evidence import is_code, shown
from evalkit.scorers.grounds.facts import Facts
from evalkit.scorers.grounds.figures import Figures
from evalkit.scorers.grounds.labels import FORMERLY, Labels
from evalkit.scorers.grounds.names import TIME_OF_DAY
from evalkit.scorers.grounds.scenes import Anchor, Scene, is_attribute, stem
from evalkit.scorers.grounds.segments import columns
from evalkit.scorers.grounds.states import States
from evalkit.scorers.grounds.statuses import statuses

_NEAR = 12
_OF_THEM = re.compile(r"\s+(?:of|out of)(?:\s+(?:its|the|their|all|these|those|his|her))*\s")
_FROM = re.compile(
    r"\b(?:scal|chang|rais|lower|increas|decreas|reduc|went|grew)\w*\b[^.;:]{0,40}\bfrom\s+$", re.IGNORECASE
)
_TO = re.compile(r"(?: \w+)?\s+to\b")
_WANTED = re.compile(r"[ *_`]+(?:desired|wanted|requested|expected|current|existing)\b", re.IGNORECASE)
_EXIT = re.compile(
    r"\bexit(?:ed|s|ing)?(?: with)?(?: an?| the)?(?: exit| status)?(?: code| status| with| \()(?: is| was| of)?\W*$",
    re.IGNORECASE,
)
_EXITED = re.compile(r"\b(?:exited|restarting) \((\d+)\)")
_SLASH = re.compile(r"^/(?=\d)")
_NOUN = re.compile(r"\s+([a-z]{4,}s)\b")
_UNCLAIMED = re.compile(r"\b(?:one|none|no|half|half|neither|each|some|most|many)\b", re.IGNORECASE)
_COLON = re.compile(r"[^:;,.()]*:[\s*_`~\u2248]*$")
_HEADING = re.compile(r"^[\s\W]*(?:Total |Number of )?([A-Za-z]+s)[*_`]*:[\s*_`]*$", re.IGNORECASE)
_LABEL = re.compile(r"([A-Za-z]+)[ #]+$")
_COUNTS = re.compile(r"\s+(?:of|out of|[a-z-]+)\b")
_SECOND = re.compile(r"\b(?:of|out of)\b[^.;,]{0,40}$|/$", re.IGNORECASE)
_WHOLE = re.compile(r"\b(?:of|out of)\s+(?:the |its |all |these |those |their )?$", re.IGNORECASE)
_NOTHING_MORE = re.compile(r"\s*(?:$|[,.:;)]|(?:is|are|was|were|has|have|does|do|can)\b)")
_VERSUS = re.compile(r"\b(?:vs\.?|versus|against|compared (?:to|with))\s+$", re.IGNORECASE)
_ENUMERATED = re.compile(r"\d\s+(?:and|&)\s+$")


class Counting:
    """Says what is wrong with a number."""

    def __init__(self, facts: Facts, figures: Figures, states: States) -> None:
        self._facts = facts
        self._figures = figures
        self._states = states
        self._counts = Counts(facts)
        self._labels = Labels(facts)

    def wrong(self, claim: Claim, number: Quantity, leaves: Sequence[int], scene: Scene) -> str | None:
        """Say what is wrong with a number, given where it was shown; None if nothing is."""
        return (
            self._error_code(claim, leaves, scene)
            or self._miscounted(claim, number, leaves, scene)
            or self._mislabelled(claim, number, leaves, scene)
            or self._exit_code(claim, scene)
        )

    def owner(self, claim: Claim, leaves: Sequence[int], scene: Scene) -> Anchor | None:
        """Return a name that a number is told of and does not belong to."""
        if _WHOLE.search(scene.before(claim)) and _NOTHING_MORE.match(scene.behind(claim)):
            return None  # `of the two`: those that are named
        if _VERSUS.search(scene.sentence[: claim.start - scene.sentence_start]):
            return None  # what it is compared with
        own = [anchor.keys for anchor in scene.named if is_part(claim, anchor)]  # `partition 1` is a name itself
        anchors = [anchor for anchor in scene.anchors if not any(anchor.keys & keys for keys in own)]
        anchors = [anchor for anchor in scene.named if anchor in anchors] or anchors
        end = scene.segment.start + len(scene.segment.text)
        anchors = [anchor for anchor in anchors if anchor.start < end]  # what follows is counted, and has no number yet
        return owner(self._facts, leaves, anchors)

    def time_of_another(self, leaves: Sequence[int], scene: Scene) -> Anchor | None:
        """Return the one time in a segment if a number stands with other times only: `4870 at 08:00`, which was 310."""
        times = [claim for claim in scene.claims if claim.kind == "identifier" and TIME_OF_DAY.match(claim.text)]
        if len(times) != 1:
            return None
        nodes = [self._facts.leaves[leaf].node for leaf in self._facts.find(times[0].text)]
        above = {node for one in nodes for node in self._facts.ancestors(self._facts.parents[one]) if one}
        inner = tuple(node for node in dict.fromkeys(nodes) if node and node not in above)
        anchor = Anchor(times[0].text, times[0].start, frozenset(), inner)
        return owner(self._facts, leaves, [anchor]) if inner else None

    def _error_code(self, claim: Claim, leaves: Sequence[int], scene: Scene) -> str | None:
        """Say that a number only stands in an error, if the answer counts something by it that the error lacks."""
        noun = _NOUN.match(scene.behind(claim))
        texts = [str(self._facts.leaves[leaf].value) for leaf in leaves if self._facts.leaves[leaf].key == "error"]
        if noun is None or not leaves or len(texts) < len(leaves):
            return None
        return None if any(stem(noun[1]) in text.casefold() for text in texts) else "it only stands in an error"

    def _exit_code(self, claim: Claim, scene: Scene) -> str | None:
        """Say with which codes things exited, if none did with the one that is told."""
        before = scene.sentence[: claim.start - scene.sentence_start]
        if not _EXIT.search(before):
            return None
        codes = {str(leaf.value) for leaf in self._facts.leaves if is_code(leaf.key)}
        codes |= {*_EXITED.findall(self._facts.text())}
        told = rf"\b(?:exit(?:ed)?|code|status)\b[^\d\n]{{0,20}}{re.escape(claim.text)}(?!\d)"
        if not codes or claim.text in codes or self._facts.has_pattern(told):
            return None
        return f"the tools have exit code {' and '.join(sorted(codes)[:_NEAR])}"

    def _miscounted(self, claim: Claim, number: Quantity, leaves: Sequence[int], scene: Scene) -> str | None:
        """Say how many there are where the answer counts otherwise."""
        if number.number != number.number.to_integral_value() or number.unit.dimension or number.hedged:
            return None
        after = _SLASH.sub(" of ", scene.behind(claim))
        count = int(number.number)
        label = _LABEL.search(scene.before(claim))
        if label and not claim.vague and self._counts.is_key(label[1]):
            return None
        told_of = [*(anchor for anchor in scene.anchors if anchor.start < claim.start), *scene.named]
        anchors = [anchor for anchor in told_of if not is_part(claim, anchor)]
        status, allowed = self._states_counted(claim, scene, after, anchors)
        counts_itself = any(
            status.casefold() in str(self._facts.leaves[leaf].value).casefold() for leaf in leaves
        )  # `exited(14)`
        occurs = any(self._facts.leaves[leaf].key == "count" for leaf in leaves)  # an event, so many times
        if occurs or (status and counts_itself) or (claim.vague and (not allowed or count in allowed)):
            return None
        if allowed and count not in allowed:
            return f"the tools count {_listed(allowed)} as `{status}`"
        noun, known = self._counts.of_noun(after, anchors)
        if not known and not claim.vague and not self._label(claim, scene)[1]:
            noun, known = self._counts.of_noun(_heading(claim, scene), anchors)
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
        if _WHOLE.search(scene.before(claim)) or _ENUMERATED.search(
            scene.sentence[: claim.start - scene.sentence_start]
        ):
            return True
        earlier = any(c.quantity is not None and c.start < claim.start and not c.vague for c in scene.claims)
        return earlier or bool(_UNCLAIMED.search(scene.before(claim)))

    def _mislabelled(self, claim: Claim, number: Quantity, leaves: Sequence[int], scene: Scene) -> str | None:
        """Say what stands under the name that a number is told under."""
        if not leaves or self._figures.said(number):
            return None
        label, keys = self._label(claim, scene)
        if number.unit.dimension == "seconds" and not any(unit_of_key(key).dimension == "seconds" for key in keys):
            return None
        if not keys or any(not keys.isdisjoint(self._facts.path(leaf)) for leaf in leaves):
            return None
        if any(self._lists(leaf, label) for leaf in leaves) or self._measures_else(number, keys):
            return None
        written = rf"{re.escape(label.casefold())}\W{{1,4}}(?:\w+\W)?{re.escape(claim.text.casefold())}(?!\w)"
        if self._facts.has_pattern(written) or int(number.number) in self._counts.of_noun(f" {label}", ())[1]:
            return None
        values = [
            shown(leaf)
            for index, leaf in enumerate(self._facts.leaves)
            if not leaf.is_key and not keys.isdisjoint(self._facts.path(index))
        ]
        return f"the tools have {' and '.join(list(dict.fromkeys(values))[:2])}" if values else None

    def _measures_else(self, number: Quantity, keys: frozenset[str]) -> bool:
        """Tell whether no number under some keys is measured as this one is: a share of memory is no use of it."""
        dimension = number.unit.dimension
        under = [figure for figure in self._figures.all if not keys.isdisjoint(self._facts.path(figure.leaf))]
        return bool(dimension and under) and all(
            figure.quantity.unit.dimension not in (dimension, "") for figure in under
        )

    def _lists(self, leaf: int, label: str) -> bool:
        """Tell whether a number stands in a list that is named after what the label says: `missing_broker_ids`."""
        node, key, *_ = self._facts.leaves[leaf]
        words = {stem(word) for word in key_words(key)}
        return self._facts.lists[node] and words.issuperset(map(stem, label.split()))

    def _label(self, claim: Claim, scene: Scene) -> tuple[str, frozenset[str]]:
        if scene.segment.text.lstrip().startswith("|"):
            return self._labels.before(_head(claim, scene), listed=True)
        before, place = scene.before(claim), claim.start - scene.sentence_start
        role = self._labels.role(scene.sentence[:place], scene.sentence[place + len(claim.text) :])
        if role[1]:
            return role
        if not any(map(str.isalnum, before)):  # a segment ends at the colon of `Restarts: 29`
            labelled = _COLON.search(scene.sentence[:place])
            before = labelled[0] if labelled else before
        if _FROM.search(before) and _TO.match(scene.behind(claim)) and self._labels.former():
            return "from", self._labels.former()
        is_second = _SECOND.search(before)
        measured = claim.quantity is not None and bool(claim.quantity.unit.dimension)
        found = self._labels.before(before, listed=scene.behind(claim).startswith(" times"), measured=measured)
        if found[0].casefold() in FORMERLY and not _NOTHING_MORE.match(scene.behind(claim)):
            found = "", frozenset()  # `Before: 1 of 3 was available` tells of more than one thing
        if is_second and not found[1]:
            whole = _WANTED.match(scene.behind(claim))  # of `2 of 8 desired replicas` the 8 are desired
            return self._labels.after(whole[0], measured=measured) if whole else found
        return found if found[1] or is_second else self._labels.after(scene.behind(claim), measured=measured)


def _head(claim: Claim, scene: Scene) -> str:
    """Return what stands above a number that begins a cell: the name of its column, or else of its row."""
    place = claim.start - scene.segment.start
    cells, heads = columns(scene.segment.text), columns(scene.segment.head)
    for index, (start, cell) in enumerate(cells):
        if start <= place < start + len(cell) and not any(map(str.isalnum, scene.segment.text[start:place])):
            two = len([cell for _, cell in cells if cell.strip()]) == len(("name", "value"))
            return cells[index - 1][1] if two and index else heads[index][1] if index < len(heads) else ""
    return ""


def _heading(claim: Claim, scene: Scene) -> str:
    """Return the noun that a number follows as its count, as in `Topics: 3`, as if it stood behind it."""
    found = _HEADING.search(scene.sentence[: claim.start - scene.sentence_start])
    return f" {found[1]}" if found and _NOTHING_MORE.match(scene.behind(claim)) else ""


def is_part(claim: Claim, anchor: Anchor) -> bool:
    """Tell whether a claim is a part of a name, such as the number of `partition 1`."""
    return anchor.start <= claim.start < anchor.start + len(anchor.text)


def _listed(numbers: Iterable[int]) -> str:
    some = sorted(numbers)[:_NEAR]
    return " or ".join(map(str, some))
