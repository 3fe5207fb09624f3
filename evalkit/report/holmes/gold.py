"""What was expected of a case, read from its gold file when the report is written."""

from dataclasses import dataclass, field
from pathlib import Path

from evalkit.cases import Case
from evalkit.formats import gold as gold_format
from evalkit.gold import Gold, GoldFile


@dataclass
class Golds:
    """Reads gold files, each once; one that is gone or broken says nothing.

    Attributes:
        root: The project's folder, where files are looked for that are not below the current one.
    """

    root: Path
    _read: dict[Path, GoldFile | None] = field(default_factory=dict)

    def of(self, file: str, case: Case) -> Gold | None:
        """Return what is expected of a case; `file` is its evalset."""
        if case.gold is None:
            return None
        places = (Path(file).parent / case.gold, self.root / Path(file).parent / case.gold)
        path = next((place for place in places if place.is_file()), None)
        if path is None:
            return None
        if path not in self._read:
            self._read[path] = gold_format.read(path).value
        found = self._read[path]
        return found.cases.get(case.eval_id) if found else None
