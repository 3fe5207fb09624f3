"""What a recording answers a call with: its result, or the text that HolmesGPT shows its model."""

import json
from typing import Any

from evalkit.adapters.holmes.nouns import Options
from evalkit.cases import Json
from evalkit.formats.holmes_recording import Recording

_BESIDE = ("error", "return_code", "url", "invocation", "params")
"""What stands beside status and data where a recording says it."""


def reply(recording: Recording, options: Options) -> Json:
    """Make the reply; the status stays what the file says, whatever its data looks like."""
    return as_text(recording) if options.response == "holmes-text" else as_result(recording)


def as_result(recording: Recording) -> dict[str, Json]:
    """Status and data, and what else is not null; data that happens to be the text of JSON stays a text."""
    beside = {name: value for name in _BESIDE if (value := getattr(recording, name)) is not None}
    return {"status": recording.status, "data": recording.data, **beside}


def as_text(recording: Recording) -> str:
    """The text that HolmesGPT puts before its model: the recorded arguments, the error, the data."""
    text = _shown(recording.data)
    if recording.status == "error":
        text = f"{recording.error or 'Tool execution failed'}:\n\n{recording.data or ''}".strip()
    if recording.params:
        params = json.dumps(recording.params)
        text = f"Params used for the tool call: {params}. The tool call output follows on the next line.\n{text}"
    return text


def _shown(data: Any) -> str:
    return data if isinstance(data, str) else json.dumps(data, indent=2)
