"""What the user says in a case, and what the session knows of time and place when it begins."""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from evalkit.adapters.holmes.notes import note
from evalkit.adapters.holmes.nouns import Fixture, Note
from evalkit.adapters.holmes.test_case import CASE_FILE
from evalkit.cases import Json

_CLOCK: Final = "get_current_time"
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?")
_FILES_WANTED: Final = re.compile(
    r"\b(?:create|write|save|generate|make|export)\b[^.?!\n]*\b(?:file|script)s?\b", re.IGNORECASE
)


def user_texts(fixture: Fixture) -> list[str]:
    """The user's message of each case of a fixture, verbatim; a list of prompts gives a case each."""
    match fixture.kind:
        case "ask":
            prompt = (fixture.case or {})["user_prompt"]
            included = "".join(_included(fixture))
            return [text + included for text in (prompt if isinstance(prompt, list) else [prompt])]
        case "investigate":
            return [_investigation(fixture)] if fixture.sidecars["investigate_request.json"] else []
        case "workload_health":
            request = fixture.sidecars["workload_health_request.json"]
            return [request["ask"]] if isinstance(request, dict) and isinstance(request.get("ask"), str) else []
    return []


def prompt_notes(fixture: Fixture) -> Iterator[Note]:
    """Say how the messages came about."""
    case = fixture.case or {}
    if isinstance(case.get("user_prompt"), list) and case["user_prompt"]:
        yield note("PROMPT_VARIANTS", f"{len(case['user_prompt'])} prompts, each a case of its own", CASE_FILE)
    if fixture.kind == "investigate":
        message = "the prompt is made of the request as JSON; HolmesGPT prints a Python dict and adds runbooks"
        yield note("PROMPT_SYNTHESIZED", message, "investigate_request.json")
    if fixture.kind != "unsupported" and not user_texts(fixture):
        yield note("NO_PROMPT", "nothing is asked: the request that makes the prompt says nothing that can be asked")
    for name in case.get("include_files") or ():
        yield note("INCLUDE_INLINED", "stands at the end of the prompt, under its relative name", name)


def asks_for_files(text: str) -> bool:
    """Whether a prompt wants the agent to make files."""
    return bool(_FILES_WANTED.search(text))


def included_file(folder: Path, name: str) -> Path | None:
    """Find a file that a case includes; None if it is not there, or not among the fixtures."""
    path = (folder / name).resolve()
    return path if path.is_relative_to(folder.resolve().parent.parent) and path.is_file() else None


def _included(fixture: Fixture) -> Iterator[str]:
    for name in (fixture.case or {}).get("include_files") or ():
        path = included_file(fixture.folder, name)
        if path is not None:
            text = path.read_text(encoding="utf-8")
            yield f"\n\n<attached-file path='{name}'>\n{text}\n</attached-file>"


def _investigation(fixture: Fixture) -> str:
    request = fixture.sidecars["investigate_request.json"]
    issue = fixture.sidecars.get("issue_data.json")
    given = {**request, "extra_context": issue} if isinstance(request, dict) and issue else request
    text = f"#This is context from the issue:\n{json.dumps(given, indent=2, ensure_ascii=False)}"
    return "\n\n".join([text, *_advice(fixture.sidecars.get("resource_instructions.json"))])


def _advice(instructions: Json) -> Iterator[str]:
    """What the owner of the resource wants to be followed, one paragraph a kind."""
    if not isinstance(instructions, dict):
        return
    said = [str(line) for line in instructions.get("instructions") or ()]
    urls = [str(one["url"]) for one in instructions.get("documents") or () if isinstance(one, dict) and one.get("url")]
    if said:
        yield "\n".join(["Follow these instructions for this resource:", *(f"- {line}" for line in said)])
    if urls:
        yield "\n".join(["Fetch these documents about this resource and follow them:", *(f"- {url}" for url in urls)])


def initial_state(fixture: Fixture) -> dict[str, Json]:
    """What the session's state holds: the moment that the case believes in, and the cluster's name."""
    case: Mapping[str, Any] = fixture.case or {}
    state = {"now": case.get("mocked_date") or _recorded_moment(fixture), "cluster_name": case.get("cluster_name")}
    return {key: value for key, value in state.items() if value is not None}


def date_notes(fixture: Fixture) -> Iterator[Note]:
    """Say where the moment comes from, if there is one."""
    moment = initial_state(fixture).get("now")
    told = "`now` of the session's state; ADK freezes no clock, so the agent must read it there"
    if (fixture.case or {}).get("mocked_date"):
        yield note("DATE_FROZEN", f"{moment} is {told}", CASE_FILE)
    elif moment is not None:
        yield note("DATE_IMPLICIT", f"{moment}, which the recording of {_CLOCK} says, is {told}", _clock(fixture))


def _clock(fixture: Fixture) -> str | None:
    return next((one.file for one in fixture.recordings if one.tool == _CLOCK), None)


def _recorded_moment(fixture: Fixture) -> str | None:
    """The moment that a recorded clock shows, in ISO 8601; without a zone it is UTC."""
    for recording in fixture.recordings:
        found = _MOMENT.search(recording.data) if recording.tool == _CLOCK and isinstance(recording.data, str) else None
        if found:
            moment = datetime.fromisoformat(found[0])
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).isoformat()
    return None
