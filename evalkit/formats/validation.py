"""Schema faults as problems: each at its leaf, one for each cause, in the author's terms.

The schemas are JSON Schemas of draft 2020-12 with keywords of our own that validators pass over:

- `title`: what the object is called in a message, with its article;
- `x-expects`: what a value should be, in words, where its `type` says too much or too little;
- `x-unread`: what the object's other keys are to ADK: taken in and never read, so a warning;
- `x-problem`: by keyword, another `rule`, `message` or `hint` for its fault.

`jsonschema-rs` decides; only where it finds a fault is anything else done.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs

from evalkit.cases import Json
from evalkit.errors import Problem
from evalkit.formats.documents import MAX_DEPTH, Document, nesting
from evalkit.formats.paths import JsonPath
from evalkit.formats.spelling import closest, instead
from evalkit.matching import show

SCHEMAS = Path(__file__).parent / "schemas"

Schema = Mapping[str, Any]

_TYPE_NAMES = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "null": "null",
    "number": "a number",
    "object": "an object",
    "string": "a string",
}
_MOST = 2000
"""So many faults of one file are described; whoever has more is served by less."""
_FEW = 8
"""So many keys are listed in a hint."""
_LONGEST = 60
"""Characters of a value that a message shows."""


@cache
def load_schema(name: str) -> dict[str, Any]:
    """Read a schema of ours: `evalset`, `config` or `mocks`."""
    schema: dict[str, Any] = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    return schema


def schema_problems(schema_name: str, document: Document) -> tuple[Problem, ...]:
    """Find every way in which a document departs from a schema."""
    validator = _validator(schema_name)
    if validator.is_valid(document.value):
        return ()
    if nesting(document.value) > MAX_DEPTH:  # the validator decides at any depth, but describes only down to 255 levels
        message = f"the values are nested deeper than the {MAX_DEPTH} levels that ADK reads"
        return (document.problem("too-deep", (), message),)
    schema, errors = load_schema(schema_name), [*validator.iter_errors(document.value)]
    faults = [_Fault.of(error, schema) for error in errors[:_MOST]]
    problems = (*_object_problems(document, faults), *_value_problems(document, faults))
    if len(errors) <= _MOST:
        return problems
    message = f"the file has {len(errors):,} faults, of which {_MOST:,} are described"
    return (*problems, document.problem("too-many-faults", (), message, "mend these first"))


@cache
def _validator(schema_name: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(load_schema(schema_name))


@dataclass(frozen=True, slots=True)
class _Fault:
    """A keyword that a value fails.

    Attributes:
        path: The value.
        keyword: The keyword's name.
        operand: What the schema has for the keyword; for `additionalProperties` the keys that are too much.
        holder: The subschema with the keyword.
        owner: The innermost subschema around it that names properties.
        value: The value itself.
    """

    path: JsonPath
    keyword: str
    operand: Any
    holder: Schema
    owner: Schema
    value: Json

    @classmethod
    def of(cls, error: jsonschema_rs.ValidationError, schema: Schema) -> "_Fault":
        """Take over what the validator reports, and find the subschemas that it speaks of."""
        holder: Any = schema
        owner: Schema = schema
        for step in error.schema_path[:-1]:
            holder = holder[step]
            if isinstance(holder, dict) and isinstance(holder.get("properties"), dict):
                owner = holder
        return cls(tuple(error.instance_path), error.kind.name, error.kind.value, holder, owner, error.instance)

    def override(self, kind: str) -> str | None:
        """The rule, message or hint that the schema itself gives for this fault."""
        found: str | None = self.holder.get("x-problem", {}).get(self.keyword, {}).get(kind)
        return found


@dataclass(slots=True)
class _Keys:
    """What is wrong with the keys of one object.

    Attributes:
        unknown: Keys that its schema has not.
        missing: Keys that it needs, with the fault that says so.
        unread: Whether ADK takes in what it does not know.
    """

    owner: Schema
    present: Mapping[str, Json]
    unknown: list[str] = field(default_factory=list)
    missing: dict[str, _Fault] = field(default_factory=dict)
    unread: bool = False

    @property
    def known(self) -> list[str]:
        """The keys that the object can have, in their first spelling."""
        return [key for key in self.owner.get("properties", {}) if key.islower()]

    @property
    def title(self) -> str:
        """What the object is called."""
        return str(self.owner.get("title", "an object"))


def _object_problems(document: Document, faults: Sequence[_Fault]) -> Iterator[Problem]:
    """Report unknown and missing keys together, object by object."""
    objects: dict[JsonPath, _Keys] = {}
    for fault in faults:
        if fault.keyword not in {"required", "additionalProperties"}:
            continue
        keys = objects.setdefault(fault.path, _Keys(fault.owner, fault.value))
        if fault.keyword == "required":
            keys.missing[fault.operand] = fault
        else:
            keys.unknown.extend(fault.operand)
            keys.unread = bool(fault.holder.get("x-unread"))
    for path, keys in objects.items():
        yield from _key_problems(document, path, keys)


def _key_problems(document: Document, path: JsonPath, keys: _Keys) -> Iterator[Problem]:
    """Explain missing keys by unknown ones where possible, then report the rest of both once for the object."""
    absent = [name for name in keys.known if name not in keys.present]
    # Keys that pass as documentation can still be what a missing one was meant to be.
    documentation = [key for key in keys.present if key not in keys.known and key not in keys.unknown]
    strange = []
    for key in (*keys.unknown, *documentation):
        right, hint = instead(key, absent if key in keys.unknown else keys.missing)
        if right in keys.missing:
            del keys.missing[right]
            absent.remove(right)
            yield document.problem("unknown-key", (*path, key), f"unknown key `{key}` in {keys.title}", hint)
        elif hint and key in keys.unknown:
            yield _unknown_keys(document, path, keys, [key], hint)
        elif key in keys.unknown:
            strange.append(key)
    if keys.missing:
        yield from _missing_keys(document, path, keys, strange)
    elif strange:
        yield _unknown_keys(document, path, keys, strange, None)


def _unknown_keys(document: Document, path: JsonPath, keys: _Keys, strange: list[str], hint: str | None) -> Problem:
    named = f"key{'s' if len(strange) > 1 else ''} {_listed(strange)}"
    if keys.unread:
        message = f"nothing reads the {named} in {keys.title}"
        return document.problem("unread-key", (*path, strange[0]), message, hint)
    if not hint and len(keys.known) <= _FEW:
        hint = f"known here: {_listed(keys.known)}"
    return document.problem("unknown-key", (*path, strange[0]), f"unknown {named} in {keys.title}", hint)


def _missing_keys(document: Document, path: JsonPath, keys: _Keys, strange: list[str]) -> Iterator[Problem]:
    """Report the keys that the schema has words of its own for one by one, the others together."""
    found = f"; it has {_listed(strange)}, which nothing reads here" if strange else ""
    plain = [key for key, fault in keys.missing.items() if not fault.override("message")]
    for key, fault in keys.missing.items():
        if key not in plain:
            rule, message = fault.override("rule") or "missing-key", fault.override("message") or ""
            yield document.problem(rule, path, message + found, fault.override("hint"))
    if plain:
        examples = {key: keys.owner["properties"][key].get("examples", ()) for key in plain}
        pairs = [f'"{key}": {json.dumps(values[0], ensure_ascii=False)}' for key, values in examples.items() if values]
        hint = f"add {', '.join(pairs)}" if len(pairs) == len(plain) else None
        yield document.problem("missing-key", path, f"{keys.title} needs {_listed(plain)}{found}", hint)


def _value_problems(document: Document, faults: Sequence[_Fault]) -> Iterator[Problem]:
    for fault in faults:
        if fault.keyword in {"required", "additionalProperties"}:
            continue
        rule, message, hint = _value_fault(fault)
        rule = fault.override("rule") or rule
        message = fault.override("message") or message
        yield document.problem(rule, fault.path, message, fault.override("hint") or hint)


def _value_fault(fault: _Fault) -> tuple[str, str, str | None]:
    """The rule, message and hint for a value that fails a keyword."""
    expects = fault.holder.get("x-expects")
    if fault.keyword == "type":
        wanted = expects or _either(_TYPE_NAMES[name] for name in fault.operand if name != "null")
        return "wrong-type", f"must be {wanted}, not {_type_name(fault.value)}", None
    shown = show(fault.value, _LONGEST)
    if fault.keyword in {"enum", "const"}:
        options = [option for option in fault.holder.get("enum", [fault.operand]) if option is not None]
        near = closest(str(fault.value), map(str, options))
        hint = f"did you mean {near}?" if near else None
        return "wrong-value", f"must be {_either(map(str, options))}, not {shown}", hint
    if expects:
        return "wrong-value", f"must be {expects}, not {shown}", None
    limits = {"minimum": "at least", "maximum": "at most"}
    if fault.keyword in limits:
        return "wrong-value", f"must be {limits[fault.keyword]} {fault.operand}, not {shown}", None
    return "wrong-value", f"{shown} cannot stand here ({fault.keyword} {fault.operand})", None


def _type_name(value: Json) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case list():
            return "a list"
    return "an object"


def _listed(names: Sequence[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def _either(words: Iterable[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last
