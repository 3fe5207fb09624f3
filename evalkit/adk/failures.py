"""What was raised while a case was played, as a `Failure` that says what, by whom, and where."""

from evalkit.adk.frames import place_of
from evalkit.adk.playing import Playing
from evalkit.models.golden import GoldenOverrunError
from evalkit.models.owners import UnplayableCaseError
from evalkit.traces import Failure, FailureKind


def failure_of(error: BaseException, playing: Playing) -> Failure | None:
    """Tell whose fault an exception is: the case's, a model's, a tool's, or the agent's (a callback, its own code).

    None where golden mode cut the turn: its own report holds that, and `replay` fails by it.
    """
    causes = _causes(error)
    for cause in causes:
        if isinstance(cause, UnplayableCaseError):
            return Failure(kind="case_error", message=str(cause))
    if playing.failure is not None:
        return playing.failure
    if any(isinstance(cause, GoldenOverrunError) for cause in causes):
        return None
    by_model = _of_a_model(causes, playing)
    if by_model:
        return Failure(kind="model_error", message=by_model)
    by_tool = [cause for cause in causes if any(cause is raised for raised in playing.raised)]
    kind: FailureKind = "tool_error" if by_tool else "agent_error"
    culprit = by_tool[0] if by_tool else _deepest(causes)
    return Failure(kind=kind, message=_say(culprit), where=place_of(culprit.__traceback__))


def _of_a_model(causes: list[BaseException], playing: Playing) -> str | None:
    """Say what of a model's an exception comes of.

    ADK loses some of those errors on their way, when it wants to read what a stream was refused with and cannot. So
    where a model failed last, and nothing of the user's own raised, the model is why.
    """
    for raised, said in playing.model_errors:
        if any(cause is raised for cause in causes):
            return said
    return None if any(place_of(cause.__traceback__) for cause in causes) else playing.model_down


def _causes(error: BaseException) -> list[BaseException]:
    """List an exception, what it groups, and what it was raised from."""
    found: list[BaseException] = []
    waiting: list[BaseException | None] = [error]
    while waiting:
        current = waiting.pop(0)
        if current is not None and current not in found:
            found.append(current)
            waiting += [*getattr(current, "exceptions", ()), current.__cause__]
    return found


def _deepest(causes: list[BaseException]) -> BaseException:
    """Prefer a leaf of an exception group to the group around it."""
    return next((cause for cause in causes if not isinstance(cause, BaseExceptionGroup)), causes[0])


def _say(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
