"""The user of a `conversation_scenario`: ADK's own user simulator, whose model says what the user says next.

It needs nothing beyond google-adk itself; it is imported only where a scenario is played, since that takes a while.
"""

import copy
from collections.abc import Mapping
from typing import Any

from google.adk.events import Event
from google.genai import types

from evalkit.adk.failures import failure_of
from evalkit.adk.playing import Playing
from evalkit.cases import Case
from evalkit.models.owners import UnplayableCaseError
from evalkit.traces import Failure

Config = Mapping[str, Any]
"""`user_simulator_config` of a `test_config.json`."""


class SimulatedUser:
    """Says what the user of one case says, turn by turn.

    Args:
        case: A case with a scenario.
        config: How the simulator is to be set up; None leaves everything to ADK.
        playing: The case in play; it learns how the conversation ended.

    Raises:
        UnplayableCaseError: ADK does not take the scenario or the config.
    """

    def __init__(self, case: Case, config: Config | None, playing: Playing) -> None:
        from google.adk.evaluation.eval_case import EvalCase
        from google.adk.evaluation.simulation.user_simulator_provider import UserSimulatorProvider

        try:
            scenario = EvalCase.model_validate({"eval_id": case.eval_id, "conversation_scenario": case.scenario})
            self._simulator = UserSimulatorProvider(_settings(config)).provide(scenario)
        except Exception as error:  # whatever ADK makes of a persona or a model that it does not know
            said = " ".join(str(error).split())
            raise UnplayableCaseError(f"{case.where}.conversation_scenario: ADK's user simulator: {said}") from error
        self._playing = playing
        self._heard: list[Event] = []

    def hear(self, event: Event) -> None:
        """Take an event of the agent's; those of a stream that are whole again later are left out."""
        if not event.partial:
            self._heard.append(event)

    async def next_message(self) -> types.Content | None:
        """Return what the user says next; None once there is nothing left to say, or it cannot be said."""
        try:
            answer = await self._simulator.get_next_user_message(copy.deepcopy(self._heard))
        except Exception as error:  # noqa: BLE001 - whatever its model or ADK raises is why the case ends here
            known = failure_of(error, self._playing)
            said = known.message if known else " ".join(str(error).split())
            self._playing.fail(Failure(kind="model_error", message=f"the simulated user: {said}"))
            return None
        if answer.status.value == "turn_limit_reached":
            self._playing.note("the simulated user was cut off at its last allowed turn (max_allowed_invocations)")
        if answer.user_message is not None:
            self._heard.append(Event(author="user", content=answer.user_message))
        return answer.user_message


def model_of(config: Config | None) -> str:
    """Name the model that plays the user."""
    from google.adk.evaluation.simulation.llm_backed_user_simulator import LlmBackedUserSimulatorConfig

    return str((config or {}).get("model") or LlmBackedUserSimulatorConfig().model)


def _settings(config: Config | None) -> Any:
    from google.adk.evaluation.eval_config import EvalConfig
    from google.adk.evaluation.simulation.llm_backed_user_simulator import LlmBackedUserSimulatorConfig

    given = EvalConfig.model_validate({"criteria": {}, "user_simulator_config": config or None})
    return given.user_simulator_config or LlmBackedUserSimulatorConfig()
