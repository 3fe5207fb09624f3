"""What `evalkit.expect` demands of one turn beyond ADK's own fields: plain values without I/O.

`formats.expect` reads and writes them; `cases` hands them on, so that whoever knows a case knows these too.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast, get_args

CallOutcome = Literal["success", "error"]
"""What became of a call: the tool did what it was asked for, or it did not, or never ran."""

ArgsMatch = Literal["exact", "ignore", "subset", "superset"]
"""How arguments are compared with the required ones: as they are, not at all, with some left out, or some added."""

Patterns = Mapping[str, Any]
"""A pattern for each argument (see `matching`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallPattern:
    """A call named in `expect`: a tool and, if given, patterns for its arguments and what became of the call."""

    name: str
    args: Patterns | None = None
    status: CallOutcome | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrajectoryRule:
    """`expect[].trajectory`: what ADK's own `tool_uses`, the required calls, cannot say.

    Attributes:
        order: How calls are compared, by a name in `formats.orders`; None leaves it to the criterion.
        args_match: How arguments are compared that no pattern is for; None leaves it to the criterion.
        args: By tool, what replaces the recorded arguments of required calls: patterns by argument; a list of such,
            the first for the tool's first call and so on; or another `args_match`.
        optional: Calls that neither help nor hurt.
        forbid: Calls that fail the turn.
        any_of: Other accepted paths.
        blocked: Required calls that a callback must answer before the tool runs, such as a role guard.
        worked: Calls that must be made, and do what they were asked for.
    """

    order: str | None = None
    args_match: ArgsMatch | None = None
    args: Mapping[str, Any] = field(default_factory=dict)
    optional: tuple[CallPattern, ...] = ()
    forbid: tuple[CallPattern, ...] = ()
    any_of: tuple[tuple[CallPattern, ...], ...] = ()
    blocked: tuple[CallPattern, ...] = ()
    worked: tuple[CallPattern, ...] = ()

    def patterns(self, tool: str) -> tuple[Patterns, ...]:
        """Every set of patterns that `args` has for a tool: one for all its calls, or one a call."""
        given = self.args.get(tool, {})
        if isinstance(given, Mapping):
            return (given,)
        return () if isinstance(given, str) else tuple(patterns or {} for patterns in given)

    def patterns_for(self, tool: str, nth: int) -> Patterns:
        """The patterns for the nth required call of a tool, counted from 0."""
        sets = self.patterns(tool)
        if isinstance(self.args.get(tool), Mapping):
            return sets[0]
        return sets[nth] if nth < len(sets) else {}

    def args_match_for(self, tool: str) -> ArgsMatch:
        """How the recorded arguments of a tool's calls are compared.

        Raises:
            ValueError: It is none of the ways there are.
        """
        given = self.args.get(tool)
        chosen = given if isinstance(given, str) else self.args_match or "exact"
        if chosen not in get_args(ArgsMatch):
            raise ValueError(f"args_match for {tool} is {chosen!r}; write one of {', '.join(get_args(ArgsMatch))}")
        return cast("ArgsMatch", chosen)

    def replaced(self, tool: str) -> frozenset[str]:
        """The arguments of a tool whose recorded values are replaced, in some call at least."""
        return frozenset(name for patterns in self.patterns(tool) for name in patterns)

    @property
    def compares(self) -> bool:
        """Whether it says anything of how the calls that were made are compared with those that are required."""
        return bool(self.order or self.args_match or self.args or self.optional or self.any_of)


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberRule:
    """A number that the answer must give, right to within a tolerance.

    Attributes:
        value: The number.
        tolerance: How far off it may be: a number of the same kind, or a share of the value in percent, as `"5%"`.
    """

    value: float
    tolerance: float | str = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseRule:
    """`expect[].response`: what the final answer must and must not say.

    Attributes:
        equals: What it must be as a whole, apart from space around it; JSON may be laid out otherwise.
        number: Numbers that it must give.
    """

    contains: tuple[str, ...] = ()
    not_contains: tuple[str, ...] = ()
    regex: tuple[str, ...] = ()
    equals: tuple[str, ...] = ()
    number: tuple[NumberRule, ...] = ()
    json_schema: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """`expect[].budget`: limits of one turn; `usd` is an estimate by the prices in the settings."""

    tool_calls: int | None = None
    seconds: float | None = None
    tokens: int | None = None
    usd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """One entry of `evalkit.expect`: what this turn must show beyond ADK's own fields.

    `origin` is the JSON path of the criterion in a config that demands some of it; empty if only the case does.
    """

    trajectory: TrajectoryRule | None = None
    route: tuple[str, ...] | None = None
    response: ResponseRule | None = None
    state: Mapping[str, Any] | None = None
    budget: Budget | None = None
    rubrics: "tuple[RubricRule, ...]" = ()
    origin: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class RubricRule:
    """A rubric as we write it: ADK's, and the check that decides about it without a judge.

    Attributes:
        rubric_id: Unique among the rubrics that apply to a turn; that of one of ADK's gives it the check.
        rubric_content: The property, as ADK has it.
        type: Which of ADK's metrics takes it, such as `TOOL_USE_QUALITY`; `rubric` takes any.
        check: What must hold of the turn; None leaves the rubric to a judge.
    """

    rubric_id: str
    rubric_content: Mapping[str, Any] = field(default_factory=dict)
    description: str | None = None
    type: str | None = None
    check: Expectation | None = None
