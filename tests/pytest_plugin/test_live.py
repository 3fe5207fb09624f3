"""`pytest -m eval`: the agents' own models, only where somebody asked for that and they can be reached."""

import pytest

SCRIPTED = """
import os
from google.adk.models import BaseLlm, LlmResponse
from google.genai import types


class Scripted(BaseLlm):
    async def generate_content_async(self, llm_request, stream=False):
        replied = [part for content in llm_request.contents for part in content.parts if part.function_response]
        asked = llm_request.contents[0].parts[0].text.rstrip("?").split()[-1]
        if replied:
            lag = replied[-1].function_response.response.get("lag")
            yield LlmResponse(content=types.ModelContent(f"The lag is {lag}."))
        else:
            group = "orders" if asked == "payments" else asked
            call = types.Part.from_function_call(name="get_lag", args={"group": group})
            yield LlmResponse(content=types.ModelContent([call]))
"""
"""A model that needs no key; it asks for the wrong group if it is asked about payments."""

LOOKED = "(looked in the environment and"

GEMINI = "GOOGLE_API_KEY or GEMINI_API_KEY or GOOGLE_GENAI_USE_VERTEXAI=TRUE with GOOGLE_CLOUD_PROJECT"


@pytest.fixture
def scripted(project, make_case):
    """An agent with a model of its own class, and a case that it masters and one that it does not."""
    project.agent("lag", code=SCRIPTED, model='Scripted(model="house")')
    project.evalset(make_case("masters"), make_case("does not", group="payments"))
    criteria = '{"criteria": {"tool_trajectory_avg_score": 1.0}}'
    project.write("evalsets/lag/test_config.json", criteria)
    return project


@pytest.mark.parametrize("asked", [("-m", "eval"), ("--evalkit-mode", "live")])
def test_live_cases_are_judged_by_what_the_model_did(scripted, asked):
    done = scripted.run(*asked)

    assert done.verdicts() == {"masters": "passed", "does not": "failed"}
    assert "live: the agents' own models were asked" in done.out
    assert "models: lag: house" in done.out
    assert done.properties["masters"]["evalkit_model_lag"] == "house"
    assert done.properties["masters"]["evalkit_score_tool_trajectory_avg_score"] == "1.0"


def test_a_plain_pytest_plays_golden_even_where_a_model_could_be_asked(scripted):
    scripted.settings('mode = "live"')

    done = scripted.run("evalsets/lag/lag.test.json::masters")

    assert done.properties["masters"]["evalkit_mode"] == "golden"


@pytest.mark.parametrize(
    ("model", "env", "reason"),
    [
        ("gemini-2.5-flash", "", f"gemini-2.5-flash needs {GEMINI} {LOOKED} in agents/lag/.env)"),
        ("gemini-2.5-flash", "GOOGLE_GENAI_USE_VERTEXAI=1", "gemini-2.5-flash needs GOOGLE_CLOUD_PROJECT"),
        ("openai/gpt-4o", "", f"openai/gpt-4o needs OPENAI_API_KEY {LOOKED} in agents/lag/.env)"),
        ("azure/gpt-4o", "AZURE_API_KEY=k", f"azure/gpt-4o needs AZURE_API_BASE {LOOKED}"),
    ],
    ids=["gemini", "vertex", "openai", "azure"],
)
def test_without_credentials_a_case_is_skipped_with_what_is_missing_and_where_it_was_looked_for(
    project, make_case, model, env, reason
):
    project.agent("lag", model=f'"{model}"')
    project.write("agents/lag/.env", f"{env}\n")
    project.evalset(make_case("one"), make_case("two"))

    done = project.run("-m", "eval")

    assert done.exit == 0
    assert done.counts == {"skipped": 2}
    assert f"2 skipped: lag: {reason}" in done.out
    assert "0 inconclusive, 2 skipped (live: nothing was played)" in done.out


def test_a_key_in_one_agents_env_opens_no_other_agents_model(project, make_case):
    code = SCRIPTED + "\nopen('asked.txt', 'a').write(os.environ['GOOGLE_API_KEY'])\n"
    project.agent("lag", code=code, model='Scripted(model="house")')
    project.write("agents/lag/.env", "GOOGLE_API_KEY=mine\n")
    project.agent("behind")
    for agent in ("lag", "behind"):
        project.evalset(make_case(agent), name=f"agents/{agent}/evals/lag.test.json")

    done = project.run("-m", "eval", "-rs")

    assert done.verdicts() == {"lag": "passed", "behind": "skipped"}
    assert "behind: gemini-2.5-flash needs GOOGLE_API_KEY" in done.out
    assert f"{LOOKED} for a .env in agents/behind and above it, where there is none)" in done.out


OWN = """
import pytest

@pytest.mark.eval
def test_any():
    pass

@pytest.mark.eval(agent="lag")
def test_of_an_agent():
    pass

@pytest.mark.eval(agent="nobody")
def test_of_nobody():
    pass
"""


def test_functions_with_the_marker_run_only_where_live_is_asked_for_and_their_agent_can_be(project):
    project.write("test_own.py", OWN)
    unasked = "it asks an agent's own model: run it with -m eval or --evalkit-mode live"

    plain, golden, live = (project.run("-rs", *args) for args in ((), ("--evalkit-mode", "golden"), ("-m", "eval")))

    for done in (plain, golden):
        assert done.counts == {"skipped": 3}
        assert done.out.count(unasked) == 3
    assert live.counts == {"passed": 1, "skipped": 1, "errors": 1}
    assert "lag: gemini-2.5-flash needs GOOGLE_API_KEY" in live.out
    assert "pytest.mark.eval(agent=...): there is no agent 'nobody'" in live.out
