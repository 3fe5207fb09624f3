"""Which agent does an evalset belong to? Found by settings, the mocks file, where the file lies, or its cases."""

import os
from collections.abc import Iterator
from pathlib import Path

from evalkit.cases import CaseSet
from evalkit.errors import SelectionError
from evalkit.routes import MockSet
from evalkit.settings import Settings

BARE = "evalkit.adk.bare"
"""An agent that has nothing but a model and what mocks provide."""


def agent_of(evalset: Path, cases: CaseSet, mocks: MockSet | None, settings: Settings) -> str:
    """Return the agent's folder, or the dotted module that settings or mocks name.

    The first that says so: `agent_for` in the settings, `agent:` in the folder's mocks file, an agent's folder around
    the file, a folder in the path that is named like an agent, and the `session_input.app_name` of the cases.

    Raises:
        SelectionError: Nothing says which agent it is, or the agent it names is not there.
    """
    named = _by_settings(evalset, settings) or _by_mocks(mocks, settings)
    if named:
        return named
    found = _around(evalset) or _by_name(evalset, cases, settings)
    if found:
        return str(found)
    folder = evalset.parent.as_posix()
    bare = f"; its mocks provide tools, so --agent {BARE} would do, too" if mocks and mocks.provides else ""
    raise SelectionError(
        f"{evalset}: which agent is this for? No folder in its path is named like an agent in {settings.agents}/;"
        f' use --agent FOLDER, or add agent_for = {{ "{folder}" = "{settings.agents}/NAME" }} to [tool.evalkit]{bare}'
    )


def _by_settings(evalset: Path, settings: Settings) -> str | None:
    """Take the innermost folder that the settings know."""
    place = evalset.resolve()
    around = {
        base: agent
        for folder, agent in settings.agent_for.items()
        if place.is_relative_to(base := (settings.root / folder).resolve())
    }
    if not around:
        return None
    return named_agent(
        around[max(around, key=lambda base: len(base.parts))], settings, f"{settings.origin}: tool.evalkit.agent_for"
    )


def _by_mocks(mocks: MockSet | None, settings: Settings) -> str | None:
    return named_agent(mocks.agent, settings, f"{mocks.file}: agent") if mocks and mocks.agent else None


def named_agent(agent: str, settings: Settings, origin: str) -> str:
    """Return an agent's folder, or the dotted module, for what somebody calls it.

    That may be its name, a folder relative to the project or to the current one, or a dotted module.

    Raises:
        SelectionError: There is no such agent; `origin` says who named it.
    """
    agents = settings.root / settings.agents
    for folder in (agents / agent, settings.root / agent, Path(agent)):
        if folder.is_dir():
            return str(folder.resolve())
    if "." in agent and all(part.isidentifier() for part in agent.split(".")):
        return agent
    known = ", ".join(sorted(folder.name for folder in agents.glob("*") if _is_agent(folder)))
    remedy = (
        f"known: {known}" if known else "run from the project's folder, or mark it by [tool.evalkit] in pyproject.toml"
    )
    raise SelectionError(f"{origin}: there is no agent {agent!r}, neither in {agents} nor as a folder; {remedy}")


def given_agent(agent: str, settings: Settings) -> str:
    """Return what `--agent` means: a folder or a module as it is given, else the project's agent of that name."""
    own = settings.root / settings.agents / agent
    return str(own) if _is_agent(own) and not Path(agent).exists() else agent


def as_typed(agent: str) -> str:
    """Name an agent as a user in the current folder would: reports are read on other machines."""
    relative = os.path.relpath(agent)
    return agent if relative.startswith(os.pardir) else Path(relative).as_posix()


def _around(evalset: Path) -> Path | None:
    """Find the nearest folder above the file that is an agent's, or is the project of one of the same name.

    A project is the folder around the package, often with hyphens where the package has underscores.
    """
    for folder in evalset.resolve().parents:
        package = folder / folder.name.replace("-", "_")
        found = next((place for place in (folder, package) if (place / "agent.py").is_file()), None)
        if found:
            return found
    return None


def _by_name(evalset: Path, cases: CaseSet, settings: Settings) -> Path | None:
    agents = (settings.root / settings.agents).resolve()
    for name in _names(evalset, cases, settings):
        spelled = (name, name.replace("-", "_"))
        places = (agents / spelled[0], agents / spelled[1], agents / spelled[0] / spelled[1])
        found = next((place for place in places if _is_agent(place)), None)
        if found:
            return found
    return None


def _names(evalset: Path, cases: CaseSet, settings: Settings) -> Iterator[str]:
    """Yield the names of the folders around the file, up to the project's, and the app that all its cases are for."""
    for folder in evalset.resolve().parents:
        if folder == settings.root.resolve():
            break
        yield folder.name
    apps = {case.session.app_name for case in cases.cases if case.session}
    if len(apps) == 1:
        yield from apps


def _is_agent(folder: Path) -> bool:
    """Tell whether a folder can be loaded as an agent."""
    return (folder / "agent.py").is_file() or (folder / "__init__.py").is_file()
