"""`convert`: a folder of HolmesGPT's fixtures into a folder of evalsets, mocks and gold."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from evalkit.adapters.holmes.discovery import Found, find_fixtures
from evalkit.adapters.holmes.fixture import read_fixture
from evalkit.adapters.holmes.ledger import Entry, Ledger, case_entries, read_ledger, totals, write_ledger
from evalkit.adapters.holmes.live import SHARED
from evalkit.adapters.holmes.notes import note
from evalkit.adapters.holmes.nouns import Options
from evalkit.adapters.holmes.outcome import Outcome, convert_fixture
from evalkit.adapters.holmes.written import Content, digest, edited, remove_own, write_folder
from evalkit.errors import InputError
from evalkit.storage import explained


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion:
    """What a conversion did.

    Attributes:
        outcomes: What came of each folder, by suite and name.
        kept: How many fixtures of earlier conversions are in the folder besides.
    """

    outcomes: tuple[Outcome, ...]
    kept: int = 0

    @property
    def entries(self) -> list[Entry]:
        """Every case, as `conversion.json` has it."""
        return [entry for outcome in self.outcomes for entry in case_entries(outcome)]

    @property
    def totals(self) -> Mapping[str, int]:
        """How many cases there are, and of which status."""
        return totals(self.entries)

    @property
    def failed(self) -> bool:
        """Whether a fixture cannot be used."""
        return any(outcome.status == "error" for outcome in self.outcomes)

    @property
    def warned(self) -> bool:
        """Whether anything of severity `warn` was noted."""
        return any(one.severity == "warn" for outcome in self.outcomes for one in outcome.notes)


def convert(
    source: Path, target: Path, options: Options, *, force: bool = False, name: str | None = None
) -> Conversion:
    """Convert the fixtures below a folder.

    Fixtures of earlier conversions that the source does not have stay as they are.

    Args:
        source: A folder of suites, a suite or a fixture; or a folder in which such a folder of suites is buried.
        target: Where the files go: a new folder, an empty one, or one that a conversion has written.
        options: What users may choose.
        force: Also replace files of an earlier conversion that somebody has changed since.
        name: What a suite is called that the source itself is, where its folder's name means nothing.

    Raises:
        InputError: There are no fixtures, the target holds something else, or a file cannot be read or written.
    """
    _keep_apart(source, target)
    found = find_fixtures(source, name)
    ledger = read_ledger(target)
    outcomes = _outcomes(found, options)
    plans = {outcome.path: _contents(outcome) for outcome in outcomes if outcome.suite}
    kept = [path for path in ledger.cases if "/" in path and path not in plans]
    if found.shared and any(outcome.shared for outcome in outcomes):
        plans[SHARED] = _folder_contents(found.shared)
    elif not any(ledger.written.get(path, {}).get("shared") for path in kept):
        plans[SHARED] = {}
    if ledger.complete and not force:
        _refuse_edited(target, plans, ledger)
    _write(target, plans, ledger, outcomes, options)
    return Conversion(outcomes=outcomes, kept=len(kept))


def _keep_apart(source: Path, target: Path) -> None:
    """Refuse to write into what is read, or to read what is written."""
    one, other = source.resolve(), target.resolve()
    if one.is_relative_to(other) or other.is_relative_to(one):
        raise InputError(f"{target}: must not be the folder {source}, nor lie in it, nor hold it")


def _refuse_edited(target: Path, plans: Mapping[str, Mapping[str, Content]], ledger: Ledger) -> None:
    """Refuse to replace what somebody has changed by hand."""
    names = [f"{path}/{name}" for path in plans for name in edited(target / path, ledger.files(path))]
    if names:
        listed = "".join(f"\n  {target / name}" for name in names)
        raise InputError(
            f"these files were changed since they were converted, and nothing was written:{listed}\n"
            "--force replaces them"
        )


def _outcomes(found: Found, options: Options) -> tuple[Outcome, ...]:
    any_mode = options.profile == "self-answer"
    folders = [(suite, folder) for suite, inside in found.suites.items() for folder in inside]
    fixtures = (read_fixture(suite, folder, any_mode=any_mode) for suite, folder in folders)
    return (*(convert_fixture(fixture, options) for fixture in fixtures), *map(_no_case, found.others))


def _no_case(folder: Path) -> Outcome:
    message = "lies beside the suites" + (" and is shared by fixtures" if folder.name == SHARED else "")
    notes = (note("NO_TEST_CASE", message),)
    return Outcome(
        suite="", name=folder.name, eval_ids=(folder.name,), status="not_a_case", reason=message, notes=notes
    )


def _contents(outcome: Outcome) -> dict[str, Content]:
    return {**{name: text.encode() for name, text in outcome.texts.items()}, **outcome.copies}


def _folder_contents(folder: Path) -> dict[str, Content]:
    """The files of a folder, links and caches left out."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink())
    return {path.relative_to(folder).as_posix(): path for path in files if "__pycache__" not in path.parts}


def _write(
    target: Path,
    plans: Mapping[str, Mapping[str, Content]],
    ledger: Ledger,
    outcomes: tuple[Outcome, ...],
    options: Options,
) -> None:
    earlier = {path: ledger.files(path) for path in plans}
    hashes = {path: {name: digest(content) for name, content in files.items()} for path, files in plans.items()}
    with explained(target, "cannot make the folder"):
        target.mkdir(parents=True, exist_ok=True)
    if earlier != hashes:
        _announce(target, ledger, hashes)
    for path, files in plans.items():
        if files:
            write_folder(target / path, files, earlier[path])
        else:
            remove_own(target / path, earlier[path])
    for outcome in outcomes:
        ledger.record(outcome, options, hashes.get(outcome.path, {}) if outcome.suite else {})
    if plans.get(SHARED):
        ledger.written[SHARED] = {"files": hashes[SHARED]}
    write_ledger(target, ledger, complete=True)


def _announce(target: Path, ledger: Ledger, hashes: Mapping[str, Mapping[str, str]]) -> None:
    """Write down which files are about to be written, so that they are known if this is interrupted."""
    known = {path: {**ledger.files(path), **files} for path, files in hashes.items()}
    written = {path: {**ledger.written.get(path, {}), "files": files} for path, files in known.items() if files}
    write_ledger(target, Ledger(cases=ledger.cases, written={**ledger.written, **written}), complete=False)
