"""Words of which one excludes the other, where the tools speak of the other only: `CPU` for `memory`.

They are no states, and too common to need a source by themselves. But an answer that speaks of a memory pressure where
the tools speak of a disk pressure, or of a timeout where they say that a connection was refused, has mixed them up.
"""

import re
from collections.abc import Iterator, Mapping

from evalkit.answers.units import key_words
from evalkit.scorers.grounds.facts import Facts
from evalkit.scorers.grounds.scenes import stem

_FAMILIES: tuple[Mapping[str, str], ...] = (
    {
        "memory": r"memory|ram|heap|oom\w*",
        "disk": r"disks?|storage|filesystems?|space|volumes?|device",
        "CPU": r"cpus?|processors?|cores?|vcpus?|millicores",
    },
    {
        "timeout": r"time[ds]?[- ]?outs?|timing out|deadline\w*",
        "refused": r"connections? (?:was |is |were |being )?refused|refus\w+ (?:the |its |all )?connections?",
        "reset": r"connections? (?:was |is |were )?reset|reset by peer",
        "no such host": r"no such host|name resolution|dns",
    },
    {name: rf"{name}s?" for name in ("statefulset", "daemonset", "replicaset", "cronjob")},
    {"normal": r"(?<!no )normal(?! \w*ly)(?=\W+events?|$|\W*type)", "warning": r"warnings?"},
    {"admin": r"admin(?:istrator)?s?", "operator": r"operators?", "viewer": r"viewers?", "editor": r"editors?"},
    {"compact": r"compact(?:ed|ion|s)?", "delete": r"delet(?:e|ed|es|ion)"},
)
"""Families of alternatives, each with how it is written."""

_PATTERNS = tuple(
    {name: re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])", re.IGNORECASE) for name, pattern in family.items()}
    for family in _FAMILIES
)
_NO_LIMIT = re.compile(r"\b(?:no|without(?: an?)?|nor(?: an?)?) \w+ (?:limit|request|quota|reservation)", re.IGNORECASE)
_BEFORE = re.compile(r"\b([a-z]{6,})\s+$", re.IGNORECASE)
_NEXT = re.compile(r"[\s_-]+([a-z]{4,})", re.IGNORECASE)


class Contrasts:
    """Finds words whose rival the tools have."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    def mixed_up(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield each word, or word with its noun, that no tool has, with what they have instead."""
        for family, patterns in zip(_FAMILIES, _PATTERNS, strict=True):
            for name, pattern in patterns.items():
                for match in pattern.finditer(text):
                    found = self._instead(family, name, text, match)
                    if found:
                        yield found

    def _instead(self, family: Mapping[str, str], name: str, text: str, match: re.Match[str]) -> tuple[str, str] | None:
        if any(denied.start() < match.start() < denied.end() for denied in _NO_LIMIT.finditer(text)):
            return None
        rivals = [rival for rival in family if rival != name]
        if not self._shows(family[name]):
            instead = next((rival for rival in rivals if self._shows(family[rival])), None)
            return (match[0], instead) if instead else None
        before = _BEFORE.search(text, 0, match.start())
        if before and not self._follows(before[1], family[name]):
            instead = next((rival for rival in rivals if self._follows(before[1], family[rival])), None)
            if instead:
                return f"{before[1]} {match[0]}", f"{before[1]} {instead}"
        noun = _NEXT.match(text, match.end())
        if noun is None or self._pairs(family[name], noun[1]):
            return None
        instead = next((rival for rival in rivals if self._pairs(family[rival], noun[1])), None)
        return (f"{match[0]} {noun[1]}", f"{instead} {noun[1]}") if instead else None

    def _shows(self, pattern: str) -> bool:
        return self._facts.has_pattern(rf"(?<![a-z])(?:{pattern.casefold()})(?![a-z](?<!pressure))")

    def _follows(self, word: str, pattern: str) -> bool:
        """Tell whether a text that was shown has the word right before what a pattern finds: `Insufficient memory`."""
        return self._facts.has_pattern(rf"\b{word.casefold()}[\s_-]+(?:{pattern.casefold()})(?![a-z])")

    def _pairs(self, pattern: str, noun: str) -> bool:
        """Tell whether a word and a noun stand together, in a text or as a key below a key: `limits: {memory: …}`."""
        noun = re.escape(stem(noun))
        if self._facts.has_pattern(rf"(?<![a-z])(?:{pattern.casefold()})[\W_]*{noun}"):
            return True
        word = re.compile(pattern, re.IGNORECASE)
        return any(
            word.fullmatch(key) and any(stem(part) == noun for part in key_words(label))
            for label, key in self._facts.paths()
        )
