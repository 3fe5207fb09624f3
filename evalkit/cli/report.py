"""`evalkit report`: a stored run, shown again."""

import json
import os
import sys
from pathlib import Path

import click

from evalkit.cli.console import in_colour
from evalkit.errors import EvalkitError, InputError, SettingsError
from evalkit.evaluate import RUNS
from evalkit.report import render
from evalkit.report.holmes import HOLMES_FOLDER, write_holmes_report
from evalkit.report.stored_report import stored_report
from evalkit.runs import OWN_FILES, RUN_FILE, RunFolder
from evalkit.settings import load_settings
from evalkit.sides import open_run
from evalkit.storage import explained, write_atomically

FORMATS = {
    "text": ("text", "report.txt"),
    "html": ("html", "report.html"),
    "md": ("markdown", "report.md"),
    "markdown": ("markdown", "report.md"),
    "json": ("json", "results.json"),
    "junit": ("junit", "junit.xml"),
}
"""Name of a format: its renderer, and what its file is called in a folder."""

HELP = """Show a stored run: on the terminal, as a page for a browser, as Markdown, JSON or JUnit XML.

RUN is the folder of a run, or its name in .evalkit/runs, such as `latest`. Nothing is played or judged again.

\b
Formats:
  text    what `evalkit run` printed
  html    one page that holds all it needs: each case with its turns, calls expected and made, replies and scores
  md      report.md of the run
  json    results.json of the run (`evalkit schema results` describes it)
  junit   a JUnit report for CI services

\b
Styles:
  holmes  results.json, report.md and latest-results.md as users of HolmesGPT know them, with each prompt, the answer
          word for word, and what is missing; what is expected is read from the gold files now. Written to `holmes`
          in the folder of the run, or where --output says.

\b
Examples:
  evalkit report latest
  evalkit report latest --output report.html
  evalkit report nightly --format junit --output reports/          reports/junit.xml
  evalkit report latest --style holmes

\b
Exit code: that of the run: 1 if a case failed or errored; else 2 if one is inconclusive; else 0. It is 2 too if the run
cannot be read, or the report not be written.
"""


@click.command(help=HELP, short_help="Show a stored run.")
@click.argument("run", metavar="RUN")
@click.option(
    "--format",
    "output_format",
    type=click.Choice([*FORMATS]),
    help="What to write; else as the name of --output ends, else text.",
)
@click.option("--style", type=click.Choice(["holmes"]), help="Write the files that another tool's users know.")
@click.option(
    "--output",
    metavar="FILE|DIR",
    help="Where to write it, instead of standard output; in a folder it gets its usual name.",
)
@click.pass_context
def report(ctx: click.Context, run: str, output_format: str | None, style: str | None, output: str | None) -> None:
    """Show a stored run; see HELP."""
    try:
        code = _holmes(run, output_format, output) if style else _show(run, output_format or _format_of(output), output)
    except EvalkitError as error:
        if output_format == "json" and output is None:
            click.echo(json.dumps({"schema": "evalkit.refusal/1", "error": str(error), "problems": []}, indent=2))
        raise
    ctx.exit(code)


def _format_of(output: str | None) -> str:
    """Tell the format by the name of the file to write: `lag.html` is a page."""
    suffix = Path(output or "").suffix.lower()
    return next((name for name, (_, file) in FORMATS.items() if suffix and file.endswith(suffix)), "text")


def _show(run: str, output_format: str, output: str | None) -> int:
    """Show a run in one of `FORMATS`, and return its exit code."""
    name, file = FORMATS[output_format]
    found = stored_report(_opened(run), with_plays=name == "html")
    if output is None:
        colour = name == "text" and in_colour(sys.stdout, os.environ)
        click.echo(render("terminal" if colour else name, found), nl=False, color=colour)
    else:
        path = _place(output, file)
        write_atomically(path, render(name, found))
        click.echo(f"report: {path}", err=True)
    return found.exit_code


def _holmes(run: str, output_format: str | None, output: str | None) -> int:
    """Write the files of the style, and return the exit code of the run."""
    if output_format is not None:
        raise SettingsError("--style holmes writes its own three files; leave out --format")
    folder = _opened(run)
    found = stored_report(folder, with_plays=True)
    target = Path(output) if output else folder.path / HOLMES_FOLDER
    written = write_holmes_report(found, folder.path, target, load_settings().root)
    click.echo(f"report: {written}", err=True)
    return found.exit_code


def _opened(run: str) -> RunFolder:
    return open_run(run, load_settings().root / RUNS)


def _place(output: str, file: str) -> Path:
    """Find the file to write, and make sure that it is none that a run consists of.

    Raises:
        InputError: It is, or its folder cannot be made.
    """
    named = Path(output)
    is_folder = named.is_dir() or output.endswith(("/", os.sep)) or not named.suffix
    path = named / file if is_folder else named
    if path.name in OWN_FILES and (path.parent / RUN_FILE).exists():
        raise InputError(f"{path}: is a file of the run itself; name another")
    with explained(path.parent, "cannot write a report here"):
        path.parent.mkdir(parents=True, exist_ok=True)
    return path
