"""`evalkit convert`: what other systems evaluate agents by, as evalsets and mocks."""

import importlib
import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evalkit.adapters import ADAPTERS
from evalkit.errors import EvalkitError

if TYPE_CHECKING:
    from evalkit.adapters.holmes.conversion import Conversion

_PLAYABLE = ("replayable", "replayable_with_notes", "mixed")

HELP = """Convert what other systems evaluate agents by into evalsets, mocks and criteria.

SYSTEM is one of the commands below; ask it for its own --help.
"""

HOLMES_HELP = """Convert HolmesGPT's fixtures into evalsets, mocks and gold, for any ADK agent.

SRC is the folder of suites (tests/llm/fixtures), one suite, or one fixture; or a folder, an archive or the address of
an archive in which such a folder lies somewhere, such as that of the whole repository. Nothing of a fixture is run.

\b
What is written for each fixture, to DST/SUITE/FIXTURE/:
  FIXTURE.evalset.json   its cases: one, or one for each prompt of a list; what only evalkit reads is under `evalkit`
  mocks.yaml             what the recordings answer, the most specific first; and the tools, for agents without them
  gold.json              what is expected, apart from the case, so that it is read only after the answer
  test_config.json       the criteria: holmes_correctness gates, efficiency and evidence_touched inform
  files/                 what its scripts need; they run only in `evalkit run --live-setup`
What a fixture has in evalkit.golden.yaml (calls: [{name, args}], answer: text), which HolmesGPT ignores, is what a
golden run replays; without it a case needs a model. DST/conversion.json lists every case with its status and all
notes. Converting again replaces what was written before, changes nothing else, and gives the same bytes for the same
fixtures.

\b
Status of a case, one line each on standard output, followed by the codes of its notes:
  replayable               recordings answer
  replayable_with_notes    recordings answer, and a warning says what to know about them
  mixed                    recordings may answer for some toolsets; the rest needs a live run
  needs_live               no recording may answer; skipped, unless by run --live-setup or --allow-empty
  unsupported, not_a_case  nothing that asks an agent
  error                    HolmesGPT could not use it either

\b
Examples:
  evalkit convert holmes holmesgpt/tests/llm/fixtures evals/holmes
  evalkit convert holmes fixtures/test_ask_holmes/38_rabbitmq_split_head evals/holmes
  evalkit convert holmes https://example.com/holmesgpt.tar.gz evals/holmes --sha256 4f1d…
  evalkit run evals/holmes --agent evalkit.adk.bare --mode live --model gemini-2.5-flash

\b
Exit code: 0; 1 if a case is an error, or with --strict if anything of severity `warn` was noted; 2 if SRC or DST cannot
be used.
"""


class _Systems(click.Group):
    """A group that says which systems there are when it is asked for another."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            ctx.fail(f"no system is called {args[0]!r}; there is {', '.join(ADAPTERS)}")
        return super().resolve_command(ctx, args)


@click.group(cls=_Systems, help=HELP, short_help="Convert other systems' cases.", subcommand_metavar="SYSTEM SRC DST")
def convert() -> None:
    """Convert; see HELP."""


@convert.command(help=HOLMES_HELP, short_help="HolmesGPT's fixtures: prompts, recordings, live setups.")
@click.argument("src", metavar="SRC")
@click.argument("dst", metavar="DST", type=click.Path(path_type=Path))
@click.option("--strict", is_flag=True, help="Exit with 1 if anything of severity `warn` was noted.")
@click.option(
    "--holmes-head",
    "literal_star",
    is_flag=True,
    help='Read "*" in a recording literally, as HolmesGPT does since July 2025; else it takes any value.',
)
@click.option("--null-matches-absent", is_flag=True, help="Let a recorded null also match an argument left out.")
@click.option(
    "--response",
    type=click.Choice(["structured", "holmes-text"]),
    default="structured",
    show_default=True,
    help="What tools reply: status, data and error apart, or the text that HolmesGPT shows its model.",
)
@click.option(
    "--profile",
    type=click.Choice(["holmes", "self-answer"]),
    default="holmes",
    show_default=True,
    help="Whose rules say how a case is judged: HolmesGPT's own, or those of self-answer, which is loose by default.",
)
@click.option("--inline-gold", is_flag=True, help="Also write rubrics into the evalset, for plain `adk eval`.")
@click.option(
    "--expect",
    type=click.Choice(["recorded-success"]),
    help="Expect the calls that recordings answered with success: a guess, which informs and does not gate.",
)
@click.option(
    "--final-response", type=click.Choice(["joined"]), help="Write the expected output, joined, as the golden answer."
)
@click.option("--force", is_flag=True, help="Replace converted files even where somebody has changed them since.")
@click.option("--sha256", metavar="HEX", help="The digest that the archive must have; an address needs one.")
@click.option("--cache", type=click.Path(path_type=Path), metavar="DIR", help="Where archives are unpacked and kept.")
@click.option("--format", "output", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Short for --format json.")
@click.pass_context
def holmes(
    ctx: click.Context, /, *, src: str, dst: Path, strict: bool, output: str, as_json: bool, **given: Any
) -> None:
    """Convert HolmesGPT's fixtures; see HOLMES_HELP."""
    output = "json" if as_json else output
    try:
        done = _converted(src, dst, **given)
    except EvalkitError as error:
        if output == "json":
            click.echo(json.dumps({"schema": "evalkit.refusal/1", "error": str(error), "problems": []}, indent=2))
        raise
    click.echo(_as_json(done) if output == "json" else _as_text(done, dst))
    if output == "text" and (step := _next_step(done, dst)):
        click.echo(f"next: {step}", err=True)
    if strict and done.warned:
        click.echo("evalkit: --strict: notes of severity `warn` are among these; see conversion.json", err=True)
    ctx.exit(1 if done.failed or (strict and done.warned) else 0)


def _converted(  # noqa: PLR0913 - the flags that are no options of the conversion itself
    src: str,
    dst: Path,
    *,
    force: bool,
    sha256: str | None,
    cache: Path | None,
    expect: str | None,
    final_response: str | None,
    **options: Any,
) -> "Conversion":
    from evalkit.adapters.holmes.nouns import Options
    from evalkit.adapters.sources import open_source

    module, _, name = ADAPTERS["holmes"].partition(":")
    run = getattr(importlib.import_module(module), name)
    chosen = Options(expect_recorded=expect is not None, joined_answer=final_response is not None, **options)
    with open_source(src, sha256=sha256, cache=cache) as source:
        archive = None if Path(src).is_dir() else Path(src).name.partition(".")[0] or None
        done: Conversion = run(source, dst, chosen, force=force, name=archive)
    return done


def _as_json(done: "Conversion") -> str:
    value = {
        "schema": "evalkit.convert/1",
        "totals": done.totals,
        "kept_fixtures": done.kept,
        "cases": done.entries,
    }
    return json.dumps(value, indent=2, ensure_ascii=False)


def _as_text(done: "Conversion", dst: Path) -> str:
    from evalkit.adapters.holmes.summary import lines
    from evalkit.findings.text import visible

    return visible("\n".join(lines(done, dst)))


def _next_step(done: "Conversion", dst: Path) -> str:
    """Return the command that plays what was converted, if recordings can answer in any case of it."""
    command = f"evalkit run {shlex.quote(str(dst))} --agent AGENT --mode live"
    return command if any(done.totals[status] for status in _PLAYABLE) else ""
