"""Names for cases that have none: from what the user says first, or by their place."""

import re
from collections.abc import Iterator, Mapping
from itertools import count, islice

from evalkit.cases import Json
from evalkit.formats.paths import JsonPath
from evalkit.formats.spelling import either_spelling

_WORDS = 4
"""Words of a prompt that make a name."""
_LONGEST = 40


def id_to_add(evalset: Json, path: JsonPath) -> str:
    """Say which id to add to the case at a path; where several have none, the same for all of them."""
    cases = evalset.get("eval_cases", ()) if isinstance(evalset, Mapping) else ()
    nameless = (case for case in cases if isinstance(case, Mapping) and either_spelling(case, "eval_id") is None)
    if len([*islice(nameless, 2)]) > 1:
        return 'add "eval_id": "case_1", "case_2" and so on'
    index = path[-1] if path and isinstance(path[-1], int) else 0
    taken = [either_spelling(case, "eval_id") for case in cases if isinstance(case, Mapping)]
    name = _from_prompt(cases[index]) if index < len(cases) else ""
    return f'add "eval_id": "{next(free for free in _numbered(name, index + 1) if free not in taken)}"'


def _numbered(name: str, place: int) -> Iterator[str]:
    if name:
        yield name
    yield from (f"{name or 'case'}_{number}" for number in count(2 if name else place))


def _from_prompt(case: Mapping[str, Json]) -> str:
    """Make a name of the first words that the user says; empty if there are none in Latin letters."""
    value: Json = case
    for step in ("conversation", 0, "user_content", "parts", 0, "text"):
        if isinstance(value, Mapping) and isinstance(step, str):
            value = either_spelling(value, step)
        elif isinstance(value, list) and isinstance(step, int) and value:
            value = value[step]
        else:
            return ""
    words = re.findall(r"[a-z0-9]+", str(value).lower().replace("'", "")) if isinstance(value, str) else []
    return "_".join(words[:_WORDS])[:_LONGEST].strip("_") if str(value).isascii() else ""
