"""Cases in quarantine: known to be unreliable, watched by somebody, and for a limited time.

They are played and reported and decide nothing. An entry that has expired fails its cases whatever they do, so that
nobody can forget one.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from evalkit.errors import SettingsError

KEYS = ("case", "owner", "reason", "expires")

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_WANTED: Mapping[str, str] = {
    "case": "an evalset, relative to this file, and ids of its cases, such as evalsets/kafka/lag.test.json:stuck",
    "owner": "who looks after it",
    "reason": "why it is in quarantine",
    "expires": "a date, such as 2027-01-31",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Quarantine:
    """One entry of the list.

    Attributes:
        case: The file and, after a colon, the ids of its cases; without them all cases of the file.
        owner: Who looks after it.
        expires: The last day on which it holds.
    """

    case: str
    owner: str
    reason: str
    expires: date

    def has_expired(self, today: date | None = None) -> bool:
        """Tell whether its last day is over, by universal time, so that all machines agree."""
        return (today or datetime.now(UTC).date()) > self.expires

    def __str__(self) -> str:
        """Say all of it: `in quarantine until 2027-01-31 (team-kafka): the model mixes up topics`."""
        return f"in quarantine until {self.expires} ({self.owner}): {self.reason}"


def read_entry(value: Any, where: str) -> Quarantine:
    """Read an entry of the settings.

    Args:
        value: A table with each of `KEYS`.
        where: What to call its place in messages.

    Raises:
        SettingsError: A key is missing, unknown or makes no sense.
    """
    if not isinstance(value, dict):
        raise SettingsError(f"{where}: expected a table with {', '.join(KEYS)}, found {value!r}")
    if unknown := [key for key in value if key not in KEYS]:
        raise SettingsError(f"{where}: unknown key {unknown[0]!r}; known keys: {', '.join(KEYS)}")
    if missing := [key for key in KEYS if key not in value]:
        raise SettingsError(f"{where}: {missing[0]} is missing: {_WANTED[missing[0]]}")
    for key in KEYS[:-1]:
        if not isinstance(value[key], str) or not value[key].strip():
            raise SettingsError(f"{where}.{key}: expected {_WANTED[key]}, found {value[key]!r}")
    return Quarantine(**{**value, "expires": _day(value["expires"], f"{where}.expires")})


def _day(value: Any, where: str) -> date:
    """Read a day as TOML has it, or as text."""
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    if isinstance(value, str) and _DATE.fullmatch(value):
        try:
            return date.fromisoformat(value)
        except ValueError:
            pass
    raise SettingsError(f"{where}: expected {_WANTED['expires']}, found {str(value)!r}")
