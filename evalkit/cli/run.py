"""`evalkit run`: check, play, score, report."""

import json
import sys
from pathlib import Path
from typing import NoReturn

import click

from evalkit.errors import EvalkitError
from evalkit.evaluate import CheckError, Plan, RunOptions, evaluate, plan
from evalkit.report import render
from evalkit.report.model import Report
from evalkit.report.progress import choose_progress
from evalkit.runs import RunFolder
from evalkit.settings import Settings, load_settings

HELP = """Play evaluation cases on their agents, judge them and report.

PATH is a folder, an evalset file, or a file with case ids: `lag.test.json:growing,stuck`. Without one, the folder of
evalsets in [tool.evalkit] is run. Files are checked first; with errors in them nothing is played.

\b
In golden mode (the default) the model is not asked: each case's own expected calls and answer are played through the
real agent, its tools are answered by mocks.yaml, and nothing leaves this machine. What can still go wrong, and is then
red: tools and arguments that do not exist, guardrails, routing, missing mocks, numbers in an answer that no tool said.

\b
Examples:
  evalkit run                                    every evalset of the project
  evalkit run evalsets/kafka_health              one folder
  evalkit run evalsets/kafka_health/lag.test.json:growing,stuck
  evalkit run -k "lag and not slow" --tag kafka  by name and by tag
  evalkit run --list                             what would be run
  evalkit run -j 2 --report out --format json    two processes; files in out/, JSON on standard output

\b
Exit code: 1 if a case failed or errored; else 2 if one is inconclusive, nothing was selected, or the input could not be
used; else 0.
"""


@click.command(help=HELP)
@click.argument("paths", metavar="[PATH[:CASE,CASE]]...", nargs=-1)
@click.option("--agent", metavar="FOLDER", help="Play this agent: a folder or a dotted module.")
@click.option("--config", type=click.Path(path_type=Path), help="Criteria for every file, instead of its folder's own.")
@click.option("--mode", type=click.Choice(["golden", "live"]), help="Where model turns come from (default: golden).")
@click.option("-k", "keyword", metavar="EXPR", help="Cases whose name or tag fits, as in pytest: and, or, not, ().")
@click.option("--tag", "tags", metavar="TAG", multiple=True, help="Cases with this tag; repeat for any of several.")
@click.option("--list", "list_only", is_flag=True, help="List the selected cases and stop.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), metavar="S", help="Seconds a case may take (300).")
@click.option("-j", "--jobs", type=click.IntRange(min=1), metavar="N", help="Processes that play at once (1).")
@click.option("--fail-fast", is_flag=True, help="Stop at the first case that fails or errors.")
@click.option(
    "--report", "report_dir", type=click.Path(path_type=Path), metavar="DIR", help="Where the run's files go."
)
@click.option("--format", "output", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True)
@click.option("--require-judged", is_flag=True, help="Exit with 2 if no case was judged, as when all were skipped.")
@click.option("--allow-passthrough", is_flag=True, help="Let routes with `passthrough: true` run the real tool.")
def run(list_only: bool, output: str, **given: object) -> None:
    """Play cases; see HELP."""
    given["passthrough"] = given.pop("allow_passthrough")
    options = RunOptions(**given, command_line=tuple(sys.argv[1:]))  # type: ignore[arg-type]  # click made the types
    try:
        settings = load_settings()
        if list_only:
            _list(plan(options, settings))
            return
        report, folder = _evaluate(options, settings, silent=output == "json")
    except CheckError as error:
        _refuse(output, error, [str(problem) for problem in error.problems])
    except EvalkitError as error:
        _refuse(output, error, [])
    else:
        name = "terminal" if output == "text" and sys.stdout.isatty() else output
        click.echo(render(name, report), nl=False)
        click.echo(f"report: {folder.path}", err=True)
        sys.exit(report.exit_code)


def _evaluate(options: RunOptions, settings: Settings, *, silent: bool) -> tuple[Report, RunFolder]:
    progress = choose_progress(sys.stderr, silent=silent)
    try:
        return evaluate(options, settings, progress)
    finally:
        progress.stop()


def _list(planned: Plan) -> None:
    for item in planned.cases:
        reason = f"  (skipped: {item.skipped})" if item.skipped else ""
        click.echo(f"{item.bundle.file}:{item.case.eval_id}{reason}")


def _refuse(output: str, error: EvalkitError, problems: list[str]) -> NoReturn:
    """Say why nothing was played; in JSON too, so that a program that reads it finds a whole document."""
    if output == "json":
        click.echo(json.dumps({"schema": "evalkit.refusal/1", "error": str(error), "problems": problems}, indent=2))
    for problem in problems:
        click.echo(problem, err=True)
    raise error
