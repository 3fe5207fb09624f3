"""The rules for `evalkit.expect` and the calls of its turn: what no run can meet, and what changes nothing."""

from collections import Counter
from collections.abc import Iterator, Mapping

from evalkit.cases import CaseSet, ToolCall, TrajectoryRule, Turn
from evalkit.errors import Problem
from evalkit.formats.paths import write_step
from evalkit.lint.problems import fault
from evalkit.matching import args_faults, match_args
from evalkit.matching.slips import bare_operators

_NOT_A_TOOL = frozenset({"transfer_to_agent", "set_model_response", "exit_loop", "finish_task"})
_ADK_ASKS = "adk_request_"

Found = Iterator[tuple[str, str, str]]
"""A path inside the entry, a message and a hint."""


def contradictions(cases: CaseSet) -> Iterator[Problem]:
    """Find demands that the turn's own calls do not meet, so that no run can meet both."""
    for turn, place in _turns(cases):
        for path, message, hint in (*_forbidden(turn), *_refused(turn), *_over_budget(turn)):
            yield fault("contradiction", cases.file, f"{place}{path}", message, hint)


def idle_expectations(cases: CaseSet) -> Iterator[Problem]:
    """Find demands that change nothing, since they are about calls that the turn does not have."""
    for turn, place in _turns(cases):
        rule = turn.expect.trajectory
        if rule is None or not rule.compares:
            continue
        if turn.steps is None and not rule.any_of:
            message = "this says how calls compare, and the turn says not which calls are expected"
            hint = 'add "intermediate_data": {"tool_uses": […]}, or any_of'
            yield fault("idle-expectation", cases.file, f"{place}.trajectory", message, hint)
            continue
        for path, message, hint in _unused(rule, turn):
            yield fault("idle-expectation", cases.file, f"{place}{path}", message, hint)


def _turns(cases: CaseSet) -> Iterator[tuple[Turn, str]]:
    for case in cases.cases:
        for turn in case.turns or ():
            if turn.expect.trajectory or turn.expect.budget:
                yield turn, f"{case.where}.evalkit.expect[{turn.index}]"


def _forbidden(turn: Turn) -> Found:
    for index, pattern in enumerate(turn.expect.trajectory.forbid if turn.expect.trajectory else ()):
        required = next((call for call in turn.calls if call.name == pattern.name and _fits(pattern.args, call)), None)
        if required and pattern.status is None:
            message = f"`{pattern.name}` is forbidden here, and {required.where} expects a call of it that this covers"
            hint = "forbid only calls with other arguments, or take one of the two out"
            yield f".trajectory.forbid[{index}]", message, hint


def _refused(turn: Turn) -> Found:
    rule = turn.expect.trajectory or TrajectoryRule()
    seen: Counter[str] = Counter()
    for call in turn.calls:
        nth = seen[call.name]
        seen[call.name] += 1
        for name, pattern in rule.patterns_for(call.name, nth).items():
            if name not in call.args or args_faults({name: pattern}) or any(bare_operators(name, pattern)):
                continue  # another rule knows better what is wrong
            if match_args({name: pattern}, call.args):
                (difference, *_) = match_args({name: pattern}, call.args)
                index = "" if isinstance(rule.args[call.name], Mapping) else f"[{nth}]"
                path = f".trajectory.args{write_step(call.name)}{index}{write_step(name)}"
                message = f"the pattern refuses what {call.where} itself has: {difference}"
                yield path, message, "golden mode plays the recorded value: record one that the pattern takes"


def _over_budget(turn: Turn) -> Found:
    budget, rule = turn.expect.budget, turn.expect.trajectory
    if budget is None or budget.tool_calls is None or turn.steps is None:
        return
    own = sum(call.name not in _NOT_A_TOOL and not call.name.startswith(_ADK_ASKS) for call in turn.calls)
    shortest = min([own, *(len(path) for path in (rule.any_of if rule else ()))])
    if shortest > budget.tool_calls:
        message = f"the shortest accepted path has {shortest} tool calls, and the budget is {budget.tool_calls}"
        yield ".budget.tool_calls", message, f"allow {shortest} at least"


def _unused(rule: TrajectoryRule, turn: Turn) -> Found:
    made = Counter(call.name for call in turn.calls)
    for tool, given in rule.args.items():
        path = f".trajectory.args{write_step(tool)}"
        if not made[tool]:
            listed = ", ".join(f"`{name}`" for name in made) or "none"
            message = f"`{tool}` is called by none of the turn's calls, whose arguments this would replace"
            yield path, message, f"its calls: {listed}; a call in any_of has patterns of its own"
        elif isinstance(given, list) and len(given) > made[tool]:
            message = f"this has patterns for {len(given)} calls of `{tool}`, and the turn has {made[tool]}"
            yield f"{path}[{made[tool]}]", message, "take the last ones out"


def _fits(patterns: Mapping[str, object] | None, call: ToolCall) -> bool:
    return not args_faults(patterns or {}) and not match_args(patterns, call.args)
