"""A recorded tool reply of HolmesGPT's (`*.txt` beside a `test_case.yaml`), read as HolmesGPT reads it.

Line 1 is a JSON object that says which call is answered (`tool_name`, `toolset_name`, `match_params`), line 2 the reply
as a JSON object without its data, and whatever follows is the data, as text. HolmesGPT decodes UTF-8, takes CR and CRLF
for LF, and passes over what it cannot use; only a second line that is no JSON ends its test.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evalkit.cases import Json
from evalkit.formats import holmes_recording_faults as faults
from evalkit.formats.files import Loaded
from evalkit.formats.holmes_json import NO_JSON, load_line
from evalkit.formats.holmes_recording_faults import ANY

__all__ = ["ANY", "Recording", "parse_recording"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """One recorded reply.

    Attributes:
        file: The file as the user named it.
        tool: The tool's name, which alone says whose calls it answers; file names are not reliable.
        toolset: The toolset's name, empty if it is not said; no call is matched by it.
        match: The arguments that a call must have, each equal; None, like `{}`, answers every call.
        status: One of `holmes_recording_faults.STATUSES`; a failure inside the data of a success leaves it a success.
        data: The text from line 3 on; without a third line what line 2 has as `data`.
        error: What went wrong, in words.
        return_code: The exit code of the tool's command.
        url: Where the result can be seen.
        invocation: The command that the tool ran.
        params: The arguments of the recorded call, which the model is shown in place of its own.
        more: Whatever else line 2 says, which HolmesGPT shows nobody (`schema_version`, `icon_url`).
        misspelt: The key that stands in the place of `match_params`, so that the recording answers every call.
    """

    file: str
    tool: str
    toolset: str = ""
    match: Mapping[str, Json] | None = None
    status: str
    data: Json = None
    error: str | None = None
    return_code: int | None = None
    url: str | None = None
    invocation: str | None = None
    params: Mapping[str, Json] | None = None
    more: Mapping[str, Json] = field(default_factory=dict)
    misspelt: str | None = None

    @property
    def result(self) -> Mapping[str, Json]:
        """What the model is told, without provenance: recordings with equal results answer alike."""
        return {"status": self.status, "error": self.error, "return_code": self.return_code, "data": self.data}


_KNOWN = ("status", "data", "error", "return_code", "url", "invocation", "params")


def parse_recording(data: bytes, file: str) -> Loaded[Recording]:
    """Read a recording from its bytes.

    Args:
        data: The file's bytes.
        file: The file as the user named it, for problems.

    Returns:
        The recording, perhaps with warnings. Or no value: with errors if it is meant as a recording and HolmesGPT
        cannot use it, without a problem if the file is none, such as a `requirements.txt`.
    """
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return Loaded(None, faults.encoding_problems(data, file))
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n", 2)
    head = load_line(lines[0])
    if not isinstance(head, dict) or "tool_name" not in head:
        return Loaded(None, tuple(faults.head_problems(lines[0], text, file)))
    if len(lines) == 1 or lines[1:] == [""]:
        return Loaded(None, (faults.cut_short(file),))
    result = load_line(lines[1])
    if result is NO_JSON:
        return Loaded(None, (faults.old_format(lines[1], file),))
    refused = tuple(faults.type_problems(lines, head, result, file))
    if refused:
        return Loaded(None, refused)
    misspelt = faults.misspelt_match(head)
    recording = _recording(file, head, _with_body(result, lines), misspelt)
    return Loaded(recording, tuple(faults.warnings(lines[0], head, misspelt, file)))


def _with_body(result: Any, lines: list[str]) -> dict[str, Json]:
    """The result with its data: what follows line 2 if anything does, else what line 2 itself says."""
    body = lines[2:]
    return result if body in ([], [""]) else {**result, "data": body[0]}


def _recording(file: str, head: Mapping[str, Any], result: Mapping[str, Any], misspelt: str | None) -> Recording:
    known = {key: result[key] for key in _KNOWN if key in result}
    return Recording(
        file=file,
        tool=head["tool_name"],
        toolset=head.get("toolset_name", ""),
        match=head.get("match_params"),
        more={key: value for key, value in result.items() if key not in known},
        misspelt=misspelt,
        **known,
    )
