"""`evalkit adk eval`: ADK's own command, with mocks and mode in place and its false greens turned red."""

import os
import sys
from pathlib import Path

import click

from evalkit.cli.console import in_colour
from evalkit.errors import InputError
from evalkit.plan import CheckError, RunOptions
from evalkit.report import render
from evalkit.settings import load_settings

HELP = """Run ADK's own `adk eval`, over mocks, with the verdicts of `evalkit run`.

ARGUMENTS are those of `adk eval`: AGENT_DIR, then evalset files or ids of the evalsets in AGENT_DIR, with case ids
behind a colon if not all cases are meant, and ADK's own options. ADK loads, infers, evaluates, prints and stores its
results as always; evalkit plays the cases over mocks.yaml, and each result says what evalkit's verdict says: PASSED for
passed, FAILED for failed and error, NOT_EVALUATED for inconclusive.

\b
What plain `adk eval` lets pass, and this does not:
  a metric that nobody knows, or whose judge could not run, beside one that passed
  --config_file_path of a file that is not there, and several files whose test_config.json is passed over
  a case id that does not exist, in a list with others
  expected no calls under IN_ORDER or ANY_ORDER, though calls were made
  a call that no mock answers, and whatever else the `evalkit` block of a case demands

\b
Examples:
  evalkit adk eval agents/kafka_health evalsets/kafka_health/kafka_lag.test.json
  evalkit adk eval agents/kafka_health evalsets/kafka_health/kafka_lag.test.json:lag_of_a_group,lag_on_one_topic
  evalkit adk eval agents/kafka_health evalsets/kafka_health/kafka_lag.test.json --print_detailed_results
  evalkit adk eval --evalkit-mode live agents/kafka_health evalsets/kafka_health/kafka_lag.test.json

Needs google-adk's extra `eval`: pip install 'adk-evalkit[adk-eval]'. ADK's own options: adk eval --help.

\b
Exit code: 1 if a case failed or errored; else 2 if one is inconclusive, nothing was selected, or the input could not be
used; else 0.
"""


@click.group(short_help="Run ADK's own commands with evalkit in place: eval.")
def adk() -> None:
    """Run commands of ADK's in this process, with evalkit in place."""


@adk.command(
    "eval",
    help=HELP,
    short_help="ADK's own `adk eval`, over mocks, with evalkit's verdicts.",
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": True},
)
@click.option(
    "--evalkit-mode",
    "mode",
    type=click.Choice(["golden", "live"]),
    help="Where model turns come from: golden plays each case's own back (default), live asks the agent's models.",
)
@click.option(
    "--evalkit-report",
    "report_dir",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Where evalkit's files of the run go, instead of a new folder below .evalkit/runs.",
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="ARGUMENTS...")
def evaluate(arguments: tuple[str, ...], **given: object) -> None:
    """Run `adk eval`; see HELP."""
    from evalkit.hosting.command import adk_eval  # loads ADK, which --help need not

    options = RunOptions(**given, command_line=tuple(sys.argv[1:]))  # type: ignore[arg-type]  # click made the types
    try:
        report, folder = adk_eval(arguments, options, load_settings(), _tell)
    except CheckError as error:
        for problem in error.problems:
            click.echo(str(problem), err=True)
        raise
    except click.UsageError:
        raise
    except click.ClickException as error:
        raise InputError(f"adk eval: {error.format_message()}") from error
    colour = in_colour(sys.stdout, os.environ)
    click.echo()
    click.echo(render("terminal" if colour else "text", report), nl=False, color=colour)
    click.echo(f"report: {folder.path}", err=True)
    sys.exit(report.exit_code)


def _tell(line: str) -> None:
    click.echo(f"evalkit: {line}", err=True)
