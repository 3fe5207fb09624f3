"""Unknown and missing keys as problems: object by object, each explained by the other where that is possible."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

from evalkit.cases import Json
from evalkit.errors import Add, Problem, Rename, Replace
from evalkit.formats.case_ids import id_to_add
from evalkit.formats.documents import MOST_FAULTS, Document
from evalkit.formats.faults import Fault, Schema, fits, may_fit, members
from evalkit.formats.misplaced import InnerCall, Misplaced, by_value, inner_call, misplaced
from evalkit.formats.paths import JsonPath
from evalkit.formats.response_forms import number_for_bounds
from evalkit.formats.spelling import Meant, instead, only, to_camel
from evalkit.formats.wording import listed

_FEW = 8
"""So many keys are listed in a hint."""

_JUDGES_NOTHING = "no-criteria"
"""The rule of a key without which ADK takes the object all the same."""
_NOTHING = "nothing would be judged: "

_ONLY_TOLD = {
    *("name", "description", "creation_timestamp", "model_version", "usage_metadata", "grounding_metadata"),
    *("invocation_index", "tool_use_index"),
}
"""Keys that change nothing about what is judged, so that losing one is no error."""


@dataclass(slots=True)
class _Keys:
    """What is wrong with the keys of one object.

    Attributes:
        schema_name: The schema that says so.
        owner: The part of it that describes the object.
        present: The object itself.
        unknown: Keys that its schema has not.
        missing: Keys that it needs, with the fault that says so.
        unread: Whether ADK takes in what it does not know.
    """

    schema_name: str
    owner: Schema
    present: Mapping[str, Json]
    unknown: list[str] = field(default_factory=list)
    missing: dict[str, Fault] = field(default_factory=dict)
    unread: bool = False

    @property
    def known(self) -> list[str]:
        """The keys that the object can have, in their first spelling."""
        return [key for key in self.owner.get("properties", {}) if key.islower()]

    @property
    def taken(self) -> list[str]:
        """Those of them that it has, in either spelling that is read."""
        read = self.owner.get("properties", {}).keys() & self.present.keys()
        return [name for name in self.known if {name, to_camel(name)} & read]

    @property
    def title(self) -> str:
        """What the object is called."""
        return str(self.owner.get("title", "an object"))

    @property
    def refused(self) -> bool:
        """Whether ADK refuses the object as it is, so that nothing which is done to it makes that worse."""
        needed = any(fault.override("rule") != _JUDGES_NOTHING for fault in self.missing.values())
        return needed or not self.unread

    def is_enough(self, key: str, meant: Meant) -> bool:
        """Whether giving a key the name that was meant makes its value mean what it was to mean."""
        if meant.key is None:
            return False
        wanted, value = self.owner["properties"][meant.key], self.present[key]
        return self.fits(key, meant.key) or (meant.respelled and may_fit(self.schema_name, wanted, value))

    def fits(self, key: str, name: str) -> bool:
        """Whether the value of a key is one that another key takes."""
        return fits(self.schema_name, self.owner["properties"][name], self.present[key])


def key_problems(document: Document, schema_name: str, faults: Sequence[Fault]) -> Iterator[Problem]:
    """Report unknown and missing keys together, object by object; other faults are left alone."""
    objects: dict[JsonPath, _Keys] = {}
    for fault in faults:
        if fault.keyword not in {"required", "additionalProperties"}:
            continue
        keys = objects.setdefault(fault.path, _Keys(schema_name, fault.owner, fault.value))
        if fault.keyword == "required":
            keys.missing[fault.operand] = fault
        else:
            keys.unknown.extend(fault.operand)
            keys.unread = bool(fault.holder.get("x-unread"))
    for path, keys in objects.items():
        yield from _object_problems(document, path, keys)


def _object_problems(document: Document, path: JsonPath, keys: _Keys) -> Iterator[Problem]:
    """Explain missing keys by unknown ones where possible, then report the rest of both once for the object."""
    if keys.title == "a tool call" and (inner := inner_call(keys.present)):
        yield _wrapped_call(document, path, inner)
        return
    unexplained = [key for key in keys.unknown[:MOST_FAULTS] if instead(key, keys.missing).key is None]
    for found in misplaced(keys.title, keys.present, unexplained):
        yield _misplaced_keys(document, path, keys, found)
        keys.unknown = [key for key in keys.unknown if key not in found.keys]
    known, unknown = set(keys.known), set(keys.unknown)
    taken = {*keys.taken}
    # Keys that pass as documentation can still be what a missing one was meant to be.
    documentation = (key for key in keys.present if key not in known and key not in unknown)
    strange = []
    for key in islice(chain(keys.unknown, documentation), MOST_FAULTS):
        meant = _meant(key, keys, taken) if key in unknown else instead(key, keys.missing)
        if meant.key in keys.missing or (meant.hint and key in unknown):
            yield _wrong_key(document, (*path, key), keys, meant)
            keys.missing.pop(str(meant.key), None)
            taken.add(str(meant.key))
        elif key in unknown:
            strange.append(key)
    strange += keys.unknown[MOST_FAULTS:]
    if keys.missing:
        yield from _missing_keys(document, path, keys, strange)
    elif strange:
        for child, group in _by_child(keys, strange).items():
            yield _strange_keys(document, path, keys, group, child)


def _meant(key: str, keys: _Keys, taken: Collection[str]) -> Meant:
    """What was meant by an unknown key; what other keys the object has, makes nothing else of it."""
    meant = instead(key, keys.known)
    if meant.key not in taken:
        return meant
    twice = meant.key in keys.taken and only(key, keys.known) == meant.key
    return Meant(None, f"did you mean `{meant.key}`? it is here already; keep one of them" if twice else None)


def _wrong_key(document: Document, path: JsonPath, keys: _Keys, meant: Meant) -> Problem:
    """Report a key of which it is known what to write instead."""
    key = str(path[-1])
    enough = keys.is_enough(key, meant)
    name = str(meant.key)
    renamed = Rename(document.written(path), name, keys.refused or (enough and keys.fits(key, name)))
    fixes = (renamed,) if enough and (meant.respelled or meant.brought) else ()
    if meant.key in keys.missing or not keys.unread:
        missing = keys.missing.get(name)
        idle = missing is not None and missing.override("rule") == _JUDGES_NOTHING
        rule, message = "unknown-key", f"{_NOTHING if idle else ''}unknown key `{key}` in {keys.title}"
    elif enough and meant.key not in _ONLY_TOLD:
        rule, message = "misspelt-key", f"nothing reads the key `{key}` in {keys.title}, so what it says has no effect"
    else:
        rule, message = "unread-key", f"nothing reads the key `{key}` in {keys.title}"
    return document.problem(rule, path, message, meant.hint, fixes=fixes)


def _strange_keys(
    document: Document, path: JsonPath, keys: _Keys, strange: Sequence[str], child: str | None
) -> Problem:
    """Report keys that nobody can tell the meaning of, or that one part of the object has."""
    named = f"key{'s' if len(strange) > 1 else ''} {listed(strange)}"
    if keys.unread:
        return document.problem("unread-key", (*path, strange[0]), f"nothing reads the {named} in {keys.title}")
    hint = by_value(keys.title, keys.present, strange)
    if hint is None and child:
        hint = f'write {"it" if len(strange) == 1 else "them"} into "{child}": {{"{strange[0]}": …}}'
    if hint is None and len(keys.known) <= _FEW:
        hint = f"known here: {listed(keys.known)}"
    return document.problem("unknown-key", (*path, strange[0]), f"unknown {named} in {keys.title}", hint)


def _by_child(keys: _Keys, strange: Sequence[str]) -> Mapping[str | None, list[str]]:
    """Group keys by the one part of the object that has them; None where none has, or several."""
    groups: dict[str | None, list[str]] = {}
    parts = {name: members(keys.schema_name, keys.owner["properties"][name]) for name in keys.known}
    for key in strange:
        found = [] if keys.unread else [name for name, inside in parts.items() if key in inside]
        groups.setdefault(found[0] if len(found) == 1 else None, []).append(key)
    return groups


def _misplaced_keys(document: Document, path: JsonPath, keys: _Keys, found: Misplaced) -> Problem:
    """Report keys that belong into another object."""
    named = f"key{'s' if len(found.keys) > 1 else ''} {listed(found.keys)}"
    if found.lost:
        message = f"nothing reads the {named} in {keys.title}, so nothing would be judged by it"
        return document.problem("misplaced-key", (*path, found.keys[0]), message, found.hint)
    if keys.unread:
        message = f"nothing reads the {named} in {keys.title}"
        return document.problem("unread-key", (*path, found.keys[0]), message, found.hint)
    return document.problem("unknown-key", (*path, found.keys[0]), f"unknown {named} in {keys.title}", found.hint)


def _wrapped_call(document: Document, path: JsonPath, inner: InnerCall) -> Problem:
    """Report a call that stands inside another key."""
    fixes = () if inner.call is None else (Replace(document.written(path), dict(inner.call)),)
    message = f"the call stands inside `{inner.around}`"
    hint = f'take it out of `{inner.around}`: {{"name": "…", "args": {{}}}}'
    return document.problem("unknown-key", (*path, inner.around), message, hint, fixes=fixes)


def _missing_keys(document: Document, path: JsonPath, keys: _Keys, strange: Sequence[str]) -> Iterator[Problem]:
    """Report the keys that the schema has words of its own for one by one, the others together."""
    found = f"; it has {listed(strange)}, which nothing reads here" if strange else ""
    plain = [key for key, fault in keys.missing.items() if not fault.override("message")]
    for key, fault in keys.missing.items():
        if key not in plain:
            rule, message = fault.override("rule") or "missing-key", fault.override("message") or ""
            yield document.problem(rule, path, message + found, fault.override("hint"))
    if plain:
        examples = {key: keys.owner["properties"][key].get("examples", ()) for key in plain}
        pairs = [f'"{key}": {json.dumps(values[0], ensure_ascii=False)}' for key, values in examples.items() if values]
        hint = f"add {', '.join(pairs)}" if len(pairs) == len(plain) else None
        if keys.title == "a number rule":
            hint = number_for_bounds(keys.present) or hint
        elif plain == ["eval_id"]:
            hint = id_to_add(document.value, path)
        given = {
            key: keys.owner["properties"][key]["x-add"] for key in plain if "x-add" in keys.owner["properties"][key]
        }
        # What is missing may stand under a strange key, where nobody but the author can tell.
        added = given if len(given) == len(plain) and not strange else {}
        fixes = tuple(Add(document.written(path), key, value) for key, value in added.items())
        yield document.problem("missing-key", path, f"{keys.title} needs {listed(plain)}{found}", hint, fixes=fixes)
