"""Tools that an agent is given by its mocks, for as long as a case is played that provides them.

They come through a toolset, which lists to each case what its own mocks provide; so cases that are played side by side
on one agent do not see each other's. The tool edge answers their calls by the routes, as it does for any tool.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.agents.readonly_context import ReadonlyContext
from google.adk.models.llm_request import LlmRequest
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.base_toolset import BaseToolset
from google.adk.tools.tool_context import ToolContext
from google.adk.workflow import BaseNode
from google.genai import types

from evalkit.adk.playing import CURRENT, Playing
from evalkit.adk.survey import llm_agents
from evalkit.errors import FakeError
from evalkit.models.provision import Provision, provision
from evalkit.models.tree import AgentTree
from evalkit.routes import ProvidedTool


class GivenTool(BaseTool):
    """A tool of which no more is known than its declaration; the tool edge answers its calls as a whole."""

    def __init__(self, provided: ProvidedTool) -> None:
        super().__init__(name=provided.name, description=provided.description)
        self._parameters = provided.parameters

    def _get_declaration(self) -> types.FunctionDeclaration:
        schema = dict(self._parameters or {"type": "object", "properties": {}})
        return types.FunctionDeclaration(name=self.name, description=self.description, parameters_json_schema=schema)

    async def process_llm_request(self, *, tool_context: ToolContext, llm_request: LlmRequest) -> None:
        """Offer the tool, unless the agent has got one of that name from a toolset that nobody could list before."""
        if self.name not in llm_request.tools_dict:
            await super().process_llm_request(tool_context=tool_context, llm_request=llm_request)

    async def run_async(self, *, args: dict[str, Any], tool_context: ToolContext) -> Any:  # noqa: ARG002 - ADK's signature
        """Refuse: only a route that passes through comes here, and there is nothing to pass through to."""
        raise FakeError(f"{self.name} is only declared, under `provides` of the mocks; it cannot pass through")


def note_misfits(playing: Playing, tool: BaseTool, args: Mapping[str, Any]) -> None:
    """Note what in a model's call of a given tool is not as declared: its routes answer all the same.

    Of golden calls that is a fault, which is found before they are made.
    """
    declared = playing.declarations.of(tool) if isinstance(tool, GivenTool) and playing.golden is None else None
    for misfit in declared.misfits(args) if declared else ():
        playing.note(f"the mocks were asked although {misfit}")


class _GivenTools(BaseToolset):
    """Lists what the case in play provides, and nothing outside of one."""

    def __init__(self) -> None:
        super().__init__()
        self._made: dict[int, tuple[ProvidedTool, GivenTool]] = {}

    async def get_tools(self, readonly_context: ReadonlyContext | None = None) -> list[BaseTool]:  # noqa: ARG002 - ADK's signature
        """Return the same tools to every case of the same mocks, since what they declare is remembered by them."""
        playing = CURRENT.get()
        provided = playing.provided if playing is not None else ()
        return [self._made.setdefault(id(one), (one, GivenTool(one)))[1] for one in provided]


class Giver:
    """Gives the agents of one team what the mocks of its cases provide.

    Args:
        root: The team's root.
        tree: The team as it is without that.
    """

    def __init__(self, root: BaseNode, tree: AgentTree) -> None:
        self._root = root
        self._tree = tree
        self._toolset = _GivenTools()
        self._playing = 0

    def provision(self, provided: Mapping[str, ProvidedTool]) -> Provision:
        """Find out what a case gives to whom, by the tools that its mocks provide."""
        return provision(self._tree, provided)

    @contextmanager
    def giving(self, given: Provision) -> Iterator[None]:
        """Let the agent ask for what a case in play gives it, while the block lasts; several cases may be in play."""
        receiver = self._receiver(given)
        if receiver is None:
            yield
            return
        self._playing += 1
        if self._playing == 1:
            receiver.tools = [*receiver.tools, self._toolset]  # at the end, so that the agent's own come first
        try:
            yield
        finally:
            self._playing -= 1
            if not self._playing:
                receiver.tools = [tool for tool in receiver.tools if tool is not self._toolset]

    def _receiver(self, given: Provision) -> LlmAgent | None:
        agents = llm_agents(self._root) if given.tools else ()
        return next((agent for agent in agents if agent.name == given.agent), None)
