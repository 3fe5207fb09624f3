"""What is to be converted, as a folder: it is one, or an archive of one, on this machine or on a web server.

An archive is unpacked once into a cache folder that is named by the SHA-256 of its bytes, and reused from then on, an
archive of an address without any request. It comes into being in one step, so that neither a crash nor another process
leaves half of one.
"""

import hashlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

from evalkit.adapters.downloading import download, shown_url
from evalkit.adapters.unpacking import unpack
from evalkit.errors import InputError, SelectionError
from evalkit.storage import explained

_ADDRESS: Final = re.compile(r"https?://", re.IGNORECASE)
_DIGEST: Final = re.compile(r"(?:sha256:)?([0-9a-fA-F]{64})")
_UNFINISHED: Final = ".unfinished-"
"""How the names of folders begin that become a source, or are what a killed process has left."""
_LEFT_SECONDS: Final = 86_400
"""After so long an unfinished folder is nobody's any more."""


@contextmanager
def open_source(src: str, *, sha256: str | None = None, cache: Path | None = None) -> Iterator[Path]:
    """Give the folder that a source stands for.

    Args:
        src: A folder; an archive (zip, or tar plain or compressed by gzip, bzip2 or xz); an http(s) address of one.
        sha256: The digest that the archive must have, in hexadecimal; an address needs one, whatever its scheme,
            since what is fetched today and reused tomorrow would else be anything.
        cache: Where archives are unpacked; by default `evalkit/sources` below the user's cache folder, or where that
            cannot be written a temporary folder, which goes again in the end.

    Raises:
        InputError: The source cannot be had or unpacked, or is another than the digest says.
        SelectionError: There is no such file or folder.
    """
    wanted = _digest(sha256) if sha256 is not None else None
    with ExitStack() as stack:
        if _ADDRESS.match(src):
            if wanted is None:
                raise InputError(f"{shown_url(src)}: an address needs --sha256 HEX, the digest of what it leads to")
            yield _fetched(src, wanted, _cache(cache, stack))
            return
        path = Path(src)
        if not path.exists():
            raise SelectionError(f"{src}: no such file or folder")
        if path.is_dir():
            if wanted is not None:
                raise InputError(f"{src}: is a folder, and --sha256 is the digest of an archive")
            yield path
            return
        with explained(path, "cannot be read"), path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        _compare(src, wanted or found, found)
        yield _unpacked(path, found, _cache(cache, stack))


def default_cache() -> Path:
    """Where sources are kept by default, as the XDG base directories say."""
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (base if base.is_absolute() else Path.home() / ".cache") / "evalkit" / "sources"


def _digest(text: str) -> str:
    """Read a digest, as `sha256sum` prints it or with its name before it."""
    found = _DIGEST.fullmatch(text.strip())
    if found is None:
        raise InputError(f"--sha256 {text}: must be 64 hexadecimal digits, as `sha256sum FILE` prints them")
    return found[1].lower()


def _cache(given: Path | None, stack: ExitStack) -> Path:
    """The cache folder, made if it is not there."""
    folder = given or default_cache()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            _clear(folder)
            return folder
        reason = "not writable"
    except OSError as error:
        reason = error.strerror or str(error)
    if given is not None:
        raise InputError(f"--cache {given}: cannot be used: {reason}")
    return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="evalkit-sources-")))


def _clear(cache: Path) -> None:
    """Remove what killed processes have left."""
    for left in cache.glob(f"{_UNFINISHED}*"):
        with suppress(OSError):  # another process removes it too
            if time.time() - left.stat().st_mtime > _LEFT_SECONDS:
                shutil.rmtree(left)


def _fetched(url: str, wanted: str, cache: Path) -> Path:
    """The folder of an address's archive; no request is made if it is there already."""
    folder = cache / wanted
    if folder.is_dir():
        return folder
    with _workshop(cache) as workshop:
        archive = workshop / (Path(shown_url(url)).name or "archive")
        with explained(archive, "cannot be written"):
            _compare(shown_url(url), wanted, download(url, archive))
        return _unpacked(archive, wanted, cache)


def _compare(src: str, wanted: str, found: str) -> None:
    if wanted != found:
        raise InputError(
            f"{src}: is not the archive that --sha256 names, or was changed on its way:\n"
            f"  wanted {wanted}\n  found  {found}"
        )


def _unpacked(archive: Path, digest: str, cache: Path) -> Path:
    """Unpack an archive beside its place in the cache, then put it there in one step."""
    folder = cache / digest
    if folder.is_dir():
        return folder
    with _workshop(cache) as workshop:
        fresh = workshop / "unpacked"
        with explained(archive, "cannot be unpacked"):
            fresh.mkdir()
            unpack(archive, fresh)
        try:
            fresh.rename(folder)
        except OSError:
            if not folder.is_dir():  # if it is, another process was faster, with the same content
                raise
    return folder


@contextmanager
def _workshop(cache: Path) -> Iterator[Path]:
    """A folder in the cache for what is not finished; it goes whatever happens."""
    with explained(cache, "cannot be written"):
        workshop = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=cache))
    try:
        yield workshop
    finally:
        shutil.rmtree(workshop, ignore_errors=True)
