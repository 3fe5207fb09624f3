"""What comes of one fixture: its cases, what is noted about them, and the files to write."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from evalkit.adapters.holmes.builtin import builtin_notes, builtin_routes, with_catalog
from evalkit.adapters.holmes.cases import GOLD_FILE, Judged, case_set, eval_ids
from evalkit.adapters.holmes.catalog import declarations
from evalkit.adapters.holmes.config import config
from evalkit.adapters.holmes.expected import expected_notes, gold_of, verdicts_of
from evalkit.adapters.holmes.golden import golden_notes
from evalkit.adapters.holmes.history import prior_events
from evalkit.adapters.holmes.live import FILES, live_notes, uses_shared
from evalkit.adapters.holmes.mocks_text import mocks_files
from evalkit.adapters.holmes.nouns import Fixture, Note, Options, Status
from evalkit.adapters.holmes.prompts import date_notes, prompt_notes
from evalkit.adapters.holmes.routes import MockRoute, recorded_routes, route_notes
from evalkit.adapters.holmes.staleness import stale_notes
from evalkit.adapters.holmes.status import status_notes, status_of
from evalkit.cases import Json
from evalkit.formats.evalset_writer import write_case_set
from evalkit.formats.gold import write as write_gold
from evalkit.formats.setups import write_prior_events
from evalkit.gold import Gold

TRANSCRIPT_FILE: Final = "transcript.json"
_PLAYED: Final = ("replayable", "replayable_with_notes", "mixed", "needs_live")
"""States of cases that an evalset is written for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What comes of one fixture.

    Attributes:
        suite: The suite's name; empty for a folder beside the suites.
        name: The fixture's name.
        eval_ids: Its cases.
        status: What can be done with them.
        reason: Why not more; None if recordings answer.
        notes: Everything that is noted.
        texts: The files that are written, by name relative to the fixture's folder.
        copies: The files that are copied, by name, from where.
        shared: Whether it needs the folder that fixtures share.
    """

    suite: str
    name: str
    eval_ids: tuple[str, ...]
    status: Status
    reason: str | None = None
    notes: tuple[Note, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    copies: Mapping[str, Path] = field(default_factory=dict)
    shared: bool = False

    @property
    def path(self) -> str:
        """The fixture among all: `suite/name`."""
        return f"{self.suite}/{self.name}" if self.suite else self.name


def convert_fixture(fixture: Fixture, options: Options) -> Outcome:
    """Convert one fixture; what cannot be converted is said in its status and notes."""
    recorded = recorded_routes(fixture.recordings, options)
    routes = [*recorded, *builtin_routes(fixture, options)]
    gold, verdicts = gold_of(fixture, options), verdicts_of(fixture, options)
    notes = list(fixture.notes)
    if fixture.case is not None:
        notes += [*status_notes(fixture)]
        notes += [*prompt_notes(fixture), *date_notes(fixture), *expected_notes(fixture, gold, verdicts)]
        notes += [*golden_notes(fixture, options), *live_notes(fixture), *builtin_notes(fixture)]
        notes += [*route_notes(fixture.recordings, recorded, options), *stale_notes(fixture)]
    status, reason = status_of(fixture, notes)
    judged = Judged(status=status, reason=reason, notes=tuple(notes), verdicts=verdicts, gold=gold)
    played = status in _PLAYED
    texts = _files(fixture, judged, routes, options) if played else {}
    if status == "unsupported":
        texts = _unsupported(fixture, gold)
    return Outcome(
        suite=fixture.suite,
        name=fixture.name,
        eval_ids=tuple(eval_ids(fixture)),
        status=status,
        reason=reason,
        notes=judged.notes,
        texts=texts,
        copies={f"{FILES}/{name}": fixture.folder / name for name in fixture.files} if played else {},
        shared=played and uses_shared(fixture),
    )


def _files(fixture: Fixture, judged: Judged, routes: list[MockRoute], options: Options) -> dict[str, str]:
    evalset = write_case_set(case_set(fixture, judged, options))
    called = [(route.tool, route.match) for route in routes]
    declared = [with_catalog(one, fixture) for one in declarations(called)]
    return {
        f"{fixture.name}.evalset.json": _json(evalset),
        "test_config.json": _json(config(judged.gold, options)),
        **mocks_files(fixture.path, routes, declared),
        GOLD_FILE: _gold_text(fixture, judged.gold),
    }


def _unsupported(fixture: Fixture, gold: Gold) -> dict[str, str]:
    """Keep what an unsupported fixture has: its conversation, as a sample, and what is expected of it."""
    files = {GOLD_FILE: _gold_text(fixture, gold)}
    if fixture.history:
        files[TRANSCRIPT_FILE] = _json({"prior_events": write_prior_events(prior_events(fixture.history))})
    return files


def _gold_text(fixture: Fixture, gold: Gold) -> str:
    return write_gold(dict.fromkeys(eval_ids(fixture), gold))


def _json(value: Json) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
