"""Stands in for a program: asks the process that plays the case what to write, and how to end.

Runs as `python -I -S shim.py ADDRESS_FILE PROGRAM ARGUMENT…`, once for each call of the program. It must start fast,
so it imports built-in modules alone, nothing of evalkit, and not even `os`.

It sends the length of a request, a newline, and the request: fields with a NUL between them, which are the token, the
program, the number of arguments, the arguments, and the environment. The answer is `stdin` if it is to send its whole
input first, then exit code and the lengths of both outputs on one line, and the outputs.
"""

import _signal  # type: ignore[import-not-found]  # typeshed has only `signal`, which imports `enum`
import _socket
import sys
from posix import _exit, environ, read, write

_BLOCK = 65536


def main() -> None:
    """Ask, write, end."""
    address_file, program, *argv = (argument.encode("utf-8", "surrogateescape") for argument in sys.argv[1:])
    _signal.signal(_signal.SIGPIPE, _signal.SIG_DFL)  # a reader that has enough ends a program like this one, quietly
    try:
        with open(address_file, "rb") as file:  # noqa: PTH123 - pathlib takes longer to import than all the rest
            port, token = file.read().split()
        connection = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
        connection.connect(("127.0.0.1", int(port)))
    except OSError as error:
        _write(2, b"%s: %s\n" % (program, str(error.strerror).encode()))
        _exit(1)
    env = [name + b"=" + value for name, value in environ.items()]
    request = b"\0".join([token, program, b"%d" % len(argv), *argv, *env])
    connection.sendall(b"%d\n%s" % (len(request), request))
    line, rest = _line(connection)
    if line == b"stdin":
        while data := _read_input():
            connection.sendall(data)
        connection.shutdown(_socket.SHUT_WR)
        line, rest = _line(connection)
    code, out, err = map(int, line.split())
    rest = _copy(connection, rest, 1, out)
    _copy(connection, rest, 2, err)
    _exit(code)


def _line(connection: _socket.socket) -> tuple[bytes, bytes]:
    """Receive a line; return it, and what came after it."""
    data = b""
    while b"\n" not in data:
        more = connection.recv(_BLOCK)
        if not more:
            _exit(1)  # whoever plays the case is gone
        data += more
    line, _, rest = data.partition(b"\n")
    return line, rest


def _read_input() -> bytes:
    try:
        return read(0, _BLOCK)
    except OSError:  # there is no standard input
        return b""


def _copy(connection: _socket.socket, data: bytes, stream: int, size: int) -> bytes:
    """Write so many bytes, those that came already first; return what came beyond them."""
    while len(data) < size:
        _write(stream, data)
        size -= len(data)
        data = connection.recv(min(size, _BLOCK)) if size else b""
        if size and not data:
            _exit(1)
    _write(stream, data[:size])
    return data[size:]


def _write(stream: int, data: bytes) -> None:
    while data:
        data = data[write(stream, data) :]


if __name__ == "__main__":
    main()
