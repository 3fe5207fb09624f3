"""The rules for what cases keep apart: a gold file that is there, that says something of them, and that is read.

Only `check` opens gold files; before a run nothing but their being there is looked at.
"""

from collections.abc import Collection, Iterator
from pathlib import Path

from evalkit.cases import CaseSet, Config
from evalkit.errors import Problem
from evalkit.formats.own_metrics import metric_of
from evalkit.formats.paths import write_path
from evalkit.gold import GoldFile
from evalkit.lint.problems import fault

CORRECTNESS = "holmes_correctness"
"""The metric that judges by gold."""


def missing_gold(cases: CaseSet) -> Iterator[Problem]:
    """Find cases whose gold file is not there."""
    folder = Path(cases.file).parent
    for case in cases.cases if cases.file else ():
        if case.gold and not (folder / case.gold).is_file():
            message = f"there is no file {folder / case.gold}, so nothing could be judged by it"
            hint = "the path is relative to the folder of the evalset"
            yield fault("missing-gold", cases.file, f"{case.where}.evalkit.gold", message, hint)


def unread_gold(cases: CaseSet, config: Config) -> Iterator[Problem]:
    """Find gold that no criterion judges by."""
    first = next((case for case in cases.cases if case.gold), None)
    if first is not None and all(metric_of(criterion) != CORRECTNESS for criterion in config.criteria):
        message = f"nothing judges by this file: `{CORRECTNESS}` is not among the criteria"
        hint = f'add "{CORRECTNESS}": {{"threshold": 1.0}} to the criteria'
        yield fault("unread-gold", cases.file, f"{first.where}.evalkit.gold", message, hint)


def silent_gold(cases: CaseSet, name: str, gold: GoldFile) -> Iterator[Problem]:
    """Find cases of which the gold file that they name says nothing."""
    for case in cases.cases:
        if case.gold == name and case.eval_id not in gold.cases:
            message = f"{gold.file} has nothing for `{case.eval_id}`"
            hint = f"it has {', '.join(gold.cases) or 'no case at all'}"
            yield fault("missing-gold", cases.file, f"{case.where}.evalkit.gold", message, hint)


def idle_gold(gold: GoldFile, asked: Collection[str]) -> Iterator[Problem]:
    """Find what a gold file says of cases that do not ask for it."""
    for eval_id in gold.cases:
        if eval_id not in asked:
            path = write_path(("cases", eval_id))
            yield fault("unread-gold", gold.file, path, f"no case `{eval_id}` names this file, so nothing reads this")
