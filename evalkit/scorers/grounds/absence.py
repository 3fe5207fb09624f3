"""Is something not there of which an answer says so? `There are no pods` where there are, or nobody could look."""

import re
from collections.abc import Iterator, Sequence

_NO = re.compile(
    r"\b(?:there(?:'s|\u2019s| is| are| was| were)|has|have|had|found|shows?|reports?|sees?|with|currently|are|is) "
    r"(?:(?:currently|absolutely|at present|now) )?(?P<no>no|zero|not any) (?P<words>(?:[a-z-]+ ){0,2}[a-z-]+)",
    re.IGNORECASE,
)
_STARTS = re.compile(r"^[\W_]*(?P<no>no|zero) (?P<words>(?:[a-z-]+ ){0,2}[a-z-]+)", re.IGNORECASE)
_EMPTY = re.compile(
    r"\b(?:is|are|was|were) (?:currently |completely )?empty\b|\bno longer (?:has|have) any\b", re.IGNORECASE
)
_EXCUSES = re.compile(
    r"\b(?:way|permissions?|access|answer|luck|information|info|data|idea|doubt|need|reason|changes?|longer|more|other"
    r"|others|lists?|overview|output|results?|further|connection|response|rights?|such|evidence|sign|issues?|problems?)\b",
    re.IGNORECASE,
)
_NOT_DONE = re.compile(r"\b(?:could|can|able|has been|have been|was|were) ", re.IGNORECASE)
_DOUBTED = re.compile(r"(?:\bnot|n['\u2019]t) (?:mean|imply|show|prove)\b|\b(?:whether|if)\b", re.IGNORECASE)
_NAME_PARTS = re.compile(r"s?(?:_|$)")
_KNOWN_ABSENT = re.compile(r"not[ _]?found|no such|does not exist|doesn't exist|unknown|404", re.IGNORECASE)


def tells_of_absence(error: str) -> bool:
    """Tell whether an error says that there is no such thing, which is as good as having looked."""
    return bool(_KNOWN_ABSENT.search(error))


def denied_things(text: str) -> Iterator[tuple[str, str]]:
    """Yield what a segment says there is none of: the words as written, and the noun with what stands before it."""
    for pattern in (_NO, _STARTS):
        for match in pattern.finditer(text):
            if not _EXCUSES.search(match["words"]):
                yield f"{match['no']} {match['words']}", match["words"]


def unseen(text: str, failures: Sequence[str], asked: str, blind: Sequence[str] = ()) -> Iterator[str]:
    """Yield what a segment says there is none of although every look failed, unless just that was the error.

    Args:
        text: The segment.
        failures: What the calls failed with; empty if one worked.
        asked: What was asked for, and of which tools: whatever else there is none of is no matter.
        blind: The tools that never worked, each a way to see what it is named after.
    """
    for written, words in denied_things(text):
        tools = [
            tool for tool in blind if words.split()[-1].casefold().rstrip("s") in _NAME_PARTS.split(tool.casefold())
        ]
        if tools and not _DOUBTED.search(text, 0, text.find(written)):
            yield written
    if not failures or any(map(tells_of_absence, failures)):
        return
    known = asked.casefold()
    for written, words in denied_things(text):
        behind = text[text.find(written) + len(written) :]
        if not _NOT_DONE.match(behind.lstrip()) and any(_singular(word) in known for word in words.casefold().split()):
            yield written
    empty = _EMPTY.search(text)
    if empty:
        yield empty[0]


def _singular(word: str) -> str:
    return word.rstrip("s") if len(word) > len("of") else f" {word} "
