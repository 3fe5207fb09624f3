"""JSON files around evaluation that are neither evalsets nor configs, told by a key; some are inputs of `adk eval_set`.

The values of those are ones that an evalset has inside its cases, and they are checked as such. Nothing of them is
played or judged.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from evalkit.cases import Json
from evalkit.errors import Problem
from evalkit.formats.files import read_bytes
from evalkit.formats.json_text import parse_json
from evalkit.formats.validation import schema_problems


class OtherKind(NamedTuple):
    """A kind of file.

    Attributes:
        about: What it is, with its article.
        schema: What its value must be; None for what another program writes.
    """

    about: str
    schema: str | None = None


_BY_KEY: Mapping[str, OtherKind] = {
    "criteria": OtherKind("an eval config"),
    "scenarios": OtherKind("a file of conversation scenarios, an input of `adk eval_set`", "scenarios"),
    "starting_prompt": OtherKind("a conversation scenario, which belongs into a case", "scenario"),
    "eval_set_result_id": OtherKind("a result of `adk eval`"),
    "user_id": OtherKind("a session input, which belongs into a case or is one for `adk eval_set`", "session_input"),
}


def other_kind(value: Json) -> OtherKind | None:
    """Recognize a value that is no evalset by a key that tells."""
    if not isinstance(value, dict) or {"eval_cases", "evalCases"} & value.keys():
        return None
    return next((kind for key, kind in _BY_KEY.items() if key in value), None)


def check_other(path: Path, kind: OtherKind) -> tuple[Problem, ...]:
    """Find what is wrong with a file of a kind that has a schema."""
    file = str(path)
    data = read_bytes(path, file)
    parsed = parse_json(data.value or b"", file)
    if data.value is None or parsed.value is None or kind.schema is None:
        return (*data.problems, *parsed.problems)
    note = parsed.value.problem("other-kind", (), f"this is {kind.about}; nothing of it is played or judged")
    return (note, *parsed.problems, *schema_problems(kind.schema, parsed.value))
