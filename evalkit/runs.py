"""The run folder: everything a run used and found, on disk as soon as it is known.

    run.json        what was run, when, how and with what (`RunInfo`)
    cases.jsonl     the cases as used, one a line
    criteria.json   the criteria as used, by evalset file
    outcomes.jsonl  what happened, one case a line, appended and flushed as cases end
    results.json    the verdicts, and `report.md` the same for people; both rendered by `report`

A run with several models has a run of its own for each in a subfolder, and itself only what sums them up.

Secrets are in none of these files: see `redaction` for what that means to whoever scores a stored run again.

A run that ends early, even killed, keeps the outcomes it had; the other files are replaced in one step, so that a
reader sees the old one or the new one. `run.json` is what makes a folder ours: evalkit never overwrites files of these
names in a folder that has none.
"""

import itertools
import platform
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Self

from evalkit import __version__
from evalkit.cases import ALWAYS, Case, CaseSet, Config, Gate
from evalkit.codec.encoding import encode, pretty
from evalkit.errors import InputError
from evalkit.redaction.redactor import Redactor
from evalkit.storage import decode_at, explained, follow, point_at, read_json, read_lines, write_atomically
from evalkit.traces import Outcome

RUN_SCHEMA = "evalkit.run/1"
LATEST = "latest"
RUN_FILE = "run.json"
OWN_FILES = (RUN_FILE, "cases.jsonl", "criteria.json", "outcomes.jsonl", "results.json", "report.md")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInfo:
    """What was run, when, how and with what.

    Attributes:
        mode: Where model turns came from: golden, cassette or live.
        started: When the run began, with its time zone.
        finished: When it ended; None while it runs, and for ever if it was killed.
        options: The command line as given.
        interrupted: True if the user stopped the run before its last case.
        agents: For each agent under evaluation, the model of each agent in it that was asked.
        agent_of: For each evalset file the agent that its cases are played on.
        origins: In a live run, where the model of each agent in it comes from, in words.
        model: The model that all agents asked instead of their own, if the command line named one.
        runs: How often each case was to be played.
        gate: How often the command line said that a case must pass.
        suite: How many of all runs together it said must pass.
        scored_from: The run whose outcomes these are, if they were only scored again.
        parts: In a run with several models, the subfolder in which each has a run of its own.
        adk: Version of google-adk, if the run used it.
        evalkit: Version of evalkit.
        python: Version of Python.
    """

    mode: str
    started: datetime
    evalkit: str
    python: str
    finished: datetime | None = None
    options: tuple[str, ...] = ()
    interrupted: bool = False
    agents: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    agent_of: Mapping[str, str] = field(default_factory=dict)
    origins: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    model: str | None = None
    runs: int = 1
    gate: Gate = ALWAYS
    suite: Gate = ALWAYS
    scored_from: str | None = None
    parts: Mapping[str, str] = field(default_factory=dict)
    adk: str | None = None

    @classmethod
    def begin(cls, mode: str, *, options: Iterable[str] = (), adk: str | None = None) -> Self:
        """Describe a run that starts now, in this process."""
        return cls(
            mode=mode,
            started=datetime.now(UTC),
            evalkit=__version__,
            python=platform.python_version(),
            options=tuple(options),
            adk=adk,
        )


class RunFolder:
    """One run's folder, to write while it runs and to read afterwards; as a context manager it closes its file.

    Attributes:
        path: The folder.
        info: What `run.json` says, without secrets.
        redactor: Hides secrets in all that is written here; by default it knows those of this process.
    """

    def __init__(
        self, path: Path, info: RunInfo, *, root: Path | None = None, redactor: Redactor | None = None
    ) -> None:
        self.path = path
        self.redactor = redactor or Redactor.of_process()
        self.info = self.redactor.clear(info)
        self._root = root
        self._outcomes: BinaryIO | None = None
        self._known = self.redactor.known

    @classmethod
    def create(cls, root: Path, info: RunInfo, redactor: Redactor | None = None) -> Self:
        """Start a new folder `<UTC timestamp>-<short id>` under `root`, which git ignores if it is new."""
        stamp = info.started.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
        path = root / f"{stamp}-{secrets.token_hex(3)}"
        root_is_new = not root.exists()
        with explained(root, "cannot create a run folder here"):
            path.mkdir(parents=True)
            if root_is_new:
                (root / ".gitignore").write_text("# Runs are results, not sources.\n*\n", encoding="utf-8")
        folder = cls(path, info, root=root, redactor=redactor)
        _begin(path, folder.info)
        return folder

    @classmethod
    def create_at(cls, path: Path, info: RunInfo, redactor: Redactor | None = None) -> Self:
        """Start a run in the folder that the user named; an earlier run in it is replaced, nothing else is touched.

        Raises:
            InputError: The folder cannot be used, or has files of our names that evalkit did not write.
        """
        if path.exists() and not path.is_dir():
            raise InputError(f"{path}: is not a folder; name a folder for the report")
        present = [name for name in OWN_FILES if (path / name).exists()]
        if present and not _is_ours(path):
            raise InputError(f"{path}: has a {present[0]} that evalkit did not write; name another folder")
        with explained(path, "cannot write a report here"):
            path.mkdir(parents=True, exist_ok=True)
            for name in present:
                if name != RUN_FILE:  # it keeps the folder ours until it is replaced
                    (path / name).unlink()
        folder = cls(path, info, redactor=redactor)
        _begin(path, folder.info)
        return folder

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a run that was written earlier; `<root>/latest` is the last one that came to its end.

        Raises:
            InputError: There is no run here, or one that this evalkit cannot read.
        """
        path = follow(path)
        file = path / RUN_FILE
        if not file.is_file():
            raise InputError(f"{path}: is no run folder, it has no run.json; name a folder that `evalkit run` wrote")
        data = read_json(file)
        schema = data.get("schema") if isinstance(data, dict) else None
        if schema != RUN_SCHEMA:
            raise InputError(f"{file}: has the schema {schema!r}, but evalkit {__version__} reads {RUN_SCHEMA!r}")
        return cls(path, decode_at(RunInfo, data, str(file)))

    def write_inputs(self, case_sets: Iterable[CaseSet], configs: Mapping[str, Config]) -> None:
        """Store the cases and criteria as used, before anything is played."""
        lines = [
            self.redactor.line({"file": case_set.file, "eval_set_id": case_set.eval_set_id, "case": case}) + "\n"
            for case_set in case_sets
            for case in case_set.cases
        ]
        write_atomically(self.path / "cases.jsonl", "".join(lines))
        write_atomically(self.path / "criteria.json", pretty(self.redactor.value(encode(configs)), levels=3) + "\n")

    def append(self, outcome: Outcome) -> None:
        """Store one outcome; it is in the hands of the operating system when this returns."""
        with explained(self.path / "outcomes.jsonl", "cannot write"):
            if self._outcomes is None:
                self._outcomes = (self.path / "outcomes.jsonl").open("ab")
            self._outcomes.write(self.redactor.line(outcome).encode() + b"\n")
            self._outcomes.flush()

    def finish(self, info: RunInfo, rendered: Mapping[str, str]) -> None:
        """End the run: store its final `info` and the rendered files by name, then point `latest` at it.

        Args:
            info: The run, with its end.
            rendered: The files; what they show was without secrets before it was cut and laid out.
        """
        self.close()
        self._hide_what_was_learned()
        for name, text in rendered.items():
            write_atomically(self.path / name, text)
        self.info = self.redactor.clear(info)
        _write_info(self.path, self.info)
        if self._root is not None:
            point_at(self._root / LATEST, self.path.name)

    def _hide_what_was_learned(self) -> None:
        """Take out of what is written already the secrets that became known only after that."""
        if self.redactor.known == self._known:
            return
        for path in (self.path / "cases.jsonl", self.path / "outcomes.jsonl"):
            if path.exists():
                lines = [self.redactor.line(value) + "\n" for _, value in read_lines(path)]
                write_atomically(path, "".join(lines))
        if (path := self.path / "criteria.json").exists():
            write_atomically(path, pretty(self.redactor.value(read_json(path)), levels=3) + "\n")

    def close(self) -> None:
        """Close the file of outcomes; harmless if there is none, and `append` opens it again."""
        if self._outcomes is not None:
            self._outcomes.close()
            self._outcomes = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def outcomes(self) -> Iterator[Outcome]:
        """Read every outcome stored, in the order in which cases ended; a last line cut off by a crash is left out.

        One is read after the other, so that whoever looks at each once needs no memory for all.

        Raises:
            InputError: Another line is broken.
        """
        for place, data in read_lines(self.path / "outcomes.jsonl"):
            yield decode_at(Outcome, data, place)

    def case_sets(self) -> tuple[CaseSet, ...]:
        """The cases as used, by file; of the files' own names and descriptions nothing is stored."""
        cases: dict[tuple[str, str], list[Case]] = {}
        for place, data in read_lines(self.path / "cases.jsonl"):
            try:
                key = (data["file"], data["eval_set_id"])
                case = data["case"]
            except (TypeError, KeyError):
                raise InputError(f"{place}: is no stored case; run the evaluation again") from None
            cases.setdefault(key, []).append(decode_at(Case, case, place))
        return tuple(
            CaseSet(file=file, eval_set_id=eval_set_id, cases=tuple(found))
            for (file, eval_set_id), found in cases.items()
        )

    def configs(self) -> dict[str, Config]:
        """The criteria as used, by evalset file."""
        path = self.path / "criteria.json"
        data = read_json(path)
        if not isinstance(data, dict):
            raise InputError(f"{path}: expected the criteria of each file; run the evaluation again")
        return {file: decode_at(Config, config, str(path)) for file, config in data.items()}


def part_name(model: str, taken: Iterable[str] = ()) -> str:
    """Name the subfolder of a model in a run with several; it differs from those that are taken by more than case."""
    name = re.sub(r"[^\w.-]+", "-", model).strip(".-") or "model"
    used = {other.lower() for other in taken}
    names = itertools.chain([name], (f"{name}-{number}" for number in itertools.count(2)))
    return next(candidate for candidate in names if candidate.lower() not in used)


def _begin(path: Path, info: RunInfo) -> None:
    _write_info(path, info)
    with explained(path, "cannot write"):
        (path / "outcomes.jsonl").touch()


def _write_info(path: Path, info: RunInfo) -> None:
    write_atomically(path / RUN_FILE, pretty({"schema": RUN_SCHEMA, **encode(info)}, levels=2) + "\n")


def _is_ours(path: Path) -> bool:
    """Whether some version of evalkit wrote a run into this folder."""
    try:
        data = read_json(path / RUN_FILE)
    except InputError:
        return False
    return isinstance(data, dict) and str(data.get("schema")).startswith("evalkit.run/")
