"""`evalkit schema`: JSON Schemas, for editors."""

from importlib.resources import files

import click

HELP = """Print a JSON Schema, so that an editor completes keys, shows what they mean, and marks faults while you type.

\b
NAME is one of
  evalset     *.evalset.json and *.test.json, as google-adk reads them, with evalkit's own block
  config      test_config.json
  mocks       mocks.yaml
  holmes_case test_case.yaml of HolmesGPT's fixtures
  gold        gold.json, what answers are judged by, kept apart from the cases
  results     results.json of a run
  comparison  what `evalkit compare --format json` prints

\b
Examples:
  evalkit schema evalset > .vscode/evalset.schema.json
  evalkit schema mocks > mocks.schema.json
"""

SCHEMAS = {
    "evalset": ("evalkit.formats", "schemas/evalset.schema.json"),
    "config": ("evalkit.formats", "schemas/config.schema.json"),
    "mocks": ("evalkit.formats", "schemas/mocks.schema.json"),
    "gold": ("evalkit.formats", "schemas/gold.schema.json"),
    "holmes_case": ("evalkit.formats", "schemas/holmes_case.schema.json"),
    "results": ("evalkit.report", "schemas/results.schema.json"),
    "comparison": ("evalkit.report", "schemas/comparison.schema.json"),
}
"""Name of a schema: the package and the file that hold it."""


@click.command(help=HELP, short_help="Print a JSON Schema for editors.")
@click.argument("name", type=click.Choice([*SCHEMAS]))
def schema(name: str) -> None:
    """Print a schema; see HELP."""
    package, file = SCHEMAS[name]
    click.echo(files(package).joinpath(file).read_text(encoding="utf-8"), nl=False)
