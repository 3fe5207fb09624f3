"""The occasions on which an instruction orders a tool: `Before you scale or roll back anything, call whoami`.

An occasion counts where its verb is plainly that of a tool, and what it is done to is anything, or what the tool's own
name or docstring speaks of. Whatever else it may mean is left alone.
"""

import re
from collections.abc import Iterator, Mapping

from evalkit.agent_lint import words
from evalkit.models.facts import ToolFacts

_OCCASION = re.compile(
    r"(?:always\s+)?(?:before|after)\s+(?:you\s+)?(?:ever\s+)?(?P<doing>[^,.;:()]+),\s*(?P<order>.+)", re.IGNORECASE
)
_SEVERAL = re.compile(r"\s*(?:\bor\b|\band\b|/)\s*", re.IGNORECASE)
_ARTICLES = frozenset(["a", "an", "any", "another", "one", "or", "some", "the", "your"])
_ANYTHING = frozenset({"anything", "everything", "it", "something", "them", "thing"})
_PARTICLES = frozenset({"back", "down", "off", "on", "out", "up"})
_FEWEST_LETTERS = 2


def occasion_in(sentence: str) -> tuple[str, str] | None:
    """Take a sentence apart into its occasion and the order; None if it does not begin with an occasion."""
    found = _OCCASION.fullmatch(sentence.strip())
    return (found["doing"].strip(), found["order"]) if found else None


def tools_meant(occasion: str, tools: Mapping[str, ToolFacts]) -> frozenset[str]:
    """Name the tools whose call an occasion surely is."""
    deeds = [deed for deed in _deeds(occasion) if deed]
    return frozenset(name for name, tool in tools.items() if any(_is_call_of(deed, tool) for deed in deeds))


def _deeds(occasion: str) -> Iterator[list[str]]:
    """Yield the words of each thing that is done; of `scale or roll back anything`, both with what they are done to."""
    parts = [words.words(part) for part in _SEVERAL.split(occasion)]
    last = parts[-1]
    for part in parts:
        yield [*part, *_object(last)] if len(part) == 1 and part is not last else part


def _object(part: list[str]) -> list[str]:
    """Return what stands behind the verb, and the particle that may belong to it."""
    return [word for word in part[1:] if word not in _PARTICLES]


def _is_call_of(deed: list[str], tool: ToolFacts) -> bool:
    verb, *things = words.parts(tool.name)
    for length in (1, 2):  # scale, roll back
        done = deed[:length]
        if len(done) == length and any(base + "".join(done[1:]) == verb for base in _bases(done[0])):
            return _is_about(deed[length:], things, tool)
    return False


def _is_about(to: list[str], things: list[str], tool: ToolFacts) -> bool:
    named = {words.stem(word) for word in to} - _ARTICLES
    if named <= _ANYTHING:
        return True
    wanted = {words.stem(thing) for thing in things}
    return wanted <= named if wanted else named <= words.stems(tool.docstring)


def _bases(word: str) -> frozenset[str]:
    """Return what a verb may be without its ending: scale for scaling, stop for stopping, delete for deleted."""
    found = {word}
    for ending in ("ing", "ed", "s"):
        bare = word.removesuffix(ending)
        if bare != word and len(bare) >= _FEWEST_LETTERS:
            found |= {bare, f"{bare}e"} | ({bare[:-1]} if bare[-1] == bare[-2] else set())
    return frozenset(found)
