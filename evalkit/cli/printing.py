"""How a command shows what came of cases, or why there is nothing to show; the same for all that come to verdicts."""

import json
import os
import sys
from dataclasses import replace
from typing import NoReturn

import click

from evalkit.cli.console import in_colour
from evalkit.cli.publishing import Publisher
from evalkit.errors import EvalkitError, Problem
from evalkit.plan import CheckError
from evalkit.redaction.redactor import Redactor
from evalkit.report import render
from evalkit.report.model import Report
from evalkit.runs import RunFolder


def print_report(report: Report, folder: RunFolder, output: str, publisher: Publisher) -> None:
    """Print the report and where its files are, in that order, save that a text's last line, the counts, comes last."""
    colour = output == "text" and in_colour(sys.stdout, os.environ)
    lines = publisher.shown(render("terminal" if colour else output, report)).splitlines(keepends=True)
    closing = [lines.pop()] if output == "text" else []
    click.echo("".join(lines), nl=False, color=colour)
    click.echo(f"report: {folder.path}", err=True)
    click.echo("".join(closing), nl=False, color=colour)


def refuse(output: str, error: EvalkitError, publisher: Publisher) -> NoReturn:
    """Say why there are no verdicts; in JSON too, so that a program that reads it finds a whole document.

    Raises:
        EvalkitError: Always: the error, for the message and the exit code.
    """
    redactor = Redactor.of_process()
    reason = redactor.text(str(error))
    found = [_without_secrets(problem, redactor) for problem in error.problems] if isinstance(error, CheckError) else []
    publisher.refusal(reason, found)
    problems = [publisher.shown(str(problem)) for problem in found]
    if output == "json":
        click.echo(json.dumps({"schema": "evalkit.refusal/1", "error": reason, "problems": problems}, indent=2))
    for problem in problems:
        click.echo(problem, err=True)
    raise error


def _without_secrets(problem: Problem, redactor: Redactor) -> Problem:
    """Return a problem that quotes none of the secrets of its file."""
    hint = problem.hint and redactor.text(problem.hint)
    return replace(problem, path=redactor.text(problem.path), message=redactor.text(problem.message), hint=hint)
