"""`evalkit init`: files to start from, read off the agent's own tools."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evalkit.errors import EvalkitError
from evalkit.settings import load_settings

if TYPE_CHECKING:
    from evalkit.scaffold.start import Start

HELP = """Write an evalset, its criteria and its mocks to start from, read off an agent's own tools and sub-agents.

AGENT is the agent's folder, its name in the folder of agents, or a dotted module. The files go to a folder of the
agent's name below that of the evalsets (agents and evalsets, unless [tool.evalkit] says otherwise), or to --out.

\b
What is written:
  NAME.test.json      a case for each tool of each agent, with a prompt, a call that fits the tool's declaration and an
                      answer; one for each agent without tools; one of small talk, in which nothing may be called
  test_config.json    the criteria
  mocks.yaml          a reply for each tool, by its annotation, its docstring or what its server declares
  confirmations/      the same for tools that ask the user first, since ADK counts the question as a call

Prompts and replies are made up, so each case is skipped ("skip": "edit me") until you have edited it. Before it is
written, every case is replayed once in golden mode: no model, server or tool is reached, and what is written can be
played. Nothing that is there is replaced, unless by --force.

MCP servers, and others that toolsets get their tools from, are asked for them once, by this command alone; what they
list goes into mocks.yaml, so that later runs connect to nothing. The agent's own .env is used as in a run.

\b
Examples:
  evalkit init agents/kafka_health
  evalkit init kafka_health --tool get_consumer_lag --out evals/lag
  evalkit init agents/k8s_health --state role=admin    for agents whose guards look at the session's state
  evalkit init agents/kafka_health --diff              what --force would change

\b
Exit code: 0, or 2 if the agent or one of its servers cannot be used, a tool is not there, or files are in the way.
"""


def _state(_ctx: click.Context, _option: click.Parameter, given: tuple[str, ...]) -> dict[str, Any]:
    """Read `KEY=VALUE`s: a value is JSON if it can be read as such, else text."""
    state: dict[str, Any] = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not key or not equals:
            raise click.BadParameter(f"{text!r} is not KEY=VALUE, such as role=admin")
        try:
            state[key] = json.loads(value)
        except ValueError:
            state[key] = value
    return state


@click.command(help=HELP, short_help="Write an evalset and mocks to start from.")
@click.argument("agent", metavar="AGENT")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="Where the files go.")
@click.option("--tool", "tools", metavar="NAME", multiple=True, help="A case for this tool alone; may be repeated.")
@click.option(
    "--state",
    metavar="KEY=VALUE",
    multiple=True,
    callback=_state,
    help="What each session begins with; may be repeated.",
)
@click.option(
    "--timeout",
    "server_timeout",
    type=click.FloatRange(0, min_open=True),
    default=30.0,
    show_default=True,
    metavar="S",
    help="Seconds that a server may take to list its tools.",
)
@click.option("--force", is_flag=True, help="Replace files that are there, those alone that are written.")
@click.option("--dry-run", is_flag=True, help="Say what would be written, and write nothing.")
@click.option("--diff", is_flag=True, help="Show what would change, and write nothing.")
@click.option("--format", "output", type=click.Choice(["text", "json"]), default="text", show_default=True)
def init(*, force: bool, dry_run: bool, diff: bool, output: str, **given: Any) -> None:
    """Write files to start from; see HELP."""
    try:
        made = _made({**given, "may_replace": force or diff})
        from evalkit.scaffold.files import write

        written = not (dry_run or diff)
        write(made.files if written else ())
    except EvalkitError as error:
        if output == "json":
            click.echo(json.dumps({"schema": "evalkit.init/1", "error": str(error), "written": False}, indent=2))
        raise
    click.echo(_told(made, output, written=written, diff=diff), nl=not (diff and output == "text"))


def _made(given: dict[str, Any]) -> "Start":
    from evalkit.scaffold.start import InitOptions, start

    return start(InitOptions(**given), load_settings(), lambda text: click.echo(text, err=True))


def _told(made: "Start", output: str, *, written: bool, diff: bool) -> str:
    from evalkit.findings.text import visible
    from evalkit.scaffold.advice import as_json, as_text

    if output == "json":
        return as_json(made, written=written, diff=diff)
    return visible("".join(file.diff() for file in made.files) if diff else as_text(made, written=written))
