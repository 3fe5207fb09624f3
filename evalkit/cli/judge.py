"""`evalkit judge`: what judges there are, and whether one is to be trusted."""

import asyncio
import sys
from pathlib import Path

import click

from evalkit.errors import SettingsError
from evalkit.judges.calibration import Agreement, calibrate, read_labelled
from evalkit.judges.kinds import check_name
from evalkit.judges.panel import Pace, Panel
from evalkit.redaction.redactor import Redactor
from evalkit.report.agreement import as_json, as_text
from evalkit.settings import load_settings

HELP = """Judges: who decides about rubrics that have no check, and about answers that have a reference.

\b
A judge has a name, for `judge` under [tool.evalkit], --judge, or a criterion's judge_model_options:
  gemini-2.5-flash                          any model that ADK can name, with ADK's credentials
  https://HOST/v1?model=NAME&key=VARIABLE   an OpenAI-compatible endpoint; VARIABLE holds the key
  python:package.module:function            a function of your own: a dict in, the answer out

Without a judge nothing leaves this machine: rubrics with a `check` are judged, the others are not, and a case that
needs them is inconclusive.
"""

CALIBRATE = """Compare a judge's verdicts with those of people, on the labelled answers in FILE.

\b
FILE is a JSON list or JSON Lines of answers:
  {"user": "How far is orders behind?", "answer": "It is 75 behind.",
   "tool_calls": [{"tool": "get_lag", "arguments": {}, "returned": {"lag": 75}}],
   "rubrics": [{"rubric_id": "lag", "rubric_content": {"text_property": "It names the lag."}, "label": "yes"}]}
or, to calibrate the match of answers, {"user": …, "answer": …, "reference": …, "label": "no"}.

Reported are accuracy, Cohen's kappa (agreement beyond chance), and the false passes: answers that people do not pass
and the judge does, with a 95% interval. A judge that passes what it should not is worse than none.

\b
Exit code: 1 if a limit is not met; else 2 if an answer could not be judged, or the file cannot be used; else 0.
"""


@click.group(help=HELP, short_help="Judges, and whether to trust them.")
def judge() -> None:
    """Tell about judges; see HELP."""


@judge.command("calibrate", help=CALIBRATE, short_help="Compare a judge with people.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--judge", "name", metavar="NAME", help="The judge (default: that of the settings).")
@click.option("--samples", type=click.IntRange(min=1), default=1, show_default=True, help="Answers to each question.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), default=Pace().timeout, help="Seconds a request.")
@click.option("--min-kappa", type=click.FloatRange(-1, 1), metavar="K", help="Exit with 1 below this agreement.")
@click.option(
    "--max-false-passes", type=click.FloatRange(0, 1), metavar="SHARE", help="Exit with 1 if more are passed wrongly."
)
@click.option("--format", "output", type=click.Choice(["text", "json"]), default="text", show_default=True)
def calibrate_judge(file: Path, name: str | None, samples: int, output: str, **limits: float | None) -> None:
    """Calibrate a judge; see CALIBRATE."""
    settings = load_settings()
    chosen = name or settings.judge
    if chosen is None:
        raise SettingsError('no judge: add --judge NAME, or write `judge = "gemini-2.5-flash"` under [tool.evalkit]')
    check_name(chosen, "--judge" if name else "[tool.evalkit] judge")
    redactor = Redactor.of_process()
    panel = Panel(settings.root, Pace(timeout=limits["timeout"] or Pace().timeout), redactor.text)
    items = read_labelled(file)
    click.echo(f"evalkit: {len(items)} questions to {redactor.text(chosen)}", err=True)
    found = redactor.clear(asyncio.run(calibrate(items, chosen, panel, samples=samples)))
    click.echo((as_json if output == "json" else as_text)(found), nl=False)
    missed = _missed(found, limits["min_kappa"], limits["max_false_passes"])
    for line in missed:
        click.echo(f"evalkit: {line}", err=True)
    sys.exit(1 if missed else 2 if found.unjudged else 0)


def _missed(found: Agreement, min_kappa: float | None, max_false_passes: float | None) -> list[str]:
    """Say which limits are not met; a figure that is not defined meets none."""
    missed = []
    if min_kappa is not None and (found.kappa is None or found.kappa < min_kappa):
        missed.append(f"kappa is {'not defined' if found.kappa is None else f'{found.kappa:.3f}'}, below {min_kappa:g}")
    wrong, of = found.false_passes
    if max_false_passes is not None and (not of or wrong / of > max_false_passes):
        missed.append(
            f"{wrong} of {of} are passed wrongly, more than a share of {max_false_passes:g} or too few to say"
        )
    return missed
