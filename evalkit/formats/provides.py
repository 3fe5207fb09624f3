"""`provides:` of a mocks file: tools that an agent is given for the cases of this file, if it has none of that name."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import jsonschema_rs

from evalkit.cases import Json
from evalkit.formats.paths import JsonPath, write_path
from evalkit.formats.toolsets import Fault
from evalkit.matching import show
from evalkit.routes import ProvidedTool

JsonObject = Mapping[str, Any]


def read_provides(section: Sequence[JsonObject]) -> tuple[ProvidedTool, ...]:
    """Read the declarations, which have no faults."""
    return tuple(
        ProvidedTool(
            name=said["name"],
            description=said.get("description") or "",
            parameters=said.get("parameters"),
            where=write_path(("provides", index)),
        )
        for index, said in enumerate(section)
    )


def provides_faults(section: Sequence[JsonObject]) -> Iterator[Fault]:
    """Find tools that stand there twice, and parameters that are no JSON Schema of an object."""
    counts = Counter(said["name"] for said in section)
    for index, said in enumerate(section):
        name = said["name"]
        if counts[name] > 1:
            yield (index, "name"), "wrong-value", f"{counts[name]} tools named {name} are provided; keep one of them"
        if said.get("parameters") is not None:
            for path, message in _schema_faults(said["parameters"]):
                yield (index, "parameters", *path), "wrong-value", message


def _schema_faults(schema: JsonObject) -> Iterator[tuple[JsonPath, str]]:
    if schema.get("type", "object") != "object":
        yield ("type",), "a model gives arguments by name, so that the schema is one of an object: write type: object"
        return
    dangling = list(_dangling(schema, schema, ()))
    yield from dangling
    if dangling:
        return
    try:
        jsonschema_rs.meta.validate(dict(schema))
        jsonschema_rs.validator_for(dict(schema), offline=True)
    except jsonschema_rs.ValidationError as error:
        yield tuple(error.instance_path), f"not a valid JSON Schema: {show(error.instance)} cannot stand here"


def _dangling(value: Json, root: JsonObject, path: JsonPath) -> Iterator[tuple[JsonPath, str]]:
    """Find references that lead nowhere, or out of the schema, from where nothing is fetched."""
    if isinstance(value, Mapping):
        reference = value.get("$ref")
        if isinstance(reference, str) and not _leads_somewhere(reference, root):
            yield (*path, "$ref"), f"{reference} leads nowhere inside of this schema; write what it stands for"
        for key, member in value.items():
            yield from _dangling(member, root, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _dangling(item, root, (*path, index))


def _leads_somewhere(reference: str, root: JsonObject) -> bool:
    if not reference.startswith("#"):
        return False
    target: Any = root
    for step in filter(None, reference[1:].split("/")):
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(target, list):
            target = target[int(key)] if key.isdigit() and int(key) < len(target) else None
        else:
            target = target.get(key) if isinstance(target, Mapping) else None
    return isinstance(target, Mapping | bool)
