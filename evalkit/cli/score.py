"""`evalkit score`: the outcomes of a stored run judged again."""

import os
import sys
from pathlib import Path
from typing import Any

import click

from evalkit.cli.console import is_github
from evalkit.cli.gates import gate_options, take_gates
from evalkit.cli.prices import price_option, with_prices
from evalkit.cli.printing import print_report, refuse
from evalkit.cli.publishing import Publisher
from evalkit.cli.reporting import report_options
from evalkit.errors import EvalkitError
from evalkit.report.progress import PlainProgress, Progress, SilentProgress
from evalkit.rescoring.options import ScoreOptions
from evalkit.rescoring.rescore import score_again
from evalkit.settings import load_settings

HELP = """Judge a stored run again, by other criteria or other expectations, without playing it.

RUN is the folder of a run, or its name in .evalkit/runs, such as `latest`. It stays as it is: the new verdicts are a
run of their own, and the report begins with what changed. No agent is loaded, and no agent's model asked.

\b
By what it is judged:
  as it was                   the cases and criteria that the run used; with what is new in scorers, prices and gates
  --config FILE               these criteria for every file
  --current                   the evalsets, and the configs beside them, as they are now
  --current --config FILE     the evalsets as they are now, by these criteria

\b
With --current a case that asks something else now than what was played, or in a replay has other expected calls or
another answer, is inconclusive: its outcome is another's. A case that is gone or to be skipped now is skipped.

A judge is asked only if --judge or `judge` under [tool.evalkit] names one. What a judge said before holds where neither
the case nor the rubrics changed, so that another threshold costs nothing; --judge asks anew.

How often cases must pass is what flags say here, else what they said when the run was played, else the settings.

\b
Examples:
  evalkit score latest                                   after an upgrade of evalkit: does anything change?
  evalkit score latest --config stricter.json            by other criteria
  evalkit score latest --current                         after I mended an expectation or a threshold
  evalkit score latest --evalset lag.test.json:stuck     a single case
  evalkit score nightly --judge gemini-2.5-flash         what no program can judge, by this judge
  evalkit score nightly --min-pass-rate 0.8              four runs of five are enough

\b
Exit code: 1 if a case failed or errored; else 2 if one is inconclusive, nothing was selected, or the input could not be
used; else 0.
"""


@click.command(help=HELP, short_help="Judge a stored run again.")
@click.argument("run", metavar="RUN")
@click.option("--current", is_flag=True, help="By the evalsets and configs as they are now.")
@click.option("--config", type=click.Path(path_type=Path), help="Criteria for every file, instead of its own.")
@click.option(
    "--evalset",
    "chosen",
    metavar="PATH[:CASE,CASE]",
    multiple=True,
    help="Only this evalset of the run, or these cases of it; repeat for others.",
)
@click.option("--judge", metavar="NAME", help="Who judges rubrics and answers; see `evalkit judge --help`.")
@gate_options
@price_option
@report_options
def score(output: str, junit: Path | None, github: bool | None, **given: Any) -> None:
    """Judge a run again; see HELP."""
    case, suite = take_gates(given)
    prices = given.pop("prices")
    options = ScoreOptions(**given, gate=case, suite=suite, command_line=tuple(sys.argv[1:]))
    publisher = Publisher(junit, on_github=is_github(os.environ) if github is None else github)
    progress: Progress = SilentProgress() if output == "json" else PlainProgress(sys.stderr, show=publisher.shown_line)
    try:
        publisher.begin()
        report, folder = score_again(options, with_prices(load_settings(), prices), progress)
    except EvalkitError as error:
        refuse(output, error, publisher)
    published = publisher.report(report)
    print_report(report, folder, output, publisher)
    sys.exit(report.exit_code if published else report.exit_code or 2)
