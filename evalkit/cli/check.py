"""`evalkit check`: what is wrong in files, and what to write instead."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

import click

from evalkit.check import CheckReport, check as check_files
from evalkit.errors import EvalkitError, SettingsError
from evalkit.findings import RENDERERS, render
from evalkit.formats.rules import RULES, UNREADABLE
from evalkit.formats.spelling import closest
from evalkit.settings import Settings, load_settings

HELP = """Find what is wrong in evalsets, eval configs and mocks files.

PATH is a folder, which is searched for *.evalset.json, *.test.json, test_config.json and mocks.yaml, or a file of any
name. With an evalset its config and its mocks are checked too. Nothing is played, and ADK is not imported.

Raw fixtures of HolmesGPT (folders with a test_case.yaml, side files and recordings *.txt) are checked by its own rules:
what HolmesGPT refuses, drops without a word, or takes in another way than meant.

With --agent or --with-agents the agent is imported, though never run, and the files are compared with it: do the tools,
arguments and agents exist that they name, would a model make the expected calls, are the mocks what the tools reply?

\b
Each problem is one line on standard output:
  file:line:column: error[rule] $.path: what is wrong (what to write instead)

An error means that ADK refuses the file, or that nothing, or something else than meant, would be judged. Warnings and
notes leave the exit code alone, unless --strict is given. --explain says more about a rule. Rules are switched off by
--ignore, or for a project by ignore = ["RULE"] under [tool.evalkit] in pyproject.toml.

--fix mends what needs no judgement: the old list forms, camelCase at the top, calls without args, misspelt keys and
words, a word for a list of words, trailing commas, a byte order mark. The rest of a file stays as it is, to the
character. --diff shows what it would change as a diff on standard output, and what would remain on standard error; it
changes nothing.

\b
Examples:
  evalkit check evalsets/                     every evalset of the project, with configs and mocks
  evalkit check agents/*/tests/evals          where ADK projects often keep them
  evalkit check lag.test.json                 one file, and test_config.json and mocks.yaml beside it
  evalkit check tests/llm/fixtures            fixtures of HolmesGPT, with their recordings
  evalkit check evalsets/ --diff              what --fix would change
  evalkit check evalsets/ --format json       for programs; github and gitlab mark changes, sarif is for code hosts
  evalkit check --explain legacy-form         what a rule finds and why, with an example; without a name all rules
  evalkit check --explain trajectory          how a case says which calls are right, and what others call it
  evalkit check --agent agents/kafka evals/   against this agent's tools and instructions
  evalkit check --with-agents evalsets/       each evalset against the agent that `evalkit run` would play

\b
Exit code: 0 without errors, 2 with errors or when a path or an agent cannot be used; with --diff 2 if a file would
change or an error remain; with --strict 2 also with warnings.
"""


class _Options(NamedTuple):
    """What the command line asks for, beside the paths."""

    output: str
    agent: str | None
    with_agents: bool
    strict: bool
    ignore: tuple[str, ...]
    fix: bool
    diff: bool


def _explain(ctx: click.Context, _option: click.Parameter, rule: str | None) -> None:
    """Explain a rule or a topic, or list them all, and be done."""
    if rule is None:
        return
    from evalkit.formats.explanations import TOPICS, explanation, overview, topic

    try:
        if rule in TOPICS:
            click.echo(topic(rule))
        else:
            click.echo(explanation(_known(rule, "--explain")) if rule else overview())
    except SettingsError as error:
        raise click.UsageError(str(error)) from error
    ctx.exit()


@click.command(help=HELP, short_help="Find what is wrong in files.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--format", "output", type=click.Choice([*RENDERERS]), default="text", show_default=True)
@click.option("--strict", is_flag=True, help="Let warnings count as errors.")
@click.option("--ignore", metavar="RULE", multiple=True, help="Switch a rule off; may be given more than once.")
@click.option("--fix", is_flag=True, help="Mend what needs no judgement, then check.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing.")
@click.option(
    "--agent", metavar="FOLDER", help="Check also against this agent: a folder, a dotted module, or its name."
)
@click.option("--with-agents", is_flag=True, help="Check also against each evalset's own agent, found as in a run.")
@click.option(
    "--explain",
    metavar="[RULE]",
    is_flag=False,
    flag_value="",
    default=None,
    is_eager=True,
    expose_value=False,
    callback=_explain,
    help="Explain a rule, or list them all; `trajectory` explains what a case may say of calls.",
)
@click.pass_context
def check(ctx: click.Context, /, paths: tuple[str, ...], **given: Any) -> None:
    """Check files; see HELP."""
    options = _Options(**given)
    if options.agent is not None and options.with_agents:
        raise click.UsageError("--agent names one agent for all files, --with-agents finds each its own; give one")
    if options.diff and options.output != "text":
        raise click.UsageError(f"--diff prints a diff, not {options.output}: leave out --format, or --diff")
    settings = load_settings()
    ignored = _ignored(options.ignore, settings)
    if options.diff:
        ctx.exit(_diff(paths, options, settings, ignored))
    fixed = _fix(paths, ignored) if options.fix else 0
    try:
        report, refusal = _check(paths, options, settings)
    except EvalkitError as error:
        report, refusal = CheckReport(files=(), problems=()), str(error)
    report = report.without(ignored)
    if text := render(options.output, report, refusal):
        click.echo(text)
    click.echo(f"evalkit: {refusal}" if refusal else _summary(report, fixed), err=True)
    if refusal or report.count("error") or (options.strict and report.count("warning")):
        ctx.exit(2)


def _check(paths: tuple[str, ...], options: _Options, settings: Settings) -> tuple[CheckReport, str | None]:
    """Check the files, and return why not everything was checked, if so."""
    if options.agent is None and not options.with_agents:
        return check_files(paths), None
    from evalkit.agent_check import check_with_agents  # imports ADK, which takes a second

    report, refusals = check_with_agents(paths, settings, options.agent)
    return report, "\n".join(refusals) or None


def _ignored(named: Iterable[str], settings: Settings) -> frozenset[str]:
    """The rules that are switched off, by flag or by setting."""
    by_flag = [rule.strip() for text in named for rule in text.split(",")]
    origin = f"{settings.origin}: tool.evalkit.ignore"
    ignored = {_known(rule, "--ignore") for rule in by_flag} | {_known(rule, origin) for rule in settings.ignore}
    if needed := sorted(ignored & UNREADABLE):
        raise SettingsError(f"{needed[0]} cannot be switched off: a file that cannot be read would pass for a good one")
    return frozenset(ignored)


def _known(rule: str, origin: str) -> str:
    """Accept the name of a rule."""
    if rule in RULES:
        return rule
    near = closest(rule, RULES)
    hint = f"did you mean {near}?" if near else "evalkit check --explain lists them"
    raise SettingsError(f"{origin}: no rule is called {rule!r}; {hint}")


def _fix(paths: tuple[str, ...], ignored: frozenset[str]) -> int:
    """Mend the files, and return how many problems that removed."""
    from evalkit.fixing import fix

    fixed = 0
    for file in fix(paths, ignored):
        file.write()
        fixed += file.count
    return fixed


def _diff(paths: tuple[str, ...], options: _Options, settings: Settings, ignored: frozenset[str]) -> int:
    """Show what would change and what would remain, and return the exit code."""
    from evalkit.findings.text import visible
    from evalkit.fixing import fix, remaining
    from evalkit.redaction.redactor import Redactor

    redactor = Redactor.of_process()
    files = [*fix(paths, ignored)]
    for file in files:
        click.echo(visible(redactor.text(file.diff())), nl=False)
    report, refusal = _check(paths, options, settings)
    counted = {"error", "warning"} if options.strict else {"error"}
    after = remaining(report, files).without(ignored)
    after = replace(after, problems=tuple(problem for problem in after.problems if problem.severity in counted))
    if after.problems:
        click.echo(render("text", after), err=True)
    gone = sum(file.count for file in files)
    said = [f"{_counted(len(files), 'file')} would change", f"{_counted(gone, 'problem')} would be gone"]
    said += [f"{_counted(left, name)} would remain" for name in ("error", "warning") if (left := after.count(name))]
    click.echo(f"evalkit: {refusal}" if refusal else ", ".join(said), err=True)
    return 2 if files or after.problems or refusal else 0


def _summary(report: CheckReport, fixed: int) -> str:
    counts = [
        _counted(len(report.files), "file"),
        *(_counted(report.count(name), name) for name in ("error", "warning")),
    ]
    if report.count("note"):
        counts.append(_counted(report.count("note"), "note"))
    aside = [f"{fixed} fixed"] if fixed else []
    aside += [f"{report.fixable} can be mended by --fix"] if report.fixable else []
    return ", ".join(counts) + (f" ({', '.join(aside)})" if aside else "")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' if count != 1 else ''}"
