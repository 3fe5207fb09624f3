"""`evalkit compare`: what changed between runs."""

import json
import os
import sys

import click

from evalkit.cli.console import in_colour
from evalkit.errors import EvalkitError
from evalkit.evaluate import RUNS
from evalkit.report.comparison import render
from evalkit.settings import load_settings
from evalkit.sides import compare_runs, open_run

HELP = """Compare stored runs: what changed, and whether that can be told from noise.

RUN is the folder of a run, or its name in .evalkit/runs, such as `latest`. The first is the measure of the others. A
run with several models counts as several, each measured by the same model in the first run if it is there; a single
such run is measured by its first model. Cases are paired by file and id.

\b
Regressions are called so only where the evidence is there:
  golden runs   replays are deterministic, so every difference is one
  verdicts      an exact test over all cases (McNemar's; with repeats, over the runs of each case), and with repeats one
                for each case
  scores        a bootstrap with a fixed seed, over cases if there are six, else over the runs of each if it has six
Everything else that differs is told, with `not enough runs to tell`. Runs that could not be judged, or had no model to
ask, are no evidence; nor are cases that were edited, are known to fail or are in quarantine.

\b
Examples:
  evalkit compare baseline latest                 two runs
  evalkit compare .evalkit/runs/2026*             several, each against the first
  evalkit compare latest                          the models of one run, side by side
  evalkit compare baseline latest --format markdown > comparison.md

\b
Exit code: 1 for a regression; else 2 if a case is not judged any more, or there is nothing to compare; else 0.
"""


@click.command(help=HELP, short_help="Compare stored runs.")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option("--format", "output", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True)
@click.pass_context
def compare(ctx: click.Context, runs: tuple[str, ...], output: str) -> None:
    """Compare runs; see HELP."""
    kept = load_settings().root / RUNS
    try:
        comparison = compare_runs([open_run(name, kept) for name in runs])
    except EvalkitError as error:
        if output == "json":
            click.echo(json.dumps({"schema": "evalkit.refusal/1", "error": str(error), "problems": []}, indent=2))
        raise
    colour = output == "text" and in_colour(sys.stdout, os.environ)
    click.echo(render("terminal" if colour else output, comparison), nl=False, color=colour)
    ctx.exit(comparison.exit_code)
