"""What every test may ask for: the repository, the shared data, the real command, and a closed door to the network."""

import importlib.util
import os
import socket
import subprocess
import sys
import sysconfig
import uuid
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

pytest_plugins = ["pytester"]

ROOT = Path(__file__).resolve().parent.parent

CREDENTIALS = (
    "ANTHROPIC_API_KEY",
    "AZURE_API_KEY",
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GOOGLE_CLOUD_PROJECT",
    "GOOGLE_GENAI_USE_VERTEXAI",
    "OPENAI_API_KEY",
)

# Where pytest and evalkit print more, or differently, because they think that a CI job reads it.
SIGNS_OF_CI = ("BUILD_NUMBER", "CI", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE", "GITLAB_CI")

# What a process needs to start and to be measured; the rest of the caller's environment could change a result.
INHERITED = ("PATH", "TMPDIR", "TEMP", "SYSTEMROOT", "LANG", "LC_ALL", "PYTHONDONTWRITEBYTECODE")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what needs ADK's eval extra where it is missing, unless just these tests were asked for."""
    if "adk_eval" in config.getoption("markexpr") or importlib.util.find_spec("pandas"):
        return
    missing = pytest.mark.skip(reason="needs google-adk's eval extra: run `make test-adk`")
    for item in items:
        if "adk_eval" in item.keywords:
            item.add_marker(missing)


@pytest.fixture(scope="session", autouse=True)
def _offline() -> Iterator[None]:
    """Take away credentials and every connection that leaves this machine, so that no test can play live.

    What says that this is a CI job goes too: the tests that are about it say so themselves.
    """
    connect = socket.socket.connect

    def connect_here(self: socket.socket, address: Any) -> None:
        host = address[0] if isinstance(address, tuple) else "localhost"  # a Unix socket has a path, not a host
        if host not in {"127.0.0.1", "::1", "localhost"}:
            raise AssertionError(f"a test tried to reach {address!r}; tests stay on this machine")
        connect(self, address)

    with pytest.MonkeyPatch.context() as patch:
        for name in (*CREDENTIALS, *SIGNS_OF_CI):
            patch.delenv(name, raising=False)
        patch.setattr(socket.socket, "connect", connect_here)
        yield


@pytest.fixture(scope="session")
def repo_root() -> Path:
    """The root of this repository."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real files and reference vectors that lies beside the repository, not in it."""
    folder = Path(os.environ.get("EVALKIT_SHARED") or ROOT.parent / "shared")
    if not folder.is_dir():
        pytest.skip(f"no shared data at {folder}; set EVALKIT_SHARED to its folder")
    return folder


@pytest.fixture(scope="session")
def clean_env(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """An environment without the caller's settings, credentials and home, in which coverage still counts."""
    kept = {name: value for name, value in os.environ.items() if name in INHERITED or name.startswith("COV")}
    return {**kept, "HOME": str(tmp_path_factory.mktemp("home"))}


@pytest.fixture
def mark() -> str:
    """A variable's value by which every process of a test's setup can be found."""
    return uuid.uuid4().hex


@pytest.fixture
def left(mark: str) -> Callable[[], list[str]]:
    """Tell which processes of the test's setup are alive, by their command lines."""
    if not Path("/proc/self/environ").exists():
        pytest.skip("looks for processes under /proc")

    def alive() -> list[str]:
        found = []
        for folder in Path("/proc").iterdir():
            try:
                if mark.encode() in (folder / "environ").read_bytes():
                    found.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode().strip())
            except OSError:
                continue
        return [command for command in found if command]

    return alive


@pytest.fixture
def run_evalkit(tmp_path: Path, clean_env: Mapping[str, str]) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the installed `evalkit` command as a user would.

    The returned function takes the arguments, and by keyword `cwd` (default: the test's own folder), `env` (added to
    a clean environment) and `timeout` in seconds. It returns the finished process with text in `stdout` and `stderr`.
    """
    command = Path(sysconfig.get_path("scripts"), "evalkit")

    def run(
        *args: str | Path, cwd: Path = tmp_path, env: Mapping[str, str] | None = None, timeout: float = 120
    ) -> subprocess.CompletedProcess[str]:
        assert command.exists(), f"{command} is missing: run `make install`, or `{sys.executable} -m pip install -e .`"
        return subprocess.run(
            [command, *args],
            cwd=cwd,
            env={**clean_env, **(env or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=timeout,
            check=False,
        )

    return run
