"""What the schema cannot say of `toolsets:` in a mocks file, and of the answers that OpenAPI tools get."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema_rs

from evalkit.cases import Json
from evalkit.formats.paths import JsonPath, read_path
from evalkit.matching.faults import args_faults
from evalkit.routes import HTTP_REPLY

JsonObject = Mapping[str, Any]
Fault = tuple[JsonPath, str, str]
"""A path inside the value that was looked at, the rule, and a message."""

_SCHEMAS = ("input_schema", "inputSchema", "output_schema", "outputSchema")
_STATUS = range(100, 600)


def toolset_faults(section: Mapping[str, JsonObject]) -> Iterator[Fault]:
    """Find tools that stand there twice, schemas that are none, and matches that cannot match."""
    for name, toolset in section.items():
        for inner, message in args_faults(toolset.get("match") or {}):
            yield (name, "match", *read_path("$" + inner)), "bad-pattern", message
        counts = Counter(tool["name"] for tool in toolset["tools"])
        for index, tool in enumerate(toolset["tools"]):
            for path, rule, message in _tool_faults(tool, counts):
                yield (name, "tools", index, *path), rule, message


def http_reply_faults(value: Json) -> Iterator[Fault]:
    """Find what is no answer of a service in `$http: {status, headers, json or text}`; other values have no faults."""
    if not isinstance(value, dict) or HTTP_REPLY not in value:
        return
    said = value[HTTP_REPLY]
    if len(value) > 1:
        yield (), "wrong-value", f"{HTTP_REPLY} is the whole answer; nothing can stand beside it"
    elif not isinstance(said, dict):
        yield (HTTP_REPLY,), "wrong-type", "an answer is an object: {status: …, headers: {…}, json: … or text: …}"
    else:
        yield from (((HTTP_REPLY, *path), rule, message) for path, rule, message in _answer_faults(said))


def _tool_faults(tool: JsonObject, counts: Mapping[str, int]) -> Iterator[Fault]:
    if counts[tool["name"]] > 1:
        yield ("name",), "wrong-value", f"the toolset has {counts[tool['name']]} tools named {tool['name']}"
    for key in _SCHEMAS:
        if tool.get(key) and not jsonschema_rs.meta.is_valid(tool[key]):
            yield (key,), "bad-pattern", "not a valid JSON Schema"


def _answer_faults(said: JsonObject) -> Iterator[Fault]:
    for key in said.keys() - {"status", "headers", "json", "text"}:
        yield (key,), "unknown-key", f"an answer has no {key}; it has status, headers, and json or text"
    status, headers = said.get("status", 200), said.get("headers", {})
    if isinstance(status, bool) or not isinstance(status, int) or status not in _STATUS:
        yield ("status",), "wrong-value", "a status is a number from 100 to 599"
    if not isinstance(headers, dict) or not all(isinstance(header, str) for header in headers.values()):
        yield ("headers",), "wrong-type", 'headers are texts by name, such as {Retry-After: "5"}'
    if "json" in said and "text" in said:
        yield (), "wrong-value", "a body is either json or text"
    if not isinstance(said.get("text", ""), str):
        yield ("text",), "wrong-type", "a text is a string; write other values under json"
