"""How alike two names are, and whether one says the opposite of the other, as `not_contains` does of `contains`."""

import re
from collections.abc import Iterator

_WORDS = frozenset(("not", "no", "non", "never", "none", "without", "except", "dont"))
"""Words that turn a name into its opposite."""
_PREFIXES = ("not", "non", "no", "anti", "dis", "un", "in")
"""What does so at the beginning of a word, longer ones first."""
_STEM = 3
"""Letters that such a word needs besides."""

_SURELY = 0.85
"""How alike two names must be for one to be written in the place of the other unasked, from 0 to 1."""
_WORD = 0.8
"""How alike each two of their words must be: one letter of five may be another."""
_ENDINGS = frozenset(("s", "es", "ed", "d", "ing"))
"""What a word may have too much or too little and be the same."""


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


def is_slip(wrong: str, right: str) -> bool:
    """Whether a name is surely another one mistyped: word by word the same words, each with its letters or nearly so.

    A name with a word more, less or other than the right one may say something else, as `min_tokens` does of `tokens`.
    """
    words, others = _words(wrong), _words(right)
    if len(words) != len(others) or not all(map(_is_same_word, words, others)):
        return False
    one, other = "".join(words), "".join(others)
    return _is_swapped(one, other) or likeness(one, other) >= _SURELY


def _is_same_word(wrong: str, right: str) -> bool:
    """Whether a word is another, mistyped at most, and not a longer or shorter one that has it inside."""
    if wrong == right or _is_swapped(wrong, right):
        return True
    inner, outer = sorted((wrong, right), key=len)
    if inner in outer:
        rest = outer.removeprefix(inner)
        headless = len(right) > _STEM and wrong == right[1:]
        return len(rest) == 1 or rest in _ENDINGS or headless or outer == inner[0] + inner
    # Who mistypes a word begins it well; what begins otherwise can be its counterpart: `encode`, `decode`.
    same_number = _digits(wrong) == _digits(right)
    return same_number and wrong[0] == right[0] and likeness(wrong, right) >= _WORD


def _is_swapped(wrong: str, right: str) -> bool:
    """Whether two letters stand in each other's place, or none."""
    return len(wrong) == len(right) and any(
        wrong == right[:at] + right[at + 1] + right[at] + right[at + 2 :] for at in range(len(right) - 1)
    )


def _digits(word: str) -> str:
    return "".join(filter(str.isdigit, word))


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
