"""A stage: a working directory of its own for one play of a case, set up before and taken down after, always."""

import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, Self

from evalkit.errors import SetupError
from evalkit.setups import LiveSetup, PortForward
from evalkit.stage_records import ScriptRun, StageRecord
from evalkit.staging.environment import expanded
from evalkit.staging.keeping import KeeperProcess
from evalkit.staging.scripts import argv_of
from evalkit.staging.tree import Tree, files_in, lay_out

Shell = Literal["bash", "sh"]
"""`bash` ends a script at its first error, also in a pipe; `sh` goes on, which is HolmesGPT's own way."""

SETUP_TIMEOUT = 300.0
"""Seconds that each script may take, where neither the case nor the user says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageOptions:
    """How stages are set up.

    Attributes:
        live: Whether scripts and port-forwards run and the agent's tools are real; else there are only the files.
        shell: What runs the scripts.
        timeout: Seconds that each script may take, if the case does not say so.
        files_unasked: Whether files that the agent creates in the working directory are a fault.
    """

    live: bool
    shell: Shell = "bash"
    timeout: float = SETUP_TIMEOUT
    files_unasked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What a stage is for.

    Attributes:
        name: The case's id.
        setup: What it sets up.
        base: The folder of its evalset, to which its paths are relative.
        gold: Files that are not to be in the working directory.
    """

    name: str
    setup: LiveSetup
    base: Path
    gold: Sequence[Path] = ()


class Stage:
    """Use as a context manager: entering lays out the files, leaving runs `after_test` and ends every process.

    Args:
        scene: The case.
        options: How to set it up.

    Attributes:
        environment: The case's own variables, expanded.
        record: What came of it so far.
    """

    def __init__(self, scene: Scene, options: StageOptions) -> None:
        self._scene = scene
        self._options = options
        self.environment = expanded(scene.setup.env, os.environ) if options.live else {}
        self.record = StageRecord(workdir="", live=options.live, files_unasked=options.files_unasked)
        self._keeper: KeeperProcess | None = None
        self._files: frozenset[str] = frozenset()
        self._undo = ExitStack()

    def __enter__(self) -> Self:
        """Lay out the files.

        Raises:
            SetupError: They cannot be.
        """
        with ExitStack() as undo:
            root = Path(tempfile.mkdtemp(prefix="evalkit-stage-"))
            undo.callback(shutil.rmtree, root, ignore_errors=True)
            scene = self._scene
            tree = lay_out(root, scene.setup, scene.base, scene.name, scene.gold)
            self.record = replace(self.record, workdir=str(tree.workdir), notes=tree.notes)
            if self._options.live and _anything_to_run(scene.setup):
                self._keeper = KeeperProcess(self._order(tree), {**os.environ, **self.environment})
                undo.callback(self._take_down, self._keeper)
            self._undo = undo.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._undo.close()

    def set_up(self, stop: Callable[[], bool] = lambda: False) -> None:
        """Run what comes before the case.

        Args:
            stop: Tells whether the user wants to stop; what runs is then ended.

        Raises:
            SetupError: The case cannot be played.
        """
        keeper = self._keeper
        if keeper is not None and not keeper.listen("ready", stop):
            raise SetupError(self._why_not(keeper))
        self._files = files_in(Path(self.record.workdir))

    def played(self) -> None:
        """Note which files came while the case was played."""
        files = files_in(Path(self.record.workdir)) - self._files
        self.record = replace(self.record, files_created=tuple(sorted(files)))

    def _order(self, tree: Tree) -> Mapping[str, Any]:
        setup, shell = self._scene.setup, self._options.shell

        def argv(name: str, text: str | None) -> list[str] | None:
            return argv_of(shell, text, tree.scripts / f"{name}.sh") if text else None

        return {
            "root": str(tree.root),
            "workdir": str(tree.workdir),
            "seconds": setup.timeout or self._options.timeout,
            "before": argv("before_test", setup.before),
            "after": argv("after_test", setup.after),
            "forwards": [{"argv": command_of(one), "port": one.local_port} for one in setup.port_forwards],
        }

    def _why_not(self, keeper: KeeperProcess) -> str:
        if "failed" in keeper.said:
            return str(keeper.said["failed"])
        before = _script(keeper, "before")
        if before is not None and before.failed:
            return f"before_test: {before}"
        return "the run was stopped" if "over" in keeper.said else f"the setup broke off: {keeper.last_words()}"

    def _take_down(self, keeper: KeeperProcess) -> None:
        try:
            keeper.close()
        finally:
            self.record = replace(
                self.record,
                before=_script(keeper, "before"),
                after=_script(keeper, "after"),
                ended=tuple(keeper.said.get("over", ())),
            )


def command_of(forward: PortForward) -> list[str]:
    """Say how a port is forwarded; a service may be named as kubectl does it, such as `deployment/web`."""
    target = forward.service if "/" in forward.service else f"svc/{forward.service}"
    ports = f"{forward.local_port}:{forward.remote_port}"
    return ["kubectl", "port-forward", "--namespace", forward.namespace, target, ports]


def _anything_to_run(setup: LiveSetup) -> bool:
    return bool(setup.before or setup.after or setup.port_forwards)


def _script(keeper: KeeperProcess, name: str) -> ScriptRun | None:
    said = keeper.said.get(name)
    return ScriptRun(**said) if said else None
