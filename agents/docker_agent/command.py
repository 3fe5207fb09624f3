"""The docker program: running it, and reading the JSON that it prints.

Docker prints *JSON lines*, one object a line, where it lists things, and a *document* where it shows one. A version too
old for the option that asks for it, a plugin or a wrapper may print a table instead, and a connection that is lost cuts
off what is printed; either is an error here, never an empty list.
"""

import json
import subprocess
from typing import Any

from .replies import ToolError

TIMEOUT_SECONDS = 30.0
"""How long docker may take; `docker stats` alone measures for about two seconds."""

MAX_QUOTED = 300
"""How many characters of docker's own words an error quotes."""


class DockerError(ToolError):
    """Docker ran and failed.

    Attributes:
        exit_code: What it exited with: 125 says that docker itself, not a command or plugin of it, refused.
    """

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code


def run(*arguments: str, joined: bool = False) -> str:
    """Run docker and return what it printed.

    Args:
        arguments: What stands after `docker` on the command line; no shell reads them.
        joined: Whether to return what it printed as errors too, in the order in which it was printed.

    Raises:
        DockerError: It exited with something other than 0.
        ToolError: It cannot be run, or did not end in time.
    """
    errors = subprocess.STDOUT if joined else subprocess.PIPE
    try:
        ran = subprocess.run(
            ["docker", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    except FileNotFoundError as error:
        raise ToolError("The program docker is not on the PATH; install docker's command line.") from error
    except OSError as error:
        raise ToolError(f"The program docker cannot be run: {error}") from error
    except subprocess.TimeoutExpired as error:
        raise ToolError(f"docker {arguments[0]} did not end within {TIMEOUT_SECONDS:g} seconds.") from error
    if ran.returncode != 0:
        said = _quote((ran.stdout if joined else ran.stderr).decode("utf-8", errors="replace"))
        message = f"docker {arguments[0]} failed with exit code {ran.returncode}: {said or 'it did not say why'}"
        raise DockerError(message, ran.returncode)
    return ran.stdout.decode("utf-8", errors="replace")


def json_lines(printed: str) -> list[dict[str, Any]]:
    """Read JSON lines.

    Raises:
        ToolError: A line is no JSON object.
    """
    rows = []
    # Not `splitlines`: it would also break lines at characters that JSON leaves as they are.
    for number, line in enumerate(printed.split("\n"), 1):
        if line.strip():
            row = document(line, f"Line {number} of docker's answer")
            if not isinstance(row, dict):
                raise ToolError(f"Line {number} of docker's answer is no JSON object but {_quote(line)!r}.")
            rows.append(row)
    return rows


def document(printed: str, what: str = "Docker's answer") -> Any:
    """Read one JSON document.

    Raises:
        ToolError: It is none, or breaks off.
    """
    try:
        return json.loads(printed)
    except ValueError as error:
        raise ToolError(f"{what} is not JSON ({error}) but {_quote(printed)!r}.") from error


def field(thing: dict[str, Any], name: str) -> str:
    """Return a field of text that docker always prints.

    Raises:
        ToolError: There is no such field.
    """
    if not isinstance(thing.get(name), str):
        raise ToolError(f"Docker's answer has no text {name}; it is not what was asked for.")
    return str(thing[name])


def section(thing: dict[str, Any], name: str, *, optional: bool = False) -> dict[str, Any]:
    """Return an object within an object; where it is optional and missing, an empty one.

    Raises:
        ToolError: There is no such object.
    """
    found = thing.get(name)
    if found is None and optional:
        return {}
    if not isinstance(found, dict):
        raise ToolError(f"Docker's answer has no object {name}; it is not what was asked for.")
    return found


def _quote(text: str) -> str:
    """Return the beginning of what docker printed, on one line."""
    return " ".join(text.split())[:MAX_QUOTED]
