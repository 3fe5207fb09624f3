"""The hooks of a run of pytest that was asked for evaluations."""

import os
from collections.abc import Generator
from pathlib import Path

import pytest

from evalkit.formats.files import EVALSET_SUFFIXES
from evalkit.pytesting import EVALUATIONS
from evalkit.pytesting.asked import Asked
from evalkit.pytesting.gate import gate
from evalkit.pytesting.items import EvalsetFile
from evalkit.pytesting.player import Player
from evalkit.pytesting.properties import read
from evalkit.pytesting.summary import write_summary
from evalkit.report.properties import VERDICT


def register(config: pytest.Config, asked: Asked) -> None:
    """Put the hooks in place, until pytest is done."""
    player = Player(asked)
    config.add_cleanup(player.close)
    config.pluginmanager.register(Evaluations(asked, player), EVALUATIONS)


class Evaluations:
    """Collects evalsets, plays their cases and tells what came of them.

    Args:
        asked: What pytest was asked for.
        player: Plays cases.
    """

    def __init__(self, asked: Asked, player: Player) -> None:
        self._asked = asked
        self._player = player
        self._passed_over = 0

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> Generator[None, object, object]:
        """Add evalsets that pytest would not come by to what it collects."""
        session.config.args += [file for file in self._asked.further if not _is_ignored(session, file)]
        return (yield)

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """Collect an evalset that was asked for."""
        if not file_path.name.endswith(EVALSET_SUFFIXES):
            return None
        if not self._asked.wants(file_path):
            self._passed_over += 1
            return None
        return EvalsetFile.from_parent(parent.session, path=file_path, asked=self._asked, player=self._player)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Skip what asks a model that cannot be reached; pytest looks for skips after this."""
        if item.get_closest_marker("eval") is not None:
            gate(item, self._asked, self._player)

    def pytest_report_header(self) -> str:
        """Say what is played."""
        golden = self._asked.mode == "golden"
        return f"evalkit: {'golden replay, no model is asked' if golden else 'live, agents ask their own models'}"

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.CollectReport | pytest.TestReport) -> tuple[str, str, str] | None:
        """Show which failures are no failed cases, but errors and cases that could not be judged."""
        verdict = read(report).get(VERDICT) if report.failed else None
        if hasattr(report, "wasxfail") or verdict not in ("error", "inconclusive"):
            return None
        return "failed", "F", f"FAILED ({verdict})"

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Sum up the verdicts; or say where evalsets were seen, if none was collected."""
        if not write_summary(terminalreporter, self._asked.mode) and self._passed_over:
            terminalreporter.line(
                f"evalkit: evalsets outside of the configured folders were passed over ({self._passed_over}); name a"
                " file, or add its folder to agent_for under [tool.evalkit]"
            )


def _is_ignored(session: pytest.Session, file: str) -> bool:
    """Tell whether pytest is to ignore a file or a folder around it, which it does not ask of what is named to it."""
    path = Path(os.path.normpath(session.config.invocation_params.dir / file))
    around = [path, *(folder for folder in path.parents if session.config.rootpath in folder.parents)]
    return any(
        session.gethookproxy(place.parent).pytest_ignore_collect(collection_path=place, config=session.config)
        for place in around
    )
