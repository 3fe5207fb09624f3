"""`evalkit check`: what is wrong in files, and what to write instead."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict

import click

from evalkit.check import CheckReport, check as check_files
from evalkit.errors import EvalkitError
from evalkit.settings import load_settings

HELP = """Find what is wrong in evalsets, eval configs and mocks files.

PATH is a folder, which is searched for *.evalset.json, *.test.json, test_config.json and mocks.yaml, or a file of any
name. With an evalset its config and its mocks are checked too. Nothing is played, and ADK is not imported.

With --agent or --with-agents the agent is imported, though never run, and the files are compared with it: do the tools,
arguments and agents exist that they name, would a model make the expected calls, are the mocks what the tools reply?

\b
Each problem is one line on standard output:
  file:line:column: error[rule] $.path: what is wrong (what to write instead)

An error means that ADK refuses the file, or that nothing, or something else than meant, would be judged. Warnings and
notes leave the exit code alone.

\b
Examples:
  evalkit check evalsets/                     every evalset of the project, with configs and mocks
  evalkit check agents/*/tests/evals          where ADK projects often keep them
  evalkit check lag.test.json                 one file, and test_config.json and mocks.yaml beside it
  evalkit check evalsets/ --format json       for programs
  evalkit check --agent agents/kafka evals/   against this agent's tools and instructions
  evalkit check --with-agents evalsets/       each evalset against the agent that `evalkit run` would play

\b
Exit code: 0 without errors, 2 with errors or when a path or an agent cannot be used.
"""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]")
"""What would move the cursor, or hide or reorder text; a file's keys and values stand in messages."""


@click.command(help=HELP, short_help="Find what is wrong in files.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--format", "output", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--agent", metavar="FOLDER", help="Check also against this agent: a folder or a dotted module.")
@click.option("--with-agents", is_flag=True, help="Check also against each evalset's own agent, found as in a run.")
@click.pass_context
def check(ctx: click.Context, paths: tuple[str, ...], output: str, agent: str | None, *, with_agents: bool) -> None:
    """Check files; see HELP."""
    if agent is not None and with_agents:
        raise click.UsageError("--agent names one agent for all files, --with-agents finds each its own; give one")
    render = RENDERERS[output]
    try:
        report, refusal = _check(paths, agent, with_agents=with_agents)
    except EvalkitError as error:
        report, refusal = CheckReport(files=(), problems=()), str(error)
    if text := render(report, refusal):
        click.echo(text)
    click.echo(f"evalkit: {refusal}" if refusal else _summary(report), err=True)
    if refusal or report.count("error"):
        ctx.exit(2)


def _check(paths: tuple[str, ...], agent: str | None, *, with_agents: bool) -> tuple[CheckReport, str | None]:
    """Check the files, and return why not everything was checked, if so."""
    if agent is None and not with_agents:
        return check_files(paths), None
    from evalkit.agent_check import check_with_agents  # imports ADK, which takes a second

    report, refusals = check_with_agents(paths, load_settings(), agent)
    return report, "\n".join(refusals) or None


def _text(report: CheckReport, _refusal: str | None) -> str:
    return "\n".join(_CONTROL.sub(lambda sign: f"\\u{ord(sign[0]):04x}", str(item)) for item in report.problems)


def _json(report: CheckReport, refusal: str | None) -> str:
    document = {
        "schema": "evalkit.check/1",
        "error": refusal,
        "counts": {"files": len(report.files), **{f"{name}s": report.count(name) for name in _SEVERITIES}},
        "problems": [asdict(problem) for problem in report.problems],
    }
    return json.dumps(document, indent=2)


def _summary(report: CheckReport) -> str:
    counts = [(len(report.files), "file"), *((report.count(name), name) for name in _SEVERITIES)]
    shown = [f"{count} {name}{'s' if count != 1 else ''}" for count, name in counts if count or name != "note"]
    return ", ".join(shown)


_SEVERITIES = ("error", "warning", "note")

RENDERERS: Mapping[str, Callable[[CheckReport, str | None], str]] = {"text": _text, "json": _json}
"""Names of `--format`: from the report, or the reason why there is none, to standard output."""
