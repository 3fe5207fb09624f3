"""`evalkit init`: an evalset, its criteria and its mocks to start from, read off the agent's own tools."""

import contextlib
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

from evalkit.cases import Json
from evalkit.errors import AgentLoadError, SelectionError
from evalkit.formats.files import CONFIG_NAME, MOCKS_NAMES
from evalkit.locate import named_agent
from evalkit.models.facts import AgentFacts
from evalkit.routes import MockSet
from evalkit.scaffold.below import Below, look_below
from evalkit.scaffold.drafting import draft_cases
from evalkit.scaffold.drafts import Draft
from evalkit.scaffold.files import NewFile, keep_all, new_file
from evalkit.scaffold.folders import Folder, Frame, evalset_name, texts_of
from evalkit.scaffold.rehearsal import Place, Player, in_a_worker, rehearse
from evalkit.scaffold.secrets import Cleaner
from evalkit.settings import Settings

SERVER_TIMEOUT = 30.0
"""Seconds that a server may take to list its tools."""

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class InitOptions:
    """What the user asks for.

    Attributes:
        agent: The agent's folder, its name below the folder of agents, or a dotted module.
        out: Where the files go; None means a folder of the agent's name below that of the evalsets.
        tools: The tools to make cases for; none means all.
        state: What the session of each case begins with.
        server_timeout: Seconds that a server may take to list its tools.
        may_replace: Whether files may be in the way.
    """

    agent: str
    out: Path | None = None
    tools: tuple[str, ...] = ()
    state: Mapping[str, Json] = field(default_factory=dict)
    server_timeout: float = SERVER_TIMEOUT
    may_replace: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What was made for an agent; nothing of it is written yet.

    Attributes:
        target: The outermost folder.
        files: What is to be written.
        left_out: Tools without a case (`agent.tool`), each with why.
        unlisted: What may have more tools than could be listed, in words.
    """

    name: str
    target: Path
    folders: tuple[Folder, ...]
    files: tuple[NewFile, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)
    unlisted: tuple[str, ...] = ()

    @property
    def drafts(self) -> tuple[Draft, ...]:
        """Every case."""
        return tuple(draft for folder in self.folders for draft in folder.drafts)


def start(
    options: InitOptions,
    settings: Settings,
    say: Say,
    player: Callable[[], AbstractContextManager[Player]] = in_a_worker,
) -> Start:
    """Make the files for an agent.

    Args:
        options: What the user asks for.
        settings: Where agents and evalsets are.
        say: Told what is going on, a line each.
        player: Opens what plays the cases in the rehearsal.

    Raises:
        SelectionError: There is no such agent, or no such tool.
        AgentLoadError: The agent cannot be loaded, or one of its servers cannot be asked.
        ExistingFilesError: Files are in the way.
        AdkVersionError: This google-adk lacks a name that evalkit relies on.
    """
    agent = _find(options.agent, settings)
    target = _shown(options.out or settings.root / settings.evalsets / agent.name)
    if not options.may_replace:
        keep_all(target / file for file in (evalset_name(agent.name), CONFIG_NAME, MOCKS_NAMES[0]))
    facts, toolsets, cleaner = _look_at(agent.reference, options, say)
    drafted = draft_cases(facts, options.tools)
    if not drafted.drafts:
        raise SelectionError(f"{options.agent}: there is nothing to make a case of: {_why_nothing(drafted.left_out)}")
    below = look_below(agent.folder) if agent.folder else Below()
    frame = Frame(
        name=agent.name, agent=agent.named, tree=facts.tree, state=options.state, toolsets=toolsets, below=below
    )
    say(f"rehearsing {len(drafted.drafts)} cases over their mocks: no model, no server, no tool")
    with player() as play:
        place = Place(reference=agent.reference, root=settings.root)
        folders, unreached = rehearse(drafted.drafts, frame, place, cleaner, play)
    files = tuple(new_file(target / name, text) for folder in folders for name, text in texts_of(folder, frame))
    if not options.may_replace:
        keep_all(file.path for file in files)
    return Start(
        name=agent.name,
        target=target,
        folders=folders,
        files=files,
        left_out={**drafted.left_out, **unreached},
        unlisted=facts.unlisted,
    )


@dataclass(frozen=True, slots=True)
class _Found:
    """Where an agent is.

    Attributes:
        reference: Its folder, or the dotted module.
        folder: Its folder; None for a module.
        name: What it is called: the name of its folder, also where a module in it is named.
        named: How a mocks file names it, so that it is found again.
    """

    reference: str
    folder: Path | None
    name: str
    named: str


def _find(agent: str, settings: Settings) -> _Found:
    reference = named_agent(agent, settings, "evalkit init")
    if not Path(reference).is_dir():
        return _Found(reference, None, reference.removesuffix(".agent").rpartition(".")[2], reference)
    folder, root = Path(reference).resolve(), settings.root.resolve()
    among_others = folder.parent == (root / settings.agents).resolve()
    named = folder.name if among_others else Path(os.path.relpath(folder, root)).as_posix()
    return _Found(reference, folder, folder.name, named)


def _look_at(reference: str, options: InitOptions, say: Say) -> tuple[AgentFacts, dict[str, Json], Cleaner]:
    """Load the agent, ask its servers once, and return what is known of it."""
    # Here, because they load ADK, which takes longer than to see that files are in the way.
    from evalkit.adk.facts import open_agent, quiet
    from evalkit.adk.toolset_checks import Mocks
    from evalkit.adk.toolsets import describe

    with open_agent(reference) as view:
        cleaner = Cleaner()  # here, where the agent's own environment is in place
        view.ask_own_toolsets(options.server_timeout)
    toolsets: dict[str, Json] = {}
    if view.servers:
        for server in view.servers:
            say(f"asking {server} for its tools, this once (at most {options.server_timeout:g} s)")
        with quiet(), contextlib.redirect_stdout(sys.stderr):
            listed = describe(reference, timeout=options.server_timeout)
        toolsets = cleaner.schemas(listed)
    facts = view.facts(Mocks(folder=MockSet(file=MOCKS_NAMES[0], toolsets=toolsets)))
    if facts.toolset_faults:
        raise AgentLoadError("\n".join(facts.toolset_faults))
    return cleaner.facts(facts), toolsets, cleaner


def _shown(path: Path) -> Path:
    """Write a path as a user would from here."""
    return Path(os.path.relpath(path)) if path.resolve().is_relative_to(Path.cwd()) else path


def _why_nothing(left_out: Mapping[str, str]) -> str:
    return "; ".join(f"{name}: {why}" for name, why in left_out.items()) or "no agent has a tool"
