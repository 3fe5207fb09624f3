"""`evalkit run --adk-history`: the results of a run, also where `adk web` shows the history of an agent's evalsets."""

from collections.abc import Iterator
from pathlib import Path

from evalkit.report.model import Report
from evalkit.results import CaseResult
from evalkit.runs import RunFolder


def keep_history(report: Report, folder: RunFolder) -> tuple[str, ...]:
    """Write the results of a run below its agents' folders, evalset by evalset, as ADK's own manager writes them.

    Returns:
        What the user should know: an agent that is no folder has no place for a history.

    Raises:
        InputError: The files cannot be written.
    """
    return tuple(line for results, part in _parts(report, folder) for line in _keep(results, part))


def _parts(report: Report, folder: RunFolder) -> Iterator[tuple[list[CaseResult], RunFolder]]:
    """Yield what was played with one model, and its folder: a run with several models has one for each."""
    results = [play for result in report.results for play in result.plays]
    if not folder.info.parts:
        yield results, folder
    for model, name in folder.info.parts.items():
        yield [one for one in results if one.model == model], RunFolder.open(folder.path / name)


def _keep(results: list[CaseResult], folder: RunFolder) -> Iterator[str]:
    from evalkit.adk.eval_results import Judged
    from evalkit.adk.history import save_history

    outcomes = {(one.file, one.eval_id, one.run): one for one in folder.outcomes()}
    for case_set in folder.case_sets():
        agent = Path(folder.info.agent_of.get(case_set.file, ""))
        if not agent.is_dir():
            yield f"{case_set.file}: its agent {agent} is no folder, in which `adk web` would look; no history was kept"
            continue
        cases = {case.eval_id: case for case in case_set.cases}
        judged = [
            Judged(case=cases[one.eval_id], outcome=outcomes[one.file, one.eval_id, one.run], result=one)
            for one in results
            if one.file == case_set.file
        ]
        save_history(agent, case_set.eval_set_id, judged, folder.redactor.value)
