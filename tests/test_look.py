"""Looking at the models of a live run: what is told, what stops it, what is skipped."""

import pytest

from evalkit.bundles import Bundle
from evalkit.cases import Case, CaseSet, Config, Turn
from evalkit.credentials import ModelInUse
from evalkit.errors import AgentLoadError
from evalkit.look import look
from evalkit.plan import Plan, Planned
from evalkit.play import PlayOptions
from evalkit.protocol import AgentReady, Assignment


class FakePool:
    """Loads agents at once, and knows of each what a test says."""

    def __init__(self, *ready):
        self.known = {one.agent: one for one in ready}
        self.agents = {}
        self.looked_at = []

    def add(self, assignment):
        assert assignment.look_only
        self.looked_at.append(assignment.agent)
        self.agents[assignment.agent] = self.known[assignment.agent]

    def outcomes(self):
        return iter(())


def planned(eval_id, agent="agents/lag", *, skipped=None, scenario=False):
    turns = None if scenario else (Turn(index=0, user=None),)
    case = Case(eval_id=eval_id, turns=turns, scenario={} if scenario else None)
    bundle = Bundle(path=None, cases=CaseSet(eval_set_id="s", cases=(case,)), config=Config(criteria=(), origin="o"))
    return Planned(bundle=bundle, case=case, agent=agent, skipped=skipped)


def ready(agent="agents/lag", *models, **fields):
    return AgentReady(agent, {}, models=models or (model("lag"),), **fields)


def model(agent, name="gemini-2.5-flash", origin="in code"):
    return ModelInUse(agent=agent, model=name, origin=origin)


@pytest.fixture
def looked():
    """Look at a plan with agents of which this is known; return what was told and what is skipped."""

    def look_at(cases, *agents):
        lines = []
        assignments = [Assignment(agent=one.agent, jobs=(), options=PlayOptions(), golden=False) for one in agents]
        plan = look(Plan(mode="live", cases=tuple(cases)), assignments, FakePool(*agents), lines.append)
        return lines, {one.case.eval_id: one.skipped for one in plan.cases}

    return look_at


def test_a_model_that_all_agents_share_is_told_once(looked):
    lines, _ = looked([planned("one")], ready("agents/lag", model("lag"), model("helper")))
    assert lines == ["model of agents/lag: gemini-2.5-flash (in code)"]


def test_where_models_come_from_is_kept_for_the_report():
    agents = ready("agents/lag", model("lag"), model("helper", "openai/gpt-4o", "LAG_MODEL in the environment"))
    assignments = [Assignment(agent="agents/lag", jobs=(), options=PlayOptions(), golden=False)]
    plan = look(Plan(mode="live", cases=()), assignments, FakePool(agents), lambda _line: None)
    assert plan.origins == {"agents/lag": {"lag": "in code", "helper": "LAG_MODEL in the environment"}}


def test_several_models_are_told_with_who_asks_each(looked):
    helpers = [model(f"h{number}", "openai/gpt-4o") for number in range(5)]
    lines, _ = looked([planned("one")], ready("agents/lag", model("lag"), *helpers))
    assert lines == [
        "model of agents/lag: gemini-2.5-flash (in code), for lag",
        "model of agents/lag: openai/gpt-4o (in code), for h0, h1, h2 and 2 more",
    ]


def test_every_agent_that_must_not_be_played_is_named_after_all_were_told(looked):
    agents = [ready(f"agents/{name}", unplayable=(f"{name}: no model",)) for name in ("lag", "other")]
    with pytest.raises(AgentLoadError) as stopped:
        looked([planned("one"), planned("two", "agents/other")], *agents)
    assert str(stopped.value).splitlines()[1:] == ["agents/lag: lag: no model", "agents/other: other: no model"]


def test_the_cases_of_an_agent_that_cannot_be_asked_are_skipped_and_others_are_not(looked):
    agents = ready("agents/lag", out_of_reach="lag needs a key"), ready("agents/other")
    cases = [planned("one"), planned("own", skipped="not yet"), planned("two", "agents/other")]
    lines, skipped = looked(cases, *agents)
    assert lines[1] == "agents/lag cannot be asked, its cases are skipped: lag needs a key"
    assert skipped == {"one": "lag needs a key", "own": "not yet", "two": None}


def test_where_only_the_simulated_user_cannot_be_asked_only_scenarios_are_skipped(looked):
    _, skipped = looked(
        [planned("one"), planned("talk", scenario=True)], ready(user_out_of_reach="the simulated user needs a key")
    )
    assert skipped == {"one": None, "talk": "the simulated user needs a key"}
