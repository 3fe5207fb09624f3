"""What the user asks of `evalkit score`."""

from dataclasses import dataclass
from pathlib import Path

from evalkit.cases import ALWAYS, Gate


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOptions:
    """What the user asks; None leaves a choice to the stored run or to the settings.

    Attributes:
        run: The run: its folder, or its name below that of all runs.
        config: Criteria for every file, instead of those that the run used.
        current: Whether the evalsets and configs are taken as they are now, instead of as the run used them.
        chosen: Only these: evalsets of the run, or `file:case,case`; empty for all.
        judge: Who judges what no program can, by name; everything that needs a judge is then asked anew.
        gate: How often a case must pass.
        suite: How many of all runs together must pass.
        report_dir: Where the files of the new run go; None makes a folder below `.evalkit/runs`.
        require_judged: Exit with 2 where no case was judged.
        command_line: The arguments as given, for the record.
    """

    run: str
    config: Path | None = None
    current: bool = False
    chosen: tuple[str, ...] = ()
    judge: str | None = None
    gate: Gate = ALWAYS
    suite: Gate = ALWAYS
    report_dir: Path | None = None
    require_judged: bool = False
    command_line: tuple[str, ...] = ()
