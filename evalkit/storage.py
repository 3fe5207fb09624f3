"""Files that a crash cannot spoil: replaced in one step, or appended line by line.

A file that cannot be read or written is an `InputError` that names it: the folder is the user's choice.
"""

import contextlib
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

from evalkit.cases import Json
from evalkit.codec.decoding import DecodeError, decode
from evalkit.errors import InputError

T = TypeVar("T")


@contextlib.contextmanager
def explained(path: Path, problem: str) -> Iterator[None]:
    """Turn the operating system's refusal into an `InputError`: path, problem, and the system's own words."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{path}: {problem}: {error.strerror or error}") from error


def write_atomically(path: Path, text: str) -> None:
    """Replace a file in one step: whoever reads it meanwhile sees the old text or the new one, never half of one."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with explained(path, "cannot write"):
        try:
            temporary.write_text(text, encoding="utf-8", newline="\n")
            if path.exists():
                shutil.copymode(path, temporary)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


def point_at(pointer: Path, target: str) -> None:
    """Make `pointer` lead to its neighbour `target`: a symbolic link, or where there are none a file with the name."""
    temporary = pointer.with_name(f".{pointer.name}.{os.getpid()}.tmp")
    try:
        temporary.unlink(missing_ok=True)
        temporary.symlink_to(target, target_is_directory=True)
        temporary.replace(pointer)
    except OSError:  # Windows without the privilege, and some network and container file systems
        write_atomically(pointer, target + "\n")
    finally:
        temporary.unlink(missing_ok=True)


def follow(pointer: Path) -> Path:
    """Resolve what `point_at` wrote; any other path leads to itself."""
    if not pointer.is_file():
        return pointer
    with explained(pointer, "cannot read"):
        return pointer.with_name(pointer.read_text(encoding="utf-8").strip())


def read_json(path: Path) -> Json:
    """Read a JSON file.

    Raises:
        InputError: There is no such file, or it is not JSON.
    """
    with explained(path, "cannot read"):
        raw = path.read_bytes()
    try:
        return json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: is not JSON: {error}") from error


def read_lines(path: Path) -> Iterator[tuple[str, Json]]:
    """Read a file of JSON lines: for each its place (`file:line`) and value; a last line cut off is left out.

    Only a line without its end can have been cut off: any other that is broken was damaged by something else.

    Raises:
        InputError: There is no such file, or a line is not JSON.
    """
    with explained(path, "cannot read"), path.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            try:
                value = json.loads(line.decode())  # a text: bytes are first searched for their encoding
            except (ValueError, RecursionError) as error:
                if not line.endswith(b"\n"):
                    return
                raise InputError(
                    f"{path}:{number}: is not JSON: {error}; remove the line to go on without it"
                ) from error
            yield f"{path}:{number}", value


def decode_at(kind: type[T], data: Any, place: str) -> T:
    """Decode a dataclass read from `place`, which stands before the message if it does not fit."""
    try:
        return decode(kind, data)
    except DecodeError as error:
        raise InputError(f"{place}: {error}") from error
