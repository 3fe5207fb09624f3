"""Words that tell a state, in families of which one excludes the others, and whether a text denies them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

_FAMILIES = (
    ("healthy", "unhealthy|degraded|impaired|broken"),
    ("ready", "unready|notready"),
    ("insync", "underreplicated"),
    ("caughtup", "lagging"),
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
    ("guaranteed", "burstable", "besteffort"),
)
"""Each family's states, each with what else it is called. A word may be in several."""

_NOT_RUNNING = (
    *("exited|stopped", "restarting", "pending", "crashloopbackoff", "imagepullbackoff|errimagepull", "succeeded"),
    *("terminating", "evicted", "oomkilled", "containercreating"),
)
"""What excludes `running`, but not each other: what crashes has exited, and is restarting."""

_EXCLUSIVE = (*_FAMILIES, *(("running", state) for state in _NOT_RUNNING))

WORDS = frozenset(word for family in _EXCLUSIVE for state in family for word in state.split("|"))

_SOFT = (
    "exited stopped running failed failing open closed up down empty connected complete completed active paused insync"
    " underreplicated caughtup lagging guaranteed burstable besteffort degraded impaired broken"
)
_HARD = WORDS - frozenset(_SOFT.split())
"""Words that are always told of a state; the others have to be shown otherwise to count as one."""

_PHRASES: Mapping[str, str] = {
    "insync": r"(?:fully )?in[- ]sync",
    "underreplicated": r"under[- ]?replicated|out[- ]of[- ]sync|not fully replicated",
    "lagging": r"(?:has|have|with) (?:a |some |any )?(?:lag|backlog)\b(?! of\b)|lagging|is behind|are behind",
    "caughtup": r"(?:fully |all )?caught up|(?:has|have|with) (?:no|zero) (?:lag|backlog)",
    "oomkilled": r"oom[- ]?kill(?:s|ed|ing|er)?|(?:ran|runs|running|run|was|is) out of memory|out[- ]of[- ]memory",
    "crashloopbackoff": r"crash[- ]?loop(?:s|ing|ed)?|keeps? (?:on )?crashing",
    "imagepullbackoff": (
        r"(?:can(?:no|['\u2019])t|cannot|unable to|fail(?:s|ed|ing)? to|could ?n[o'\u2019]t)"
        r" (?:pull|get|fetch|download) (?:its|the|their|an) images?|image[- ]pull (?:back-?off|errors?|failures?)"
    ),
    "terminating": r"(?:being|getting) (?:deleted|removed|terminated)|on its way out",
    "firing": r"fires",
    "unready": r"not-ready",
    "notrunning": r"(?:does not|do not|doesn['\u2019]t|don['\u2019]t|not) run",
    "healthy": r"(?<=\bis )(?:just |perfectly |doing )?(?:fine|ok|okay)|(?<=\bare )(?:just |doing )?(?:fine|ok|okay)",
    "besteffort": r"best[- ]effort",
}
"""Other ways to tell a state, as regular expressions."""

_UNMISTAKABLE = frozenset({"oomkilled", "crashloopbackoff", "imagepullbackoff"})
"""States of which the other ways to tell them have no other meaning either."""

_FINE = "running healthy ready available complete completed up online stable insync caughtup"
GOOD = frozenset(_FINE.split())
"""States that nobody can tell who could not look."""

_WORD = "|".join(sorted(WORDS, key=len, reverse=True))
_STATUS = re.compile(
    r"(?<![\w-])(?:"
    + "|".join(f"(?P<{name}>{phrase})" for name, phrase in _PHRASES.items())
    + rf"|(?P<word>{_WORD}))(?![\w-])",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?:\bnot|n't|\bno longer|\bnever|\bneither|\bnor|\bnone|\bnothing|\bno|\bwithout|\w+n\u2019t|\bcannot"
    r"|\bstopped being|\bceased to be|\bfar from|timed out)\b(?:\W+[\w/.-]+){0,4}\W*$"
    r"|\b(?:none|neither|nothing)\b(?:\W+[\w/.-]+){5,8}\W*$",
    re.IGNORECASE,
)
_DOUBTED = re.compile(
    r"\b(?:if|whether|once|until|unless|should|would|may|might|could|to be|become|be|when)\b", re.IGNORECASE
)
_NOT_ALL = re.compile(r"\bnot\s+(?:all|every|each|both|only|yet all)\b", re.IGNORECASE)
_ALL = re.compile(r"\b(?:(?<!\bat )(?<!\bafter )all|both|every|each|everything|everyone)\b", re.IGNORECASE)
_NONE = re.compile(r"\b(?:none|neither|nothing|no(?! (?:longer|more|doubt)\b))\b", re.IGNORECASE)
_RUNS_OUT = re.compile(r"\s+(?:out|low|short|into)\b", re.IGNORECASE)
_BEFORE = 80
"""Characters before a word in which it may be denied."""

_UP_AS_STATE = re.compile(r"\b(?:is|are|was|were|been|be|still|again|it's|targets?|all|both|:)\s*$", re.IGNORECASE)
_VERB_GOES_ON = re.compile(r"\s+(?:\w+ing|to|the|a|an|it|its|them|this|that|all)\b")
_PASSIVE = re.compile(r"\b(?:is|are|was|were|been|be|being|got)\s+(?:\w+ly\s+)?$", re.IGNORECASE)
_UP_GOES_ON = re.compile(r"\s+(?:to|from|by|with|for the|the|a)\b", re.IGNORECASE)


Scope = Literal["", "all", "none"]


@dataclass(frozen=True, slots=True)
class Status:
    """A state that a text tells, or denies: of `all` that are there, or denies of them (`none`), or of some."""

    word: str
    text: str
    start: int
    denied: bool = False
    scope: Scope = ""

    @property
    def hard(self) -> bool:
        """Whether the word has no other meaning."""
        return self.text.casefold() in _HARD or self.word in _UNMISTAKABLE


@lru_cache(maxsize=5_000)
def statuses(text: str, *, asserted: bool = True) -> tuple[Status, ...]:
    """Return the states in a text; `asserted` leaves out what is only supposed, as after `if`."""
    return tuple(_read(text, asserted=asserted))


def is_state(word: str) -> bool:
    """Tell whether a word with inner signs or capitals is a state rather than a name: `OOM-killed`, `NotReady`."""
    return word.casefold() == "notready" or (word.casefold() not in WORDS and bool(_STATUS.fullmatch(word)))


def _read(text: str, *, asserted: bool) -> Iterator[Status]:
    for match in _STATUS.finditer(text):
        name = match.lastgroup or ""
        word = match[0].casefold() if name == "word" else name
        before = text[max(0, match.start() - _BEFORE) : match.start()]
        if _is_verb(word, before, text, match.end()) or (asserted and _DOUBTED.search(before)):
            continue
        if word == "notrunning":
            yield Status("running", match[0], match.start(), denied=True, scope=_scope(before, denied=True))
            continue
        denial = _DENIED.search(before)
        if _NOT_ALL.search(before):
            continue
        yield Status(word, match[0], match.start(), bool(denial), _scope(before, denied=bool(denial)))


def _is_verb(word: str, before: str, text: str, end: int) -> bool:
    """Tell whether a word tells no state, but what something does: `scaled up to`, `is running out of`, `failed to`."""
    if word in ("up", "down"):
        return not (_UP_AS_STATE.search(before) or not before.strip()) or bool(_UP_GOES_ON.match(text, end))
    if word == "running":
        return bool(_RUNS_OUT.match(text, end))
    return word.endswith("ed") and not _PASSIVE.search(before) and bool(_VERB_GOES_ON.match(text, end))


def _scope(before: str, *, denied: bool) -> Scope:
    if denied:
        return "none" if _NONE.search(before) or _ALL.search(before) else ""
    return "all" if _ALL.search(before) else ""


def _families_of(word: str) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    for family in _EXCLUSIVE:
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
