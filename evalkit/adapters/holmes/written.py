"""Folders of files that a conversion writes: each in one step, and only what is its own.

`conversion.json` lists what was written where, so that the next conversion can tell its own files from foreign ones:
its own are replaced and removed, others never touched. It is written before the first folder and after the last, so
that what an interrupted conversion has written is known as well.
"""

import hashlib
import os
import shutil
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from evalkit.errors import InputError
from evalkit.storage import explained

_NEW = ".evalkit-new"
_OLD = ".evalkit-old"

Content = bytes | Path
"""What a file holds: bytes, or those of a file that is copied with its mode."""


def write_folder(folder: Path, files: Mapping[str, Content], own: Iterable[str]) -> bool:
    """Make a folder hold these files in place of its own earlier ones, in one step; True if anything changed.

    Args:
        folder: The folder; it and those above it are made if they are not there.
        files: Each file by its name relative to the folder.
        own: The names of files that an earlier conversion wrote there.

    Raises:
        InputError: A foreign file is in the place of a new one, or the system refuses.
    """
    with explained(folder, "cannot write"):
        _restore(folder)
        present = set(_files(folder))
        foreign = present - set(own)
        in_the_way = sorted(name for name in foreign & files.keys() if not _same(folder / name, files[name]))
        if in_the_way:
            names = ", ".join(in_the_way)
            raise InputError(f"{folder}: {names} was not written by a conversion and is in the way; move it elsewhere")
        if present - foreign == files.keys() - foreign and all(_same(folder / name, files[name]) for name in files):
            return False
        _swap(folder, files, foreign - files.keys())
        return True


def remove_own(folder: Path, own: Iterable[str]) -> None:
    """Remove files that an earlier conversion wrote, and the folders that this leaves empty."""
    with explained(folder, "cannot clear"):
        _restore(folder)
        for name in own:
            (folder / name).unlink(missing_ok=True)
        for inner in sorted((path for path in folder.rglob("*") if path.is_dir()), reverse=True):
            with suppress(OSError):  # it is not empty
                inner.rmdir()
        with suppress(OSError):
            folder.rmdir()


def digest(content: Content) -> str:
    """The SHA-256 of a file's content."""
    return hashlib.sha256(content if isinstance(content, bytes) else content.read_bytes()).hexdigest()


def _swap(folder: Path, files: Mapping[str, Content], foreign: Iterable[str]) -> None:
    """Put a new folder in the place of the old one, with the foreign files of the old one."""
    new, old = folder.with_name(f".{folder.name}{_NEW}"), folder.with_name(f".{folder.name}{_OLD}")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    for name, content in files.items():
        _write(new / name, content)
    for name in foreign:
        (new / name).parent.mkdir(parents=True, exist_ok=True)
        _carry_over(folder / name, new / name)
    if folder.exists():
        folder.rename(old)
    new.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def _carry_over(old: Path, new: Path) -> None:
    """Give a foreign file a place in the new folder: the file itself, or a copy where there are no hard links."""
    try:
        os.link(old, new, follow_symlinks=False)
    except OSError:
        shutil.copy2(old, new, follow_symlinks=False)


def _restore(folder: Path) -> None:
    """Bring back a folder that an interrupted swap has put aside."""
    old = folder.with_name(f".{folder.name}{_OLD}")
    if old.is_dir() and not folder.exists():
        old.rename(folder)
    shutil.rmtree(old, ignore_errors=True)
    shutil.rmtree(folder.with_name(f".{folder.name}{_NEW}"), ignore_errors=True)


def _write(path: Path, content: Content) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        shutil.copyfile(content, path)
        path.chmod(_mode(content))


def edited(folder: Path, own: Mapping[str, str]) -> list[str]:
    """Name the files of an earlier conversion, given with their SHA-256, that somebody has changed since."""
    present = (name for name in own if (folder / name).is_file())
    return [name for name in present if digest(folder / name) != own[name]]


def _same(path: Path, content: Content) -> bool:
    """Whether a file has a content already, and may be executed if that may."""
    if not path.is_file() or path.is_symlink():
        return False
    if isinstance(content, bytes):
        return path.read_bytes() == content
    return _mode(path) == _mode(content) and path.read_bytes() == content.read_bytes()


def _mode(path: Path) -> int:
    """Read and write for the owner, read for all, and run if the owner may: nothing else of a mode is kept."""
    return 0o755 if path.stat().st_mode & 0o100 else 0o644


def _files(folder: Path) -> Iterable[str]:
    return (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_symlink() or path.is_file())
