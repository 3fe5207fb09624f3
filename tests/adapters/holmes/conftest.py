"""Fixtures of HolmesGPT's: the real ones, converted once, and small ones of our own."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from evalkit.adapters.holmes.conversion import Conversion, convert
from evalkit.adapters.holmes.nouns import Options
from evalkit.formats import mocks as mocks_format
from evalkit.mocks import Backend, Returned

AGENT = "agent"


@dataclass(frozen=True)
class Converted:
    """A folder that a conversion wrote."""

    folder: Path
    done: Conversion

    def case(self, path: str, index: int = 0) -> dict[str, Any]:
        """A case of a fixture, as its evalset has it."""
        name = path.rpartition("/")[2]
        return self.json(f"{path}/{name}.evalset.json")["eval_cases"][index]

    def gold(self, path: str, eval_id: str | None = None) -> dict[str, Any]:
        """The gold of a case."""
        return self.json(f"{path}/gold.json")["cases"][eval_id or path.rpartition("/")[2]]

    def json(self, name: str) -> Any:
        """A JSON file."""
        return json.loads((self.folder / name).read_text(encoding="utf-8"))

    def prompt(self, path: str, index: int = 0) -> str:
        """What the user says."""
        return self.case(path, index)["conversation"][0]["user_content"]["parts"][0]["text"]

    def codes(self, path: str) -> list[str]:
        """The codes of a fixture's notes, one for each note."""
        return [note["code"] for note in self.entry(path)["notes"]]

    def notes(self, path: str, code: str) -> list[dict[str, Any]]:
        """The notes of a code."""
        return [note for note in self.entry(path)["notes"] if note["code"] == code]

    def entry(self, path: str) -> dict[str, Any]:
        """The first entry of a fixture in `conversion.json`."""
        return next(one for one in self.ledger["cases"] if f"{one['suite']}/{one['base_id']}" == path)

    @cached_property
    def ledger(self) -> dict[str, Any]:
        """`conversion.json`."""
        return self.json("conversion.json")

    def ask(self, path: str, tool: str, **args: Any) -> Any:
        """What evalkit's mocks answer a call with; None for a miss."""
        return ask(self.folder / path / "mocks.yaml", tool, args)


def ask(file: Path, tool: str, args: Mapping[str, Any]) -> Any:
    """Ask a mocks file, as a run would."""
    loaded = mocks_format.read(file)
    assert loaded.value is not None, loaded.problems
    answer = Backend(None, loaded.value, ()).answer(AGENT, tool, args, 0)
    return answer.value if isinstance(answer, Returned) else None


@pytest.fixture(scope="session")
def corpus(shared: Path) -> Path:
    """The real fixtures."""
    return shared / "holmesgpt"


@pytest.fixture(scope="session")
def converted(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Converted:
    """The real fixtures, converted."""
    folder = tmp_path_factory.mktemp("converted") / "holmes"
    return Converted(folder, convert(corpus, folder, Options()))


@dataclass(frozen=True)
class Workbench:
    """A folder of suites that a test fills, and the folder that it converts them into."""

    root: Path
    target: Path

    def add(self, name: str = "01_orders", *, suite: str = "test_ask_holmes", files: Mapping[str, str | bytes]) -> Path:
        """Write a fixture; `test_case.yaml` is a plain one unless it is among the files."""
        folder = self.root / suite / name
        for file, content in {"test_case.yaml": CASE, **files}.items():
            path = folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return folder

    def convert(self, **options: Any) -> Converted:
        """Convert everything."""
        force = options.pop("force", False)
        return Converted(self.target, convert(self.root, self.target, Options(**options), force=force))

    def tree(self) -> dict[str, bytes]:
        """Every file that was written, with its content."""
        files = (path for path in sorted(self.target.rglob("*")) if path.is_file())
        return {path.relative_to(self.target).as_posix(): path.read_bytes() for path in files}


CASE = """\
user_prompt: "Why do orders take so long?"
expected_output:
  - The queue of the orders service is full
"""


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    """An empty workbench."""
    return Workbench(tmp_path / "fixtures", tmp_path / "converted")


@pytest.fixture
def recording() -> Callable[..., str]:
    """Write a recording: a tool's name and the rest of its first line, its second line, and its body."""

    def write(tool: str, body: str = "", *, result: Mapping[str, Any] | None = None, **head: Any) -> str:
        first = {"toolset_name": "shop/core", "tool_name": tool, **head}
        return f"{json.dumps(first)}\n{json.dumps(result or {'status': 'success'})}\n{body}"

    return write
