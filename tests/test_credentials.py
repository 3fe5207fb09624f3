"""Which variables a model needs, and what is said of those that are not there."""

import pytest

from evalkit.credentials import ModelInUse, lacking

VERTEX = {"GOOGLE_GENAI_USE_VERTEXAI": "TRUE"}
GEMINI = "GOOGLE_API_KEY or GEMINI_API_KEY or GOOGLE_GENAI_USE_VERTEXAI=TRUE with GOOGLE_CLOUD_PROJECT"


def lacks(model, environment, **fields):
    return lacking(ModelInUse(agent="a", model=model, **fields), environment)


@pytest.mark.parametrize(
    ("model", "missing"),
    [
        ("gemini-2.5-flash", GEMINI),
        ("gemma-3-27b-it", GEMINI),
        ("projects/p/locations/l/endpoints/7", "GOOGLE_GENAI_USE_VERTEXAI=TRUE with GOOGLE_CLOUD_PROJECT"),
        ("claude-sonnet-4@20250514", "GOOGLE_CLOUD_PROJECT with GOOGLE_CLOUD_LOCATION"),
        ("gpt-4o", "OPENAI_API_KEY"),
        ("openai:gpt-4o", "OPENAI_API_KEY"),
        ("apigee/gemini/gemini-2.5-flash", "APIGEE_PROXY_URL"),
        ("meta.llama-3-70b", "OCI_COMPARTMENT_ID"),
        ("openai/gpt-4o", "OPENAI_API_KEY"),
        ("anthropic/claude-sonnet-4", "ANTHROPIC_API_KEY"),
        ("azure/gpt-4o", "AZURE_API_KEY with AZURE_API_BASE"),
        ("bedrock/anthropic.claude", "AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY or AWS_PROFILE"),
        ("gemini/gemini-2.5-flash", "GOOGLE_API_KEY or GEMINI_API_KEY"),
        ("vertex_ai/gemini-2.5-flash", "VERTEXAI_PROJECT or GOOGLE_CLOUD_PROJECT"),
        ("openrouter/meta/llama", "OPENROUTER_API_KEY"),
        ("together_ai/llama", "TOGETHERAI_API_KEY or TOGETHER_API_KEY or TOGETHER_AI_API_KEY"),
    ],
)
def test_a_model_lacks_what_its_provider_reads_where_nothing_is_set(model, missing):
    assert lacks(model, {}) == missing


@pytest.mark.parametrize(
    ("model", "environment"),
    [
        ("gemini-2.5-flash", {"GOOGLE_API_KEY": "k"}),
        ("gemini-2.5-flash", {"GEMINI_API_KEY": "k"}),
        ("gemini-2.5-flash", {**VERTEX, "GOOGLE_CLOUD_PROJECT": "p"}),
        ("gemini-2.5-flash", {**VERTEX, "GOOGLE_API_KEY": "express mode"}),
        ("gemini-2.5-flash", {**VERTEX, "GOOGLE_APPLICATION_CREDENTIALS": "account.json"}),
        ("gemini-2.5-flash", {"GOOGLE_GENAI_USE_ENTERPRISE": "1", "GOOGLE_CLOUD_PROJECT": "p"}),
        ("azure/gpt-4o", {"AZURE_API_KEY": "k", "AZURE_API_BASE": "https://a"}),
        ("bedrock/anthropic.claude", {"AWS_WEB_IDENTITY_TOKEN_FILE": "token"}),
    ],
)
def test_any_of_the_ways_is_enough(model, environment):
    assert lacks(model, environment) is None


@pytest.mark.parametrize(
    ("model", "environment", "missing"),
    [
        ("gemini-2.5-flash", VERTEX, "GOOGLE_CLOUD_PROJECT or GOOGLE_APPLICATION_CREDENTIALS"),
        ("azure/gpt-4o", {"AZURE_API_KEY": "k"}, "AZURE_API_BASE"),
        ("bedrock/anthropic.claude", {"AWS_ACCESS_KEY_ID": "k"}, "AWS_SECRET_ACCESS_KEY"),
        ("claude-sonnet-4", {"GOOGLE_CLOUD_PROJECT": "p"}, "GOOGLE_CLOUD_LOCATION"),
    ],
)
def test_of_a_way_that_was_begun_only_the_rest_is_named(model, environment, missing):
    assert lacks(model, environment) == missing


@pytest.mark.parametrize(
    "environment",
    [{"GOOGLE_API_KEY": ""}, {"GOOGLE_API_KEY": "  "}, {"GOOGLE_GENAI_USE_VERTEXAI": "false"}],
    ids=["empty", "blank", "switched off"],
)
def test_a_variable_without_a_value_and_a_switch_that_is_off_count_for_nothing(environment):
    assert lacks("gemini-2.5-flash", environment) == GEMINI


@pytest.mark.parametrize("model", ["ollama/llama3:8b", "ollama_chat/qwen", "house/model", "a-model-of-our-own"])
def test_of_a_model_that_no_table_has_nothing_is_asked(model):
    assert lacks(model, {}) is None


def test_an_agent_that_brings_its_own_access_needs_no_variable():
    assert lacks("gemini-2.5-flash", {}, kind="Gemini", settled=True) is None


def test_the_class_that_an_agent_was_given_counts_before_the_name():
    assert lacks("claude-sonnet-4", {}, kind="AnthropicLlm") == "ANTHROPIC_API_KEY"
    assert lacks("gpt-4o", {}, kind="LiteLlm") == "OPENAI_API_KEY"
    assert lacks("projects/p/locations/l/endpoints/7", {"GOOGLE_API_KEY": "k"}, kind="Gemini") is not None
