"""Stages on this machine, and an eye on the processes that they leave."""

import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalkit.setups import LiveSetup
from evalkit.staging.stage import Scene, Stage, StageOptions


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
def make_stage(tmp_path: Path, mark: str) -> Callable[..., Stage]:
    """Make the stage of a case whose evalset lies in the test's folder."""

    def make(before: str | None = None, after: str | None = None, *, run_by: Any = "bash", **setup: Any) -> Stage:
        env = {"MARK": mark, **setup.pop("env", {})}
        live = LiveSetup(before=before, after=after, env=env, **setup)
        return Stage(Scene(name="case", setup=live, base=tmp_path), StageOptions(live=True, shell=run_by))

    return make
