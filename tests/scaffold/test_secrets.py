"""What an agent says of itself, without what must not be committed."""

from dataclasses import replace

import pytest

from evalkit.models.tree import Agent
from evalkit.scaffold.drafting import draft_cases
from evalkit.scaffold.secrets import Cleaner

GITHUB = "ghp_" + "a1B2c3D4e5F6" * 3
OWN = "q9Zr2LmX8vTb4KpW"


@pytest.fixture
def cleaner():
    return Cleaner({"INTERNAL_API_TOKEN": OWN, "HOME": "/home/somebody"})


def test_texts_lose_known_secrets_and_those_with_a_shape(cleaner):
    cleaned = cleaner.text(f"Use {OWN} or {GITHUB} in /home/somebody.")
    assert OWN not in cleaned
    assert GITHUB not in cleaned
    assert "/home/somebody" in cleaned


def test_what_a_server_lists_keeps_its_form(cleaner):
    schema = {"type": "object", "properties": {"api_key": {"type": "string", "default": OWN}, "limit": {"default": 3}}}
    cleaned = cleaner.schemas({"sums": {"tools": [{"name": "add", "description": GITHUB, "input_schema": schema}]}})
    (tool,) = cleaned["sums"]["tools"]
    assert tool["input_schema"]["properties"]["limit"] == {"default": 3}
    assert OWN not in str(cleaned)
    assert GITHUB not in str(cleaned)


def test_a_reply_loses_what_stands_under_a_telling_name(cleaner):
    assert "Xk2v9Lq8Rt5Wz1Np" not in str(cleaner.reply({"error": "no", "access_token": "Xk2v9Lq8Rt5Wz1Np"}))


def test_a_default_that_is_a_secret_by_the_name_of_its_argument_is_no_example(cleaner, make_facts, make_tool):
    key = {"type": "string", "default": "Xk2v9Lq8Rt5Wz1Np"}
    tool = make_tool("look", f"Look with {GITHUB}.", ("api_key",), api_key=key)
    facts = make_facts((Agent(name="one", tools=("look",)), (replace(tool, returns={"const": OWN}),)))
    draft = draft_cases(cleaner.facts(facts)).drafts[0]
    assert dict(draft.exchanges[0].args) == {"api_key": "example-api"}
    assert not any(secret in str(draft) for secret in (GITHUB, OWN, key["default"]))


def test_examples_that_are_made_up_stay_whole(cleaner, make_facts, make_tool):
    tool = make_tool("log_in", "Log in.", ("password", "access_token"), password={"type": "string"}, access_token={})
    draft = draft_cases(cleaner.facts(make_facts((Agent(name="one", tools=("log_in",)), (tool,))))).drafts[0]
    assert dict(draft.exchanges[0].args) == {"password": "example-password", "access_token": "example-access-token"}
