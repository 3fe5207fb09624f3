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
from evalkit.formats.wording import listed


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


_CASE_KEYS = {
    *("eval_id", "conversation", "conversation_scenario", "session_input", "final_session_state"),
    *("evalId", "conversationScenario", "sessionInput", "finalSessionState", "query", "data"),
}
_DATASET_KEYS = {"prompt", "agent_data", "agentData", "responses"}


_SHOWN = 6
"""So many keys of foreign cases are named."""


def is_one_case(value: Json) -> bool:
    """Whether a value is a case of ADK's, with no evalset around it."""
    return isinstance(value, dict) and not {"eval_cases", "evalCases"} & value.keys() and _is_case(value)


def _is_case(value: Mapping[str, Json]) -> bool:
    conversation = value.get("conversation", value.get("conversation_scenario"))
    return bool({"eval_id", "evalId"} & value.keys()) and isinstance(conversation, list | dict)


class ForeignCases(NamedTuple):
    """The key of a list of cases that are not ADK's, and what they are."""

    key: str
    about: str


def foreign_cases(value: Json) -> ForeignCases | None:
    """Recognize cases that have nothing of a case of ADK's, so that no renaming of keys would make one of them."""
    if not isinstance(value, dict):
        return None
    for key in ("eval_cases", "evalCases", *("test_cases", "testCases", "cases", "tests", "evals", "examples")):
        cases = value.get(key)
        if not isinstance(cases, list) or not cases or not all(isinstance(case, dict) for case in cases):
            continue
        keys = dict.fromkeys(name for case in cases for name in case)
        if keys.keys() & _CASE_KEYS:
            return None
        if keys.keys() & _DATASET_KEYS:
            return ForeignCases(key, "a dataset for Vertex AI's evaluation service, as agents-cli has it")
        if keys and not key.startswith("eval"):
            return ForeignCases(key, f"a list of cases of another format, with {listed([*keys][:_SHOWN])}")
    return None


def check_other(path: Path, kind: OtherKind) -> tuple[Problem, ...]:
    """Find what is wrong with a file of a kind that has a schema."""
    file = str(path)
    data = read_bytes(path, file)
    parsed = parse_json(data.value or b"", file)
    if data.value is None or parsed.value is None or kind.schema is None:
        return (*data.problems, *parsed.problems)
    note = parsed.value.problem("other-kind", (), f"this is {kind.about}; nothing of it is played or judged")
    return (note, *parsed.problems, *schema_problems(kind.schema, parsed.value))
