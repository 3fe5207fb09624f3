"""Files that a mocks file names: read once each, and never outside its folder."""

from pathlib import Path

from evalkit.cases import Json
from evalkit.errors import Problem
from evalkit.formats.documents import Document
from evalkit.formats.files import YAML_SUFFIXES, Loaded, read_bytes
from evalkit.formats.json_text import parse_shallow_json
from evalkit.formats.paths import JsonPath
from evalkit.formats.secret_shapes import secret_problems, secrets_in_text
from evalkit.formats.text import decode


class ReplyFiles:
    """The reply files of one mocks file; the problems that it meets gather in `problems`."""

    def __init__(self, document: Document, folder: Path) -> None:
        self._document = document
        self._folder = folder
        self._values: dict[Path, Json] = {}
        self.problems: list[Problem] = []

    def read(self, name: str, path: JsonPath) -> Json:
        """Read a file: JSON and YAML as values, anything else as text; None where that is not possible.

        Args:
            name: The file, relative to the mocks file's folder.
            path: JSON path of the name, for problems.
        """
        file = self.find(name, path)
        if file is None:
            return None
        if file not in self._values:
            loaded = _load(file, str(self._folder / name))
            self.problems += loaded.problems
            self._values[file] = loaded.value
        return self._values[file]

    def find(self, name: str, path: JsonPath) -> Path | None:
        """Find a file; None, and a problem, if it is not there or lies outside, symbolic links followed."""
        folder = self._folder.resolve()
        try:
            file = (folder / name).resolve()
            exists = file.is_file()
        except (OSError, RuntimeError, ValueError) as error:  # a loop of links, a name that is too long, a null byte
            self._report("missing-reply-file", path, f"{name!r} names no file: {error}")
            return None
        if not file.is_relative_to(folder):
            self._report("outside-folder", path, f"{name} lies outside {self._shown}", "keep reply files beside it")
        elif not exists:
            self._report("missing-reply-file", path, f"there is no file {name} in {self._shown}")
        else:
            return file
        return None

    @property
    def _shown(self) -> str:
        return f"the folder {self._folder}" if str(self._folder) != "." else "this folder"

    def _report(self, rule: str, path: JsonPath, message: str, hint: str | None = None) -> None:
        self.problems.append(self._document.problem(rule, path, message, hint))


def _load(path: Path, file: str) -> Loaded[Json]:
    data = read_bytes(path, file)
    if data.value is None:
        return data
    if path.suffix == ".json":
        parsed = parse_shallow_json(data.value, file)
    elif path.suffix in YAML_SUFFIXES:
        from evalkit.formats.yaml_text import parse_yaml

        parsed = parse_yaml(data.value, file)
    else:
        text, problems = decode(data.value, file)
        return Loaded(text, (*problems, *secrets_in_text(text or "", file)))
    if parsed.value is None:
        return Loaded(None, parsed.problems)
    return Loaded(parsed.value.value, (*parsed.problems, *secret_problems(parsed.value, data.value)))
