"""Words, numbers and periods in what people write and in the names of tools and arguments."""

import re
from collections.abc import Iterable
from decimal import Decimal
from itertools import pairwise

_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_WORD = re.compile(r"[^\W_]+(?:'[a-z]+)?")
_NUMBER = re.compile(r"(?<![\w.])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?")
_SCALED = re.compile(r"(\d+(?:\.\d+)?)\s?(k|m|thousand|million|billion|%|percent)\b", re.IGNORECASE)

_SCALES = {
    "k": Decimal(1000),
    "thousand": Decimal(1000),
    "m": Decimal(1_000_000),
    "million": Decimal(1_000_000),
    "billion": Decimal(1_000_000_000),
    "%": Decimal("0.01"),
    "percent": Decimal("0.01"),
}

_COUNTING = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
NUMBER_WORDS = {word: Decimal(number) for number, word in enumerate(_COUNTING.split())} | {
    "a": Decimal(1),
    "an": Decimal(1),
    "single": Decimal(1),
    "couple": Decimal(2),
    "pair": Decimal(2),
    "both": Decimal(2),
    "twice": Decimal(2),
    "double": Decimal(2),
    "triple": Decimal(3),
    "dozen": Decimal(12),
    "twenty": Decimal(20),
    "thirty": Decimal(30),
    "forty": Decimal(40),
    "fifty": Decimal(50),
    "sixty": Decimal(60),
    "ninety": Decimal(90),
    "hundred": Decimal(100),
    "thousand": Decimal(1000),
    "half": Decimal("0.5"),
    "quarter": Decimal("0.25"),
}

UNITS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800}
"""Seconds in each unit of time."""

_SHORT_UNITS = {"s": "second", "sec": "second", "m": "minute", "min": "minute", "h": "hour", "hr": "hour"}
_SHORT_UNITS |= {"d": "day", "w": "week"}
_SHORTEST_PLURAL = 3

_UNIT = r"seconds?|minutes?|hours?|days?|weeks?"
_PERIOD = re.compile(
    rf"(?<![\w.-])(?P<count>\d+(?:\.\d+)?)[\s-]*(?P<unit>{_UNIT}|secs?|mins?|hrs?|[smhdw])\b"
    r"|\b(?P<word>half|an?|one|two|three|four|five|six|ten|twelve|fifteen|thirty|sixty|last|past|previous)[\s-]+"
    rf"(?:an?\s+)?(?P<long>{_UNIT})\b",
    re.IGNORECASE,
)


def parts(name: str) -> list[str]:
    """Split an identifier into its words: `getPodLogs` and `get_pod_logs` into get, pod, logs."""
    return [part.lower() for part in _PART.findall(name)]


def stem(word: str) -> str:
    """Bring singular and plural to one form."""
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x")):
        if len(word) > len(ending) + 1 and word.endswith(ending):
            return word.removesuffix(ending) + instead
    return word.removesuffix("s") if len(word) > _SHORTEST_PLURAL and not word.endswith(("ss", "us", "is")) else word


def words(text: str) -> list[str]:
    """Return the words of a text in small letters; identifiers come apart at their separators."""
    return [found.lower() for found in _WORD.findall(text)]


def stems(text: str) -> frozenset[str]:
    """Return the stems of the words of a text, and of the parts of names in it."""
    return frozenset(stem(part) for word in _WORD.findall(text) for part in (word.lower(), *parts(word)))


def fold(text: str) -> str:
    """Leave of a text only letters and digits, so that `order processor` and `Order-Processor` are the same."""
    return re.sub(r"[\W_]+", "", text.casefold())


def numbers(text: str) -> frozenset[Decimal]:
    """Return the numbers of a text, those in words, per cent and thousands included."""
    found = {Decimal(number.replace(",", "")) for number in _NUMBER.findall(text)}
    found |= {Decimal(number) * _SCALES[scale.lower()] for number, scale in _SCALED.findall(text)}
    spoken = [NUMBER_WORDS[word] for word in words(text) if word in NUMBER_WORDS]
    found |= set(spoken) | {one * other for one, other in pairwise(spoken)}
    return frozenset(abs(number) for number in found)


def periods(text: str) -> list[tuple[str, Decimal]]:
    """Return the lengths of time that a text speaks of, as it says them and in seconds: `last hour`, `90 minutes`."""
    return [
        (found[0], _seconds(found["count"] or found["word"], found["unit"] or found["long"]))
        for found in _PERIOD.finditer(text)
    ]


def period(text: str) -> Decimal | None:
    """Read a value that is a length of time and nothing else: `30m`, `1h`, `now-1h`, `60s`."""
    found = re.fullmatch(r"(?:now\s?-\s?|-)?(\d+)\s?(s|m|h|d|w|sec|min|hr)", text.strip())
    return _seconds(found[1], found[2]) if found else None


def unit_of(names: Iterable[str]) -> int | None:
    """Return the seconds in the unit of time that an argument's name speaks of: 60 for `since_minutes`."""
    units = {UNITS[unit] for name in names if (unit := _unit(name))}
    return units.pop() if len(units) == 1 else None


def _seconds(count: str, unit: str) -> Decimal:
    value = Decimal(count) if count[0].isdigit() else NUMBER_WORDS.get(count.lower(), Decimal(1))  # the *last* hour
    return value * UNITS[_unit(unit) or "second"]


def _unit(word: str) -> str | None:
    single = word.lower().removesuffix("s") or "s"
    return single if single in UNITS else _SHORT_UNITS.get(single)
