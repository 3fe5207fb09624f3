"""Files that are to be written: none in the place of another, unless that is wanted, and each in one step."""

import difflib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from evalkit.errors import InputError
from evalkit.formats.files import MOCKS_NAMES
from evalkit.storage import explained, write_atomically


class ExistingFilesError(InputError):
    """Files are in the way.

    Attributes:
        paths: Which.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self.paths = tuple(paths)
        named = "\n".join(f"  {path}" for path in paths)
        are = "these files are" if len(paths) > 1 else "this file is"
        super().__init__(
            f"{are} there already, and nothing was written:\n{named}\n"
            "--force replaces them, --out DIR writes somewhere else, --diff shows what would change"
        )


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file that is to be written.

    Attributes:
        path: Where, relative to the current folder if it lies below that.
        text: What.
        before: What is there now; None if nothing is.
    """

    path: Path
    text: str
    before: str | None = None

    def diff(self) -> str:
        """The change as a unified diff; empty if there is none."""
        name = self.path.as_posix()
        old, new = ("/dev/null" if self.before is None else f"a/{name}"), f"b/{name}"
        before = (self.before or "").splitlines(keepends=True)
        return "".join(difflib.unified_diff(before, self.text.splitlines(keepends=True), old, new))


def new_file(path: Path, text: str) -> NewFile:
    """Look at what is in a file's place.

    Raises:
        InputError: It cannot be read.
    """
    if not os.path.lexists(path):
        return NewFile(path, text)
    with explained(path, "cannot read"):
        return NewFile(path, text, path.read_bytes().decode(errors="replace"))


def keep_all(paths: Iterable[Path]) -> None:
    """Make sure that nothing is in the place of new files.

    A mocks file under another of its names counts too: beside the new one nobody would read it any more.

    Raises:
        ExistingFilesError: Something is.
    """
    found: list[Path] = []
    for path in paths:
        names = MOCKS_NAMES if path.name == MOCKS_NAMES[0] else (path.name,)
        found += [place for name in names if os.path.lexists(place := path.with_name(name))]
    if found:
        raise ExistingFilesError(found)


def write(files: Iterable[NewFile]) -> None:
    """Write files, each in one step.

    Raises:
        InputError: A folder or a file cannot be written.
    """
    for file in files:
        with explained(file.path.parent, "cannot make the folder"):
            file.path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(Path(os.path.realpath(file.path)), file.text)
