"""Bytes to text."""

import codecs

from evalkit.errors import Problem
from evalkit.formats.positions import Lines

_OTHER_MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
"""Byte order marks of encodings that ADK does not read; UTF-32 first, since its mark begins like that of UTF-16."""


def decode(data: bytes | str, file: str) -> tuple[str | None, tuple[Problem, ...]]:
    """Decode UTF-8; anything else is a problem at the first byte that is none. A byte order mark stays in the text."""
    if isinstance(data, str):
        return data, ()
    try:
        return data.decode(), ()
    except UnicodeDecodeError as error:
        name = next((name for mark, name in _OTHER_MARKS.items() if data.startswith(mark)), None)
        before = data[: error.start].decode()
        place = Lines(before).place(len(before))
        message = f"the file is {name}, not UTF-8" if name else f"byte 0x{data[error.start]:02x} is not UTF-8"
        return None, (
            Problem(
                file=file,
                rule="bad-encoding",
                message=message,
                hint="save the file as UTF-8",
                line=place.line,
                column=place.column,
            ),
        )
