"""Text to words, as ADK's ROUGE counts them.

ADK splits text with a tokenizer of its own (`_UnicodeAwareTokenizer`) and stems ASCII words with NLTK's Porter stemmer.
Both are reproduced to the letter, because scores must equal ADK's, at a fraction of the cost: what a character becomes
is worked out once a character, what a word consists of and its stem once a word.
"""

import importlib
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache

_SHORTEST_STEMMED = 4
"""Words of fewer characters are left as they are."""

_REMEMBERED = 100_000
"""Words whose pieces and stems are kept, so that memory stays bounded."""

_CHARACTER_SCRIPTS = (
    range(0x4E00, 0xA000),  # CJK unified ideographs
    range(0x3040, 0x3100),  # Hiragana and Katakana
    range(0xAC00, 0xD7B0),  # Hangul syllables
)
_CLUSTER_SCRIPTS = (
    range(0x0E00, 0x0F00),  # Thai and Lao
    range(0x1000, 0x10A0),  # Myanmar
    range(0x1780, 0x1800),  # Khmer
)


class _Pieces(dict[int, str]):
    """What each character becomes before the text is split at spaces."""

    def __missing__(self, code: int) -> str:
        self[code] = piece = _piece(code)
        return piece


def _piece(code: int) -> str:
    char = chr(code)
    if any(code in script for script in _CHARACTER_SCRIPTS):
        return f" {char} "
    mark = unicodedata.category(char).startswith("M")  # belongs to the character before it
    if any(code in script for script in _CLUSTER_SCRIPTS):
        return char if mark else f" {char}"
    return char if mark or char.isalnum() else " "


_PIECES = _Pieces()


def words(text: str) -> list[str]:
    """Split text into words, not stemmed yet: characters or grapheme clusters in scripts without spaces."""
    chunks = unicodedata.normalize("NFKC", text).lower().split()
    return [word for chunk in chunks for word in _words_of(chunk)]


@lru_cache(maxsize=_REMEMBERED)
def _words_of(chunk: str) -> tuple[str, ...]:
    return tuple(chunk.translate(_PIECES).split())


@lru_cache(maxsize=_REMEMBERED)
def stem(word: str) -> str:
    """Return what the word counts as; only ASCII words of four characters and more have a stem."""
    if len(word) < _SHORTEST_STEMMED or not word.isascii():
        return word
    return _stemmer()(word)[0]


@cache
def _stemmer() -> Callable[[str], list[str]]:
    """Return ADK's Porter stemmer, or its equal in `rouge-score-rs`, which loads in no time; NLTK takes a second."""
    try:
        rouge = importlib.import_module("rouge_score_rs.tokenizers")
    except ImportError:
        rouge = importlib.import_module("rouge_score.tokenizers")
    tokenize: Callable[[str], list[str]] = rouge.DefaultTokenizer(use_stemmer=True).tokenize
    return tokenize
