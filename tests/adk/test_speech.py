"""What a stand-in model says, given a request's schema or a tool's."""

import json

import pytest
from google.genai import types
from pydantic import BaseModel

from evalkit.adk.speech import json_schema, neutral_text, spoken, wrapped
from evalkit.cases import Message
from evalkit.models.declarations import Declaration
from evalkit.models.owners import UnplayableCaseError


class Lag(BaseModel):
    total: int


SCHEMA = {"type": "object", "properties": {"total": {"type": "integer"}}, "required": ["total"]}


def test_a_messages_parts_become_adks():
    parts = spoken(
        Message(parts=({"text": "hm", "thought": True}, {"inline_data": {"data": "YQ==", "mime_type": "text/plain"}}))
    )
    assert parts[0] == types.Part(text="hm", thought=True)
    assert parts[1].inline_data.data == b"a"


@pytest.mark.parametrize(
    ("config", "text"),
    [
        (None, "Done."),
        (types.GenerateContentConfig(), "Done."),
        (types.GenerateContentConfig(response_schema=Lag), '{"total": 0}'),
        (types.GenerateContentConfig(response_schema=list[Lag]), "[]"),
        (types.GenerateContentConfig(response_schema=SCHEMA), '{"total": 0}'),
        (types.GenerateContentConfig(response_json_schema=SCHEMA), '{"total": 0}'),
        (types.GenerateContentConfig(response_schema=types.Schema(type="STRING")), '"Done."'),
    ],
    ids=["no config", "no schema", "model", "list", "dict", "json schema", "Schema"],
)
def test_a_neutral_line_takes_the_shape_that_the_request_asks_for(config, text):
    assert neutral_text("one", config) == text


def test_a_neutral_line_that_cannot_be_made_up_names_the_agent_and_the_reason():
    config = types.GenerateContentConfig(response_json_schema={"type": "string", "pattern": "^[0-9]$"})
    with pytest.raises(
        UnplayableCaseError, match=r'^one has to say .* \("Done." does not match "\^\[0-9\]\$"\); record'
    ):
        neutral_text("one", config)


@pytest.mark.parametrize(
    ("text", "output", "parameters", "args"),
    [
        ('{"total": 5}', Lag, SCHEMA["properties"], {"total": 5}),
        ("[1, 2]", list[int], {"response": {"type": "array"}}, {"response": [1, 2]}),
        ('{"a": 1}', dict[str, int], {"response": {"type": "object"}}, {"response": {"a": 1}}),
        ("75", str, {"result": {"type": "string"}}, {"result": "75"}),
        ("75", int, {"result": {"type": "integer"}}, {"result": 75}),
        ("not JSON", Lag, SCHEMA["properties"], {"total": "not JSON"}),
        (None, Lag, SCHEMA["properties"], {"total": 0}),
        (None, list[str], {"response": {"type": "array"}}, {"response": []}),
    ],
)
def test_what_is_said_through_a_tool_fits_its_arguments(text, output, parameters, args):
    declared = Declaration("tool", {"type": "object", "properties": parameters})
    message = None if text is None else Message(parts=({"text": text},))
    assert wrapped("one", message, output, declared) == args


def test_every_way_to_give_a_schema_becomes_json_schema():
    assert json_schema(SCHEMA) == SCHEMA
    assert json_schema(Lag)["properties"]["total"]["type"] == "integer"
    assert json_schema(types.Schema(type="INTEGER")) == {"type": "integer"}
    assert json.dumps(json_schema(types.Schema(type="ARRAY", items={"type": "STRING"})))
