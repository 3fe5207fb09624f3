"""From what the user selects to the evalsets of a run, with every problem on the way."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from evalkit.bundles import Bundle, Reader
from evalkit.check import tidy
from evalkit.errors import Problem, SelectionError
from evalkit.formats.files import MOCKS_NAMES, FileKind, discover, kind_of
from evalkit.selection import Selector, check_ids, find_named

_OTHERS: Mapping[FileKind | None, str] = {
    "mocks": "a mocks file",
    "config": "an eval config",
    "gold": "a gold file",
}
"""What is read with an evalset and is none, by the kinds that a file's name tells."""


def gather(selectors: Sequence[Selector], config_path: Path | None = None) -> tuple[list[Bundle], list[Problem]]:
    """Read every evalset that the selectors name.

    Args:
        selectors: What the user asked for.
        config_path: A config for all of them, instead of each folder's own.

    Returns:
        The evalsets that could be read, and every problem of every file.

    Raises:
        SelectionError: A selector names a case that is not there, or there is no evalset at all.
    """
    reader = Reader()
    bundles: dict[Path, Bundle] = {}
    wanted = _Wanted()
    for selector in selectors:
        wanted.add(selector)
    for path, ids in wanted.ids.items():
        bundle = reader.evalset(path, config_path)
        if bundle is not None:
            check_ids(bundle.file, [case.eval_id for case in bundle.cases.cases], ids or ())
            bundles[path] = bundle
    reader.finish()
    wanted.look_up(bundles)
    found = [replace(bundle, ids=ids) for path, bundle in bundles.items() if (ids := wanted.ids[path]) is not None]
    return found, list(tidy(reader.problems, list(map(str, reader.files))))


def _named_kind(path: Path) -> FileKind | None:
    kind = kind_of(path.name)
    return None if kind == "mocks" and path.name not in MOCKS_NAMES else kind


def _beside(path: Path) -> str:
    """Say what to name in place of a file that is read with evalsets."""
    near = sorted(item for item in path.parent.iterdir() if kind_of(item.name) == "evalset")
    if len(near) > 1:
        return f"name one that it is for, such as {near[0]}, or the folder {path.parent}"
    return (
        f"name {near[0]}, which it is for" if near else "name the evalset that it is for (*.evalset.json, *.test.json)"
    )


@dataclass(slots=True)
class _Wanted:
    """What is wanted of each file: ids, all cases (none), or nothing (None) until a name leads there.

    Attributes:
        names: The names that were asked for in folders of several files, with these files.
    """

    ids: dict[Path, tuple[str, ...] | None] = field(default_factory=dict)
    names: list[tuple[Selector, list[Path]]] = field(default_factory=list)

    def add(self, selector: Selector) -> None:
        """Take one more selector."""
        found = [item.path for item in discover([selector.path]) if item.kind == "evalset"]
        if not found and selector.path.is_file():
            if kind := _OTHERS.get(_named_kind(selector.path)):
                raise SelectionError(f"{selector.path}: this is {kind}, not an evalset; {_beside(selector.path)}")
            found = [selector.path]
        if not found:
            raise SelectionError(f"{selector.path}: no evalset here (*.evalset.json or *.test.json)")
        if selector.ids and len(found) > 1:
            self.names.append((selector, found))
            self.ids = {**dict.fromkeys(found), **self.ids}
            return
        for path in found:
            self._add_ids(path, selector.ids)

    def look_up(self, bundles: dict[Path, Bundle]) -> None:
        """Find the cases that names mean."""
        paths = {bundle.file: path for path, bundle in bundles.items()}
        for selector, files in self.names:
            inside = [bundles[path] for path in files if path in bundles]
            known = [(bundle.file, case.eval_id) for bundle in inside for case in bundle.cases.cases]
            for name in selector.ids:
                try:
                    found = find_named(known, name)
                except SelectionError as error:
                    raise SelectionError(f"{selector.path}: {error}") from None
                for file, eval_id in found:
                    self._add_ids(paths[file], (eval_id,))

    def _add_ids(self, path: Path, ids: tuple[str, ...]) -> None:
        earlier = self.ids.get(path)
        whole = earlier == () or not ids
        self.ids[path] = () if whole else tuple(dict.fromkeys((*(earlier or ()), *ids)))
