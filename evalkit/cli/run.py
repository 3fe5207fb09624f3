"""`evalkit run`: check, play, score, report."""

import os
import sys
from pathlib import Path
from typing import Any

import click

from evalkit.adk_history import keep_history
from evalkit.cli.consent import ask_for_setups
from evalkit.cli.console import in_place, is_github
from evalkit.cli.gates import gate_options, take_gates
from evalkit.cli.live import live_options
from evalkit.cli.prices import price_option, with_prices
from evalkit.cli.printing import print_report, refuse
from evalkit.cli.publishing import Publisher
from evalkit.cli.reporting import report_options
from evalkit.errors import EvalkitError
from evalkit.evaluate import evaluate
from evalkit.plan import Plan, RunOptions, plan
from evalkit.report.model import Report
from evalkit.report.progress import Progress, choose_progress
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
In live mode each agent asks its own model, which costs money; tools are answered by the same mocks. First each agent's
model is told with where it comes from: in code, a variable, inherited, --model. One that nobody chose, since its
variable is not set or the agent names none, stops the run; cases of agents without credentials are skipped.

\b
A case that is converted from a live system may need a *live setup*: scripts (before_test, after_test), variables,
port-forwards. Without --live-setup it is skipped, or with --allow-empty played over the mocks that there are. With
--live-setup, which asks first (or takes --yes), each such case is played alone: before_test runs by `bash -eo pipefail`
in a fresh copy of the case's folder, where the agent then works too; the agent's tools run for real, save those that
the case lists under mocked_tools; mocks and their fakes answer nothing else. If before_test fails, the case is an error
and the agent is not asked. after_test always runs, also after Ctrl-C, and then every process is ended that the scripts
left, on Linux also those that made themselves daemons. Output, exit codes and files are in the results.

\b
Examples:
  evalkit run                                    every evalset of the project
  evalkit run evalsets/kafka_health              one folder
  evalkit run evalsets/kafka_health/lag.test.json:growing,stuck
  evalkit run -k "lag and not slow" --tag kafka  by name and by tag
  evalkit run converted --case 38_rab            one case by name or the beginning of it, whatever its tags are
  evalkit run converted --mode live --live-setup --tag easy      with the cases' own scripts and real tools
  evalkit run --list                             what would be run
  evalkit run -j 2 --report out --format json    two processes; files in out/, JSON on standard output
  evalkit run --mode live --model gemini-2.5-flash --model gemini-2.5-pro     live, two models side by side
  evalkit run --mode live --runs 5 --min-pass-rate 0.8      each case five times, of which four must pass
  evalkit run --baseline latest                  and what changed since the last run; exit 1 for a regression
  evalkit run --junit junit.xml                  also a report that CI services read; `evalkit ci` has whole pipelines

\b
With --runs N each case is played N times, each with a fresh session and fresh mocks. It must pass every time, unless
its own min_pass_rate or min_lower_bound, the settings or a flag say how often. A run with an error, or one that could
not be judged, did not pass. Golden replays are deterministic: repeats show that they are.

In CI the log has plain lines, the last one with all counts. In GitHub Actions the cases that did not pass are annotated
where they stand in their files, and the step gets a summary. FORCE_COLOR and NO_COLOR are heeded.

\b
Exit code: 1 if a case failed or errored, or --baseline shows a regression; else 2 if one is inconclusive, nothing was
selected, or the input could not be used; else 0.
"""


@click.command(help=HELP)
@click.argument("paths", metavar="[PATH[:CASE,CASE]]...", nargs=-1)
@click.option(
    "--agent", metavar="FOLDER", help="Play this agent: a folder, a dotted module, or its name in the project."
)
@click.option("--config", type=click.Path(path_type=Path), help="Criteria for every file, instead of its folder's own.")
@click.option("--mode", type=click.Choice(["golden", "live"]), help="Where model turns come from (default: golden).")
@click.option(
    "--model", "models", metavar="NAME", multiple=True, help="Live: ask this model instead; repeat to compare several."
)
@click.option(
    "--scenarios", is_flag=True, help="Live: let a model play the user of cases with a conversation_scenario."
)
@click.option("--streaming", is_flag=True, help="Live: ask models for their answers in pieces, as a chat does (SSE).")
@click.option("-k", "keyword", metavar="EXPR", help="Cases whose name or tag fits, as in pytest: and, or, not, ().")
@click.option("--tag", "tags", metavar="TAG", multiple=True, help="Cases with this tag; repeat for any of several.")
@click.option(
    "--case", "cases", metavar="NAME", multiple=True, help="This case alone, by name or the beginning; repeatable."
)
@click.option("--list", "list_only", is_flag=True, help="List the selected cases and stop.")
@click.option("--runs", type=click.IntRange(min=1), metavar="N", default=1, help="How often to play each case (1).")
@gate_options
@click.option("--timeout", type=click.FloatRange(0, min_open=True), metavar="S", help="Seconds a case may take (300).")
@click.option("-j", "--jobs", type=click.IntRange(min=1), metavar="N", help="Processes that play at once (1).")
@price_option
@click.option("--judge", metavar="NAME", help="Who judges rubrics and answers; see `evalkit judge --help`.")
@click.option("--fail-fast", is_flag=True, help="Stop at the first case that fails or errors.")
@click.option("--baseline", metavar="RUN", help="Compare with this stored run (see `evalkit compare`).")
@report_options
@click.option("--adk-history", is_flag=True, help="Also keep the results where `adk web` shows an agent's history.")
@live_options
@click.option("--allow-passthrough", is_flag=True, help="Let routes with `passthrough: true` run the real tool.")
def run(list_only: bool, output: str, junit: Path | None, github: bool | None, adk_history: bool, **given: Any) -> None:
    """Play cases; see HELP."""
    given["passthrough"] = given.pop("allow_passthrough")
    agreed = given.pop("yes")
    case, suite = take_gates(given)
    prices = given.pop("prices")
    options = RunOptions(**given, gate=case, suite=suite, command_line=tuple(sys.argv[1:]))
    publisher = Publisher(junit, on_github=is_github(os.environ) if github is None else github)
    try:
        if list_only:
            _list(plan(options, load_settings()))
            return
        if options.live_setup:
            ask_for_setups(plan(options, load_settings()), given=agreed)
        publisher.begin()
        progress = _progress(publisher, silent=output == "json")
        report, folder = _evaluate(options, with_prices(load_settings(), prices), progress)
    except EvalkitError as error:
        refuse(output, error, publisher)
    published = publisher.report(report)
    kept = _keep_history(report, folder) if adk_history else True
    print_report(report, folder, output, publisher)
    sys.exit(report.exit_code if published and kept else report.exit_code or 2)


def _progress(publisher: Publisher, *, silent: bool) -> Progress:
    redrawn = in_place(sys.stderr, os.environ) and not publisher.on_github
    return choose_progress(sys.stderr, in_place=redrawn, silent=silent, show=publisher.shown_line)


def _evaluate(options: RunOptions, settings: Settings, progress: Progress) -> tuple[Report, RunFolder]:
    try:
        return evaluate(options, settings, progress)
    finally:
        progress.stop()


def _keep_history(report: Report, folder: RunFolder) -> bool:
    """Keep the results for `adk web` too, and return whether that could be done."""
    try:
        for line in keep_history(report, folder):
            click.echo(f"evalkit: {line}", err=True)
    except EvalkitError as error:
        click.echo(f"evalkit: {error}", err=True)
        return False
    return True


def _list(planned: Plan) -> None:
    for item in planned.cases:
        reason = f"  (skipped: {item.skipped})" if item.skipped else ""
        click.echo(f"{item.bundle.file}:{item.case.eval_id}{reason}")
