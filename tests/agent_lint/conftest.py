"""Agents, cases and mocks in short notation, and what the rules find in them."""

from types import SimpleNamespace

import pytest

from evalkit.agent_lint import lint_agent, lint_cases, lint_mocks
from evalkit.cases import (
    Case,
    CaseSet,
    Expectation,
    Message,
    SessionInput,
    Step,
    ToolCall,
    ToolReply,
    TrajectoryRule,
    Turn,
)
from evalkit.models.declarations import Declaration
from evalkit.models.facts import AgentFacts, Profile, ToolFacts
from evalkit.models.tree import Agent, AgentTree
from evalkit.routes import MockSet, Reply, Route

JSON_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", list: "array", dict: "object"}


def tool(name, doc="", *, returns=None, keys=(), types=(), undeclared=False, **parameters):
    """A tool whose parameters are types (needed) or defaults."""
    needed = [name for name, value in parameters.items() if isinstance(value, type)]
    properties = {
        name: {"type": JSON_TYPES[value]} if isinstance(value, type) else {} for name, value in parameters.items()
    }
    schema = {"type": "object", "properties": properties, "required": needed}
    return ToolFacts(
        name=name,
        declaration=None if undeclared else Declaration(name, schema),
        defaults={name: value for name, value in parameters.items() if not isinstance(value, type)},
        docstring=doc,
        returns=returns,
        reply_keys=tuple(keys),
        reply_types=dict(types),
    )


def profile(name, *tools, instruction="", **fields):
    return Profile(
        name=name,
        tools={one.name: one for one in tools},
        instruction=instruction,
        **{"model": "gemini-3.5-flash", **fields},
    )


def facts(*tools, instruction="", others=(), tree=None, unlisted=(), **fields):
    """The agent `root` with these tools, and other profiles below it, to which it can transfer."""
    profiles = [profile("root", *tools, instruction=instruction), *others]
    agents = {
        one.name: Agent(name=one.name, tools=tuple(one.tools), parent=None if one.name == "root" else "root")
        for one in profiles
    }
    agents["root"] = Agent(
        name="root", tools=tuple(profiles[0].tools), transfers=tuple(one.name for one in profiles[1:])
    )
    return AgentFacts(
        reference="agents/root",
        tree=AgentTree(root="root", agents={**agents, **(tree or {})}),
        profiles={one.name: one for one in profiles},
        unlisted=tuple(unlisted),
        **fields,
    )


def call(name, /, **args):
    return ToolCall(name=name, args=args)


def turn(prompt, *calls, final=None, replies=(), author=None, expect=None, route=None, **rule):
    """A turn; further keywords are those of `expect[].trajectory`, `author` makes it one of recorded events."""
    trajectory = TrajectoryRule(**rule) if rule else None
    return {
        "user": prompt if isinstance(prompt, Message) else Message(role="user", parts=({"text": prompt},)),
        "calls": calls,
        "final": None if final is None else Message(role="model", parts=({"text": final},)),
        "replies": tuple(ToolReply(name=name, response=response) for name, response in dict(replies).items()),
        "author": author,
        "expect": expect or Expectation(trajectory=trajectory, route=route),
    }


def case(*turns, state=None, skip=None, prior_events=()):
    session = None if state is None else SessionInput(app_name="app", user_id="user", state=state)
    made = tuple(_turn(index, **one) for index, one in enumerate(turns))
    where = "$.eval_cases[0]"
    return Case(eval_id="one", turns=made, session=session, skip=skip, prior_events=prior_events, where=where)


def _turn(index, *, user, calls, final, replies, author, expect):
    where = f"$.eval_cases[0].conversation[{index}]"
    data = f"{where}.intermediate_data"
    flat = [f"{data}.tool_uses[{number}]" for number in range(len(calls))]
    recorded = [f"{data}.invocation_events[0].content.parts[{n}].function_call" for n in range(len(calls))]
    placed = tuple(
        ToolCall(name=one.name, args=one.args, agent=author, where=place)
        for one, place in zip(calls, recorded if author else flat, strict=True)
    )
    steps = [Step(agent=author, calls=placed)] if author else [Step(calls=(one,)) for one in placed]
    steps += [Step(replies=(reply,)) for reply in replies]
    return Turn(
        index=index,
        user=user,
        final=final,
        steps=tuple(steps),
        layout="events" if author else "flat",
        expect=expect,
        where=where,
    )


def route(tool_name, value=None, *, agent=None, index=0, **fields):
    """A mock that returns a value."""
    scope = f".agents.{agent}" if agent else ""
    where = f"${scope}.tools.{tool_name}[{index}]"
    replies = (Reply(value=value, where=f"{where}.returns"),)
    return Route(tool=tool_name, agent=agent, where=where, **{"replies": replies, **fields})


def mocks(*routes, **fields):
    return MockSet(file="mocks.yaml", routes=routes, **fields)


def found(agent, *turns, mocks=(), only=None, criteria=(), **fields):
    """The problems of one case: of all rules, or of one."""
    given = [mocks] if isinstance(mocks, MockSet) else mocks
    problems = lint_cases(
        CaseSet(eval_set_id="s", cases=(case(*turns, **fields),), file="e.json"), given, agent, criteria
    )
    return [problem for problem in problems if only in (None, problem.rule)]


@pytest.fixture(scope="session")
def make():
    """The builders by name."""
    return SimpleNamespace(
        call=call, case=case, facts=facts, mocks=mocks, profile=profile, route=route, tool=tool, turn=turn
    )


@pytest.fixture(scope="session")
def lint():
    """What finds problems: in a case, in mocks, in an agent."""
    return SimpleNamespace(case=found, mocks=lint_mocks, agent=lint_agent)
