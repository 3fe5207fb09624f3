"""Words that tell a state, in families of which one excludes the others, and whether a text denies them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

_FAMILIES = (
    ("healthy", "unhealthy"),
    ("ready", "unready|notready"),
    ("available", "unavailable"),
    ("reachable", "unreachable"),
    ("schedulable", "unschedulable|cordoned"),
    ("online", "offline"),
    ("enabled", "disabled"),
    ("connected", "disconnected"),
    ("paused", "unpaused"),
    ("dangling",),
    ("up", "down"),
    ("firing", "pending", "inactive", "resolved"),
    ("active", "suppressed|silenced", "expired", "inactive", "terminating"),
    ("stable", "empty", "dead", "rebalancing"),
    ("complete|completed", "progressing", "failed|failing"),
    ("open", "closed"),
)
"""Each family's states, each with what else it is called. A word may be in several."""

_NOT_RUNNING = (
    *("exited|stopped", "restarting", "pending", "crashloopbackoff", "imagepullbackoff|errimagepull", "succeeded"),
    *("terminating", "evicted", "oomkilled", "containercreating"),
)
"""What excludes `running`, but not each other: what crashes has exited, and is restarting."""

_ALL = (*_FAMILIES, *(("running", state) for state in _NOT_RUNNING))

WORDS = frozenset(word for family in _ALL for state in family for word in state.split("|"))

_SOFT = "exited stopped running failed failing open closed up down empty connected complete completed active paused"
_HARD = WORDS - frozenset(_SOFT.split())
"""Words that are always told of a state; the others have to be shown otherwise to count as one."""

_STATUS = re.compile(
    rf"(?<![\w-])(?:{'|'.join(sorted(WORDS, key=len, reverse=True))}|fires|does not run|do not run|not run)(?![\w-])",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?:\bnot|n't|\bno longer|\bnever|\bneither|\bnor|\bnone|\bnothing|\bno|\bwithout|\w+n\u2019t|\bcannot"
    r"|\bstopped being|\bceased to be|\bfar from)\b(?:\W+[\w/.-]+){0,4}\W*$",
    re.IGNORECASE,
)
_DOUBTED = re.compile(
    r"\b(?:if|whether|once|until|unless|should|would|may|might|could|to be|become|be|when)\b", re.IGNORECASE
)
_NOT_ALL = re.compile(r"not\s+(?:all|every|only|yet all)\b", re.IGNORECASE)
_BEFORE = 80
"""Characters before a word in which it may be denied."""

_UP_AS_STATE = re.compile(r"\b(?:is|are|was|were|been|be|still|again|it's|targets?|all|both|:)\s*$", re.IGNORECASE)
_VERB_GOES_ON = re.compile(r"\s+(?:\w+ing|to|the|a|an|it|its|them|this|that|all)\b")
_PASSIVE = re.compile(r"\b(?:is|are|was|were|been|be|being|got)\s+(?:\w+ly\s+)?$", re.IGNORECASE)
_UP_GOES_ON = re.compile(r"\s+(?:to|from|by|with|for the|the|a)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Status:
    """A state that a text tells, or denies."""

    word: str
    text: str
    start: int
    denied: bool = False

    @property
    def hard(self) -> bool:
        """Whether the word has no other meaning."""
        return self.word in _HARD


@lru_cache(maxsize=5_000)
def statuses(text: str, *, asserted: bool = True) -> tuple[Status, ...]:
    """Return the states in a text; `asserted` leaves out what is only supposed, as after `if`."""
    return tuple(_read(text, asserted=asserted))


def _read(text: str, *, asserted: bool) -> Iterator[Status]:
    for match in _STATUS.finditer(text):
        word, before = match[0].casefold(), text[max(0, match.start() - _BEFORE) : match.start()]
        if word in ("up", "down") and (
            not (_UP_AS_STATE.search(before) or not before.strip()) or _UP_GOES_ON.match(text, match.end())
        ):
            continue
        if word.endswith("ed") and not _PASSIVE.search(before) and _VERB_GOES_ON.match(text, match.end()):
            continue
        if asserted and _DOUBTED.search(before):
            continue
        denied = _DENIED.search(before)
        if word.endswith("not run"):
            yield Status("running", match[0], match.start(), denied=True)
            continue
        word = "firing" if word == "fires" else word
        if denied and _NOT_ALL.match(denied[0]):
            continue
        yield Status(word, text[match.start() : match.end()], match.start(), bool(denied))


def _families_of(word: str) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    for family in _ALL:
        states = [frozenset(state.split("|")) for state in family]
        for state in states:
            if word in state:
                yield state, frozenset(other for rival in states if rival is not state for other in rival)


SAME: Mapping[str, frozenset[str]] = {
    word: frozenset().union(*(state for state, _ in _families_of(word))) for word in WORDS
}
"""For each word those that say the same, itself included."""

RIVALS: Mapping[str, frozenset[str]] = {
    word: frozenset().union(*(rivals for _, rivals in _families_of(word))) for word in WORDS
}
"""For each word those that say something else of the same thing."""

OPPOSITE: Mapping[str, frozenset[str]] = {
    word: frozenset(other for rival in family if state is not rival for other in rival.split("|"))
    for family in _FAMILIES
    if len(family) == len(("one", "the other"))
    for state in family
    for word in state.split("|")
}
"""For each word that has just one opposite, what that is called: what is not healthy is unhealthy."""
