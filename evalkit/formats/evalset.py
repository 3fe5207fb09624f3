"""Evalset files (`*.evalset.json`, `*.test.json`): ADK's schema, with evalkit's own block in each case.

The old list forms are read too; see `legacy`.
"""

import json
from pathlib import Path

from evalkit.cases import CaseSet
from evalkit.errors import Problem, Splice
from evalkit.formats.documents import Document
from evalkit.formats.evalset_reader import EvalsetReader
from evalkit.formats.evalset_writer import write_case_set
from evalkit.formats.files import Loaded, has_errors, read_bytes
from evalkit.formats.json_text import parse_json
from evalkit.formats.legacy import TODAY, read_list, set_id
from evalkit.formats.other_files import foreign_cases, is_one_case, other_kind
from evalkit.formats.other_styles import snake_case_top, todays_turns
from evalkit.formats.plain import are_plain, telling
from evalkit.formats.secret_shapes import secret_problems
from evalkit.formats.shapes import spelled_twice
from evalkit.formats.validation import schema_problems
from evalkit.searching import searcher

_CAMEL_KEY = r'"[a-z]+[A-Z]\w*"\s*:'
_ESCAPED_KEY = r'"[^"]*\\u[^"]*"\s*:'
"""A key with an escape, which could hide that it is in camelCase."""


def read(path: str | Path, name: str | None = None, *, whole: bool = True) -> Loaded[CaseSet]:
    """Read an evalset file.

    Args:
        path: The file.
        name: What to call it in problems; its path by default.
        whole: False leaves out cases that `lint` has nothing to say of; see `plain`.
    """
    file = name or str(path)
    data = read_bytes(Path(path), file)
    return Loaded(None, data.problems) if data.value is None else parse(data.value, file=file, whole=whole)


def parse(data: str | bytes, *, file: str, whole: bool = True) -> Loaded[CaseSet]:
    """Read an evalset from text or UTF-8 bytes.

    Args:
        data: The file's bytes, or its text.
        file: What to call it in problems.
        whole: As for `read`.
    """
    parsed = parse_json(data, file)
    document = parsed.value
    if document is None:
        return Loaded(None, parsed.problems)
    text = data if isinstance(data, str) else data.decode()
    is_list = isinstance(document.value, list)
    loaded = read_list(document, text) if is_list else _read_object(document, text, whole=whole)
    problems = (*parsed.problems, *loaded.problems, *secret_problems(document, text))
    return Loaded(None if has_errors(problems) else loaded.value, problems)


def write(case_set: CaseSet) -> str:
    """Write a case set as the text of an evalset file.

    What ADK's `EvalSet` makes of it equals what it makes of the file that the case set was read from.
    """
    return json.dumps(write_case_set(case_set), ensure_ascii=False, indent=2) + "\n"


def _read_object(document: Document, text: str, *, whole: bool) -> Loaded[CaseSet]:
    """Read what should be an evalset in today's form."""
    if wrong := _wrong_kind(document, text):
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
    cases = document.value["eval_cases"]
    plain = [False] * len(cases) if whole else are_plain(cases)
    camel_case = not all(plain) and _may_be_camel_case(text)
    reader = EvalsetReader(document, text, camel_case=camel_case)
    case_set = reader.case_set(range(len(cases)) if whole else telling(cases, plain))
    twice = spelled_twice(document, "evalset") if camel_case else ()
    return Loaded(case_set, (*problems, *reader.problems, *twice))


def _may_be_camel_case(text: str) -> bool:
    """Whether a key of an evalset may be in camelCase, by a quick look at its text."""
    return searcher(_CAMEL_KEY)(text) or ("\\u" in text and searcher(_ESCAPED_KEY)(text))


def _wrong_kind(document: Document, text: str) -> Problem | None:
    """Recognize a file that is no evalset at all, of which one problem says more than twenty."""
    kind = None if is_one_case(document.value) else other_kind(document.value)
    if kind is not None:
        return document.problem("wrong-kind", (), f"this is {kind.about}, not an evalset", TODAY)
    if is_one_case(document.value):
        around = f'{{"eval_set_id": "{set_id(document.file)}", "eval_cases": ['
        fixes = (Splice(0, 0, around), Splice(len(text.rstrip()), len(text.rstrip()), "]}"))
        message = "this is one case without the evalset around it"
        return document.problem("wrong-kind", (), message, f"write {around}…]}}", fixes=fixes)
    foreign = foreign_cases(document.value)
    if foreign is None:
        return None
    return document.problem("wrong-kind", (foreign.key,), f"this is {foreign.about}, not an evalset", TODAY)
