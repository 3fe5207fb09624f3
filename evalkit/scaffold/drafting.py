"""What cases an agent needs: one a tool of each agent, one for each agent without tools, and one of small talk."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

from evalkit.agent_lint.instructions import orders_of
from evalkit.agent_lint.problems import nearest
from evalkit.errors import SelectionError
from evalkit.models.docstrings import argument_notes
from evalkit.models.facts import AgentFacts, ToolFacts
from evalkit.models.tree import CONTROL_TOOLS, EXIT_LOOP, FINISH_TASK, TRANSFER
from evalkit.scaffold.drafts import Draft, Drafts, Exchange
from evalkit.scaffold.examples import example_args, example_of
from evalkit.scaffold.replies import answer_to, reply_of
from evalkit.scaffold.texts import prompt_for
from evalkit.scaffold.ways import Way, in_charge, loop_exits, ways

SMALL_TALK = "small_talk"

_GREETING = "Hello! What can you do for me?"
_WELCOME = "Hello! Tell me what you would like to know, and I will look it up."


def draft_cases(facts: AgentFacts, only: Collection[str] = ()) -> Drafts:
    """Draft a case for each tool that some agent has.

    Args:
        facts: The agent.
        only: The tools to draft cases for; none means all, and small talk.

    Raises:
        SelectionError: No agent has a tool that `only` names.
    """
    _check_names(facts, only)
    drafter = _Drafter(facts)
    drafts = [draft for draft in drafter.of_tools() if not only or draft.subject in only]
    drafts += drafter.of_agents(drafts, only)
    drafts += drafter.of_small_talk() if not only else ()
    return Drafts(drafts=tuple(_with_ids(drafts)), left_out=drafter.left_out)


def _check_names(facts: AgentFacts, only: Collection[str]) -> None:
    known = {name: None for profile in facts.profiles.values() for name in profile.tools}
    for name in only:
        if name not in known:
            near = nearest(name, known)
            hint = f"did you mean {near}?" if near else f"its tools: {', '.join(known) or 'none'}"
            raise SelectionError(f"--tool {name}: no agent of {facts.tree.root} has a tool of this name; {hint}")


class _Drafter:
    """Drafts the cases of one agent.

    Attributes:
        left_out: Tools without a case, each with why.
    """

    def __init__(self, facts: AgentFacts) -> None:
        self._facts = facts
        self._tree = facts.tree
        self._ways = ways(facts.tree)
        self._several = sum(agent.kind == "llm" for agent in facts.tree.agents.values()) > 1
        self.left_out: dict[str, str] = {}

    def of_tools(self) -> Iterator[Draft]:
        """Draft a case for each tool; agent tools, and what ends a task, are part of the cases of the agent behind."""
        for agent, profile in self._facts.profiles.items():
            for tool in profile.tools.values():
                if tool.name == FINISH_TASK or tool.name in self._tree.get(agent).agent_tools:
                    continue
                reason = self._why_not(agent, tool)
                if reason:
                    self.left_out[f"{agent}.{tool.name}"] = reason
                else:
                    yield self._of_tool(agent, tool)

    def of_agents(self, drafts: Collection[Draft], only: Collection[str]) -> Iterator[Draft]:
        """Draft a case for each agent that can be called and is in no case yet, because it has no tools.

        With `only` these are the agents behind agent tools of such names.
        """
        met = set() if only else {entry.target for draft in drafts for entry in self._ways[draft.agent]}
        for way in self._ways.values():
            if way and way[-1].target not in met and (not only or way[-1].tool in only):
                met |= {entry.target for entry in way}
                yield self._of_agent(way)

    def of_small_talk(self) -> Iterator[Draft]:
        """Draft a case that calls nothing; what has no model at its root works whatever the user says."""
        root = self._tree.get(self._tree.root)
        if root.kind == "llm":
            schema = self._facts.profiles[root.name].output_schema
            yield Draft(
                eval_id=SMALL_TALK,
                subject=SMALL_TALK,
                agent=root.name,
                prompt=_GREETING,
                answer=_WELCOME if schema is None else json.dumps(example_of(schema), ensure_ascii=False),
                route=() if self._several else None,
                forbidden=tuple(dict.fromkeys((*root.tools, *([TRANSFER] if root.transfers else ())))),
            )

    def _why_not(self, agent: str, tool: ToolFacts) -> str | None:
        if agent not in self._ways:
            return f"no transfer and no agent tool leads to {agent}"
        if tool.declaration is None:
            return "it runs in the model's own backend, so no call of it reaches the agent"
        return None

    def _of_tool(self, agent: str, tool: ToolFacts) -> Draft:
        own = self._exchange(agent, tool)
        prompt = prompt_for(tool.name, tool.docstring, own.args)
        profile = self._facts.profiles[agent]
        ordered = [profile.tools[order.tool] for order in orders_of(profile) if order.tool != tool.name]
        before = [self._exchange(agent, one) for one in ordered if one.declaration is not None]
        way = self._ways[agent]
        entries = self._entries(way, prompt)
        ends = () if tool.name == EXIT_LOOP else self._ends(way)
        answer, must_say = answer_to(own.reply) if own.mocked else ("It is done.", None)
        draft = Draft(
            eval_id=tool.name,
            subject=tool.name,
            agent=agent,
            prompt=prompt,
            exchanges=(*entries, *before, own, *ends),
            at=len(entries) + len(before),
            answer=answer,
            must_say=must_say,
            route=self._route(way),
        )
        return self._in_shape(draft, way)

    def _of_agent(self, way: Way) -> Draft:
        entry = way[-1]
        prompt = f"I have a question for {entry.target}."
        entries = self._entries(way, prompt)
        draft = Draft(
            eval_id=f"ask_{entry.target}",
            subject=entry.target,
            agent=entry.target,
            prompt=prompt,
            exchanges=(*entries, *self._ends(way)),
            at=len(entries) - 1,
            answer="It is done.",
            route=self._route(way),
        )
        return self._in_shape(draft, way)

    def _exchange(self, agent: str, tool: ToolFacts) -> Exchange:
        schema = tool.declaration.schema if tool.declaration else {}
        args = example_args(schema, argument_notes(tool.docstring))
        mocked = tool.name not in CONTROL_TOOLS
        return Exchange(agent=agent, tool=tool, args=args, reply=reply_of(tool) if mocked else None, mocked=mocked)

    def _entries(self, way: Way, prompt: str) -> tuple[Exchange, ...]:
        return tuple(self._entry(entry.by, entry.tool, entry.target, prompt) for entry in way)

    def _entry(self, by: str, tool: str, target: str, prompt: str) -> Exchange:
        if tool == TRANSFER:
            return Exchange(agent=by, tool=ToolFacts(name=TRANSFER), args={"agent_name": target}, mocked=False)
        known = self._facts.profiles[by].tools.get(tool) or ToolFacts(name=tool)
        declared = known.declaration.schema if known.declaration else {"required": ["request"]}
        args = {name: prompt if name == "request" else value for name, value in example_args(declared, {}).items()}
        return Exchange(agent=by, tool=known, args=args, mocked=False)

    def _ends(self, way: Way) -> tuple[Exchange, ...]:
        """Return the calls without which loops would go on, and by which a task comes to its end."""
        names = loop_exits(self._tree, way)
        exits = tuple(Exchange(agent=name, tool=ToolFacts(name=EXIT_LOOP), args={}, mocked=False) for name in names)
        last = way[-1].target if way else self._tree.root
        known = self._facts.profiles.get(last)
        finish = known.tools.get(FINISH_TASK) if known and self._tree.get(last).task else None
        return exits if finish is None else (*exits, self._exchange(last, finish))

    def _route(self, way: Way) -> tuple[str, ...] | None:
        """Name who is to work; of a workflow at the root nobody can say who of it works when."""
        known = self._several and (way or self._tree.get(self._tree.root).kind == "llm")
        return tuple(entry.target for entry in way) if known else None

    def _in_shape(self, draft: Draft, way: Way) -> Draft:
        """Let the answer have the shape that the agent which gives it must keep to."""
        leaving = [exchange.agent for exchange in draft.exchanges if exchange.tool.name == EXIT_LOOP]
        speakers = sorted(self._tree.speakers(self._tree.head(in_charge(self._tree, way)), leaving))
        schemas = [known.output_schema for name in speakers if (known := self._facts.profiles.get(name))]
        schema: Mapping[str, Any] | None = next((one for one in schemas if one is not None), None)
        if schema is None:
            return draft
        return replace(draft, answer=json.dumps(example_of(schema), ensure_ascii=False), must_say=None)


def _with_ids(drafts: Collection[Draft]) -> Iterator[Draft]:
    """Name each case after its tool, and after its agent too where several have the tool."""
    wanted = Counter(draft.eval_id for draft in drafts)
    taken: Counter[str] = Counter()
    for draft in drafts:
        name = draft.eval_id if wanted[draft.eval_id] == 1 else f"{draft.agent}_{draft.eval_id}"
        name = re.sub(r"\W+", "_", name)
        taken[name] += 1
        yield replace(draft, eval_id=name if taken[name] == 1 else f"{name}_{taken[name]}")
