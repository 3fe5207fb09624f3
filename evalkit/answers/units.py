"""Units of measure: what `1.5GiB`, `5000 ms`, `99.9 %` and `3 days` are in bytes, seconds and percent.

Prefixes are taken at their word: `GB` is 10^9 bytes, `GiB` and Kubernetes' `Gi` are 2^30. A plain number of bytes may
be told in either, for many people say `MB` for 2^20.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal

Dimension = Literal["", "bytes", "seconds", "percent", "count", "other"]
"""What is measured: nothing known (``""``), or a mere count, which is no duration and no size."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit, and what one of it is in the base unit of its dimension."""

    dimension: Dimension
    factor: Decimal = Decimal(1)
    also: Decimal | None = None
    """Another factor that some people mean, for plain bytes only."""


def _bytes() -> Iterator[tuple[str, Unit]]:
    for power, prefix in enumerate("kMGTP", start=1):
        decimal, binary = Decimal(1000) ** power, Decimal(1024) ** power
        for name in {f"{prefix}B", f"{prefix.upper()}B"}:
            yield name, Unit("bytes", decimal, also=binary)
        for name in (f"{prefix.upper()}iB", f"{prefix.upper()}i"):
            yield name, Unit("bytes", binary)
    for word, power in (("kilo", 1), ("mega", 2), ("giga", 3), ("tera", 4)):
        yield f"{word}bytes", Unit("bytes", Decimal(1000) ** power, also=Decimal(1024) ** power)
    for word, power in (("kibi", 1), ("mebi", 2), ("gibi", 3), ("tebi", 4)):
        yield f"{word}bytes", Unit("bytes", Decimal(1024) ** power)


_SECONDS = {
    "ns nanosecond nanoseconds": "0.000000001",
    "us µs μs microsecond microseconds": "0.000001",
    "ms msec millisecond milliseconds millis": "0.001",
    "s sec secs second seconds": "1",
    "min mins minute minutes": "60",
    "h hr hrs hour hours": "3600",
    "d day days": "86400",
    "w week weeks": "604800",
    "y year years": "31536000",
}
_SCALES = {"k": 1000, "K": 1000, "M": 1000000, "thousand": 1000, "million": 1000000, "bn": 1000000000, "billion": 10**9}

UNITS: Mapping[str, Unit] = {
    **dict(_bytes()),
    **dict.fromkeys(("B", "byte", "bytes"), Unit("bytes")),
    **{name: Unit("seconds", Decimal(factor)) for names, factor in _SECONDS.items() for name in names.split()},
    **dict.fromkeys(("%", "percent", "pct", "per cent", "pp"), Unit("percent")),
    **{name: Unit("", Decimal(factor)) for name, factor in _SCALES.items()},
}
"""Units by what is written; the scales `k`, `M`, `thousand` and the like measure nothing."""

_WORDS = sorted((name for name in UNITS if name not in {"k", "K", "M", "d", "w", "y"}), key=len, reverse=True)
_AFTER = re.compile(rf"[ \t\u00a0\u202f\u2009-]?({'|'.join(map(re.escape, _WORDS))})(?![\w])(?:/s\b)?")
_ATTACHED = re.compile(r"([A-Za-zµμ%]+)(?:/\w+|ps)?")

_OF_KEYS: Mapping[str, Unit] = {
    **{name: UNITS[name] for name in ("ms", "ns", "us", "seconds", "secs", "minutes", "hours", "days", "bytes")},
    **dict.fromkeys(("percent", "pct", "percentage"), UNITS["%"]),
    **{name.casefold(): UNITS[name] for name in ("KB", "MB", "GB", "KiB", "MiB", "GiB")},
    **dict.fromkeys(
        ("count", "replicas", "id", "port", "code", "partition", "partitions", "revision", "offset", "lag"),
        Unit("count"),
    ),
}
_KEY_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


def unit_of(written: str) -> Unit | None:
    """Return the unit that is written right behind a number, such as `GiB`, `ms` or `MB/s`; None if it is none."""
    found = _ATTACHED.fullmatch(written)
    return UNITS.get(found[1]) if found else None


def unit_after(text: str, end: int) -> tuple[Unit | None, int]:
    """Return the unit that follows a number as a word of its own, and where it ends."""
    found = _AFTER.match(text, end)
    return (UNITS[found[1]], found.end(1)) if found else (None, end)


@lru_cache(maxsize=10_000)
def unit_of_key(key: str) -> Unit:
    """Return the unit in which a key says that its number is: `retention_ms`, `memory_limit_bytes`, `cpu_percent`."""
    return next((unit for part in reversed(key_words(key)) if (unit := _OF_KEYS.get(part))), Unit(""))


@lru_cache(maxsize=10_000)
def key_words(key: str) -> tuple[str, ...]:
    """Split a key into its words: `in_sync_replicas`, `restartCount`."""
    return tuple(part.casefold() for part in _KEY_PARTS.findall(key))
