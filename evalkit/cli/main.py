"""The `evalkit` command: a table of names, each loaded when it is asked for."""

import gc
import importlib
import sys
from collections.abc import Mapping
from typing import Any

import click

from evalkit import __version__
from evalkit.errors import EvalkitError
from evalkit.formats.collector import paused_collector
from evalkit.formats.spelling import closest

COMMANDS: Mapping[str, tuple[str, str]] = {
    "check": ("evalkit.cli.check:check", "Find what is wrong in evalsets, eval configs and mocks files."),
    "run": ("evalkit.cli.run:run", "Play cases on their agents, judge them and report."),
    "score": ("evalkit.cli.score:score", "Judge a stored run again, by other criteria, without playing it."),
    "report": ("evalkit.cli.report:report", "Show a stored run: as a page, Markdown, JSON or JUnit XML."),
    "adk": ("evalkit.cli.adk:adk", "Run ADK's own `adk eval` over mocks, its false greens turned red."),
    "convert": ("evalkit.cli.convert:convert", "Convert other systems' cases, such as HolmesGPT's fixtures."),
    "init": ("evalkit.cli.init:init", "Write an evalset and mocks to start from, read off an agent."),
    "compare": ("evalkit.cli.compare:compare", "Compare stored runs: what changed, and whether it is noise."),
    "judge": ("evalkit.cli.judge:judge", "Compare a model that judges with people, before trusting it."),
    "schema": ("evalkit.cli.schema:schema", "Print a JSON Schema for editors."),
    "ci": ("evalkit.cli.ci:ci", "Print or write a pipeline for GitHub Actions or GitLab CI."),
}
"""Name of a command: `module:function`, and what it does in a line."""

_ELSEWHERE: Mapping[str, str] = {
    **dict.fromkeys(("lint", "validate", "verify"), "check"),
    **dict.fromkeys(("test", "eval", "play"), "run"),
    "diff": "compare",
}
"""What other tools call a command of ours."""

UNUSABLE_INPUT = 2


class _Failure(click.ClickException):
    """An error of evalkit's own, as one line on standard error."""

    exit_code = UNUSABLE_INPUT

    def show(self, file: Any = None) -> None:
        click.echo(f"evalkit: {self.format_message()}", file=file or sys.stderr)


class _Commands(click.Group):
    """A group that imports no command before it is asked for, not even to list them all."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        with paused_collector():
            command: click.Command = getattr(importlib.import_module(module), name)
        gc.freeze()  # what was imported stays to the end: no collection needs to look at it again
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        near = None if name in COMMANDS or name.startswith("-") else _ELSEWHERE.get(name) or closest(name, COMMANDS)
        if near:
            ctx.fail(f"No such command '{name}'. Did you mean '{near}'?")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except EvalkitError as error:
            from evalkit.redaction.redactor import Redactor

            raise _Failure(Redactor.of_process().text(str(error))) from error
        except KeyboardInterrupt:  # click would end with 1, which says that a case failed
            raise _Failure("interrupted") from None


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Ask each command for its own --help. Exit codes: 0 is fine, 1 is a failed case, 2 is unusable input.",
)
@click.version_option(__version__, prog_name="evalkit", message="%(prog)s %(version)s")
def cli() -> None:
    """Evaluate agents built with Google's ADK: offline, and with a reason for every verdict."""


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="backslashreplace")  # a file's name may have bytes that are no text
    cli()
