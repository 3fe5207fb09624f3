"""Plain words that are told as names: `namespace staging`, `the proxy container`.

They look like no identifiers, and are claims where the noun is one that the tools name things by.
"""

import re
from collections.abc import Iterator

from evalkit.answers.units import key_words
from evalkit.scorers.grounds.facts import Facts
from evalkit.scorers.grounds.statuses import WORDS

_NOUNS = "namespace deployment container topic group project service node host queue receiver role cluster label"
_PROSE = """
a about after all alone already also an and any are as at be because been before being both but by can cannot could did
do does during each exists few first for from had has have having here how if in into is it its itself last like may
might more most must name named names never no none not now of off on once one only or other our out over own per same
should since so some still such than that the their them then there these they this those to too two under until up
very was were what when where which while who whose why will with within without would yet you your account accounts
action actions affected authorization binding bindings broker brokers called check class completely config contains
coordinator count current currently daemon details does doesn exists fails failed failing follows foo health healthy
host hosts image images info information instead itself keeps lag level limit limits list log logs looks management
manifest member members needs object objects offset offsets page pages partition partitions pool pools problem process
properly quota quotas really reports required restart restarts role rollout running runs says seems selector selectors
shows spec specs state states status stops team teams template therefore topics unfortunately uses volume works
"""
_NOT_NAMES = frozenset(_PROSE.split()) | WORDS
_BEHIND = re.compile(
    rf"(?P<known>\b(?:the|an?|this|that|its|each|every|any|which|your|one|other|another|no)\s+(?:\w+\s+)?)?"
    rf"\b(?P<noun>{'|'.join(_NOUNS.split())}):?\s+[*_`\"'\u201c]*(?P<name>[a-z][a-z0-9]{{2,}})(?!\w*(?:[-/(\w]|[.'\u2019]\w))"
)
_VALUE = re.compile(
    r"(?P<known>(?!))?\b(?P<noun>strategy|phase|policy|class|reason|assignor|severity|mode):?\s+[*_`\"'\u201c]*"
    r"(?P<name>[A-Z][a-z]{3,})\b(?![-./:])"
)
_UNSEEN = re.compile(r"\b(?:not|never|cannot)\b|n['\u2019]t\b", re.IGNORECASE)
_WHERE = re.compile(r"\b(?:in|of|from|on|to|for)\s+(?:the\s+)?$", re.IGNORECASE)
_BEFORE = re.compile(
    r"(?P<known>(?!))?\b(?:in|of|from|on|to) (?:the |your )?[*_`\"'\u201c]*(?P<name>[a-z][a-z0-9]{2,})[*_`\"'\u201d]*"
    r" (?P<noun>namespace)\b"
)


class Naming:
    """Finds plain words told as names that nothing shown has."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._read = 0
        self._nouns: set[str] = set()

    def unknown(self, text: str) -> Iterator[tuple[str, int]]:
        """Yield each plain name of a segment that was never shown, with its place."""
        self._catch_up()
        for pattern in (_BEHIND, _VALUE, _BEFORE):
            for match in pattern.finditer(text):
                name = match["name"]
                told = bool(_WHERE.search(text, 0, match.start("noun"))) if pattern is _BEHIND else pattern is _BEFORE
                if match["known"] and text[match.start("name") - 1].isspace():
                    continue  # `the container restarts`: a verb more often than a name
                if pattern is _BEHIND and not told and _UNSEEN.search(text, 0, match.start()):
                    continue  # `I have not checked node usage`
                if match["noun"] in self._nouns and not _is_prose(name, told=told) and not self._facts.find(name):
                    yield f"{match['noun']} {name}", match.start("name")

    def _catch_up(self) -> None:
        for index in range(self._read, len(self._facts.leaves)):
            self._nouns.update(key_words(self._facts.leaves[index].key))
        self._read = len(self._facts.leaves)


def _is_prose(word: str, *, told: bool) -> bool:
    """Tell whether a word is none of the names; where a preposition tells that it is, any that is not common may be."""
    return word.casefold() in _NOT_NAMES or (not told and word.endswith(("ed", "ing", "ly")))
