"""Example replies of tools, and answers of an agent that say nothing but what the reply says."""

from collections.abc import Mapping

from evalkit.agent_lint.words import parts
from evalkit.cases import Json
from evalkit.models.facts import ToolFacts
from evalkit.models.schemas import Schema, allows
from evalkit.scaffold.examples import NUMBER, example_of, singular
from evalkit.scaffold.texts import spoken, text_for

_DONE = {"status": "success"}
"""How replies begin that may have any keys: ADK's own convention, which instructions and callbacks often go by."""

_COUNTS = """
age allowed amount available average bytes cost count days depth duration factor failed free hours index lag length
limit lines load max memory milliseconds min minutes ms number offset percent port price rank ratio rate ready replicas
restarts retries score seconds size sum total usage used
"""
_COUNTED = frozenset(_COUNTS.split())
"""Words of keys whose values are numbers."""

_JUDGEMENTS = "available complete deleted enabled exists failed found healthy ok ready success valid"
_JUDGED = frozenset(_JUDGEMENTS.split())
"""Keys whose values are true or false, as are those of keys that begin with `is` or `has`."""

_LONGEST_TEXT = 120


def reply_of(tool: ToolFacts) -> Json:
    """Return an example of what a tool replies: by the schema of its server or its annotation, else by its docstring.

    A reply that a docstring describes in words has the keys that it names, with values that their names suggest.
    """
    if tool.answers is not None:
        return example_of(tool.answers, "result")
    declared = tool.returns or {}
    if not _may_have_any_keys(declared):
        return example_of(declared, "result")
    described = {key: _guess(key) for key in tool.reply_keys} or {"result": text_for("result")}
    for reply in ({**_DONE, **described}, described):
        if allows(declared, reply):
            return reply
    return example_of(declared, "result")


def answer_to(reply: Json) -> tuple[str, str | None]:
    """Return what an agent may say of a reply, and the value in it that has to be said, if there is one."""
    if isinstance(reply, str):
        text = " ".join(reply.split())
        return (text, text) if 0 < len(text) <= _LONGEST_TEXT else ("It is done.", None)
    if _is_number(reply):
        return f"The answer is {reply}.", str(reply)
    told = _telling(reply)
    if told is None:
        return "It is done.", None
    key, value = told
    return f"The {spoken(key)} is {value}.", str(value)


def _may_have_any_keys(schema: Schema) -> bool:
    """Tell whether an annotation says no more than that an object comes back, if that."""
    return not schema or (schema.get("type") == "object" and not schema.get("properties") and "$ref" not in schema)


def _guess(key: str) -> Json:
    """Make up a value by the name of its key."""
    words = parts(key) or [key]
    last = words[-1]
    if key == "status":
        return _DONE["status"]
    if words[0] in ("is", "has") or (len(words) == 1 and last in _JUDGED):
        return True
    if last in _COUNTED or words[0] in ("total", "num"):
        return NUMBER
    one = singular(key)
    return text_for(key) if one == key or last in _COUNTED else [text_for(one)]


def _telling(reply: Json) -> tuple[str, Json] | None:
    """Find the first number in a reply, else the first text, at the top or as deep as needed."""
    found = list(_leaves("answer", reply))
    numbers = [(key, value) for key, value in found if _is_number(value)]
    texts = [(key, value) for key, value in found if isinstance(value, str) and key != "status"]
    return next(iter((*numbers, *texts)), None)


def _leaves(key: str, value: Json) -> list[tuple[str, Json]]:
    if isinstance(value, Mapping):
        return [leaf for name, item in value.items() for leaf in _leaves(str(name), item)]
    if isinstance(value, list):
        return [leaf for item in value for leaf in _leaves(singular(key), item)]
    return [(key, value)]


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
