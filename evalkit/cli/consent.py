"""Before scripts of cases run on this machine: what would run and where, and whether the user wants that."""

import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence

import click

from evalkit.errors import SettingsError
from evalkit.plan import Plan, Planned
from evalkit.report.escape import one_line, printable
from evalkit.staging.stage import command_of

_MOST_NAMED = 5
"""So many cases are named where nobody can be asked; the rest is counted."""

_PATIENCE = 5.0
"""Seconds that kubectl may take for telling which cluster it talks to."""


def ask_for_setups(planned: Plan, *, given: bool) -> None:
    """Make sure that the user wants the live setups of a run.

    Args:
        planned: What would be played.
        given: Whether the command line says so (`--yes`).

    Raises:
        SettingsError: The user does not, or cannot be asked.
    """
    cases = [one for one in planned.cases if one.stage is not None and one.stage.live and one.skipped is None]
    if not cases or given:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise SettingsError(
            f"--live-setup would run the scripts of {_counted(cases)} on this machine, and their agents' own tools for"
            f" real: {_named(cases)}; nobody can be asked here, so add --yes to allow it"
        )
    for line in told_setups(cases):
        click.echo(printable(line), err=True)
    if not click.confirm("Run them?", err=True):
        raise SettingsError("--live-setup was declined; nothing was played")


def told_setups(cases: Sequence[Planned]) -> Iterator[str]:
    """Say what would run for each case, and where."""
    yield f"--live-setup will run, on this machine ({socket.gethostname()}){_cluster(cases)}:"
    for one in cases:
        setup = one.case.live
        assert setup is not None
        yield f"  {one_line(f'{one.bundle.file}:{one.case.eval_id}')}"
        where = f"a copy of {one.bundle.path.parent / setup.folder}" if setup.folder else "an empty folder"
        yield f"    in {where}, below {tempfile.gettempdir()}"
        for name, text in (("before_test", setup.before), ("after_test", setup.after)):
            if text:
                yield f"    {name}: {_gist(text)}"
        yield from (f"    {' '.join(command_of(forward))}" for forward in setup.port_forwards)
    yield "and the tools of their agents for real, save those that a case names as mocked"


def _gist(script: str) -> str:
    """Return the first command of a script, and how long it is."""
    lines = [line.strip() for line in script.splitlines() if line.strip()]
    first = next((line for line in lines if not line.startswith("#")), "nothing but comments")
    return f"{len(lines)} line{'' if len(lines) == 1 else 's'}: {one_line(first)[:100]}"


def _cluster(cases: Sequence[Planned]) -> str:
    """Say which cluster kubectl would talk to, if any case has a use for it; nothing is sent there."""
    setups = [one.case.live for one in cases if one.case.live is not None]
    needed = any("kubectl" in f"{setup.before} {setup.after}" or setup.port_forwards for setup in setups)
    kubectl = shutil.which("kubectl") if needed else None
    if kubectl is None:
        return ""
    try:
        asked = subprocess.run(
            [kubectl, "config", "current-context"], capture_output=True, text=True, timeout=_PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return f", kubectl context {asked.stdout.strip()}" if asked.returncode == 0 else ", kubectl without a context"


def _counted(cases: Sequence[Planned]) -> str:
    return f"{len(cases)} case{'' if len(cases) == 1 else 's'}"


def _named(cases: Sequence[Planned]) -> str:
    rest = len(cases) - _MOST_NAMED
    return ", ".join(one.case.eval_id for one in cases[:_MOST_NAMED]) + (f" and {rest} more" if rest > 0 else "")
