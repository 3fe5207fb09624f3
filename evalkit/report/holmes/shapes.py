"""What must not stand in a report that is handed around: secrets, and names of keys and of cloud resources.

Beyond what evalkit hides wherever it writes: bearer tokens of any length, key vaults, Amazon's resource names, and
access and secret keys by their names.
"""

import re
from collections.abc import Mapping
from functools import partial

from evalkit.redaction.redactor import Redactor

_END = r"[^\s\"'`,;)\]}>]"

_SHAPES: Mapping[str, re.Pattern[str]] = {
    "bearer token": re.compile(
        r"\b(?P<lead>bearer\s+)(?:(?=[\w.~+/-]*\d)[\w.~+/-]{8,}|[\w.~+/-]{20,})=*", re.IGNORECASE
    ),
    "key vault": re.compile(
        rf"(?:https?://)?\b[\w-]+\.vault\.(?:azure\.net|azure\.cn|usgovcloudapi\.net)\b(?:[:/]{_END}*)?"
        rf"|@Microsoft\.KeyVault\([^)\n]*\)|/providers/Microsoft\.KeyVault/{_END}+",
        re.IGNORECASE,
    ),
    "ARN": re.compile(rf"\barn:aws[\w-]*:[\w-]*:[\w-]*:\d*:{_END}+"),
    "access key": re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{12,}\b"),
    "secret key": re.compile(
        r"\b(?P<lead>(?:aws[ _-]?)?(?:secret|access|shared[ _-]?access)[ _-]?(?:access[ _-]?)?key(?:[ _-]?id)?[\"']?"
        r"(?:\s*[:=]\s*|\s+is\s+)[\"'`]?)[A-Za-z0-9/+=_-]{8,}",
        re.IGNORECASE,
    ),
}
"""What is hidden, and by what it is known; what stands before it and tells what it is may stay."""


class Shapes:
    """Hides what must not be shown, in texts."""

    def __init__(self) -> None:
        self._redactor = Redactor.of_process()

    def hide(self, text: str) -> str:
        """Return a text with what was hidden named instead: `[redacted: ARN]`."""
        text = self._redactor.text(text)
        for name, shape in _SHAPES.items():
            text = shape.sub(partial(_instead, name), text)
        return text


def _instead(name: str, found: re.Match[str]) -> str:
    return f"{found.groupdict().get('lead') or ''}[redacted: {name}]"
