"""Schema faults as problems: each at its leaf, one for each cause, in the author's terms."""

from collections.abc import Iterator, Sequence

from evalkit.cases import Json
from evalkit.errors import Problem, Replace
from evalkit.formats.documents import MAX_DEPTH, MOST_FAULTS, Document, nesting
from evalkit.formats.faults import Fault, faulty_part, find_faults, first_fault
from evalkit.formats.files import YAML_SUFFIXES
from evalkit.formats.key_faults import key_problems
from evalkit.formats.paths import JsonPath
from evalkit.formats.spelling import closest, to_snake
from evalkit.formats.value_remedies import hint_for_type, listed_value, remedies
from evalkit.formats.wording import either, type_name
from evalkit.matching import show

_TYPE_NAMES = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "null": "null",
    "number": "a number",
    "object": "an object",
    "string": "a string",
}
_LONGEST = 60
"""Characters of a value that a message shows."""
_LIMITS = {"minimum": "at least", "maximum": "at most", "exclusiveMinimum": "more than"}


def described_faults(schema_name: str, document: Document) -> tuple[Problem, ...]:
    """Describe every way in which a document departs from a schema that refuses it."""
    part = faulty_part(schema_name, document.value, MOST_FAULTS + 1)
    if nesting(part.value) > MAX_DEPTH:  # faults are described only down to a depth
        message = f"the values are nested deeper than the {MAX_DEPTH} levels that ADK reads"
        return (document.problem("too-deep", (), message),)
    if part.is_large:
        message = "the file is so large that only one of its faults is described"
        rest = document.problem("too-many-faults", (), message, "mend it, or split the file")
        return (*_described(schema_name, document, [first_fault(schema_name, part)]), rest)
    found = find_faults(schema_name, part, MOST_FAULTS + 1)
    problems = _described(schema_name, document, found[:MOST_FAULTS])
    return problems if len(found) <= MOST_FAULTS else (*problems, document.too_many_faults())


def _described(schema_name: str, document: Document, faults: Sequence[Fault]) -> tuple[Problem, ...]:
    keys = [*key_problems(document, schema_name, faults)]
    # What stands beside a key instead of under it leaves that key empty: one cause.
    beside = {problem.path.rpartition(".")[0] for problem in keys if (problem.hint or "").startswith("indent ")}
    values = (
        problem
        for problem in _value_problems(schema_name, document, faults)
        if problem.path.rpartition(".")[0] not in beside or not problem.message.endswith(", not null")
    )
    return (*keys, *values)


def _value_problems(schema_name: str, document: Document, faults: Sequence[Fault]) -> Iterator[Problem]:
    told: set[JsonPath] = set()
    for fault in faults:
        if fault.keyword in {"required", "additionalProperties"} or fault.path in told:
            continue
        told.add(fault.path)  # what else such a value is not, comes from the same cause
        rule, message, hint = _value_fault(fault)
        meant = listed_value(schema_name, fault, _at(document.value, fault.path[:-1]))
        values = [*remedies(fault, _options(fault))] or ([meant.value] if meant and meant.sure else [])
        if document.file.endswith(YAML_SUFFIXES):  # in which keys alone are mended
            values = []
        yield document.problem(
            fault.override("rule") or rule,
            fault.path,
            fault.override("message") or message,
            fault.override("hint") or hint or hint_for_type(fault, meant),
            fixes=tuple(Replace(document.written(fault.path), value) for value in values),
        )


def _at(value: Json, path: JsonPath) -> Json:
    for step in path:
        value = value[step]
    return value


def _value_fault(fault: Fault) -> tuple[str, str, str | None]:
    """The rule, message and hint for a value that fails a keyword."""
    expects = fault.holder.get("x-expects")
    stamp = bool(fault.path) and to_snake(str(fault.path[-1])) == "creation_timestamp" and fault.keyword != "type"
    if stamp and isinstance(fault.value, str):
        shown = show(fault.value, _LONGEST)
        return "wrong-value", f"must be a number, not {shown}", "write seconds since 1970, such as 1750000000.0"
    if fault.keyword == "type":
        names = [name for name in fault.operand if name != "null"] or ["null"]
        wanted = expects or either(_TYPE_NAMES[name] for name in names)
        fraction = isinstance(fault.value, float) and "integer" in fault.operand
        found = show(fault.value, _LONGEST) if fraction else type_name(fault.value)
        return "wrong-type", f"must be {wanted}, not {found}", None
    shown = show(fault.value, _LONGEST)
    near = closest(str(fault.value), _options(fault))
    hint = f"did you mean {near}?" if near else None
    if expects:
        return "wrong-value", f"must be {expects}, not {shown}", hint
    if fault.keyword in {"enum", "const"}:
        return "wrong-value", f"must be {either(_options(fault))}, not {shown}", hint
    if fault.keyword in _LIMITS:
        return "wrong-value", f"must be {_LIMITS[fault.keyword]} {fault.operand}, not {shown}", None
    return "wrong-value", f"{shown} cannot stand here ({fault.keyword} {fault.operand})", None


def _options(fault: Fault) -> list[str]:
    """The words that a value may be, where they can be counted."""
    named = [fault.operand] if fault.keyword == "const" else fault.holder.get("enum", fault.holder.get("examples", ()))
    return [option for option in named if isinstance(option, str)]
