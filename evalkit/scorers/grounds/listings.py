"""Is a thing in the list that an answer puts it in? `broker 14 is missing` where `missing_broker_ids` has 13 alone."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evalkit.answers.units import key_words
from evalkit.cases import Json
from evalkit.scorers.grounds.facts import Facts
from evalkit.scorers.grounds.scenes import Anchor, stem

_IDS = frozenset({"id", "ids", "names", "list"})
_DENIED = re.compile(r"\b(?:not|no|never|nor|neither|without)\b|n['\u2019]t\b", re.IGNORECASE)
_NONE = re.compile(r"\b(?:no|none|without|zero)\b", re.IGNORECASE)
_WITHOUT = r"(?:no|zero|without(?: any)?)"
_END = r"(?=\W*$|[.,;!]| (?:in|at|right now|currently|on)\b)"
_JOINED = r"(?:\s*(?:,|and|&|,\s*and)\s*#?\d+\b)*"
_ENOUGH = 200


@dataclass(frozen=True, slots=True)
class Listing:
    """A list that says something of its things: what (`missing`), of which noun, and the numbers of the things."""

    node: int
    key: str
    quality: re.Pattern[str]
    noun: str
    numbers: frozenset[int]


class Listings:
    """Knows the lists whose key says something of what they have."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._nodes = 1
        self._known: list[Listing] = []
        self._lists: dict[tuple[str, str], list[tuple[int, int]]] = {}

    def wrong(self, text: str, anchors: Sequence[Anchor]) -> Iterator[tuple[str, str]]:
        """Yield each numbered thing of a segment that is not in the list it is said to be in, with what is."""
        self._catch_up()
        for one in self._known:
            if not one.quality.search(text) or _DENIED.search(text):
                continue
            for match in re.finditer(rf"\b({one.noun}\w*)\s+#?\d+\b{_JOINED}", text, re.IGNORECASE):
                if stem(match[1]) != one.noun:
                    continue
                alike = [other for other in self._known if other.key == one.key and self._concerns(other, anchors)]
                known = frozenset().union(*(other.numbers for other in alike))
                missing = [number for number in re.findall(r"\d+", match[0]) if int(number) not in known]
                if alike and missing:
                    yield f"{match[1]} {missing[0]}", f"`{one.key}` has {sorted(known) or 'none'}"

    def denied(self, text: str, anchors: Sequence[Anchor]) -> Iterator[tuple[str, str]]:
        """Yield what a segment says there is none of, with the list that has some: `no node has problems`."""
        self._catch_up()
        for (noun, thing), entries in self._lists.items() if _NONE.search(text) else ():
            told = rf"no(?:ne of the)? {noun}s? (?:has|have|with) (?:any )?{thing}" if noun else rf"{_WITHOUT} {thing}"
            match = re.search(rf"\b{told}{_END}", text, re.IGNORECASE)
            if not match:
                continue
            named = {node for anchor in anchors for node in anchor.nodes[:_ENOUGH]}
            near = [
                (node, size)
                for node, size in entries
                if any(self._facts.relation(one, node) == "same" for one in named)
            ]
            if any(size for _, size in near or entries) and (near or all(size for _, size in entries)):
                yield match[0], f"the tools list some as `{f'{noun}s with ' if noun else ''}{thing}`"

    def _concerns(self, one: Listing, anchors: Sequence[Anchor]) -> bool:
        return not any(
            self._facts.relation(node, one.node) == "sibling" for anchor in anchors for node in anchor.nodes[:_ENOUGH]
        )

    def _note(self, node: int) -> None:
        items, words = self._facts.values[node], key_words(self._facts.labels[node])
        if isinstance(items, list) and words and words[-1].endswith("s") and (len(words) == 1 or "with" in words):
            noun = words[0].rstrip("s") if len(words) > 1 else ""
            self._lists.setdefault((noun, words[-1]), []).append((self._facts.parents[node], len(items)))

    def _catch_up(self) -> None:
        for node in range(self._nodes, len(self._facts.values)):
            self._note(node)
            items, words = self._facts.values[node], [w for w in key_words(self._facts.labels[node]) if w not in _IDS]
            if isinstance(items, list) and len(words) > 1 and len(self._known) < _ENOUGH:
                numbers = _numbers(items, words[-1])
                if numbers is not None:
                    quality = re.compile(rf"\b{'[- ]?'.join(words[:-1])}\b", re.IGNORECASE)
                    key = self._facts.labels[node]
                    self._known.append(Listing(self._facts.parents[node], key, quality, stem(words[-1]), numbers))
        self._nodes = len(self._facts.values)


def _numbers(items: Sequence[Json], noun: str) -> frozenset[int] | None:
    """Return the numbers of a list's things: they are numbers, or records that have one under the noun."""
    found = [item.get(noun.rstrip("s")) if isinstance(item, dict) else item for item in items]
    whole = [number for number in found if isinstance(number, int) and not isinstance(number, bool)]
    return frozenset(whole) if len(whole) == len(found) else None
