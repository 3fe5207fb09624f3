"""The sample evalsets with models that choose right: the same files, the same mocks, as a replay has them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from evalkit.cases import CaseSet, Turn
from evalkit.formats import evalset
from evalkit.plan import RunOptions, plan
from evalkit.settings import load_settings

ROOT = Path(__file__).resolve().parents[2]
SINGLE = ("kafka_health", "k8s_health", "docker_agent", "observability")
"""The agents that work alone, so that the next call of a case is always theirs."""

ASKED_BY_ADK = "adk_request_confirmation"


class Golden:
    """A model that knows the cases: it asks for the calls that are expected next, and then gives the golden answer.

    A request is known by all that its user has said so far. What is answered by a confirmation belongs to the turn that
    asked for it, since it adds no words.
    """

    def __init__(self, answers, sets: list[CaseSet]) -> None:
        self._answers = answers
        self._turns: dict[tuple[str, ...], list[Turn]] = {}
        for case in (case for cases in sets for case in cases.cases):
            said: tuple[str, ...] = ()
            for turn in case.turns or ():
                said = (*said, turn.user.text) if turn.user.text else said
                self._turns.setdefault(said, []).append(turn)

    def __call__(self, asked):
        turns = self._turns[asked.users]
        made = len(asked.calls)
        for calls in _together(turns):
            if made < len(calls):
                return self._answers.calls(*calls)
            made -= len(calls)
        return self._answers.Say(turns[-1].final.text)


def _together(turns: list[Turn]) -> Iterator[list[tuple[str, dict]]]:
    """Yield the calls of each model turn."""
    for step in (step for turn in turns for step in turn.steps or ()):
        calls = [(call.name, dict(call.args)) for call in step.calls if call.name != ASKED_BY_ADK]
        if calls:
            yield calls


def sets_of(agents: tuple[str, ...]) -> list[CaseSet]:
    options = RunOptions(paths=tuple(str(ROOT / "evalsets" / name) for name in agents), mode="golden")
    files = dict.fromkeys(planned.bundle.path for planned in plan(options, load_settings(ROOT)).cases)
    return [evalset.read(file).value for file in files]


@pytest.mark.parametrize(
    ("model", "agents"),
    [("gemini-2.5-flash", SINGLE), ("apigee/openai/stand-in", SINGLE[:1])],
    ids=["gemini", "openai"],
)
def test_a_model_that_chooses_right_passes_every_case(project, serve, answers, model, agents):
    sets = sets_of(agents)
    server = serve(Golden(answers, sets))

    done = project.run(
        server,
        paths=tuple(str(ROOT / "evalsets" / name) for name in agents),
        models=(model,),
        settings=load_settings(ROOT),
        jobs=2,
        timeout=120,
    )

    not_passed = {name: done.reasons[name] for name, verdict in done.verdicts.items() if verdict != "passed"}
    assert not_passed == {}
    assert len(done.report.results) == sum(len(cases.cases) for cases in sets)
    assert {name for models in done.report.info.agents.values() for name in models.values()} == {model}
    assert done.report.info.mode == "live"
