"""From what the user selects to the evalsets of a run, with every problem on the way."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from evalkit.bundles import Bundle, Reader
from evalkit.check import tidy
from evalkit.errors import Problem, SelectionError
from evalkit.formats.files import discover
from evalkit.selection import Selector, check_ids


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
    bundles: list[Bundle] = []
    for path, ids in _files(selectors):
        bundle = reader.evalset(path, config_path)
        if bundle is not None:
            check_ids(bundle.file, [case.eval_id for case in bundle.cases.cases], ids)
            bundles.append(replace(bundle, ids=ids))
    reader.finish()
    return bundles, list(tidy(reader.problems, list(map(str, reader.files))))


def _files(selectors: Sequence[Selector]) -> list[tuple[Path, tuple[str, ...]]]:
    wanted: dict[Path, tuple[str, ...]] = {}
    for selector in selectors:
        found = [item.path for item in discover([selector.path]) if item.kind == "evalset"]
        if not found and selector.path.is_file():
            found = [selector.path]
        if not found:
            raise SelectionError(f"{selector.path}: no evalset here (*.evalset.json or *.test.json)")
        if selector.ids and len(found) > 1:
            raise SelectionError(f"{selector.path}: is a folder; case ids go with one file")
        for path in found:
            earlier = wanted.get(path)
            whole = earlier == () or not selector.ids
            wanted[path] = () if whole else tuple(dict.fromkeys((*(earlier or ()), *selector.ids)))
    return list(wanted.items())
