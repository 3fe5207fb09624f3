"""Checking files against the agents that they are for: `check --agent` and `check --with-agents`."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from evalkit.adk.facts import AgentView, open_agent
from evalkit.adk.toolset_checks import Mocks
from evalkit.agent_lint import lint_agent, lint_cases, lint_mocks, lint_sessions
from evalkit.agent_lint.problems import is_misspelt, problem
from evalkit.bundles import Bundle, Reader
from evalkit.cases import CaseSet, Config
from evalkit.check import CheckReport, check, tidy
from evalkit.errors import AgentLoadError, Problem, SelectionError
from evalkit.formats.files import discover
from evalkit.locate import agent_of, given_agent, named_agent
from evalkit.settings import Settings

_NO_SUCH_NAME = frozenset({"unknown-tool", "misfit-arguments"})
_ABOUT_VALUES = frozenset({"dead-route", "misfit-pattern"})
_FOLLOWING_NAMES = frozenset({"idle-expectation", "contradiction"})
_FOLLOWING_VALUES = frozenset({"bare-operator", "contradiction"})
"""Rules that say in other words what those about names and values say with the agent at hand."""


def check_with_agents(
    paths: Sequence[str | Path], settings: Settings, agent: str | None = None
) -> tuple[CheckReport, tuple[str, ...]]:
    """Check files as `check` does, and those without errors of their own against their agents.

    Args:
        paths: What the user named.
        settings: Where agents are, and which evalset belongs to which.
        agent: The agent of all of them, a folder or a dotted module; None looks for each evalset's own.

    Returns:
        The report, and a line for each agent that could not be looked at.

    Raises:
        SelectionError: A path does not exist, or there is nothing to check.
        AdkVersionError: This google-adk lacks a name that evalkit relies on.
    """
    report = check(paths)
    refusals: list[str] = []
    given = given_agent(agent, settings) if agent else None
    by_agent: dict[str, list[Bundle]] = {}
    for bundle in _bundles(paths):
        try:
            reference = given or agent_of(bundle.path, bundle.cases, bundle.mocks, settings)
            by_agent.setdefault(reference, []).append(bundle)
        except SelectionError as error:
            refusals.append(str(error))
    about_mocks: dict[str, list[tuple[Problem, ...]]] = {}
    problems = [*report.problems, *(_misspelt_agents(by_agent.get(agent, ()), agent, settings) if agent else ())]
    for reference, bundles in by_agent.items():
        try:
            with open_agent(reference) as view:
                problems += _compared(view, bundles, about_mocks)
                called = (Path(reference).name.rpartition(".")[2], view.facts().tree.root, view.app_name)
                names = [name for name in called if name]
                problems += [found for bundle in bundles for found in lint_sessions(bundle.cases, names)]
        except AgentLoadError as error:
            refusals.append(str(error))
    for verdicts in about_mocks.values():
        problems += _in_all(verdicts)
    return replace(report, problems=tidy(_by_cause(problems), report.files)), tuple(dict.fromkeys(refusals))


def _misspelt_agents(bundles: Sequence[Bundle], agent: str, settings: Settings) -> Iterator[Problem]:
    """Find mocks files for an agent that is not there and is called almost like the one that was named."""
    name = Path(agent).resolve().name if Path(agent).is_dir() else agent.rpartition(".")[2]
    for mocks in {bundle.mocks.file: bundle.mocks for bundle in bundles if bundle.mocks}.values():
        meant = mocks.agent and mocks.agent.rstrip("/").rpartition("/")[2]
        if not meant or meant == name or not is_misspelt(meant, [name]):
            continue
        try:
            named_agent(mocks.agent or "", settings, mocks.file)
        except SelectionError:
            message = f"there is no agent {mocks.agent}, so without --agent nothing of this folder can be played"
            yield problem("unknown-agent", mocks.file, "$.agent", message, f"did you mean `{name}`?")


def _by_cause(problems: Sequence[Problem]) -> Iterator[Problem]:
    """Leave out what has a reason that is known, and told: a name that no agent has, a value not declared."""
    unknown = {(one.file, one.path) for one in problems if one.rule in _NO_SUCH_NAME}
    values = [(one.file, one.path) for one in problems if one.rule in _ABOUT_VALUES]
    for one in problems:
        told = one.rule in _FOLLOWING_NAMES and (one.file, one.path) in unknown
        if one.rule in _FOLLOWING_VALUES:
            told = told or any(file == one.file and path.startswith(one.path) for file, path in values)
        if not told:
            yield one


def _bundles(paths: Sequence[str | Path]) -> list[Bundle]:
    """Read the evalsets, each with its mocks, and the mocks files that belong to none of them."""
    reader, found, alone = Reader(), list[Bundle](), list[Path]()
    for file in discover(paths):
        if file.kind == "mocks":
            alone.append(file.path)
        elif file.kind not in ("config", "gold") and (bundle := reader.evalset(file.path)):
            found.append(bundle)
    used = {mocks.file for bundle in found for mocks in (bundle.mocks, *bundle.case_mocks.values()) if mocks}
    nothing, no_config = CaseSet(eval_set_id="", cases=()), Config(criteria=(), origin="")
    for path in alone:
        mocks = reader.mocks(path)
        if mocks is not None and mocks.file not in used:
            found.append(Bundle(path=path, cases=nothing, config=no_config, mocks=mocks))
    return found


def _compared(
    view: AgentView, bundles: Sequence[Bundle], about_mocks: dict[str, list[tuple[Problem, ...]]]
) -> Iterator[Problem]:
    """Yield what is wrong with the cases and the agent; what is wrong with mocks files gathers by file."""
    yield from lint_agent(view.facts())
    for bundle in bundles:
        for name in dict.fromkeys((None, *(case.mocks for case in bundle.cases.cases))):
            own = bundle.case_mocks.get(name) if name else None
            facts = view.facts(Mocks(own=own, folder=bundle.mocks))
            files = tuple(mocks for mocks in (own, bundle.mocks) if mocks)
            cases = tuple(case for case in bundle.cases.cases if case.mocks == name)
            yield from lint_cases(replace(bundle.cases, cases=cases), files, facts, bundle.config.criteria)
            for mocks in files:
                about_mocks.setdefault(mocks.file, []).append(lint_mocks(mocks, facts))


def _in_all(verdicts: Sequence[Sequence[Problem]]) -> Iterator[Problem]:
    """Keep what is wrong with a mocks file for everybody who uses it: a route for one agent is none for another."""
    places = [{(one.rule, one.path) for one in problems} for problems in verdicts]
    yield from (one for one in verdicts[0] if all((one.rule, one.path) in found for found in places))
