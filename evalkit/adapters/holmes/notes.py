"""What a conversion may note, each with a code that stays.

`info` is what to know of a case that means what its author meant; `warn` what may make it mean something else, or what
is lost; `error` is why there is no case.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from evalkit.adapters.holmes.encodable import encodable
from evalkit.adapters.holmes.nouns import Note, Severity

SEVERITIES: Final[Mapping[str, Severity]] = {
    # what is asked
    "PROMPT_VARIANTS": "info",
    "PROMPT_SYNTHESIZED": "info",
    "INCLUDE_INLINED": "info",
    "HISTORY_SEEDED": "info",
    "HISTORY_SYSTEM_DROPPED": "info",
    "HISTORY_KEYS_DROPPED": "info",
    "HISTORY_NEEDS_SERVER": "info",
    "HISTORY_BROKEN": "warn",
    "DATE_FROZEN": "info",
    "DATE_IMPLICIT": "info",
    # what is expected
    "EXPECTED_NEEDS_JUDGE": "info",
    "LOOSE": "info",
    "TOOLS_IN_JUDGE": "info",
    "SECTIONS": "info",
    "KNOWN_FAILING": "info",
    "EXPECT_GUESSED": "info",
    "GOLD_INLINED": "info",
    "SKIPPED_UPSTREAM": "info",
    "GOLDEN": "info",
    # what a live run needs
    "LIVE_SETUP": "info",
    "LIVE_PORTS": "info",
    "LIVE_ENV": "info",
    "TOOLSETS": "info",
    "SIDECAR_DAL": "info",
    "SHARED_ABSENT": "info",
    # what answers
    "RUNBOOK_BACKEND": "info",
    "BUILTIN_TOOL": "info",
    "STAR_WILDCARD": "info",
    "NULL_PARAM": "info",
    "SHADOWED": "info",
    "STALE_TOOL": "info",
    "NOT_A_RECORDING": "info",
    "MIXED": "warn",
    "AMBIGUOUS": "warn",
    "STALE_SET": "warn",
    "MATCH_KEY_MISSPELLED": "warn",
    "MISNAMED_MOCK": "warn",
    "OLD_FORMAT": "warn",
    "BAD_MOCK": "warn",
    "ABSENT_BLOB": "warn",
    # what the file says
    "UNKNOWN_KEY": "warn",
    "ODD_VALUE": "warn",
    "UNKNOWN_TAG": "warn",
    "DUPLICATE_KEY": "warn",
    "BAD_SIDECAR": "warn",
    "FILE_LEFT_OUT": "warn",
    "UNSUPPORTED_SUITE": "info",
    "NO_TEST_CASE": "info",
    "BAD_CASE": "error",
    "NO_PROMPT": "error",
    "MISSING_FILE": "error",
}
"""Every code, and how much it matters."""


def note(code: str, message: str, file: str | None = None) -> Note:
    """Make a note of a known code."""
    return Note(code=code, severity=SEVERITIES[code], message=str(encodable(message)), file=file)


def codes(notes: Iterable[Note]) -> list[str]:
    """Name the codes among notes, each once, in the order of `SEVERITIES`."""
    found = {one.code for one in notes}
    return [code for code in SEVERITIES if code in found]
