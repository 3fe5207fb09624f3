"""How alike two names are, and whether one says the opposite of the other, as `not_contains` does of `contains`."""

import re
from collections.abc import Iterator

_WORDS = frozenset(("not", "no", "non", "never", "none", "without", "except", "dont"))
"""Words that turn a name into its opposite."""
_PREFIXES = ("not", "non", "no", "anti", "dis", "un", "in")
"""What does so at the beginning of a word, longer ones first."""
_STEM = 3
"""Letters that such a word needs besides."""


def likeness(one: str, other: str) -> float:
    """How alike two texts are, from 0 to 1."""
    from difflib import SequenceMatcher  # only a file with a fault pays for it

    return SequenceMatcher(None, one, other).ratio()


def opposed(one: str, other: str) -> bool:
    """Whether two names are more alike once a negation is taken out of one of them."""
    forms = _form(one), _form(other)
    alike = likeness(*forms)
    affirmed = any(likeness(bare, forms[1]) > alike for bare in _affirmed(one))
    return affirmed or any(likeness(forms[0], bare) > alike for bare in _affirmed(other))


def _affirmed(name: str) -> Iterator[str]:
    """A name without each of its negations."""
    words = _words(name)
    for index, word in enumerate(words):
        before, after = "".join(words[:index]), "".join(words[index + 1 :])
        if word in _WORDS:
            yield before + after
        prefix = next((prefix for prefix in _PREFIXES if word.startswith(prefix)), "")
        if prefix and len(word) - len(prefix) >= _STEM:
            yield before + word.removeprefix(prefix) + after


def _words(name: str) -> list[str]:
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return [word for word in re.split(r"[-_ ]+", apart.lower()) if word]


def _form(name: str) -> str:
    return "".join(_words(name))
