"""Gold files (`gold.json`): what the answers to cases are judged by, apart from the cases.

Only `check`, and whoever judges an answer that is there, opens one; see `evalkit.sealed`.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from evalkit.errors import Problem
from evalkit.formats.documents import Document
from evalkit.formats.files import Loaded, has_errors, read_bytes
from evalkit.formats.gold_items import build_rubrics
from evalkit.formats.json_text import parse_json
from evalkit.formats.paths import JsonPath
from evalkit.formats.secret_shapes import secret_problems
from evalkit.formats.validation import schema_problems
from evalkit.gold import Gold, GoldFile, GoldRubric

JsonObject = Mapping[str, Any]

VERSION = 1


def read(path: str | Path, name: str | None = None) -> Loaded[GoldFile]:
    """Read a gold file; `name` is what to call it in problems, its path by default."""
    file = name or str(path)
    data = read_bytes(Path(path), file)
    return Loaded(None, data.problems) if data.value is None else parse(data.value, file=file)


def parse(data: str | bytes, *, file: str) -> Loaded[GoldFile]:
    """Read a gold file from text or UTF-8 bytes; `file` is what to call it in problems."""
    parsed = parse_json(data, file)
    document = parsed.value
    if document is None:
        return Loaded(None, parsed.problems)
    problems = (*parsed.problems, *schema_problems("gold", document), *secret_problems(document, data))
    if not has_errors(problems):
        problems = (*problems, *_faults(document))
    if has_errors(problems):
        return Loaded(None, problems)
    cases = {eval_id: _gold(given) for eval_id, given in document.value["cases"].items()}
    return Loaded(GoldFile(file=file, cases=cases), problems)


def write(cases: Mapping[str, Gold]) -> str:
    """Write the gold of cases, by their ids, as the text of a gold file."""
    value = {"version": VERSION, "cases": {eval_id: _written(gold) for eval_id, gold in cases.items()}}
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _gold(given: JsonObject) -> Gold:
    mode, expected = given.get("mode", "strict"), tuple(given.get("expected", ()))
    with_calls = given.get("include_tool_calls", False)
    rubrics = given.get("rubrics")
    return Gold(
        mode=mode,
        expected=expected,
        rubrics=build_rubrics(expected, mode, include_tool_calls=with_calls)
        if rubrics is None
        else tuple(map(_rubric, rubrics)),
        include_tool_calls=with_calls,
        sections={
            title: tuple(texts) if isinstance(texts, list) else False
            for title, texts in given.get("sections", {}).items()
        },
        json_answer=given.get("json_answer", False),
    )


def _rubric(given: JsonObject) -> GoldRubric:
    return GoldRubric(
        rubric_id=given["rubric_id"],
        text=given["rubric_content"]["text_property"],
        type=given.get("type", "FINAL_RESPONSE_QUALITY"),
        needs_judge=given.get("needs_judge", False),
    )


def _written(gold: Gold) -> dict[str, Any]:
    return {
        "mode": gold.mode,
        "expected": list(gold.expected),
        "rubrics": [
            {
                "rubric_id": rubric.rubric_id,
                "rubric_content": {"text_property": rubric.text},
                "type": rubric.type,
                "needs_judge": rubric.needs_judge,
            }
            for rubric in gold.rubrics
        ],
        "include_tool_calls": gold.include_tool_calls,
        "sections": {title: list(texts) if texts is not False else False for title, texts in gold.sections.items()},
        "json_answer": gold.json_answer,
    }


def _faults(document: Document) -> Iterator[Problem]:
    """Find what the schema cannot say."""
    for eval_id, given in document.value["cases"].items():
        place: JsonPath = ("cases", eval_id)
        if not (given.get("expected") or given.get("sections") or given.get("json_answer")):
            message = "nothing is expected here, so there is nothing to judge the answer by"
            yield document.problem("wrong-value", place, message, 'add "expected": ["…"]')
        if given.get("rubrics") is not None:
            yield from _rubric_faults(document, place, given)


def _rubric_faults(document: Document, place: JsonPath, given: JsonObject) -> Iterator[Problem]:
    rubrics, expected = given["rubrics"], given.get("expected", [])
    loose = given.get("mode") == "loose"
    wanted = min(len(expected), 1) if loose else len(expected)
    if len(rubrics) != wanted:
        rule = "loose mode has one rubric for all texts" if loose else "strict mode has one rubric for each text"
        message = f"there are {len(rubrics)} rubrics for {len(expected)} expected texts; {rule}"
        hint = "leave `rubrics` out, and they are made of the texts"
        yield document.problem("wrong-value", (*place, "rubrics"), message, hint)
    times = Counter(rubric["rubric_id"] for rubric in rubrics)
    for index, rubric in enumerate(rubrics):
        if times[rubric["rubric_id"]] > 1:
            path = (*place, "rubrics", index, "rubric_id")
            yield document.problem("wrong-value", path, f"two rubrics have the id `{rubric['rubric_id']}`")
