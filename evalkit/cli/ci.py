"""`evalkit ci`: ready pipelines for CI services."""

import os
from pathlib import Path

import click

from evalkit.settings import load_settings
from evalkit.templates import PIPELINES, pipeline_text, write_pipeline

HELP = """Print a pipeline that evaluates your agents in CI, or write it to its place.

\b
SERVICE is one of
  github   GitHub Actions: .github/workflows/evalkit.yml
  gitlab   GitLab CI: .gitlab/evalkit.gitlab-ci.yml, to be included from .gitlab-ci.yml

Every pull or merge request is checked and replayed in golden mode: offline, without credentials, at no cost. Live runs
ask the agents' own models: every night, by hand, and for changes with the label `run-eval`, but never for forks. Both
keep the run's folder and a JUnit report.

\b
Examples:
  evalkit ci github                 print it
  evalkit ci github --write         write it; a file that is there is never overwritten
"""


@click.command(help=HELP, short_help="Print or write a pipeline for a CI service.")
@click.argument("service", type=click.Choice([*PIPELINES]))
@click.option("--write", is_flag=True, help="Write it to its place below the current folder, the repository's top.")
def ci(service: str, *, write: bool) -> None:
    """Print or write a pipeline; see HELP."""
    settings = load_settings()
    evalsets = Path(os.path.relpath(settings.root / settings.evalsets)).as_posix()
    if not write:
        click.echo(pipeline_text(service, evalsets), nl=False)
        return
    click.echo(write_pipeline(service, Path(), evalsets))
    for step in PIPELINES[service].next_steps:
        click.echo(f"next: {step}", err=True)
