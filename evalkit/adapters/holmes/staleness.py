"""Recordings that an author has left behind: of tools that are gone, or of another incident than the prompt's.

Nothing is left out for it. A tool that HolmesGPT no longer loads may well be one that the agent here has.
"""

import json
import re
from collections.abc import Iterator
from typing import Final

from evalkit.adapters.holmes.expected import expected_texts
from evalkit.adapters.holmes.notes import note
from evalkit.adapters.holmes.nouns import Fixture, Note
from evalkit.adapters.holmes.prompts import user_texts
from evalkit.formats.holmes_recording import Recording
from evalkit.formats.holmes_tools import unreachable

_OFF_BY_DEFAULT: Final = ("prometheus/", "grafana/", "datadog/", "newrelic", "kafka/", "rabbitmq/", "opensearch/")
"""Toolsets written in Python, which are loaded only where `toolsets.yaml` turns them on."""

_NAME: Final = re.compile(r"\b[a-z0-9]+(?:-[a-z0-9]+)+\b")
"""A name as Kubernetes takes them, with at least one hyphen."""
_WORDS: Final = re.compile(r"\d+(?:-\d+)+|(?:port|non|multi|real|follow|long|out|step|time|up|end|re|pre|co)-.*")
"""Hyphenated words and dates, which are names of nothing."""


def stale_notes(fixture: Fixture) -> Iterator[Note]:
    """Note the recordings that HolmesGPT would not ask, and a set that is about something else."""
    for recording in fixture.recordings:
        why = _out_of_reach(recording, fixture)
        if why:
            yield note("STALE_TOOL", f"{why}; it answers here all the same", recording.file)
    yield from _another_incident(fixture)


def _out_of_reach(recording: Recording, fixture: Fixture) -> str | None:
    """Why HolmesGPT's model cannot make the recorded call; None if it can."""
    why = unreachable(recording, fixture.toolsets)
    if why is None and recording.toolset.startswith(_OFF_BY_DEFAULT) and recording.toolset not in fixture.toolsets:
        return f"no toolsets.yaml turns on the toolset {recording.toolset} of {recording.tool}"
    return why


def _another_incident(fixture: Fixture) -> Iterator[Note]:
    """Note that what the prompt names is in no recording, so that they can hardly be about it."""
    named = sorted({name for text in user_texts(fixture) for name in _names(text)}) if fixture.kind == "ask" else []
    if not (fixture.recordings and named):
        return
    recorded = "\n".join(map(_whole, fixture.recordings))
    if any(name in recorded for name in named):
        return
    message = f"none of the recordings mentions {', '.join(named)}, which the prompt is about"
    lost = sum(name not in recorded for text in expected_texts(fixture) for name in set(_names(text)))
    more = f"; nor {lost} of the names in the expected output, see gold.json" if lost else ""
    yield note("STALE_SET", message + more)


def _names(text: str) -> list[str]:
    """The names in a text that are of somebody's cluster: hyphenated and no plain words, or quoted as code."""
    prompt = text.partition("\n\n<attached-file")[0]
    return [name for name in _NAME.findall(prompt) if not _WORDS.fullmatch(name)]


def _whole(recording: Recording) -> str:
    return json.dumps([recording.match, recording.params, recording.data], ensure_ascii=False)
