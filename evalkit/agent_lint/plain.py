"""Whether a prompt is one plain request, so that what it states is surely meant for the call that it asks for.

A prompt that tells a story, names what it does not want or speaks of the past may state values that no call should
have: `The deploy to version 1.4.2 broke prod. Roll it back.`
"""

import re

_NEXT_SENTENCE = re.compile(r"[.!?]+[\"')]*\s+\S|[;\n]|\s(?:-+|\u2013|\u2014)\s")
_CLAUSE = re.compile(r"[,:]\s")
_ASIDE = 2
"""How many words a part between commas may have beside the request: `please`, `in prod`, `tail=20`."""

_NEGATIONS = """
avoid but cannot except exclude excluding ignore ignoring instead lack lacking lacks miss misses missing neither never
no none nor not nothing other rather skip unless without
"""
_PAST_AND_CAUSES = """
because became been began broke broken came did done due fell found gave given gone got had has have lost made ran rose
sent shipped shown took was went were why wrote
"""
_MORE_CLAUSES = """
although and breaks compare crashes fails he if it once or runs she so that then they though versus vs when whenever
whether while whose
"""
_NARRATORS = "i mine my our ours we"
_AT_PRESENT = "already current currently now still"
_STORY = frozenset(f"{_NEGATIONS} {_PAST_AND_CAUSES} {_MORE_CLAUSES} {_NARRATORS} {_AT_PRESENT}".split())

_WORD = re.compile(r"(?<![\w./='\u2019-])([a-z]+)(?:['\u2019]([a-z]+))?(?![\w=]|[./-]\w)", re.IGNORECASE)
_PAST = re.compile(r"\w{2,}ed")
_PRESENT_NAMES = frozenset({"called", "named"})
_NO_MEASURE = re.compile(r"\b(?:after|before|latest|newest|previous|since)\s+(?!\d)", re.IGNORECASE)
"""Words that state something only with a number or a date behind them: `since the update` tells a cause."""

_QUOTED_TEXT = re.compile(r"[\"“][^\"”]*\s[^\"”]*[\"”]")


def is_plain_request(prompt: str) -> bool:
    """Tell whether a prompt is a single sentence with one clause that asks for something, here and now."""
    text = prompt.strip()
    if _NEXT_SENTENCE.search(text) or _NO_MEASURE.search(text) or _QUOTED_TEXT.search(text):
        return False
    longer = [clause for clause in _CLAUSE.split(text) if len(clause.split()) > _ASIDE]
    return len(longer) <= 1 and not any(_tells(word.lower(), ending.lower()) for word, ending in _WORD.findall(text))


def _tells(word: str, ending: str) -> bool:
    """Tell whether a word belongs to a story, a negation or a second clause; the ending is what an apostrophe adds."""
    past = _PAST.fullmatch(word) is not None and word not in _PRESENT_NAMES
    return past or word in _STORY or (word.endswith("n") and ending == "t")
