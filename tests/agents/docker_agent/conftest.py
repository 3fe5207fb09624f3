"""A program called docker that says what a test wants it to say, in the words of the real one."""

import importlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

AGENTS = Path(__file__).parents[3] / "agents"

PS = ("ps", "--all", "--no-trunc", "--format", "{{json .}}")
IMAGES = ("images", "--no-trunc", "--format", "{{json .}}")
INSPECT = ("inspect", "--type", "container", "web")
LOGS = ("logs", "--tail", "100", "web")
STATS = ("stats", "--no-stream", "--format", "json")
LS = ("compose", "ls", "--all", "--format", "json")
SHOP = ("compose", "--project-name", "shop", "ps", "--all", "--format", "json")

LAUNCHER = """\
#!/bin/sh
exec "{python}" -IS "$0.py" "$@"
"""
"""Starts the program; a line `#!` could not name a Python whose path has a space in it."""

PROGRAM = """\
import json, pathlib, sys, time
here = pathlib.Path(__file__).parent
with (here / "calls.jsonl").open("a") as calls:
    calls.write(json.dumps(sys.argv[1:]) + "\\n")
reply = json.loads((here / "replies.json").read_text()).get(" ".join(sys.argv[1:]))
if reply is None:
    sys.exit(f"unknown command: docker {' '.join(sys.argv[1:])}")
time.sleep(reply["seconds"])
for name, text in reply["printed"]:
    stream = getattr(sys, name)
    stream.reconfigure(encoding="utf-8", errors="surrogateescape")
    print(text, end="", file=stream, flush=True)
sys.exit(reply["exit_code"])
"""


class FakeDocker:
    """The program docker in a folder of its own.

    Attributes:
        folder: Where it is; first on the PATH.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        program = folder / "docker"
        program.write_text(LAUNCHER.format(python=sys.executable))
        (folder / "docker.py").write_text(PROGRAM)
        program.chmod(0o755)
        self._replies: dict[str, Any] = {}
        (folder / "calls.jsonl").touch()
        self._save()

    def reply(self, command: tuple[str, ...], *printed: str, **other: Any) -> None:
        """Print this for a command: texts to stdout, and by keyword `stderr`, `exit_code` and `seconds` it takes."""
        parts = [("stdout", text) for text in printed]
        if "stderr" in other:
            parts.append(("stderr", other.pop("stderr")))
        self.reply_parts(command, *parts, **other)

    def reply_parts(
        self, command: tuple[str, ...], *printed: tuple[str, str], exit_code: int = 0, seconds: float = 0
    ) -> None:
        """Print these texts, each to the stream that is named before it."""
        self._replies[" ".join(command)] = {"printed": printed, "exit_code": exit_code, "seconds": seconds}
        self._save()

    def calls(self) -> list[list[str]]:
        """Return the command lines that it was called with."""
        return [json.loads(line) for line in (self.folder / "calls.jsonl").read_text().splitlines()]

    def _save(self) -> None:
        (self.folder / "replies.json").write_text(json.dumps(self._replies))


@pytest.fixture(scope="session")
def docker_agent() -> Iterator[ModuleType]:
    """The agent's package, imported as `adk web` imports it, in an environment that says nothing about it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(AGENTS))
        patch.delenv("DOCKER_AGENT_MODEL", raising=False)
        yield importlib.import_module("docker_agent")


@pytest.fixture
def docker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeDocker:
    """The program docker, first on the PATH, that knows a small host."""
    folder = tmp_path / "bin"
    folder.mkdir()
    fake = FakeDocker(folder)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    fake.reply(PS, _printed("containers.jsonl"))
    fake.reply(IMAGES, _printed("images.jsonl"))
    fake.reply(STATS, _printed("stats.jsonl"))
    fake.reply(INSPECT, _printed("inspect.json"))
    fake.reply_parts(LOGS, ("stdout", "started\n"), ("stderr", "no database\n"), ("stdout", "giving up\n"))
    fake.reply(LS, _printed("compose_ls.json"))
    fake.reply(SHOP, _printed("compose_ps.jsonl"))
    return fake


@pytest.fixture
def tools(docker_agent: ModuleType, docker: FakeDocker) -> ModuleType:
    """The agent's tools over that program."""
    return docker_agent.tools


@pytest.fixture(scope="session")
def printed() -> Callable[[str], str]:
    """Return what docker printed, from the file of that name."""
    return _printed


def _printed(name: str) -> str:
    return (Path(__file__).parent / "printed" / name).read_text()
