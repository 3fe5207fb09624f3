"""A program's call, as patterns see it."""

from collections.abc import Mapping
from dataclasses import dataclass

from evalkit.cases import Json
from evalkit.fakes import CommandReply
from evalkit.mocks.backend import NEUTRAL_REPLY
from evalkit.mocks.below.http_request import read_text


@dataclass(frozen=True, slots=True)
class CommandCall:
    """A call of a program.

    Attributes:
        argv: The arguments, without the program.
        env: The environment that it was given.
        stdin: Its whole input; None if that has not been read.
    """

    program: str
    argv: tuple[str, ...]
    env: Mapping[str, str]
    stdin: bytes | None = None

    def view(self) -> dict[str, Json]:
        """Return the call as patterns see it.

        `stdin` is JSON where it reads as JSON, else text, and `stdin_text` is text in any case; both are missing if the
        input was not read.
        """
        view: dict[str, Json] = {"argv": list(self.argv), "env": self.env}
        if self.stdin is not None:
            view["stdin_text"] = self.stdin.decode("utf-8", "replace")
            view["stdin"] = read_text(view["stdin_text"])
        return view


def missed_run(program: str) -> CommandReply:
    """What a program does for a call that no route has."""
    return CommandReply(stderr=f"{program}: {NEUTRAL_REPLY['error']}\n".encode(), exit_code=1)


def summary(reply: CommandReply) -> str:
    """Say in one line how a program ends."""
    return f"exit code {reply.exit_code}, {len(reply.stdout)} bytes"
