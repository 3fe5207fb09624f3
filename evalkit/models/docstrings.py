"""What a tool's docstring tells: the notes on its arguments, and the keys that its reply always has.

Docstrings are prose, so only what is plainly a list of keys counts: bullets or lines of `key: meaning`, quoted names in
the first sentence of the section up to the first word that leads inside a value ("each with", "whose"), and quoted
names that are called a key. A key that a condition goes with ("if", "when", "on error", "or") is not always there.
"""

import inspect
import re
from collections.abc import Collection, Iterator

_RETURNS = re.compile(r"^(?P<indent>\s*)(?:Returns?\s*:|:returns?:)\s*(?P<rest>.*)$")
_ARGUMENTS = re.compile(r"^(?P<indent>\s*)(?:Args|Arguments|Parameters|Params)\s*:\s*(?P<rest>)$")
_ENTRY = re.compile(r"^(?P<indent>\s*)\*{0,2}(?P<name>\w+)\s*(?:\([^)]*\))?\s*:\s*(?P<note>.*)$")

_QUOTED = r"[`'\"](?P<key>[a-z_]\w*)[`'\"]"
_KEY_LINE = re.compile(
    rf"^(?P<indent>\s*)(?P<bullet>[-*•]\s+)?(?:{_QUOTED}|(?P<plain>[a-z_]\w*))\s*(?:\([^)]*\))?\s*:\s"
)
_LISTED = re.compile(rf"^(?:and\s+)?(?:the\s+|its\s+|an?\s+)?{_QUOTED}(?:\s[^`'\"]*)?$")
_CALLED_KEY = re.compile(rf"\b(?:keys?|fields?)\s+{_QUOTED}|{_QUOTED.replace('key', 'named')}\s+(?:key|field)\b")

_TYPE = re.compile(r"^(?:dict|Dict|Mapping|list|List|str|bool|int|float|object|Any|Optional)\b[\w\[\], .|]*:\s*")
_OBJECTS = ("dict", "mapping", "object")
_OPENING = re.compile(r"^[^`'\"]*\b(?:dict|dictionary|mapping|object|JSON|json)\b[^`'\"]*?(?=[`'\"])")
_KEYS_FOLLOW = re.compile(
    r"^(?:with|has|having|holds|holding|contains|containing|includes|including)\s+(?:(?:the|these|following)\s+)*"
    r"(?:keys|fields)[\s:,]*(?=[`'\"])",
    re.IGNORECASE,
)
_PLAIN_KEY = re.compile(r"[a-z_]\w*")
_INWARDS = re.compile(r"\b(?:with|each|whose|where|which|that|as|such)\b|[;:]")
_BRACKETS = re.compile(r"\s*\([^()]*\)")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|unless|otherwise|optional|optionally|only|either|or|may|might|depending|without|error"
    r"|failure|success|successful)\b|^(?:for|with)\b",
    re.IGNORECASE,
)
_NOT_ALWAYS = re.compile(r"\b(?:if|when|unless|optional|only|on error|on failure|without)\b", re.IGNORECASE)
"""The same of a line, in which "success or error" are the values of a key."""

_OTHER_WORDS = "any bool default dict example false float int list none note null object set str true tuple"
_NO_KEYS = frozenset(_OTHER_WORDS.split())


def argument_notes(docstring: str) -> dict[str, str]:
    """Return what the section `Args:` says of each argument."""
    notes: dict[str, str] = {}
    name, depth = "", None
    for line in _section(docstring, _ARGUMENTS):
        entry = _ENTRY.match(line)
        indent = len(line) - len(line.lstrip())
        if entry and (depth is None or indent <= depth):
            name, depth = entry["name"], indent
            notes[name] = entry["note"].strip()
        elif name:
            notes[name] = f"{notes[name]} {line.strip()}".strip()
    return notes


def reply_lines(docstring: str) -> list[str]:
    """Return the lines of the section `Returns:`."""
    return list(_section(docstring, _RETURNS))


def reply_note(docstring: str) -> str:
    """Return what the section `Returns:` says, on one line; empty without one."""
    return " ".join(line.strip() for line in reply_lines(docstring))


def reply_keys(docstring: str, parameters: Collection[str] = ()) -> tuple[str, ...]:
    """Return the keys at the top of a reply that the section `Returns:` names without a condition.

    Args:
        docstring: The whole docstring.
        parameters: Names of the tool's parameters; a quoted one may speak of the argument, so it is passed over.
    """
    lines = reply_lines(docstring)
    found = list(_by_line(lines)) or list(_in_prose(" ".join(line.strip() for line in lines)))
    taken = {*parameters, *_NO_KEYS}
    return tuple(dict.fromkeys(key for key in found if key not in taken))


def _section(docstring: str, header: re.Pattern[str]) -> Iterator[str]:
    """Yield the lines under a header: what stands behind it, and what is indented more than it."""
    lines = iter(inspect.cleandoc(docstring).splitlines())
    found = next((match for line in lines if (match := header.match(line))), None)
    if found is None:
        return
    if found["rest"]:
        yield found["rest"]
    for line in lines:
        if line.strip() and len(line) - len(line.lstrip()) <= len(found["indent"]):
            return
        if line.strip():
            yield line


def _by_line(lines: list[str]) -> Iterator[str]:
    """Find keys that have a line each: bullets, or at least two lines of `key: meaning` at one depth."""
    entries = [match for line in lines if (match := _KEY_LINE.match(line)) and _name(match) not in _NO_KEYS]
    bullets = [match for match in entries if match["bullet"]]
    chosen = bullets or entries
    depth = min((len(match["indent"]) for match in chosen), default=0)
    top = [match for match in chosen if len(match["indent"]) == depth]
    if bullets or len(top) > 1:
        yield from (_name(match) for match in top if not _NOT_ALWAYS.search(match.string))


def _name(match: re.Match[str]) -> str:
    return match["key"] or match["plain"]


def _in_prose(text: str) -> Iterator[str]:
    kind = _TYPE.match(text)
    text = _TYPE.sub("", text)
    while _BRACKETS.search(text):
        text = _BRACKETS.sub("", text)
    sentences = [sentence for sentence in _SENTENCE_END.split(text) if sentence]
    if sentences:
        plain = _plainly_listed(sentences[0]) if kind and kind[0].lower().startswith(_OBJECTS) else []
        yield from plain or _listed(_KEYS_FOLLOW.sub("", sentences[0]))
    for sentence in sentences:
        if not _CONDITION.search(sentence):
            yield from (match["key"] or match["named"] for match in _CALLED_KEY.finditer(sentence))


def _plainly_listed(sentence: str) -> list[str]:
    """Find names without quotes, if a sentence is nothing but a list of them."""
    items = [item.strip() for item in re.split(r",\s*(?:and\s)?|\band\b", sentence.rstrip(". "))]
    plain = all(_PLAIN_KEY.fullmatch(item) and item not in _NO_KEYS for item in items)
    return items if plain and len(items) > 1 and any("_" in item for item in items) else []


def _listed(sentence: str) -> Iterator[str]:
    """Find the quoted names in a list of things at the beginning of a sentence."""
    outer = _INWARDS.split(_OPENING.sub("", sentence), maxsplit=1)[0].strip().rstrip(".")
    if _CONDITION.search(outer):
        return
    for item in re.split(r",|\band\b|\bplus\b", outer):
        if match := _LISTED.match(item.strip()):
            yield match["key"]
