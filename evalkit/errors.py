"""What can go wrong, as exceptions and as values.

    EvalkitError
    ├── InputError           the user's input cannot be used: exit code 2
    │   ├── SettingsError    a key of [tool.evalkit] or a flag
    │   ├── SelectionError   a path, case id, tag or expression that names nothing
    │   ├── AgentLoadError   the agent cannot be found or imported
    │   └── FakeError        a fake below the tools cannot be put in place
    ├── SetupError           what a live run sets up around a case cannot be; that case is an error
    ├── JudgeError           a judge gave no answer; what it should have judged is `not judged`
    └── AdkVersionError      this google-adk lacks a name that evalkit relies on: exit code 2

Faults inside files are not exceptions but `Problem`s, because a user wants all of them at once.
"""

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

Severity = Literal["error", "warning", "note"]


class EvalkitError(Exception):
    """The root of everything evalkit raises on purpose; the message is written for the user."""


class InputError(EvalkitError):
    """What the user gave cannot be used; nothing was judged."""


class SettingsError(InputError):
    """A setting or flag has a value that makes no sense."""


class SelectionError(InputError):
    """A path, case id, tag or expression selects nothing."""


class AgentLoadError(InputError):
    """The agent cannot be found, or importing it failed."""


class FakeError(InputError):
    """A fake below the tools cannot be put in place; if it is one case's own, only that case is an error."""


class SetupError(EvalkitError):
    """What a live run sets up around a case cannot be set up; only that case is an error."""


class JudgeError(EvalkitError):
    """A judge gave no answer.

    Attributes:
        again: Whether the same request may well succeed later.
        retry_after: Seconds that its server wants to be left alone, if it says so.
    """

    def __init__(self, message: str, *, again: bool = False, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.again = again
        self.retry_after = retry_after


class AdkVersionError(EvalkitError):
    """The installed google-adk lacks something that evalkit replaces or reads."""


class Rename(NamedTuple):
    """A remedy: give the key at a path (keys and indices from the top) another name.

    `fits` is False if ADK takes the file as it is and would refuse it then, unless other remedies mend the value too.
    """

    path: tuple[str | int, ...]
    key: str
    fits: bool = True


class Add(NamedTuple):
    """A remedy: add a member to the object at a path."""

    path: tuple[str | int, ...]
    key: str
    value: Any


class Replace(NamedTuple):
    """A remedy: put another value in the place of the one at a path."""

    path: tuple[str | int, ...]
    value: Any


class Remove(NamedTuple):
    """A remedy: take the member at a path out of its object."""

    path: tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A remedy for an evalset in an old form: write the whole file in today's."""


class Splice(NamedTuple):
    """A remedy for a text that is no JSON: put other characters in place of those from `start` to before `end`."""

    start: int
    end: int
    text: str


Fix = Rename | Add | Replace | Remove | Rewrite | Splice
"""What `check --fix` does about a problem: a change of the file that needs no judgement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One fault in one place of one file.

    Attributes:
        file: The file as the user named it.
        line: 1-based line, or None where the file has no text to point at.
        column: 1-based column in characters.
        path: JSON path of the faulty value, such as `$.eval_cases[0].eval_id`.
        rule: The rule's name, in kebab case, stable across versions.
        message: What is wrong.
        hint: What to write instead, if that is known.
        severity: Errors stop a run; warnings and notes do not.
        fixes: The changes that together remove the problem, if they need no judgement.
    """

    file: str
    rule: str
    message: str
    path: str = "$"
    line: int | None = None
    column: int | None = None
    hint: str | None = None
    severity: Severity = "error"
    fixes: tuple[Fix, ...] = field(default=(), compare=False)

    @property
    def fixable(self) -> bool:
        """Whether its fixes surely remove it; a rename to a key that the value does not fit may be left out."""
        return bool(self.fixes) and all(fix.fits for fix in self.fixes if isinstance(fix, Rename))

    def __str__(self) -> str:
        """Render as `file:line:col: error[rule] $.path: what is wrong (what to write instead)`."""
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        hint = f" ({self.hint})" if self.hint else ""
        return f"{place}: {self.severity}[{self.rule}] {self.path}: {self.message}{hint}"
