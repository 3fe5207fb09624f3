"""One problem of a value: its place in the text is found later, by its path."""

from evalkit.errors import Fix, Problem
from evalkit.formats.rules import RULES


def fault(
    rule: str, file: str, path: str, message: str, hint: str | None = None, fixes: tuple[Fix, ...] = ()
) -> Problem:
    """Make a problem that points at a JSON path in a file."""
    severity = RULES[rule].severity
    return Problem(file=file, rule=rule, path=path, message=message, hint=hint, severity=severity, fixes=fixes)
