"""Looking for an expected text in an answer.

It is there if its words follow one another, whatever stands between them of case, markup, spacing and trivial
punctuation; see `plain_text`. It must be whole: `5 pods` is not in `15 pods`, nor `able to connect` in `unable to
connect`, nor `frontend` in `payment-frontend`. The last word may be a plural.

An answer may also say the opposite in the same words: `this is no node selector mismatch`. Where every place is of
that kind, nothing can be said without a judge.
"""

import re
from functools import lru_cache
from typing import Literal

from evalkit.scorers.correctness.plain_text import END, plain

Finding = Literal[
    "found",
    "denied",  # the words are there, and what stands around them says no
    "absent",
]

_DENIALS = (
    "no|not|never|neither|nor|none|without|cannot|unlikely|hardly|(?:is|are|was|were|do|does|did|ca|could|wo|would|has"
    "|have|had)nt|rather than|instead of|rul(?:ed|es|ing) out|rule out"
)
_DENIED_BEFORE = re.compile(rf"\b(?:{_DENIALS})\b(?: \S+){{0,4}} ?$")
_DENIED_AFTER = re.compile(
    r" (?:(?:is|are|was|were|has been|have been|can be)(?: \w+ly)? (?:not|never|unlikely|ruled out|no longer)"
    r"|(?:is|are|was|were|has|have|does|do|did)nt)\b"
)
_NEW_CLAUSE = re.compile(
    rf"{END}|\b(?:because|since|but|although|while|so|(?<!not )(?<!nt )(?:due to|caused by|as a result of))\b"
)
_REACH = 80
"""Characters around a place in which a denial is looked for."""

_DIGIT_BEFORE = r"(?<![\w.,<>\u2264\u2265+/-])"
_DIGIT_AFTER = r"(?![\w%]| ?%|[.,/]\d|-\w)"
_LETTER_BEFORE = r"(?<!\w)(?<!\w-)"
_LETTER_AFTER = r"(?:s|es)?(?!\w)(?!-\w)"
_OTHER_BEFORE, _OTHER_AFTER = r"(?<!\S)", r"(?!\S)"
_INSIDE_A_WORD = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
_GAP = rf"(?:[ {END}]+|(?<=[^\W\d_])-(?=[^\W\d_]))"


def look_for(expected: str, answer: str) -> Finding:
    """Look for an expected text in an answer."""
    pattern = _pattern(expected)
    if pattern is None:
        return "absent"
    text = plain(answer)
    places = [(match.start(), match.end()) for match in pattern.finditer(text)]
    if not places:
        return "absent"
    return "denied" if all(_is_denied(text, *place) for place in places) else "found"


@lru_cache(maxsize=1000)
def _pattern(expected: str) -> re.Pattern[str] | None:
    """Compile what finds a text in plain text; None for one of which nothing is left."""
    words = [word for word in plain(expected).split() if word != END]
    if not words:
        return None
    inside = _GAP.join(_GAP.join(map(re.escape, _INSIDE_A_WORD.split(word))) for word in words)
    before, _ = _guards(words[0][0])
    _, after = _guards(words[-1][-1])
    return re.compile(before + inside + after)


def _guards(sign: str) -> tuple[str, str]:
    """What may stand before and after a text that begins or ends with this sign."""
    if sign.isdigit():
        return _DIGIT_BEFORE, _DIGIT_AFTER
    return (_LETTER_BEFORE, _LETTER_AFTER) if sign.isalpha() else (_OTHER_BEFORE, _OTHER_AFTER)


def _is_denied(text: str, start: int, end: int) -> bool:
    before = _NEW_CLAUSE.split(text[max(0, start - _REACH) : start])[-1]
    return bool(_DENIED_BEFORE.search(before) or _DENIED_AFTER.match(text[end : end + _REACH]))
