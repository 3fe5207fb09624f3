"""One file from a web server, with its size, its digest and its progress watched."""

import hashlib
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TextIO
from urllib.parse import urlsplit

from evalkit.errors import InputError

MOST_BYTES: Final = 1024**3
"""Bytes of a download at most."""
SECONDS: Final = 60.0
"""Without a byte for so long, a download is given up."""
_AS_IT_IS: Final = {"Accept-Encoding": "identity"}
"""No compression on the way, after which the digest would be another."""
_EVERY_SECONDS: Final = 0.2
"""Between two updates of the progress line."""
_MEGABYTE: Final = 1_000_000


def download(url: str, file: Path) -> str:
    """Fetch a file, and return the SHA-256 of its bytes in hexadecimal.

    Args:
        url: An http or https address; redirects are followed.
        file: Where to write; what is there after an error is worth nothing.

    Raises:
        InputError: There is no such file, the server does not answer, or the file is too large.
    """
    import httpx  # takes 100 ms, which sources on this machine do not pay

    shown = shown_url(url)
    digest, got = hashlib.sha256(), 0
    try:
        with (
            httpx.stream("GET", url, headers=_AS_IT_IS, follow_redirects=True, timeout=SECONDS) as response,
            file.open("wb") as out,
            _progress(shown) as progress,
        ):
            if response.is_error:
                raise InputError(f"{shown}: cannot be downloaded: HTTP {response.status_code}")
            total = int(response.headers.get("content-length") or 0)
            for chunk in response.iter_raw():
                got += len(chunk)
                if max(got, total) > MOST_BYTES:
                    raise InputError(f"{shown}: not downloaded: more than {MOST_BYTES:,} bytes")
                digest.update(chunk)
                out.write(chunk)
                progress.at(got, total)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        reason = str(error) or type(error).__name__
        raise InputError(f"{shown}: cannot be downloaded: {reason} (after {got:,} bytes)") from error
    return digest.hexdigest()


def shown_url(url: str) -> str:
    """An address without what may be a secret in it: user, password, query."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


class _Progress:
    """One line on standard error: redrawn on a terminal, elsewhere only its start."""

    def __init__(self, stream: TextIO, name: str) -> None:
        self._stream = stream
        self._name = name
        self._redraws = stream.isatty()
        self._told = 0.0
        stream.write(f"downloading {name}" + ("" if self._redraws else "\n"))
        stream.flush()

    def at(self, got: int, total: int) -> None:
        """So many bytes are there, of so many; 0 if that is not known."""
        now = time.monotonic()
        if self._redraws and now - self._told >= _EVERY_SECONDS:
            self._told = now
            whole = f" of {total / _MEGABYTE:.1f}" if total else ""
            self._stream.write(f"\r\x1b[2Kdownloading {self._name}: {got / _MEGABYTE:.1f}{whole} MB")
            self._stream.flush()

    def stop(self) -> None:
        """Leave the terminal as it was."""
        if self._redraws:
            self._stream.write("\r\x1b[2K")
            self._stream.flush()


@contextmanager
def _progress(name: str) -> Iterator[_Progress]:
    progress = _Progress(sys.stderr, name)
    try:
        yield progress
    finally:
        progress.stop()
