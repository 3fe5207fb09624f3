"""Stages on this machine, whose processes carry the test's mark."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalkit.setups import LiveSetup
from evalkit.staging.stage import Scene, Stage, StageOptions


@pytest.fixture
def make_stage(tmp_path: Path, mark: str) -> Callable[..., Stage]:
    """Make the stage of a case whose evalset lies in the test's folder."""

    def make(before: str | None = None, after: str | None = None, *, run_by: Any = "bash", **setup: Any) -> Stage:
        env = {"MARK": mark, **setup.pop("env", {})}
        live = LiveSetup(before=before, after=after, env=env, **setup)
        return Stage(Scene(name="case", setup=live, base=tmp_path), StageOptions(live=True, shell=run_by))

    return make
