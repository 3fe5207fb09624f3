"""Drafts as a mocks file, with comments that say how to go on from there."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from evalkit.cases import Json
from evalkit.formats.yaml_values import member, on_one_line
from evalkit.models.docstrings import reply_note
from evalkit.models.facts import ToolFacts
from evalkit.scaffold.below import Below
from evalkit.scaffold.drafts import Exchange
from evalkit.scaffold.texts import first_sentence

_WIDTH = 118

_HEAD = """\
# What the tools answer, in place of the systems that they talk to. Made by `evalkit init` from what the tools say of
# themselves: every value is made up, so write what yours really answer.
#
# A tool has routes, and the first that fits a call answers it. Arguments that a route does not list are free. A call
# that no route fits never reaches the tool; the report names the nearest route and each difference.
#
#   args: {group: orders}                equal; or a matcher: {$any: true}, {$regex: "^ord"}, {$glob: "ord*"},
#                                        {$oneof: [orders, audit]}, {$gte: 1}, {$not: {$exists: true}}, …
#   returns: {status: success, lag: 75}  what the tool answers: any JSON
#   returns_file: replies/orders.json    the same, from a JSON, YAML or text file in this folder
#   raises: {type: TimeoutError, message: no answer}    what the tool raises instead
#   sequence: [{returns: 1}, {returns: 2}]    a reply a call, in turn, then a miss; or repeat_last: true
#   state: {last_group: orders}          beside a reply: what the tool would write into the session's state
#
# To answer one agent differently, put routes under `agents: {NAME: {tools: {TOOL: [ … ]}}}`; they win over those here.
"""

_OF_TOOLSETS = """\
# What the servers of the agent's toolsets listed when `evalkit init` asked them; nothing connects to them any more.
# A tool of theirs may return JSON, or MCP's own: {content: [{type: text, text: no such account}], isError: true}.
"""

_BELOW_TEXT = (
    "A fake below the tools lets the tools' own code run; a tool with a route above does not, so take that out first."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MocksPlan:
    """What goes into a mocks file.

    Attributes:
        agent: How the file names the agent.
        exchanges: The calls to be answered; equal ones may stand there more than once.
        toolsets: What servers list.
        below: What the agent's own code talks to.
    """

    agent: str
    exchanges: Sequence[Exchange] = ()
    toolsets: Mapping[str, Json] = field(default_factory=dict)
    below: Below = field(default_factory=Below)


def mocks_text(plan: MocksPlan) -> str:
    """Write a mocks file."""
    shared, scoped = _by_scope(plan.exchanges)
    parts = [_HEAD, member("agent", plan.agent)]
    if shared:
        parts.append("tools:\n" + "\n".join(_tool(group, 2) for group in shared))
    if scoped:
        parts.append("agents:\n" + "".join(_agent(name, exchanges) for name, exchanges in scoped.items()))
    if plan.toolsets:
        parts.append(_OF_TOOLSETS + member("toolsets", dict(plan.toolsets)))
    parts.append(_comment(_hints(plan.below)))
    return "\n".join(part for part in parts if part)


def _by_scope(exchanges: Iterable[Exchange]) -> tuple[list[list[Exchange]], dict[str, list[Exchange]]]:
    """Sort the calls into those that one route answers for every agent, and those of tools that differ by agent."""
    by_tool: dict[str, list[Exchange]] = {}
    for exchange in exchanges:
        group = by_tool.setdefault(exchange.tool.name, [])
        if exchange.mocked and all(exchange.agent != other.agent for other in group):
            group.append(exchange)
    groups = [group for group in by_tool.values() if group]
    shared = [
        group for group in groups if all((one.args, one.reply) == (group[0].args, group[0].reply) for one in group)
    ]
    scoped: dict[str, list[Exchange]] = {}
    for exchange in (one for group in groups if group not in shared for one in group):
        scoped.setdefault(exchange.agent, []).append(exchange)
    return shared, scoped


def _is_answered_alike(one: Exchange, other: Exchange) -> bool:
    return (one.args, one.reply) == (other.args, other.reply)


def _tool(group: Sequence[Exchange], indent: int) -> str:
    first, margin = group[0], " " * indent
    lines = [_comment(_about(group), indent), f"{margin}{on_one_line(first.tool.name)}:\n"]
    if first.args:
        lines.append(f"{margin}  - {member('args', dict(first.args), indent + 4)}")
    start = f"{margin}    " if first.args else f"{margin}  - "
    lines.append(start + member("returns", first.reply, indent + 4))
    return "".join(lines)


def _agent(name: str, exchanges: Sequence[Exchange]) -> str:
    tools = "\n".join(_tool([exchange], 6) for exchange in exchanges)
    return f"  {on_one_line(name)}:\n    tools:\n{tools}"


def _about(group: Sequence[Exchange]) -> Iterator[str]:
    """Say what a tool is for, what it takes, and what its docstring says that it answers."""
    tool = group[0].tool
    if about := first_sentence(tool.docstring):
        yield f"{about}."
    if takes := ", ".join(_arguments(tool)):
        yield f"  Takes {takes}."
    if says := reply_note(tool.docstring):
        yield f"  Replies, as its docstring says: {says}"
    if len(group) > 1:
        yield f"  Called by {', '.join(one.agent for one in group)}."


def _arguments(tool: ToolFacts) -> Iterator[str]:
    schema = tool.declaration.schema if tool.declaration else {}
    needed = schema.get("required", ())
    for name in schema.get("properties", {}):
        yield name if name in needed else f"{name} (may be left out)"


def _hints(below: Below) -> Iterator[str]:
    """Show the fakes that suit what the agent's code uses."""
    kinds = [*_http(below), *_commands(below), *_clients(below)]
    if kinds:
        yield _BELOW_TEXT
        yield "backends:"
        yield from kinds


def _http(below: Below) -> Iterator[str]:
    for name in below.addresses or (("BASE_URL",) if below.http else ()):
        yield f"  - http: {{env: {name}, routes: [{{method: GET, path: /PATH, json: {{}}}}]}}"


def _commands(below: Below) -> Iterator[str]:
    if below.commands:
        yield "  - command: {program: PROGRAM, routes: [{argv: [ARGUMENT], stdout: OUTPUT}]}"


def _clients(below: Below) -> Iterator[str]:
    for name in below.clients:
        yield f'  - python: {{factory: "fakes:{name}_client", patches: ".MODULE:FUNCTION"}}   # in place of {name}'


def _comment(paragraphs: Iterable[str], indent: int = 0) -> str:
    """Write paragraphs as comments, each with its own indentation kept in the lines that it is broken into."""
    margin = " " * indent + "# "
    lines: list[str] = []
    for paragraph in paragraphs:
        text = "".join(sign for sign in paragraph if sign.isprintable())
        inner = margin + " " * (len(text) - len(text.lstrip()))
        lines += textwrap.wrap(
            text.strip(), _WIDTH, initial_indent=inner, subsequent_indent=inner, break_on_hyphens=False
        )
    return "".join(f"{line}\n" for line in lines)
