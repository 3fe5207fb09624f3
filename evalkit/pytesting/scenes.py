"""From a file that a test names to mocks that can be put in place. Loads ADK, so it is loaded for that alone."""

from collections.abc import Iterator
from pathlib import Path

from evalkit.adk.in_place import InPlace
from evalkit.adk.played import Part, Scene
from evalkit.adk.toolset_checks import Mocks
from evalkit.bundles import Bundle, Reader
from evalkit.check import tidy
from evalkit.errors import Problem, SelectionError
from evalkit.formats.files import kind_of
from evalkit.gather import gather
from evalkit.plan import CheckError
from evalkit.selection import Selector


def in_place(selector: Selector, *, agent: str | None, root: Path, golden: bool, allow_misses: bool) -> InPlace:
    """Read a mocks file, or evalsets with all that belongs to them, and make a scene of it.

    Args:
        selector: The file, with the cases asked for.
        agent: The folder or module of an agent to be loaded.
        root: The project's folder.
        golden: Whether models play the cases' own turns back.
        allow_misses: Whether unanswered calls are left to the test.

    Raises:
        CheckError: A file has an error.
        SelectionError: There is no such case, or golden turns are wanted of a mocks file.
    """
    parts: tuple[Part, ...] = ()
    if kind_of(selector.path.name) == "mocks":
        if golden:
            raise SelectionError(f"{selector.path}: has no golden turns; name the evalset instead of its mocks")
        mocks = _mocks(selector.path)
    else:
        bundles, problems = gather([selector])
        _refuse(problems)
        mocks = Mocks(folder=bundles[0].mocks)
        parts = tuple(part for bundle in bundles for part in _parts(bundle))
    scene = Scene(mocks=mocks, parts=parts, agent=agent, golden=golden, root=root)
    return InPlace(scene, allow_misses=allow_misses)


def _mocks(path: Path) -> Mocks:
    reader = Reader()
    mocks = reader.mocks(path)
    _refuse(list(tidy(reader.problems)))
    return Mocks(own=mocks)


def _parts(bundle: Bundle) -> Iterator[Part]:
    for case in bundle.cases.cases:
        if not bundle.ids or case.eval_id in bundle.ids:
            own = bundle.case_mocks.get(case.mocks) if case.mocks else None
            yield Part(mocks=Mocks(own=own, folder=bundle.mocks), case=case)


def _refuse(problems: list[Problem]) -> None:
    if any(problem.severity == "error" for problem in problems):
        raise CheckError(problems)
