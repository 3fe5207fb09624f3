"""Results where `adk web` looks for them: files that ADK's own manager writes below an agent's folder."""

from collections.abc import Iterable
from pathlib import Path

from google.adk.evaluation.local_eval_set_results_manager import LocalEvalSetResultsManager

from evalkit.adk.eval_results import Hide, Judged, case_result, without_secrets
from evalkit.errors import InputError


def save_history(agent: Path, eval_set_id: str, cases: Iterable[Judged], hide: Hide) -> None:
    """Keep the results of an evalset in an agent's `.adk/eval_history`; cases that were skipped have none.

    Args:
        agent: Its folder.
        eval_set_id: The evalset.
        cases: Its cases.
        hide: Takes the secrets out of a JSON value.

    Raises:
        InputError: The files cannot be written.
    """
    folder = agent.resolve()
    results = [
        without_secrets(case_result(judged, eval_set_id=eval_set_id, app_name=folder.name), hide)
        for judged in cases
        if judged.outcome.skipped is None
    ]
    if not results:
        return
    try:
        LocalEvalSetResultsManager(agents_dir=str(folder.parent)).save_eval_set_result(
            app_name=folder.name, eval_set_id=eval_set_id, eval_case_results=results
        )
    except (OSError, ValueError) as error:
        raise InputError(f"{agent}: the results cannot be written to ADK's history: {error}") from error
