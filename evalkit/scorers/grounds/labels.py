"""Is a number told under its own name? `exit code 1` is false where `exit_code` is 137, and another number 1.

A number has a label before it (`revision 26`, `Restarts: 29`), above it (the head of its column) or behind it
(`21 updated`); of a thing that is known by its number it may be the role (`broker 2 is the controller`). A label counts
where it is the name of a key; a number that was shown under other keys only is then false. A number that nobody was
shown is not looked at: it may be computed.
"""

import re
from collections.abc import Mapping, Sequence

from evalkit.answers.units import key_words
from evalkit.scorers.grounds.facts import Facts
from evalkit.scorers.grounds.scenes import stem

_FILLERS = frozenset({"count", "number", "total", "id", "num"})
_SMALL = frozenset({"in", "is", "of", "out", "by", "to", "at", "on", "no", "not", "has", "with"})
_COUNTING = frozenset({"count", "number", "total", "num"})
_LINK = (
    r"(?:[\s:=#*_`|\u2013\u2014~\u2248-]+|\b(?:is|was|are|were|of|at|to|now|only|just|currently|about|roughly"
    r"|has been|no\.?|nr\.?|a|an|the|around|already|still|some)\b)*"
)
_BEFORE = re.compile(rf"((?:[A-Za-z]+[ _-]){{0,2}}[A-Za-z]+){_LINK}$")
_NAMES = re.compile(r"\S*\w[-./@]\w\S*|`[^`]*`")
_WORDS = re.compile(r"[A-Za-z]+")
_WHOLE = r"(?:/\d+| (?:of|out of)(?: the| its| all)? \d+(?:[ *_`]+(?:current|existing|desired|wanted|requested)\b)?)"
_AFTER = re.compile(rf"{_WHOLE}?((?:[ *_`]+[A-Za-z]+){{1,6}})")
_UNSURE = re.compile(
    r"\b(?:not|never|to be|than|more|fewer|less|missing|yet|for|if|should|until|and)\b|n['\u2019]t\b", re.IGNORECASE
)
_ASIDE = re.compile(r"\s*\([^()]*\)")
_THING = r"\b(?P<thing>[A-Za-z]+)[ #]+"
_THING_BEFORE = re.compile(rf"{_THING}$")
_ROLE_BEFORE = re.compile(
    rf"\b(?P<role>[A-Za-z]+)[*_`]*(?:\s*[:=][\s*_`]*|,\s+|\s+(?:is|was)\s+(?:now\s+)?){_THING}$", re.IGNORECASE
)
_ROLE_BEHIND = re.compile(
    r"^[*_`]*,?\s+(?:is|was|being|as|remains|became)\s+(?:still\s+|now\s+)?the\s+(?:current\s+|active\s+|new\s+)?"
    r"[*_`]*(?P<role>[A-Za-z]+)[*_`]*(?=\s*(?:$|[,.;:)]|(?:and|but|of|for|in)\b))",
    re.IGNORECASE,
)
FORMERLY = ("before", "previously", "formerly", "earlier", "old")
"""What answers call what was before a change."""

_SYNONYMS = {
    **dict.fromkeys(("wanted", "requested", "expected"), "desired"),
    **dict.fromkeys(FORMERLY, "previous"),
    **dict.fromkeys(("existing", "exist", "exists", "present"), "current"),
}
_FORMER = frozenset({"previous", "former", "old", "before"})
_MOST_WORDS = 3


class Labels:
    """Finds the keys that a label is the name of."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._read = 0
        self._keys: dict[frozenset[str], set[str]] = {}
        self._qualified: dict[str, dict[str, set[str]]] = {}
        self._last: dict[str, dict[str, set[str]]] = {}
        self._above: dict[str, dict[str, set[str]]] = {}
        self._seen: frozenset[tuple[str, str]] = frozenset()

    def before(self, text: str, *, listed: bool, measured: bool = False) -> tuple[str, frozenset[str]]:
        """Return the label that ends a text, and its keys.

        Args:
            text: What stands before a number, or above it.
            measured: Whether the number has a unit, as in `a limit of 128Mi`.
            listed: Whether a label names a count too, as in `Restarts: 29` and `restarted 29 times`; a singular before
                a number is a name.
        """
        found = _BEFORE.search(_NAMES.sub(lambda match: "." * len(match[0]), text))
        if not found:
            return "", frozenset()
        self._catch_up()
        words = _WORDS.findall(found[1])[-_MOST_WORDS:]
        colon = listed or ":" in text[found.end(1) :] or "=" in text[found.end(1) :]
        for length in range(len(words), 0, -1):
            label = words[-length:]
            keys = self._keys.get(_stems(label), set())
            if not keys and colon and not listed and len(words) == 1:
                keys = self._qualified_by(words[0])
            if not keys and measured and length == 1:
                keys = set().union(*self._above.get(stem(label[0]), {}).values())
            plural = colon or label[-1].endswith("s") or label[-1].casefold() in _COUNTING
            keys = keys if plural else {key for key in keys if _COUNTING.isdisjoint(key_words(key))}
            if keys:
                return " ".join(label), frozenset(keys)
        return "", frozenset()

    def former(self) -> frozenset[str]:
        """Return the keys that say what was before a change, such as `previous_replicas`."""
        self._catch_up()
        return frozenset(key for _, key in self._seen if not _FORMER.isdisjoint(key_words(key)))

    def role(self, before: str, behind: str) -> tuple[str, frozenset[str]]:
        """Return the role that a thing with a number is told to have, and its keys: `controller`, `controller_id`.

        Args:
            before: What stands before the number in its sentence.
            behind: What stands behind it.
        """
        thing = _THING_BEFORE.search(before)
        found = thing and (_ROLE_BEFORE.search(before) or _ROLE_BEHIND.match(_ASIDE.sub("", behind)))
        if not thing or not found or stem(thing["thing"]) == stem(found["role"]) or found["role"].endswith("ed"):
            return "", frozenset()
        self._catch_up()
        keys = self._keys.get(_stems([found["role"]]), set())
        return found["role"], frozenset(key for key in keys if _COUNTING.isdisjoint(key_words(key)))

    def after(self, text: str, *, measured: bool) -> tuple[str, frozenset[str]]:
        """Return the word behind a number that tells its keys apart, as in `21 of 40 replicas are updated`.

        Args:
            text: What stands behind a number.
            measured: Whether it has a unit, as in `12 MB received`; its keys are told apart by their last word.
        """
        found = _AFTER.match(text)
        if not found or _UNSURE.search(found[1]):
            return "", frozenset()
        self._catch_up()
        words = [_SYNONYMS.get(word.casefold(), word) for word in _WORDS.findall(found[1])]
        if measured and words and stem(words[0]) in self._above:
            return words[0], frozenset().union(*self._above[stem(words[0])].values())
        words = words[:2] if measured else words
        known = self._last if measured else self._qualified
        telling = [word for word in words if word.casefold() in known]
        if not telling:
            return "", frozenset()
        word = telling[-1] if found.start(1) else telling[0]
        by_noun = known[word.casefold()]
        keys = next((by_noun[stem(noun)] for noun in words if stem(noun) in by_noun), set().union(*by_noun.values()))
        return word, frozenset(keys if measured else keys | self._keys.get(_stems([word]), set()))

    def _qualified_by(self, word: str) -> set[str]:
        """Return the keys that a word tells apart from others of one noun: `updated_replicas` for `Updated: 21`."""
        by_noun = self._qualified.get(_SYNONYMS.get(word.casefold(), word.casefold()), {})
        return set().union(*by_noun.values())

    def _catch_up(self) -> None:
        if self._read == len(self._facts.leaves):
            return
        nouns: dict[str, set[tuple[str, str]]] = {}
        things: dict[str, set[tuple[str, str]]] = {}
        self._read = len(self._facts.leaves)
        for label, key in self._facts.paths() - self._seen:
            self._note(key, key_words(key))
            if label:
                self._note(f"{label}.{key}", (*key_words(label), *key_words(key)))
        self._seen = self._facts.paths()
        for key in {key for _, key in self._seen}:
            words = [word for word in key_words(key) if word not in _FILLERS]
            if len(words) > 1:
                nouns.setdefault(stem(words[-1]), set()).add((words[0], key))
                things.setdefault(stem(words[0]), set()).add((words[-1], key))
        self._qualified, self._last = _told_apart(nouns), _told_apart(things)
        above: dict[str, set[tuple[str, str]]] = {}
        for label, key in self._seen:
            for word in key_words(label)[-1:]:
                above.setdefault(key, set()).add((stem(word), f"{label}.{key}"))
        self._above = _told_apart(above)

    def _note(self, key: str, words: Sequence[str]) -> None:
        for some in (words, [word for word in words if word not in _FILLERS]):
            if some:
                self._keys.setdefault(_stems(some), set()).add(key)


def _told_apart(entries: Mapping[str, set[tuple[str, str]]]) -> dict[str, dict[str, set[str]]]:
    """Return the words that tell keys with a word in common apart, each with that word and the keys."""
    found: dict[str, dict[str, set[str]]] = {}
    for noun, told in entries.items():
        if len({word for word, _ in told}) > 1:
            for word, key in (one for one in told if one[0] not in _SMALL):
                found.setdefault(word, {}).setdefault(noun, set()).add(key)
    return found


def _stems(words: Sequence[str]) -> frozenset[str]:
    return frozenset(map(stem, words))
