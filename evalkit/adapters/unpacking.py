"""Unpacking an archive that a stranger made: what it holds stays in the folder, and has a limit.

Taken are zip files and tar files, plain or compressed by gzip, bzip2 or xz, told by their bytes. Regular files and
folders come out as they are, with no more of their mode than whether they can be executed; hard links become copies.
Symbolic links are made last, so that nothing is ever written through one, and each must lead to something inside.
"""

import bz2
import gzip
import lzma
import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final

from evalkit.errors import InputError

MOST_BYTES: Final = 2 * 1024**3
"""Bytes of all files together, unpacked."""
MOST_MEMBERS: Final = 100_000
"""Files, folders and links of an archive."""

_CHUNK: Final = 1024 * 1024
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
_COMPRESSED: Final[Mapping[bytes, Callable[[Path], Any]]] = {
    b"\x1f\x8b": gzip.GzipFile,
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\x00": lzma.LZMAFile,
}
_LONGEST_TARGET: Final = 4096
"""Bytes of where a link leads."""
_BROKEN: Final = (tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError)
"""What reading a damaged archive raises, beside OSError."""


@dataclass(frozen=True, slots=True)
class _Member:
    """One entry of an archive.

    Attributes:
        name: Its path, as the archive has it.
        kind: What to make of it.
        open: Opens a file's bytes.
        target: Where a link leads.
    """

    name: str
    kind: str  # `file`, `program`, `folder`, `link`, `hard link`, or what else it is, which is refused
    open: Callable[[], IO[bytes]]
    target: str = ""


def unpack(archive: Path, folder: Path) -> None:
    """Unpack an archive into a folder that is there and empty.

    Raises:
        InputError: The file is no archive, is damaged, or has a member that leads out of the folder, is neither file
            nor folder nor link, or is too much.
    """
    box = _Box(archive, folder.resolve())
    try:
        for member in _members(archive):
            box.add(member)
        box.finish()
    except _BROKEN as error:
        raise InputError(f"{archive}: the archive is damaged: {str(error) or type(error).__name__}") from error
    except RuntimeError as error:  # zipfile, where a password is needed
        raise InputError(f"{archive}: cannot be unpacked: {error}") from error


@dataclass(slots=True)
class _Box:
    """The folder that is being filled, and how much has gone into it."""

    archive: Path
    folder: Path
    _members: int = 0
    _bytes: int = 0
    _links: dict[Path, _Member] = field(default_factory=dict)

    def add(self, member: _Member) -> None:
        """Put a member in its place; a symbolic link waits for `finish`."""
        self._members += 1
        if self._members > MOST_MEMBERS:
            raise self._refusal(member, f"the archive has more than {MOST_MEMBERS:,} members")
        path = self._place(member)
        match member.kind:
            case "folder":
                path.mkdir(parents=True, exist_ok=True)
            case "file" | "program":
                self._write(member, path, member.open)
            case "hard link":
                source = self._inside(member, PurePosixPath(member.target))
                if not source.is_file():
                    raise self._refusal(member, f"it is a link to {member.target!r}, which is no file before it")
                self._write(member, path, lambda: source.open("rb"))
            case "link":
                self._links[path] = member
            case other:
                raise self._refusal(member, f"it is {other}, and only files, folders and links are unpacked")

    def finish(self) -> None:
        """Make the symbolic links, and see where they lead when all of them are there."""
        for path, member in self._links.items():
            if path.parent.resolve() != path.parent:
                raise self._refusal(member, "it stands behind another link")
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_symlink() or path.exists():
                raise self._refusal(member, "something else stands in its place")
            path.symlink_to(member.target)
        for path, member in self._links.items():
            if not Path(os.path.realpath(path)).is_relative_to(self.folder):
                raise self._refusal(member, f"it is a link out of the archive, to {member.target!r}")

    def _place(self, member: _Member) -> Path:
        return self._inside(member, PurePosixPath(member.name))

    def _inside(self, member: _Member, name: PurePosixPath) -> Path:
        """Where a name stands in the folder."""
        if name.is_absolute() or ".." in name.parts or "\\" in str(name) or "\0" in str(name):
            raise self._refusal(member, f"{str(name)!r} leads out of the archive")
        return self.folder / name

    def _write(self, member: _Member, path: Path, source: Callable[[], IO[bytes]]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        with source() as stream, path.open("wb") as file:
            while chunk := stream.read(_CHUNK):
                self._bytes += len(chunk)
                if self._bytes > MOST_BYTES:
                    raise self._refusal(member, f"the archive holds more than {MOST_BYTES:,} bytes")
                file.write(chunk)
        path.chmod(0o755 if member.kind == "program" else 0o644)

    def _refusal(self, member: _Member, why: str) -> InputError:
        return InputError(f"{self.archive}: not unpacked, because of its member {member.name!r}: {why}")


def _members(archive: Path) -> Iterator[_Member]:
    """Yield the members of an archive in its own order."""
    with archive.open("rb") as file:
        start = file.read(_CHUNK)
    if start.startswith(_ZIP):
        yield from _zip_members(archive)
        return
    opener = next((opener for mark, opener in _COMPRESSED.items() if start.startswith(mark)), None)
    if opener is None and not tarfile.is_tarfile(archive):
        raise InputError(f"{archive}: this is no archive (.zip, .tar, .tar.gz, .tar.bz2 or .tar.xz){_instead(start)}")
    with opener(archive) if opener else archive.open("rb") as stream:
        yield from _tar_members(stream)


def _instead(start: bytes) -> str:
    """What a file is instead of an archive, where its first bytes tell."""
    head = start.lstrip().lower()
    if head.startswith((b"<!doctype", b"<html", b"<?xml")):
        return "; it is a web page: name the archive itself, not the page that shows it"
    return "; it is a pointer of Git LFS: run git lfs pull" if head.startswith(b"version https://git-lfs") else ""


def _zip_members(archive: Path) -> Iterator[_Member]:
    with zipfile.ZipFile(archive) as opened:
        for info in opened.infolist():
            mode = info.external_attr >> 16
            opens = partial(opened.open, info)
            yield _Member(info.filename, _zip_kind(info, mode), opens, _zip_target(opens) if stat.S_ISLNK(mode) else "")


def _zip_target(opens: Callable[[], IO[bytes]]) -> str:
    """Where a link of a zip file leads, which it has as its content."""
    with opens() as stream:
        return stream.read(_LONGEST_TARGET).decode(errors="replace")


def _zip_kind(info: zipfile.ZipInfo, mode: int) -> str:
    if info.is_dir():
        return "folder"
    if stat.S_ISLNK(mode):
        return "link"
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return "a device, a pipe or a socket"
    return "program" if mode & stat.S_IXUSR else "file"


def _tar_members(stream: IO[bytes]) -> Iterator[_Member]:
    with closing(tarfile.open(fileobj=stream, mode="r|")) as opened:
        for info in opened:
            yield _Member(info.name, _tar_kind(info), partial(_tar_stream, opened, info), info.linkname)


def _tar_stream(opened: tarfile.TarFile, info: tarfile.TarInfo) -> IO[bytes]:
    stream = opened.extractfile(info)
    assert stream is not None, "a regular file has bytes"
    return stream


def _tar_kind(info: tarfile.TarInfo) -> str:
    if info.isdir():
        return "folder"
    if info.issym():
        return "link"
    if info.islnk():
        return "hard link"
    if not info.isreg():
        return "a device or a pipe"
    return "program" if info.mode & stat.S_IXUSR else "file"
