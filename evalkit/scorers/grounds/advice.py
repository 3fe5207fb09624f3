"""Parts of an answer that claim nothing of what the tools showed: advice, questions, offers, what is generally so.

They need no source for a number or a command. A name in them does if it is almost one that was shown: who advises to
look at `cart-7c` where there is a `cart-7d` has mixed something up. What may be, would be or should be is only a guess
in its words: `the container may use 192Mi at most` needs the number, `it may take 10 minutes` does not.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from evalkit.answers.tokens import tokens
from evalkit.scorers.grounds.claims import Claim
from evalkit.scorers.grounds.segments import SENTENCES, split

_VERBS = """
add adjust allow analy[sz]e apply ask assign avoid bring bump change check clean compare configure confirm connect
consider consult contact correct create debug decrease define delete deploy describe double drain edit enable ensure
escalate examine expand extend find fix follow free get give go grant grow have identify increase inspect install
investigate keep kill launch let list look lower make migrate monitor move notify open patch ping plan prune pull
raise re-?create re-?run reach rebalance rebuild reduce release remove renew repair replace request resize resolve
restart restore resume retry review revert roll rotate run scale see set start stop switch test trace track trigger try
tune turn unblock uncordon update upgrade use verify view wait watch
"""
_AFTER_VERB = (
    r"(?=\s+(?:the|an?|it|its|them|their|this|that|these|those|your|any|all|each|both|either|some|more|to|for|up|down|in"
    r"|into|on|at|with|whether|if|why|how|what|which|out|back|over|through|off|away|me|sure|again|access|space"
    r"|connectivity|[`*\"'(\u201c]|\S*[-_./]\S*|\w+ (?:the|it|whether|if|that|with|on|to|for|of|in)\b))"
)
_LEAD = r"^[\W\d_]*(?:(?:please|then|next|first|second|third|finally|also|now|otherwise|alternatively|or)\b,?\s+)*"
_IMPERATIVE = re.compile(
    rf"{_LEAD}(?:do not |don['\u2019]t )?(?:{'|'.join(_VERBS.split())})\b{_AFTER_VERB}", re.IGNORECASE
)
_LABELLED = re.compile(
    r"^[\W_]*(?:recommend\w*|(?:suggested |recommended )?next(?:[- ]steps?)?(?=\W*(?::|\*|$))"
    r"|suggest\w*|action items?|advice|follow[- ]?ups?"
    r"|mitigations?|fix(?:es)?|possible fix\w*|remediation|tips?|to[- ]do|what (?:you can|to) do\b[\w ]*"
    r"|how to (?:fix|resolve|proceed)\b[\w ]*)(?:\s*\([^)]*\))?[\W_]*(?P<end>:|\*\*|$)",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^\s*(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$|__[^_]+__:?\s*$)")
_NO = r"(?!\s*(?:not\b|n['\u2019]t|never\b|no\b))"
_OTHERS = r"(?:an?|your|the) (?:\w+ )?(?:admins?|administrators?|operators?|teams?)"
_SOMEBODY = rf"(?:you|we|one|someone|somebody|people|they|{_OTHERS})"
_ADVISES = re.compile(
    rf"\b(?:{_SOMEBODY} (?:can|could|(?-i:may)|might|should|would){_NO}"
    r"|you (?:want|wish|like|prefer|need to|have to|will want)\b|you['\u2019](?:d|ll) (?:want|need|have)|i['\u2019]d\b"
    rf"|i (?:would|recommend|suggest|advise|can (?!see|confirm|tell|find|report|only))\b{_NO}"
    r"|(?:worth|recommend(?:ed|ing)?|suggest(?:ed|ing)?|advis(?:e|able)|consider) (?:\w+ing|to|that|the|an?)\b"
    r"|(?:let|tell) me know|want me to|would you|do you|shall i|should i|feel free|in case\b|if you\b"
    r"|consider\b|make sure\b|ensure\b|(?:it|that) (?:may|might|would) (?:help|be (?:worth|wise|best|good)))",
    re.IGNORECASE,
)
_GENERALLY = re.compile(
    r"\b(?:usually|typically|generally|commonly|by default|in general|as a rule"
    r"|(?:normally|often) (?:means?|indicates?|happens?|caused|due|points?|the|a|an)\b)",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(rf"\b(?:could|would|might|should|(?-i:may)){_NO}(?! (?:have|be)\b)", re.IGNORECASE)
_EXAMPLE = re.compile(r"\b(?:such as|for example|for instance|something like|say|e\.g\.)(?=[\s,])", re.IGNORECASE)
_SEGMENT_END = re.compile(
    r"[;,:](?=\s)|\s[-\u2013\u2014]+\s|[()]|\b(?:but|while|whereas|although|because|since|given|which)\b"
)
_EXAMPLE_END = re.compile(r"[;,:)](?=\s|$)|\b(?:would|could|should|might|may|but|because|since)\b")
_QUESTION = re.compile(r"\?[*_)\"\u201d\s]*$")
_REASON = re.compile(r"[;,]?\s+(?:but|because|since)\b", re.IGNORECASE)
_SHELL = re.compile(r"^(```+)(?:ba|z|power)?(?:sh|shell|console|cmd)\b.*?^\1", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"^(```+).*?^\1", re.MULTILINE | re.DOTALL)
_OF_NOW = re.compile(
    r"\b(?:from|current(?:ly)?|existing|now|present(?:ly)?|already|instead of|today(?:'s)?|still)(?:\s+\w+){0,2}\W*$"
    r"|\b(?:the|its|their|these|those)\W*$",
    re.IGNORECASE,
)
_ALIKE = 0.8
_SHORTEST = 5


class Region(NamedTuple):
    """A part of an answer that claims nothing, from `start` up to `end`; `guess` if it says what may or would be."""

    start: int
    end: int
    guess: bool = False


def regions(text: str) -> list[Region]:
    """Return the parts of an answer that claim nothing, in order."""
    found = [Region(*match.span()) for match in _SHELL.finditer(text)]
    blocks = [match.span() for match in _BLOCK.finditer(text)]
    headed = goes_on = False
    labelled_until = 0
    for start, sentence in split(SENTENCES, text):
        end = start + len(sentence)
        in_block = any(low <= start < high for low, high in blocks)
        label = None if in_block else _LABELLED.search(sentence)
        if label and sentence[label.end() :].strip(" *_"):
            labelled_until = start + len(text[start:].split("\n", 1)[0])
        elif label or (_HEADING.match(sentence) and not in_block):
            headed = label is not None
        wholly = headed or start < labelled_until or (goes_on and (in_block or _is_item(sentence)))
        begin = start if wholly else None if in_block else _begins(sentence, start)
        if begin is not None:
            reason = None if wholly else _REASON.search(sentence, begin - start)
            found.append(Region(begin, start + reason.start() if reason else end))
        found += [Region(start + low, start + high, guess=True) for low, high in _supposed(sentence)]
        found += [Region(start + low, start + high) for low, high in _examples(sentence)]
        goes_on = wholly or (begin is not None and sentence.rstrip(" *_").endswith(":"))
        goes_on = goes_on and not headed
    return sorted(found)


def _begins(sentence: str, start: int) -> int | None:
    """Return where a sentence begins to advise, to ask, or to speak of what is generally so."""
    if _IMPERATIVE.search(sentence):
        return start
    if _QUESTION.search(sentence):
        return start + max(sentence.rfind(", "), sentence.rfind("; "), 0)
    match = _ADVISES.search(sentence) or _GENERALLY.search(sentence)
    return start + match.start() if match else None


def _supposed(sentence: str) -> Iterator[tuple[int, int]]:
    for match in _SUPPOSED.finditer(sentence):
        end = _SEGMENT_END.search(sentence, match.end())
        yield match.start(), end.start() if end else len(sentence)


def _examples(sentence: str) -> Iterator[tuple[int, int]]:
    """Yield the examples in a sentence about what would be: `a higher limit, such as 384Mi, would help`."""
    for match in _EXAMPLE.finditer(sentence) if _SUPPOSED.search(sentence) else ():
        end = _EXAMPLE_END.search(sentence, match.end())
        yield match.start(), end.start() if end else len(sentence)


def _is_item(sentence: str) -> bool:
    return bool(re.match(r"\s*(?:[-*+\u2022]|\d+[.)])\s", sentence))


def is_in(place: int, unclaimed: Sequence[Region]) -> bool:
    """Tell whether what stands at a place claims nothing."""
    return any(region.start <= place < region.end for region in unclaimed)


def claims_nothing(claim: Claim, text: str, unclaimed: Sequence[Region]) -> bool:
    """Tell whether a claim of an answer is none, as it is advised, asked or guessed; a number can still be one."""
    around = [region for region in unclaimed if region.start <= claim.start < region.end]
    if not around or claim.kind != "number":
        return bool(around)
    lasts = claim.quantity is not None and claim.quantity.unit.dimension == "seconds"
    return not _is_of_now(text, claim.start) and (lasts or not all(region.guess for region in around))


def _is_of_now(text: str, place: int) -> bool:
    """Tell whether what stands there is what is, not what is advised: `raise it from 64Mi`, `check the 12 restarts`."""
    return bool(_OF_NOW.search(text[max(0, place - 40) : place]))


def almost(name: str, text: str) -> str | None:
    """Return a name in a text that this one differs from in a detail."""
    wanted = name.casefold()
    if len(wanted) < _SHORTEST or not any(char.isdigit() for char in wanted):
        return None
    matcher = SequenceMatcher(b=wanted, autojunk=False)
    for word, _ in dict.fromkeys(tokens(text)):
        if abs(len(word) - len(wanted)) <= 1 and word != wanted and word[:1] == wanted[:1]:
            matcher.set_seq1(word)
            if matcher.quick_ratio() >= _ALIKE and matcher.ratio() >= _ALIKE:
                return word
    return None
