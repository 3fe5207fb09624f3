"""What a judge's answer says, read strictly: one verdict for each rubric by its exact id, `yes` or `no`, or nothing.

ADK reads leniently: a rubric that is left out, reworded or answered by "partial" drops out of its mean, and "not sure,
maybe yes" is a yes. Here such an answer is unusable as a whole, and the judge is asked again.

Two forms are taken: the JSON that we ask for, and the lines (`ID: … Property: … Rationale: … Verdict: …`) that judges
written for ADK give.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evalkit.matching import show

_THOUGHT = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_FENCE = re.compile(r"\A```(?:json)?\s*\n(.*)\n\s*```\Z", re.DOTALL)
_LINE = re.compile(r"^\s*(ID|Property|Evidence|Rationale|Verdict):[ \t]*(.*?)\s*$", re.MULTILINE)
_VERDICTS = {"yes": True, "no": False}


class UnusableAnswerError(ValueError):
    """A judge's answer leaves open what it means; the message says where."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge said of one rubric, and why."""

    holds: bool
    rationale: str = ""


def read_answer(text: str, ids: Sequence[str]) -> dict[str, Verdict]:
    """Read the verdicts on all rubrics.

    Args:
        text: The answer.
        ids: Of the rubrics that were asked about.

    Raises:
        UnusableAnswerError: A verdict is missing, double, not about one of the rubrics, or neither yes nor no.
    """
    text = _THOUGHT.sub("", text).strip()
    if fenced := _FENCE.match(text):
        text = fenced[1].strip()
    entries = _from_lines(text) if _LINE.match(text) else _from_json(text)
    found: dict[str, Verdict] = {}
    for entry in entries:
        rubric_id = entry.get("rubric_id")
        if not isinstance(rubric_id, str) or rubric_id not in ids:
            raise UnusableAnswerError(f"a verdict is about {show(rubric_id)}, which is no id of a rubric")
        if rubric_id in found:
            raise UnusableAnswerError(f"{rubric_id} has two verdicts")
        found[rubric_id] = _verdict(rubric_id, entry)
    missing = [one for one in ids if one not in found]
    if missing:
        raise UnusableAnswerError(f"{', '.join(missing)} has no verdict")
    return found


def _verdict(rubric_id: str, entry: Mapping[str, Any]) -> Verdict:
    given, rationale = entry.get("verdict"), entry.get("rationale")
    word = given.strip().lower() if isinstance(given, str) else None
    if word not in _VERDICTS:
        raise UnusableAnswerError(f"the verdict on {rubric_id} is {show(given)}, neither yes nor no")
    return Verdict(_VERDICTS[word], rationale if isinstance(rationale, str) else "")


def _from_json(text: str) -> Iterator[Mapping[str, Any]]:
    try:
        value = json.loads(text, object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError) as error:
        if isinstance(error, UnusableAnswerError):
            raise
        raise UnusableAnswerError(f"it is not JSON: {show(text, 80)}") from error
    entries = value.get("verdicts") if isinstance(value, dict) else value
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise UnusableAnswerError('it has no list of "verdicts"')
    return iter(entries)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise UnusableAnswerError("an object has the same key twice")
    return found


def _from_lines(text: str) -> Iterator[Mapping[str, Any]]:
    """Read blocks of lines; each begins with the id, without which its verdict is nobody's."""
    block: dict[str, str] = {}
    for name, value in _LINE.findall(text):
        if name == "ID":
            if block:
                yield block
            block = {"rubric_id": value}
        elif "rubric_id" not in block:
            raise UnusableAnswerError("a verdict stands without the id of its rubric")
        elif name.lower() in block:
            raise UnusableAnswerError(f"a verdict after that on {block['rubric_id']} stands without an id")
        else:
            block[name.lower()] = value
    yield block
