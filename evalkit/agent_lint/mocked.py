"""Mocks files against the agent: routes that no call reaches, and replies that the tool would not give."""

from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema_rs

from evalkit.agent_lint.calls import Lack, lacking
from evalkit.agent_lint.expectations import misfits_of_args, unknown_arguments
from evalkit.agent_lint.problems import below, have, is_misspelt, problem, remedy, shortened
from evalkit.cases import Json
from evalkit.errors import Problem
from evalkit.formats.spelling import only
from evalkit.matching import match_args
from evalkit.models.declared import in_words, shown, wanted_by
from evalkit.models.facts import AgentFacts, ToolFacts
from evalkit.models.tree import CONTROL_TOOLS
from evalkit.replies import error_in
from evalkit.routes import HTTP_REPLY, MockSet, Reply, Route

_Fault = tuple[str, str | None]
"""What does not fit, and what to write."""


def toolset_faults(mocks: MockSet, facts: AgentFacts) -> Iterator[Problem]:
    """Report entries under `toolsets:` that do not fit the agent's toolsets."""
    for fault in facts.toolset_faults if mocks.toolsets else ():
        yield problem("misfit-toolset", mocks.file, "$.toolsets", fault)


def dead_routes(mocks: MockSet, facts: AgentFacts) -> Iterator[Problem]:
    """Report routes for tools, agents and arguments that do not exist, and for values that are not declared."""
    for route in mocks.routes:
        tool_path = route.where.rpartition("[")[0]
        if route.agent is not None and route.agent not in facts.tree.agents:
            yield from _unknown_agent(route.agent, mocks.file, facts)
        elif lack := lacking(route.tool, facts):
            rule = "dead-route" if lack.rule == "unknown-tool" else lack.rule
            yield problem(rule, mocks.file, tool_path, lack.message, lack.hint)
        elif lack := _others_tool(route, facts):
            yield problem(lack.rule, mocks.file, tool_path, lack.message, lack.hint)
        else:
            yield from _unmatchable(route, mocks.file, facts)


def _unknown_agent(agent: str, file: str, facts: AgentFacts) -> Iterator[Problem]:
    path = below("$", "agents", agent)
    if facts.unlisted and not is_misspelt(agent, facts.tree.agents):
        message = f"no agent is known by the name {agent}; {facts.unlisted[0]} may bring it in"
        yield problem("unlisted-tool", file, path, message)
    else:
        hint = remedy(agent, facts.tree.agents, "its agents")
        yield problem("dead-route", file, path, f"no agent is named {agent}", hint)


def _others_tool(route: Route, facts: AgentFacts) -> Lack | None:
    """Say that a scoped route is for a tool of another agent."""
    if route.agent is None or facts.unlisted or route.tool in CONTROL_TOOLS:
        return None
    holders = facts.tree.holders(route.tool)
    if route.agent in holders:
        return None
    message = f"{route.agent} has no tool named `{route.tool}`; {have(holders)}"
    return Lack("dead-route", message, f"put it under `agents: {{{holders[0]}: …}}`, or under `tools:` for all")


def _unmatchable(route: Route, file: str, facts: AgentFacts) -> Iterator[Problem]:
    for name, message, hint in unknown_arguments(route.tool, route.args or (), facts):
        pattern = (route.args or {})[name]
        if match_args({name: pattern}, {}):  # else it is content with an argument that is not there
            path = below(route.where, "args", name)
            yield problem("dead-route", file, path, f"{message}, so this route answers no call", hint)
    if not _answers_bad_values(route):
        for misfit in misfits_of_args(route.tool, route.args or {}, below(route.where, "args"), facts, route.agent):
            yield problem("misfit-pattern", file, misfit.path, misfit.message, misfit.hint)


def _answers_bad_values(route: Route) -> bool:
    """Tell whether a route only replies with errors: it may be there for values that a model gets wrong."""
    errors = [reply.raises is not None or _tells_of_error(reply.value) for reply in route.replies]
    return bool(errors) and all(errors)


def _tells_of_error(value: Json) -> bool:
    over_http = isinstance(value, Mapping) and HTTP_REPLY in value
    return error_in(value[HTTP_REPLY] if over_http else value) is not None


def misfit_replies(mocks: MockSet, facts: AgentFacts) -> Iterator[Problem]:
    """Report replies that lack what the tool's docstring names, or have another type than its annotation says."""
    for route in mocks.routes:
        tools = facts.tools(route.tool, route.agent)
        for reply in route.replies if tools else ():
            if reply.raises is None and error_in(reply.value) is None:
                faults = [_fault(tool, reply.value) for tool in tools]
                if all(faults):
                    yield _misfit(route, reply, faults[0] or ("", ""), mocks.file)


def _misfit(route: Route, reply: Reply, fault: _Fault, file: str) -> Problem:
    what, hint = fault
    return problem("misfit-reply", file, reply.where, f"`{route.tool}` never replies like this: {what}", hint)


def _fault(tool: ToolFacts, value: Json) -> _Fault | None:
    """Return what does not fit; None if the tool may reply this."""
    if isinstance(value, Mapping) and HTTP_REPLY in value:
        return None
    return _unlike_annotation(tool, value) or (_unlike_docstring(tool, value) if isinstance(value, Mapping) else None)


def _unlike_annotation(tool: ToolFacts, value: Json) -> _Fault | None:
    schema = dict(tool.returns or {})
    error = next(iter(jsonschema_rs.validator_for(schema, offline=True).iter_errors(value)), None)
    if error is None:
        return None
    place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.instance_path)
    where = f" at `{place.lstrip('.')}`" if place else ""
    if isinstance(error.kind, jsonschema_rs.ValidationErrorKind.Required):
        return f"its return annotation wants the key `{error.kind.property}`{where}", _wanted(tool)
    if wanted := wanted_by(error, schema):
        many = "write `sequence:` with an entry `- returns: …` for each" if _are_replies(tool, value) else None
        return f"its return annotation wants {wanted}{where}, not {shown(error.instance)}", many or _wanted(tool)
    return f"its return annotation does not allow this{where}: {shortened(error.message)}", _wanted(tool)


def _unlike_docstring(tool: ToolFacts, value: Mapping[str, Json]) -> _Fault | None:
    missing = [key for key in tool.reply_keys if not _occurs(key, value)]
    if missing:
        quoted = ", ".join(f"`{key}`" for key in missing)
        said = f"its docstring names {quoted} in every reply"
        wrong = only(missing[0], [key for key in value if key not in tool.reply_keys]) if len(missing) == 1 else None
        return (
            said,
            f"write `{missing[0]}` for `{wrong}`" if wrong else f"add {', '.join(f'{key}: …' for key in missing)}",
        )
    for key, schema in tool.reply_types.items():
        if value.get(key) is not None and not jsonschema_rs.is_valid(dict(schema), value[key], offline=True):
            return f"its docstring says that `{key}` is {in_words(schema, schema)}, not {shown(value[key])}", None
    return None


def _wanted(tool: ToolFacts) -> str | None:
    schema = tool.returns or {}
    keys = schema.get("required") or tool.reply_keys
    if keys:
        return f"write {{{', '.join(f'{key}: …' for key in keys)}}}"
    return None


def _are_replies(tool: ToolFacts, value: Json) -> bool:
    """Tell whether a value is a list of which each item is what the tool may reply."""
    if not isinstance(value, list) or not value:
        return False
    return all(error_in(item) is not None or _fault(tool, item) is None for item in value)


def _occurs(key: str, value: Any) -> bool:
    """Tell whether a key stands anywhere in a value: prose does not always say how deep."""
    if isinstance(value, Mapping):
        return key in value or any(_occurs(key, item) for item in value.values())
    return isinstance(value, list) and any(_occurs(key, item) for item in value)
