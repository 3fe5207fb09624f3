"""Evalset files (`*.evalset.json`, `*.test.json`): ADK's schema, with evalkit's own block in each case.

The old list forms are read too; see `legacy`.
"""

import json
from pathlib import Path

from evalkit.cases import CaseSet
from evalkit.errors import Problem
from evalkit.formats.documents import Document
from evalkit.formats.evalset_reader import EvalsetReader
from evalkit.formats.evalset_writer import write_case_set
from evalkit.formats.files import Loaded, has_errors, read_bytes
from evalkit.formats.json_text import parse_json
from evalkit.formats.legacy import TODAY, read_list
from evalkit.formats.other_files import other_kind
from evalkit.formats.other_styles import snake_case_top, todays_turns
from evalkit.formats.searching import searcher
from evalkit.formats.secret_shapes import secret_problems
from evalkit.formats.shapes import spelled_twice
from evalkit.formats.validation import schema_problems

_CAMEL_KEY = r'"[a-z]+[A-Z]\w*"\s*:'
_ESCAPED_KEY = r'"[^"]*\\u[^"]*"\s*:'
"""A key with an escape, which could hide that it is in camelCase."""


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
    text = data if isinstance(data, str) else data.decode()
    loaded = read_list(document, text) if isinstance(document.value, list) else _read_object(document, text)
    problems = (*parsed.problems, *loaded.problems, *secret_problems(document, text))
    return Loaded(None if has_errors(problems) else loaded.value, problems)


def write(case_set: CaseSet) -> str:
    """Write a case set as the text of an evalset file.

    What ADK's `EvalSet` makes of it equals what it makes of the file that the case set was read from.
    """
    return json.dumps(write_case_set(case_set), ensure_ascii=False, indent=2) + "\n"


def _read_object(document: Document, text: str) -> Loaded[CaseSet]:
    """Read what should be an evalset in today's form."""
    if wrong := _wrong_kind(document):
        return Loaded(None, (wrong,))
    problems: tuple[Problem, ...] = ()
    if isinstance(document.value, dict):
        document, problems = snake_case_top(document)
    faults = schema_problems("evalset", document)
    if faults:
        todays, styles = todays_turns(document)
        problems += (*styles, *schema_problems("evalset", todays)) if styles else faults
    if has_errors(problems):
        return Loaded(None, problems)
    camel_case = searcher(_CAMEL_KEY)(text) or ("\\u" in text and searcher(_ESCAPED_KEY)(text))
    reader = EvalsetReader(document, text, camel_case=camel_case)
    case_set = reader.case_set()
    twice = spelled_twice(document, "evalset") if camel_case else ()
    return Loaded(case_set, (*problems, *reader.problems, *twice))


def _wrong_kind(document: Document) -> Problem | None:
    """Recognize a file that is no evalset at all, of which one problem says more than twenty."""
    kind = other_kind(document.value)
    return document.problem("wrong-kind", (), f"this is {kind.about}, not an evalset", TODAY) if kind else None
