"""Files that are for another agent altogether: one problem says so, in place of one for each tool."""

from collections.abc import Iterable

from evalkit.agent_lint.problems import listed, nearest, problem
from evalkit.errors import Problem
from evalkit.models.facts import AgentFacts
from evalkit.models.tree import CONTROL_TOOLS

_FEWEST = 2
"""One unknown tool may be a slip; where nothing at all is known, it is the wrong agent."""


def foreign_file(file: str, tools: Iterable[str], facts: AgentFacts) -> Problem | None:
    """Return the problem that none of the tools a file names is the agent's, nor like one of its tools."""
    named = list(dict.fromkeys(tool for tool in tools if tool not in CONTROL_TOOLS))
    if facts.unlisted or len(named) < _FEWEST or any(nearest(tool, facts.tool_names) for tool in named):
        return None
    message = f"no agent below {facts.tree.root} has any of the tools here: {listed(named)}"
    hint = f"its tools: {listed(sorted(facts.tool_names))}; is the file for another agent?"
    return problem("unknown-tool", file, "$", message, hint)
