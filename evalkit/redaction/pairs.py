"""Names with their secrets in running text: `password=…`, `"api_key": "…"`, `Authorization: Bearer …`, `--token …`."""

import re
from collections.abc import Iterator

from evalkit.redaction.hits import Hit
from evalkit.redaction.likeness import is_named_secret, is_telling
from evalkit.redaction.names import WORD, degree

SCHEME = r"(?i:bearer|basic|token|digest|apikey|bot|negotiate|ssws|geniekey)\s+"
"""What stands before the secret itself in a header."""

_PAIR = re.compile(
    rf"""(?x)
    (?P<word>{WORD})
    (?:["']?[\s,]*["']?(?i:value))?  # of an object with a name and a value
    ["']?(?P<between>\s*(?:=>|:=|[:=])\s*|[ \t]+)
    (?:[bBrRuU]{{0,2}}(?P<quote>["']))?
    (?:{SCHEME})?
    (?P<value>(?(quote)(?:(?!(?P=quote))[^\\]|\\.)*|[^\s"'`,;&|<>(){{}}\[\]]+))
    """,
    re.DOTALL,
)
_STEM = re.compile(
    "passw|passphrase|pwd|auth|cookie|token|secret|cred|jwt|dockerconfig"
    "|api|app|access|private|account|master|signing|encryption|storage"
)
"""How such names begin, for a quick look: `re` is slow where case does not matter."""
_COOKIES = re.compile(r"(?i)cookie[\"']?\s*[:=]\s*[\"']?([^\"'\n]+)")
_COOKIE = re.compile(r"([\w.-]+)=([^\s;]+)")
_BEGINNING_OF_NAME = re.compile(r"(?:\\[nrt])?([\w.:/-]*)$")  # the letter of an escaped line end is none of it
_LONGEST_NAME = 60
_IDENTIFIER = re.compile(r"[A-Za-z_.]+")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_PUNCTUATION = ".:!?"


def pairs(text: str) -> Iterator[Hit]:
    """Yield the secrets that stand behind their names."""
    for cookies in _COOKIES.finditer(text):
        for cookie in _COOKIE.finditer(text, *cookies.span(1)):
            if is_telling(cookie[2]):
                yield Hit(*cookie.span(2), cookie[2], label(cookie[1]), tells=True)
    done = 0
    for stem in _STEM.finditer(text.encode("ascii", "replace").decode().lower()):
        pair = _PAIR.match(text, stem.start()) if stem.start() >= done else None
        if pair and (hit := _hit(pair, text)):
            done = hit.end
            yield hit


def label(name: str) -> str:
    """Make a name fit to stand for its secret: the last step of a path, without the dashes of a flag."""
    steps = re.findall(r"\w[\w.-]*", name[-_LONGEST_NAME:])
    return steps[-1] if steps else "a secret"


def _hit(found: re.Match[str], text: str) -> Hit | None:
    begun = _BEGINNING_OF_NAME.search(text[max(0, found.start() - _LONGEST_NAME) : found.start()])
    name = (begun[1] if begun else "") + found["word"]
    value, secret = found["value"], _ESCAPED.sub(r"\1", found["value"])
    if not found["quote"]:
        value = secret = value.rstrip(_PUNCTUATION)
    before = text[max(0, found.start() - 1) : found.start()]
    is_ours = name == "secret" and before == "["
    if is_ours or name.lower().endswith("cookie") or not _is_secret(name, found, secret):
        return None
    start = found.start("value")
    return Hit(start, start + len(value), secret, label(name), tells=is_telling(secret))


def _is_secret(name: str, found: re.Match[str], value: str) -> bool:
    """Tell whether a value is one: prose has such names, too, with other words behind them."""
    between = found["between"].strip()
    if not between and (not name.startswith("--") or value.startswith("-")):
        return False
    if not found["quote"] and _IDENTIFIER.fullmatch(value) and degree(value):
        return False  # it names the place where the secret is
    in_prose = between == ":" and not found["quote"]
    return is_named_secret(name, value) and not (in_prose and degree(name) == "certain" and not is_telling(value))
