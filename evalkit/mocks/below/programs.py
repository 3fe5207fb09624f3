"""Which programs replay lets an agent run: those that the case fakes, and shells that call nothing else."""

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalkit.mocks.below.refusals import Refusal, program_refusal, shell_refusal
from evalkit.mocks.below.shells import HARMLESS, UnreadableError, programs_of, script_of

Environment = Mapping[Any, Any] | None
"""The environment of a program to be, None for our own."""


@dataclass(frozen=True, slots=True)
class Programs:
    """The programs that can be called.

    Attributes:
        shims: The folder of the fake programs; None if there are none.
        passthrough: Names of programs that the case lets run for real.
        allowed: Whether the command line allows that.
    """

    shims: Path | None = None
    passthrough: Collection[str] = ()
    allowed: bool = False

    def refuse(self, executable: Any, argv: Any, cwd: Any = None, env: Environment = None) -> Refusal | None:
        """Say why a program must not run; None if it may.

        Args:
            executable: The file or name that is executed.
            argv: The program's own name and its arguments.
            cwd: The folder it starts in; None for our own.
            env: Its environment; None for our own.
        """
        line = [_text(item) for item in (argv if isinstance(argv, list | tuple) else [argv])] or [_text(executable)]
        program = _text(executable)
        script = script_of([program, *line[1:]])
        if script is not None:
            return self.refuse_script(script, env)
        if self._may_run(program, cwd, env):
            return None
        return program_refusal([program, *line[1:]], self._why(program))

    def refuse_script(self, script: str, env: Environment = None) -> Refusal | None:
        """Say why a shell must not run a command line; None if it may."""
        try:
            called = programs_of(script)
        except UnreadableError as error:
            return shell_refusal(script, f"which programs it calls cannot be told ({error}); write it plainer")
        known = {name for name in called if self._may_run(name, None, env)}
        strange = [name for name in called if name not in known and name not in HARMLESS]
        if strange:
            return program_refusal([strange[0]], self._why(strange[0]), within=script)
        return None if known else shell_refusal(script, "it calls no program that the case fakes")

    def _may_run(self, program: str, cwd: Any, env: Environment) -> bool:
        if Path(program).name in self.passthrough:
            return self.allowed
        found = _find(program, _text(cwd) if cwd is not None else None, env)
        return found is not None and self.shims is not None and found.parent == self.shims

    def _why(self, program: str) -> str | None:
        """Say why the fake of a program does not come into play, if there is one."""
        name = Path(program).name
        if name in self.passthrough:
            return "the case lets it run for real, which needs --allow-passthrough"
        if self.shims is None or not (self.shims / name).is_file():
            return None
        if "/" in program:
            return f"the case fakes {name}, but not when it is called by its path; call it by its name"
        return f"the case fakes {name}, but the PATH it is called with does not start with the fakes"


def _find(program: str, cwd: str | None, env: Environment) -> Path | None:
    """Find the file that the system would execute."""
    if "/" in program:
        return Path(cwd or "", program)
    for folder in os.get_exec_path(env):
        file = Path(_text(folder), program)
        if os.access(file, os.X_OK) and file.is_file():
            return file
    return None


def _text(value: Any) -> str:
    return os.fsdecode(value) if isinstance(value, str | bytes | os.PathLike) else str(value)
