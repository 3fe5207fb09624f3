"""Checking files against the agents that they are for: `check --agent` and `check --with-agents`."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from evalkit.adk.facts import AgentView, open_agent
from evalkit.adk.toolset_checks import Mocks
from evalkit.agent_lint import lint_agent, lint_cases, lint_mocks, lint_sessions
from evalkit.bundles import Bundle, Reader
from evalkit.cases import CaseSet, Config
from evalkit.check import CheckReport, check, tidy
from evalkit.errors import AgentLoadError, Problem, SelectionError
from evalkit.formats.files import discover
from evalkit.locate import agent_of
from evalkit.settings import Settings


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
    by_agent: dict[str, list[Bundle]] = {}
    for bundle in _bundles(paths):
        try:
            reference = agent or agent_of(bundle.path, bundle.cases, bundle.mocks, settings)
            by_agent.setdefault(reference, []).append(bundle)
        except SelectionError as error:
            refusals.append(str(error))
    about_mocks: dict[str, list[tuple[Problem, ...]]] = {}
    problems = [*report.problems]
    for reference, bundles in by_agent.items():
        try:
            with open_agent(reference) as view:
                problems += _compared(view, bundles, about_mocks)
                names = (Path(reference).name.rpartition(".")[2], view.facts().tree.root)
                problems += [found for bundle in bundles for found in lint_sessions(bundle.cases, names)]
        except AgentLoadError as error:
            refusals.append(str(error))
    for verdicts in about_mocks.values():
        problems += _in_all(verdicts)
    return replace(report, problems=tidy(_by_cause(problems), report.files)), tuple(dict.fromkeys(refusals))


def _by_cause(problems: Sequence[Problem]) -> Iterator[Problem]:
    """Leave out that a demand changes nothing where the reason is known: no agent has the tool that it names."""
    unknown = {(problem.file, problem.path) for problem in problems if problem.rule == "unknown-tool"}
    for problem in problems:
        if problem.rule != "idle-expectation" or (problem.file, problem.path) not in unknown:
            yield problem


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
            yield from lint_cases(replace(bundle.cases, cases=cases), files, facts)
            for mocks in files:
                about_mocks.setdefault(mocks.file, []).append(lint_mocks(mocks, facts))


def _in_all(verdicts: Sequence[Sequence[Problem]]) -> Iterator[Problem]:
    """Keep what is wrong with a mocks file for everybody who uses it: a route for one agent is none for another."""
    places = [{(problem.rule, problem.path) for problem in problems} for problems in verdicts]
    yield from (one for one in verdicts[0] if all((one.rule, one.path) in found for found in places))
