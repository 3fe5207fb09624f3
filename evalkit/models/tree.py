"""The agents of an app as plain data: who has which tools, who can hand over to whom, who runs whom.

An *entry* is a call that brings another agent into play: an agent tool, or a transfer. A *scope* is what runs together
once its head runs: an LLM agent alone, or a workflow with everything it runs by itself.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

TRANSFER = "transfer_to_agent"
FINISH_TASK = "finish_task"
SET_MODEL_RESPONSE = "set_model_response"
EXIT_LOOP = "exit_loop"
REQUEST_CONFIRMATION = "adk_request_confirmation"

ADK_ASKS = frozenset({REQUEST_CONFIRMATION, "adk_request_credential", "adk_request_input"})
"""The calls by which ADK itself, not a model, asks the user for something."""

CONTROL_TOOLS = frozenset({TRANSFER, FINISH_TASK, SET_MODEL_RESPONSE, EXIT_LOOP}) | ADK_ASKS
"""Tools through which ADK steers itself. They always run for real: a mocked transfer would never arrive."""

Kind = Literal["llm", "sequence", "loop", "parallel", "graph", "custom"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """One agent or workflow.

    Attributes:
        kind: How it runs its members; `llm` runs none by itself.
        tools: Names of the tools it lists, agent tools included; of a toolset those that a mocks file says or that it
            has made already, since others tell theirs only when it is asked.
        agent_tools: For each tool that is an agent, that agent's name.
        transfers: Whom it can transfer to.
        members: Whom it runs by itself, in order; for a graph the nodes that run last come last.
        last: For a graph, the members after which nothing follows.
        repeats: Whether its members may run again after one another, as in a loop.
        task: Whether it is delegated to as a task, which it ends with `finish_task`.
        parent: Whose member, sub-agent or agent tool it is; None for the root.
    """

    name: str
    kind: Kind = "llm"
    tools: tuple[str, ...] = ()
    agent_tools: Mapping[str, str] = field(default_factory=dict)
    transfers: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    repeats: bool = False
    task: bool = False
    parent: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentTree:
    """Every agent that is known before anything runs, by name."""

    root: str
    agents: Mapping[str, Agent]

    def get(self, name: str) -> Agent:
        """Return the agent of that name, or an unknown LLM agent, such as one that is made at run time."""
        return self.agents.get(name) or Agent(name=name)

    def holders(self, tool: str) -> tuple[str, ...]:
        """Name the agents whose model is offered this tool, in tree order."""
        return tuple(agent.name for agent in self.agents.values() if tool in agent.tools)

    def able_to_transfer(self, target: str) -> tuple[str, ...]:
        """Name the agents that can transfer to `target`."""
        return tuple(agent.name for agent in self.agents.values() if target in agent.transfers)

    def entry_as_tool(self, name: str) -> tuple[str, str] | None:
        """Return an agent and the agent tool of its own by which `name` comes to run, if there is one."""
        for agent in self.agents.values():
            for tool, target in agent.agent_tools.items():
                if name in self.scope(target):
                    return agent.name, tool
        return None

    def head(self, name: str) -> str:
        """Return the head of the scope that `name` runs in: the outermost workflow around it, or itself."""
        return [name, *self.workflows_around(name)][-1]

    def scope(self, head: str) -> frozenset[str]:
        """Name everything that runs once `head` runs, without a transfer or an agent tool."""
        names: set[str] = set()
        waiting = [head]
        while waiting:
            name = waiting.pop()
            if name not in names:
                names.add(name)
                waiting.extend(self.get(name).members)
        return frozenset(names)

    def speakers(self, head: str, leaving: Iterable[str] = ()) -> frozenset[str]:
        """Name the agents that may speak last when `head` has run.

        Args:
            head: The agent or workflow that runs.
            leaving: Agents that end a loop by calling `exit_loop`, so that they say nothing themselves.
        """
        agent = self.get(head)
        if not agent.members:
            return frozenset({head})
        if agent.kind in ("parallel", "custom"):
            chosen: tuple[str, ...] = agent.members
        elif agent.kind == "graph":
            chosen = agent.last
        else:
            speaking = [member for member in agent.members if not (agent.kind == "loop" and member in set(leaving))]
            chosen = tuple(speaking[-1:] or agent.members[-1:])
        return frozenset[str]().union(*(self.speakers(member, leaving) for member in chosen))

    def take_turns(self, one: str, other: str) -> bool:
        """Tell whether two members of a loop run one after the other, again and again, rather than side by side."""
        around_one, around_other = self.workflows_around(one), self.workflows_around(other)
        common = [name for name in around_one if name in around_other]
        if not common or self.get(common[0]).kind in ("parallel", "custom"):
            return False
        return any(self.get(name).repeats for name in common)

    def workflows_around(self, name: str) -> list[str]:
        """Name the workflows that run `name`, the nearest first."""
        found: list[str] = []
        agent = self.get(name)
        while agent.parent and agent.name in self.get(agent.parent).members and agent.parent not in found:
            agent = self.get(agent.parent)
            found.append(agent.name)
        return found

    def hop(self, start: str, owner: str) -> str | None:
        """Return whom `start` has to transfer to so that `owner` gets its turn.

        None if no transfer is needed, because both run together, or none leads there.
        """
        if owner in self.scope(self.head(start)):
            return None
        seen = {start}
        queue = deque((target, target) for target in self.get(start).transfers)
        while queue:
            first, name = queue.popleft()
            if name in seen:
                continue
            seen.add(name)
            reached = self.scope(name)
            if owner in reached:
                return first
            queue.extend((first, target) for member in sorted(reached) for target in self.get(member).transfers)
        return None
