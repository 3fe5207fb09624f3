"""The words of a text, without the punctuation around them."""

import re
from functools import lru_cache

# A word ends at a space, at punctuation that names do not have, and where a script without spaces begins.
_SCRIPTS_WITHOUT_SPACES = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uff0f"
_QUOTES_AND_DASHES = "\"'`\u00b4\u2018\u2019\u201c\u201d\u00ab\u00bb\u2013\u2014\u2026"
_TOKEN = re.compile(
    rf"(?:[^\s{_QUOTES_AND_DASHES}<>()\[\]{{}},;|=*!?{_SCRIPTS_WITHOUT_SPACES}]|(?<=\d),(?=\d{{3}}(?!\d)))+"
)

_SHORT = 300
"""Characters of a text whose words are kept: parts of an answer are looked at several times."""


def tokens(text: str) -> tuple[tuple[str, int], ...]:
    """Return each word of a text with its place."""
    return _remembered(text) if len(text) < _SHORT else _read(text)


def _read(text: str) -> tuple[tuple[str, int], ...]:
    found = []
    for match in _TOKEN.finditer(text.replace("\N{MINUS SIGN}", "-")):
        token = match[0].rstrip(".:-/\\#~&^+")
        bare = token.lstrip(":#&^")
        while bare[:1] == bare[-1:] == "_":  # emphasis, unlike the start of `__consumer_offsets`
            bare = bare[1:-1]
        signed = bare[:1] in ("-", "+") and bare[1:2].isdigit()
        if not signed:
            bare = bare.lstrip("-+")
        if bare:
            found.append((bare, match.start() + match[0].find(bare)))
    return tuple(found)


_remembered = lru_cache(maxsize=5_000)(_read)
