"""The plainest value for a schema: valid by jsonschema, and by the pydantic type that wrote the schema."""

import ipaddress
import json
import uuid
from datetime import date, datetime, time, timedelta
from enum import Enum
from typing import Annotated, Any, Literal, Optional

import jsonschema
import pytest
from pydantic import BaseModel, Field, TypeAdapter

from evalkit.adk.minimal import minimal, misfit


class Level(Enum):
    LOW = "low"
    HIGH = "high"


class Leaf(BaseModel):
    name: str = Field(min_length=1, max_length=3)
    level: Level


class Node(BaseModel):
    value: int
    parent: Optional["Node"]
    children: list["Node"]


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = Field(gt=0)


class Dog(BaseModel):
    kind: Literal["dog"]
    tricks: list[str] = Field(min_length=2)


class Owner(BaseModel):
    pet: Cat | Dog = Field(discriminator="kind")
    other: Dog | None
    leaf: Leaf
    extra: Any
    tags: dict[str, int] = Field(min_length=2)
    place: tuple[float, float]
    nickname: str = "nobody"


class Aliased(BaseModel):
    total_lag: int = Field(alias="totalLag")


TYPES = [
    Leaf,
    Node,
    Owner,
    Aliased,
    list[Leaf],
    dict[str, Leaf],
    str,
    bool,
    None,
    int | str,
    date,
    datetime,
    time,
    timedelta,
    uuid.UUID,
    ipaddress.IPv4Address,
    ipaddress.IPv6Address,
    Annotated[str, Field(min_length=12)],
    Annotated[str, Field(pattern="^[A-Z]+$", examples=["ABC"])],
    Annotated[int, Field(ge=3, le=4)],
    Annotated[int, Field(gt=3, lt=5)],
    Annotated[int, Field(gt=3, multiple_of=7)],
    Annotated[int, Field(lt=-3, multiple_of=7)],
    Annotated[int, Field(ge=3, le=11, multiple_of=5)],
    Annotated[float, Field(gt=0, lt=1)],
    Annotated[float, Field(gt=-2, lt=-1)],
    Annotated[float, Field(ge=0.5)],
    Annotated[float, Field(gt=0)],
    Annotated[float, Field(lt=-1)],
    Annotated[list[int], Field(min_length=3)],
    Literal["only"],
    Level,
]


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_a_value_is_valid_under_the_schema_of_a_pydantic_type(kind):
    adapter = TypeAdapter(kind)
    schema = adapter.json_schema()
    value = minimal(schema)
    jsonschema.Draft202012Validator(schema).validate(value)
    adapter.validate_json(json.dumps(value))
    assert misfit(value, schema) is None


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({}, {}),
        ({"type": "OBJECT", "properties": {"n": {"type": "INTEGER"}}, "required": ["n"]}, {"n": 0}),
        ({"type": ["string", "null"]}, "Done."),
        ({"type": "string", "maxLength": 2}, "Do"),
        ({"type": "array", "items": False}, []),
        (
            {"allOf": [{"properties": {"a": {"type": "boolean"}}, "required": ["a"]}, {"required": ["b"]}]},
            {"a": False, "b": {}},
        ),
        ({"oneOf": [{"type": "null"}, {"type": "string"}]}, None),
        ({"type": "integer", "default": 7}, 7),
    ],
    ids=["anything", "Gemini's spelling", "nullable", "short", "closed array", "allOf", "oneOf", "default"],
)
def test_a_value_is_the_plainest(schema, value):
    assert minimal(schema) == value


def test_a_schema_that_asks_for_itself_without_end_has_no_value_but_ends():
    class Endless(BaseModel):
        inner: "Endless"

    schema = Endless.model_json_schema()
    assert minimal(schema) is None
    assert misfit(minimal(schema), schema) == 'null is not of type "object"'


def test_what_is_not_understood_is_told_by_misfit():
    schema = {"type": "string", "pattern": "^[0-9]{4}$"}
    assert misfit(minimal(schema), schema) == '"Done." does not match "^[0-9]{4}$"'


def test_a_schema_that_is_none_of_json_schemas_is_not_judged():
    assert misfit(1, {"type": "STRING"}) is None
