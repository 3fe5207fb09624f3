"""What a user asks of a run, as one plain value."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from evalkit.cases import ALWAYS, Gate
from evalkit.settings import Mode
from evalkit.staging.stage import Shell

Profile = Literal["self-answer"]
"""`self-answer`: each case has a working directory of its own and five minutes, fails if its agent creates files there
that it does not ask for, and is not played if it is known to fail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """What the user asks of a run; None leaves a choice to the settings.

    Attributes:
        paths: Selectors: folders, files, or `file:case,case`.
        agent: The agent to play instead of the one each evalset belongs to.
        config: Criteria for every file, instead of each folder's own.
        keyword: A `-k` expression.
        tags: Cases with any of these tags.
        cases: Cases by name or the beginning of one, whatever `keyword` and `tags` say; no others are then played.
        timeout: Seconds a case may take.
        jobs: How many processes play.
        fail_fast: Stop at the first case that fails or errors.
        report_dir: Where the run's files go; None makes a new folder below `.evalkit/runs`.
        passthrough: Whether routes may let real tools run.
        models: Models that all agents ask instead of their own, each for a set of results.
        scenarios: Whether simulated users play the cases that have a scenario instead of a conversation.
        streaming: Whether models are asked for their answers in pieces, as a chat does.
        runs: How often each case is played.
        gate: How often a case must pass.
        suite: How many of all runs together must pass.
        baseline: A stored run to compare with: its folder, or its name below that of all runs.
        require_judged: Exit with 2 where no case was judged.
        judge: Who judges what no program can, by name.
        live_setup: Whether what cases set up for a live run is set up, and their agents' tools are real. Scripts of the
            cases run on this machine: whoever says so has been asked.
        setup_shell: What runs those scripts.
        setup_timeout: Seconds that each of them may take, where the case does not say so.
        allow_empty: Whether cases that need a live setup are played without it, over whatever mocks there are.
        skip_known_failing: Whether cases that are known to fail are not played.
        profile: Another team's rules for the run.
        command_line: The arguments as given, for the record.
    """

    paths: tuple[str, ...] = ()
    agent: str | None = None
    config: Path | None = None
    mode: Mode | None = None
    keyword: str | None = None
    tags: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    timeout: float | None = None
    jobs: int | None = None
    fail_fast: bool = False
    report_dir: Path | None = None
    passthrough: bool = False
    models: tuple[str, ...] = ()
    scenarios: bool = False
    streaming: bool = False
    runs: int = 1
    gate: Gate = ALWAYS
    suite: Gate = ALWAYS
    baseline: str | None = None
    require_judged: bool = False
    judge: str | None = None
    live_setup: bool = False
    setup_shell: Shell = "bash"
    setup_timeout: float | None = None
    allow_empty: bool = False
    skip_known_failing: bool = False
    profile: Profile | None = None
    command_line: tuple[str, ...] = ()
