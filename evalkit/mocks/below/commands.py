"""Fake programs: small scripts, first on the PATH, which ask over a connection to this process what to do."""

import asyncio
import contextlib
import hmac
import os
import secrets
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path

from evalkit.errors import FakeError
from evalkit.mocks.below.command_call import CommandCall
from evalkit.mocks.below.http_reply import CaseOver
from evalkit.mocks.below.http_server import HOST, Current

_SHIM = Path(__file__).with_name("shim.py")
_SHELL = Path("/bin/sh")
_ADDRESS = ".address"
_LARGEST_REQUEST = 64 * 1024 * 1024
"""Bytes of arguments and environment; more than any system lets a program have."""


async def serve_commands(folder: Path, current: Current) -> asyncio.Server:
    """Open the server that the programs in a private folder ask; the folder says where it is and holds its token."""
    token = secrets.token_hex(16)

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError, CaseOver):
            await _exchange(token, current, reader, writer)
        writer.close()

    server = await asyncio.start_server(connected, HOST, 0)
    address = folder / _ADDRESS
    address.touch(mode=0o600)
    address.write_text(f"{server.sockets[0].getsockname()[1]} {token}", encoding="ascii")
    return server


def write_shims(folder: Path, programs: Iterable[str]) -> None:
    """Write a script for each program.

    Raises:
        FakeError: Scripts like these do not run on this system.
    """
    if not _SHELL.exists():
        raise FakeError(
            f"fake programs (`backends: - command`) need {_SHELL}, which this system lacks; on Windows use WSL"
        )
    start = shlex.join([sys.executable, "-I", "-S", str(_SHIM), str(folder / _ADDRESS)])
    for program in programs:
        # A shell in between costs a millisecond, but takes any path to Python, which a first line `#!` does not.
        script = folder / program
        script.write_text(f'#!{_SHELL}\nexec {start} {shlex.quote(program)} "$@"\n', encoding="utf-8")
        script.chmod(0o700)
        if not os.access(script, os.X_OK):
            raise FakeError(
                f"no program may run in {folder.parent}: set TMPDIR to a folder that is not mounted `noexec`"
            )


async def _exchange(token: str, current: Current, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Take one call and answer it."""
    call = await _read_call(token, reader)
    if call is None:
        return
    fakes = current()
    answer = fakes.answer_command(call)
    if answer is None:
        writer.write(b"stdin\n")
        call = CommandCall(call.program, call.argv, call.env, await reader.read())
        answer = fakes.answer_command(call)
        assert answer is not None
    reply, record = answer
    try:
        if reply.delay:
            await fakes.pause(reply.delay)
        writer.write(b"%d %d %d\n" % (reply.exit_code, len(reply.stdout), len(reply.stderr)))
        writer.write(reply.stdout)
        writer.write(reply.stderr)
        await writer.drain()
    finally:
        record.end()


async def _read_call(token: str, reader: asyncio.StreamReader) -> CommandCall | None:
    """Read a call in the form that the shim sends; None from anybody else."""
    size = (await reader.readline()).strip()
    if not size.isdigit() or int(size) > _LARGEST_REQUEST:
        return None
    sent, program, count, *rest = (await reader.readexactly(int(size))).split(b"\0")
    if not hmac.compare_digest(sent, token.encode()):
        return None
    argv, env = rest[: int(count)], rest[int(count) :]
    pairs = (entry.decode("utf-8", "replace").partition("=") for entry in env)
    return CommandCall(
        program=program.decode(),
        argv=tuple(argument.decode("utf-8", "replace") for argument in argv),
        env={name: value for name, _, value in pairs},
    )
