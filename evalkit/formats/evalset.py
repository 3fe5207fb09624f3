"""Evalset files (`*.evalset.json`, `*.test.json`): ADK's schema, with evalkit's own block in each case."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from evalkit.cases import CaseSet, Json
from evalkit.errors import Problem
from evalkit.formats.documents import Document
from evalkit.formats.evalset_reader import EvalsetReader
from evalkit.formats.evalset_writer import write_case_set
from evalkit.formats.files import Loaded, has_errors, read_bytes
from evalkit.formats.json_text import parse_json
from evalkit.formats.shapes import spelled_twice
from evalkit.formats.validation import schema_problems

_CAMEL_KEY = re.compile(r'"[a-z]+[A-Z]\w*"\s*:')

_OTHER_FILES: Mapping[str, str] = {
    "criteria": "an eval config",
    "scenarios": "a file of conversation scenarios, an input of `adk eval_set`",
    "starting_prompt": "a conversation scenario, which belongs into a case",
    "eval_set_result_id": "a result of `adk eval`",
    "user_id": "a session input, which belongs into a case",
}
"""Kinds of JSON files that are taken for an evalset, by a key that tells."""


def read(path: str | Path, name: str | None = None) -> Loaded[CaseSet]:
    """Read an evalset file.

    Args:
        path: The file.
        name: What to call it in problems; its path by default.
    """
    file = name or str(path)
    data = read_bytes(Path(path), file)
    return Loaded(None, data.problems) if data.value is None else parse(data.value, file=file)


def parse(data: str | bytes, *, file: str) -> Loaded[CaseSet]:
    """Read an evalset from text or UTF-8 bytes; `file` is what to call it in problems."""
    parsed = parse_json(data, file)
    document = parsed.value
    if document is None:
        return Loaded(None, parsed.problems)
    problems = (*parsed.problems, *(_wrong_form(document) or schema_problems("evalset", document)))
    if has_errors(problems):
        return Loaded(None, problems)
    text = data if isinstance(data, str) else data.decode()
    reader = EvalsetReader(document, text)
    case_set = reader.case_set()
    twice = spelled_twice(document, "evalset") if _CAMEL_KEY.search(text) else ()
    problems = (*problems, *reader.problems, *twice)
    return Loaded(None if has_errors(problems) else case_set, problems)


def write(case_set: CaseSet) -> str:
    """Write a case set as the text of an evalset file.

    What ADK's `EvalSet` makes of it equals what it makes of the file that the case set was read from.
    """
    return json.dumps(write_case_set(case_set), ensure_ascii=False, indent=2) + "\n"


def _wrong_form(document: Document) -> tuple[Problem, ...]:
    """Recognize a file that is no evalset at all, of which one problem says more than twenty."""
    value = document.value
    if isinstance(value, list):
        return (_list_form(document, value),)
    if not isinstance(value, dict) or "eval_cases" in value:
        return ()
    kind = next((kind for key, kind in _OTHER_FILES.items() if key in value), None)
    if kind is None:
        return ()
    return (document.problem("wrong-kind", (), f"this is {kind}, not an evalset", _TODAY),)


def _list_form(document: Document, value: Sequence[Json]) -> Problem:
    first = next((item for item in value if isinstance(item, dict)), {})
    if "data" in first:
        form = "the old list form with `name` and `data`, which `adk eval` reads and AgentEvaluator does not"
    elif "query" in first:
        form = "the old list form with `query`, which AgentEvaluator reads and `adk eval` does not"
    else:
        return document.problem("wrong-kind", (), "this is a list, not an evalset", _TODAY)
    return document.problem("legacy-form", (), f"this is {form}", _TODAY)


_TODAY = 'an evalset is an object: {"eval_set_id": "…", "eval_cases": [{"eval_id": "…", "conversation": [{…}]}]}'
