"""A call that is required: what tool, with which arguments, and how like it a call is that was made.

A recorded argument wants the value that Python calls equal, as ADK does; a pattern wants what it matches.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from evalkit.cases import CallPattern, ToolCall
from evalkit.expectations import ArgsMatch, CallOutcome, Patterns
from evalkit.matching import MISSING, Difference, Members, compile_args, literal_args, show
from evalkit.scorers.calls import error_of, outcome_of, show_pattern
from evalkit.scorers.pairing import RIGHT
from evalkit.traces import ToolEvent

_NO_PATTERNS = compile_args({})

_OTHER_ARGS = 200
"""The likeness of a call of the right tool with none of its arguments right."""

_EACH_ARG = 250
"""What the arguments that are right add to that, all together."""


class Made(Protocol):
    """A call that was made, in either view of a trace."""

    @property
    def name(self) -> str:
        """The tool."""

    @property
    def args(self) -> Mapping[str, Any]:
        """The arguments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Required:
    """A call that is required.

    Attributes:
        name: The tool.
        literal: Arguments as they were recorded.
        patterns: Patterns for arguments, which come before what was recorded.
        args_match: How arguments compare that no pattern is for.
        status: What must have become of the call.
        where: JSON path of the call in its file.
        display: The arguments as reasons write them; None for any.
    """

    name: str
    literal: Mapping[str, Any] = field(default_factory=dict)
    patterns: Members = _NO_PATTERNS
    args_match: ArgsMatch = "exact"
    status: CallOutcome | None = None
    where: str = ""
    display: Mapping[str, Any] | None = None

    @property
    def shown(self) -> str:
        """How reasons write it."""
        return show_pattern(CallPattern(name=self.name, args=self.display, status=self.status))

    @classmethod
    def recorded(cls, call: ToolCall, patterns: Patterns | None = None, args_match: ArgsMatch = "exact") -> "Required":
        """Require a call of the case, perhaps with patterns in place of some arguments.

        Raises:
            PatternError: A pattern has faults.
        """
        return cls(
            name=call.name,
            literal={} if args_match == "ignore" else call.args,
            patterns=compile_args(patterns) if patterns else _NO_PATTERNS,
            args_match=args_match,
            where=call.where,
            display={**call.args, **patterns} if patterns else call.args,
        )

    @classmethod
    def named(cls, pattern: CallPattern, where: str = "") -> "Required":
        """Require a call that `expect` names: the arguments that it lists must match, others are free.

        Raises:
            PatternError: A pattern has faults.
        """
        return cls(
            name=pattern.name,
            patterns=compile_args(pattern.args) if pattern.args else _NO_PATTERNS,
            args_match="superset",
            status=pattern.status,
            where=where,
            display=pattern.args,
        )

    def accepts(self, call: Made) -> bool:
        """Tell whether a call is this one."""
        if self.name != call.name or not self._has_the_outcome(call):
            return False
        if self.args_match == "exact" and not self.patterns.members:
            return bool(self.literal == call.args)  # the usual case, kept quick
        return all(self.arguments(call).values())

    def likeness(self, call: Made) -> int:
        """Tell how like this call another is; see `pairing.Likeness`."""
        if self.name != call.name:
            return 0
        if self.accepts(call):
            return RIGHT
        found = self.arguments(call)
        return _OTHER_ARGS + (_EACH_ARG * sum(found.values()) // len(found) if found else _EACH_ARG)

    def arguments(self, call: Made) -> dict[str, bool]:
        """Tell of each argument, required or made, whether it is right; free ones are left out."""
        missing_allowed, extra_allowed = self.args_match == "subset", self.args_match in ("superset", "ignore")
        found = {}
        for name in dict.fromkeys((*self.literal, *self.patterns.members)):
            left_out = missing_allowed and name not in call.args
            found[name] = left_out or self._is_right(name, call.args.get(name, MISSING))
        if not extra_allowed:
            found |= dict.fromkeys((name for name in call.args if name not in found), False)
        return found

    def differences(self, call: Made) -> Iterator[str]:
        """Say of each argument that is not right what was expected and what it is, and likewise of the outcome."""
        for name, right in self.arguments(call).items():
            if not right:
                yield from map(_told, self._departures(name, call.args))
        if not self._has_the_outcome(call) and isinstance(call, ToolEvent):
            yield f"expected status {self.status}, actual {outcome_of(call)}: {error_of(call) or 'it worked'}"

    def _is_right(self, name: str, value: Any) -> bool:
        pattern = self.patterns.members.get(name)
        if pattern is not None:
            return pattern.accepts(value)
        return value is not MISSING and bool(value == self.literal[name])

    def _departures(self, name: str, args: Mapping[str, Any]) -> Iterator[Difference]:
        found = {name: args[name]} if name in args else {}
        if name in self.patterns.members:
            return Members({name: self.patterns.members[name]}).differences(found, "$")
        return literal_args({name: self.literal[name]} if name in self.literal else {}).differences(found, "$")

    def _has_the_outcome(self, call: Made) -> bool:
        return self.status is None or not isinstance(call, ToolEvent) or self.status == outcome_of(call)


def _told(difference: Difference) -> str:
    """Write `$.filter.since: wanted "1h", found "2h"` as `filter.since: expected "1h", actual "2h"`."""
    place = difference.path.removeprefix("$").removeprefix(".")
    found = "nothing" if difference.found is MISSING else show(difference.found)
    return f"{place}: expected {difference.wanted or 'nothing'}, actual {found}"
