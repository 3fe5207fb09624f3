"""What a case came to, as named properties: the same in JUnit files of `evalkit run` and of pytest."""

from collections.abc import Mapping

from evalkit.results import CaseResult, CriterionResult

PREFIX = "evalkit_"
VERDICT = f"{PREFIX}verdict"
MODE = f"{PREFIX}mode"
AGENT = f"{PREFIX}agent"
MODEL = f"{PREFIX}model_"
SCORE = f"{PREFIX}score_"
KNOWN_FAILING = f"{PREFIX}known_failing"
QUARANTINE = f"{PREFIX}quarantine"
STANDING = f"{PREFIX}standing"
RUNS = f"{PREFIX}runs"
RUNS_PASSED = f"{PREFIX}runs_passed"

Properties = list[tuple[str, object]]


def describe(result: CaseResult, agent: str, mode: str, models: Mapping[str, str]) -> Properties:
    """Describe what a case came to: plain values only, since they travel between processes.

    Args:
        result: The case with its verdict.
        agent: The agent's folder or module.
        mode: Where model turns came from.
        models: The model of each agent that was asked.
    """
    found: Properties = [(VERDICT, result.verdict), (MODE, mode), (AGENT, agent)]
    found += [(f"{MODEL}{name}", model) for name, model in models.items() if mode == "live"]
    found += [(f"{SCORE}{item.criterion.name}", _score(item)) for item in result.criteria]
    if result.known_failing is not None:
        found.append((KNOWN_FAILING, result.known_failing))
    if result.quarantine is not None:
        found.append((QUARANTINE, str(result.quarantine)))
    if result.repeats:
        found += [(STANDING, result.standing), (RUNS, len(result.repeats.runs)), (RUNS_PASSED, result.repeats.passed)]
    return found


def _score(item: CriterionResult) -> float | str:
    score = item.score
    if score.state != "judged" or score.value is None:
        return score.state.replace("_", " ")
    return f"{score.value:g} (by construction)" if score.by_construction else score.value
