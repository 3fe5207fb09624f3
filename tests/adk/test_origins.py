"""Where an agent's model comes from, and what is said of one that nobody chose."""

import pytest
from google.adk.agents import LlmAgent
from google.adk.models import Gemini

from evalkit.adk.lookups import Lookup
from evalkit.adk.naming import models_named
from evalkit.adk.origins import Origins, name_of

MODEL = "gemini-2.5-flash"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An agent's folder inside the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lag").mkdir()
    return tmp_path / "lag"


def lookup(value, *, instead=(), file="lag/agent.py"):
    return Lookup("LAG_MODEL", value, file, frozenset(instead))


def test_a_model_that_nothing_else_explains_is_set_in_code(folder):
    chosen = Origins(folder=folder).of(LlmAgent(name="lag", model=MODEL))
    assert (chosen.given, chosen.origin, chosen.unchosen) == (MODEL, "in code", None)


def test_a_model_by_a_variable_tells_whether_the_env_file_has_it(folder):
    origins = Origins(folder=folder, lookups=[lookup(MODEL)])
    agent = LlmAgent(name="lag", model=MODEL)
    assert origins.of(agent).origin == "LAG_MODEL in the environment"
    (folder / ".env").write_text(f"LAG_MODEL={MODEL}\n")
    assert origins.of(agent).origin == "LAG_MODEL in lag/.env"


def test_a_model_that_was_made_goes_by_its_name(folder):
    origins = Origins(folder=folder, lookups=[lookup(MODEL)])
    assert origins.of(LlmAgent(name="lag", model=Gemini(model=MODEL))).origin == "LAG_MODEL in the environment"


def test_an_inherited_model_names_the_agent_that_has_it(folder):
    member = LlmAgent(name="member")
    LlmAgent(name="lead", model=MODEL, sub_agents=[member])
    chosen = Origins(folder=folder).of(member)
    assert (chosen.given, chosen.origin) == (MODEL, "from lead, in code")


@pytest.mark.parametrize(("file", "where"), [(None, "nor in a .env, since there is none"), (".env", "nor in lag/.env")])
def test_a_default_instead_of_a_variable_was_chosen_by_nobody(folder, file, where):
    if file:
        (folder / file).write_text("OTHER=1\n")
    origins = Origins(folder=folder, lookups=[lookup(None, instead={MODEL}, file=f"{folder}/agent.py:7")])

    chosen = origins.of(LlmAgent(name="lag", model=MODEL))

    assert chosen.origin == "a default, since LAG_MODEL is not set"
    assert chosen.unchosen == (
        f"LAG_MODEL is set neither in the environment {where}, so the model would be {MODEL}, a default at"
        " lag/agent.py:7; set LAG_MODEL in lag/.env, or name a model by `evalkit run --model`"
    )


def test_of_several_unset_variables_the_agents_own_is_named(folder):
    elsewhere = Lookup("SIBLING_MODEL", None, "/elsewhere/agent.py:1", frozenset({MODEL}))
    own = lookup("", instead={MODEL}, file=f"{folder}/agent.py:7")
    chosen = Origins(folder=folder, lookups=[elsewhere, own]).of(LlmAgent(name="lag", model=MODEL))
    assert chosen.origin == "a default, since LAG_MODEL is not set"


def test_a_variable_that_was_looked_up_for_something_else_is_no_matter(folder):
    origins = Origins(folder=folder, lookups=[lookup(None, instead={"text-embedding-004"})])
    assert origins.of(LlmAgent(name="lag", model=MODEL)).unchosen is None


def test_adks_default_was_chosen_by_nobody(folder):
    chosen = Origins(folder=folder).of(LlmAgent(name="lag"))
    assert chosen.origin == "ADK's default"
    assert chosen.unchosen.startswith(
        f"no model is named or inherited, so it would be ADK's default, {name_of(chosen.given)}"
    )


def test_a_default_that_code_sets_is_its_choice(folder):
    with models_named(None):
        LlmAgent.set_default_model("house-7b")
        chosen = Origins(folder=folder).of(LlmAgent(name="lag"))
    assert (chosen.given, chosen.origin, chosen.unchosen) == ("house-7b", "the default that code sets, in code", None)
    assert LlmAgent._default_model == LlmAgent.DEFAULT_MODEL


def test_a_model_named_on_the_command_line_is_everybodys_choice(folder):
    origins = Origins(folder=folder, lookups=[lookup(None, instead={MODEL})], named="gemini-2.5-pro")
    chosen = origins.of(LlmAgent(name="lag", model=MODEL))
    assert (chosen.given, chosen.origin, chosen.unchosen) == ("gemini-2.5-pro", "--model", None)
