"""The rules for `evalkit.expect` beside its turn's calls and answer: what no run meets, and what changes nothing."""

from collections import Counter
from collections.abc import Iterator, Mapping

from evalkit.cases import CaseSet, Config, Json, ResponseRule, ToolCall, TrajectoryRule, Turn
from evalkit.errors import Problem
from evalkit.formats.expect import regex_fault, schema_fault
from evalkit.formats.own_metrics import metric_of
from evalkit.formats.paths import write_step
from evalkit.lint.problems import fault
from evalkit.matching import args_faults, match_args
from evalkit.matching.patience import is_quick
from evalkit.matching.slips import bare_operators

_NOT_A_TOOL = frozenset({"transfer_to_agent", "set_model_response", "exit_loop", "finish_task"})
_ADK_ASKS = "adk_request_"

Found = Iterator[tuple[str, str, str]]
"""A path inside the entry, a message and a hint."""


def contradictions(cases: CaseSet) -> Iterator[Problem]:
    """Find demands that the turn's own calls and answer do not meet, so that no run can meet both."""
    aside = {case.where for case in cases.cases if case.skip is not None or case.known_failing is not None}
    for turn, place in _turns(cases):
        unsaid = () if place.partition(".evalkit.")[0] in aside else _unsaid(turn)  # that may be why it is set aside
        for path, message, hint in (*_forbidden(turn), *_refused(turn), *_over_budget(turn), *unsaid):
            yield fault("contradiction", cases.file, f"{place}{path}", message, hint)


def unmet_patterns(cases: CaseSet, config: Config) -> Iterator[Problem]:
    """Find patterns for arguments that the turn's own calls leave out, where the criteria let none be left out."""
    ways = {item.options.get("args_match") for item in config.criteria if metric_of(item) == "trajectory"}
    for turn, place in _turns(cases):
        rule = turn.expect.trajectory or TrajectoryRule()
        if "subset" in {rule.args_match} | (ways if rule.args_match is None else set()) or rule.any_of:
            continue
        for path, message, hint in _left_out(turn, rule):
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
            if turn.expect.trajectory or turn.expect.budget or turn.expect.response:
                yield turn, f"{case.where}.evalkit.expect[{turn.index}]"


def _forbidden(turn: Turn) -> Found:
    for index, pattern in enumerate(turn.expect.trajectory.forbid if turn.expect.trajectory else ()):
        required = next((call for call in turn.calls if call.name == pattern.name and _fits(pattern.args, call)), None)
        if required and pattern.status is None:
            message = f"`{pattern.name}` is forbidden here, and {required.where} expects a call of it that this covers"
            hint = "forbid only calls with other arguments, or take one of the two out"
            yield f".trajectory.forbid[{index}]", message, hint


def _refused(turn: Turn) -> Found:
    for call, name, pattern, path in _patterns(turn, turn.expect.trajectory or TrajectoryRule()):
        if name in call.args and (differences := match_args({name: pattern}, call.args)):
            message = f"the pattern refuses what {call.where} itself has: {differences[0]}"
            yield path, message, "golden mode plays the recorded value: record one that the pattern takes"


def _left_out(turn: Turn, rule: TrajectoryRule) -> Found:
    for call, name, pattern, path in _patterns(turn, rule):
        if name in call.args or not (differences := match_args({name: pattern}, {})):
            continue
        message = f"the pattern wants `{name}`, which {call.where} leaves out: {differences[0]}"
        hint = f'write "{name}" into the args of that call, or {{"$absent": true}} if it must be left out'
        yield path, message, hint


def _patterns(turn: Turn, rule: TrajectoryRule) -> Iterator[tuple[ToolCall, str, Json, str]]:
    """Yield each sound pattern beside the call whose argument it replaces, with its path."""
    seen: Counter[str] = Counter()
    for call in turn.calls if rule.args else ():
        nth = seen[call.name]
        seen[call.name] += 1
        for name, pattern in rule.patterns_for(call.name, nth).items():
            if not args_faults({name: pattern}) and not any(bare_operators(name, pattern)):  # else that is told
                index = "" if isinstance(rule.args[call.name], Mapping) else f"[{nth}]"
                yield call, name, pattern, f".trajectory.args{write_step(call.name)}{index}{write_step(name)}"


def _unsaid(turn: Turn) -> Found:
    """Hold what the answer must say against the answer that golden mode plays."""
    rule, answer = turn.expect.response, turn.final.text if turn.final else ""
    if rule is None or not answer.strip() or not _is_sound(rule, answer):
        return
    from evalkit.answers.demands import held_against  # most files demand nothing, and do not wait for it

    for demand in held_against(rule, answer):
        if demand.fault:
            several = demand.key != "json_schema" and len(getattr(rule, demand.key)) > 1
            path = f".response.{demand.key}" + (f"[{demand.index}]" if several else "")
            message = f"the turn's own final_response does not meet this: {demand.fault}"
            yield path, message, f"golden mode plays {turn.where}.final_response: mend that, or this"


def _is_sound(rule: ResponseRule, answer: str) -> bool:
    """Tell whether all of it can be held against the answer, in a moment."""
    quick = all(regex_fault(source) is None and is_quick(source, len(answer)) for source in rule.regex)
    return quick and (rule.json_schema is None or schema_fault(rule.json_schema) is None)


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
