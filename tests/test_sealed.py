"""Gold is held back until all that it is about has been answered, and the account says what was opened and seen."""

import hashlib
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from evalkit.cases import Case, Message, SessionInput, Turn
from evalkit.results import Audit, CaseResult, Exposure
from evalkit.routes import MockSet, Reply, Route
from evalkit.sealed import Sealed, audited, unseal
from evalkit.setups import LiveSetup, PriorEvent
from evalkit.stage_records import StageRecord
from evalkit.traces import Failure, Outcome, Trace

EXPECTED = "the spindle of drum 42 is cracked"
THEN = datetime(2001, 6, 3, tzinfo=UTC)


def case(*, prompt="What ails it?", **fields):
    turn = Turn(index=0, user=Message(role="user", parts=({"text": prompt},)))
    return Case(eval_id="ails", turns=(turn,), gold="gold.json", **fields)


def played(**fields):
    return Outcome(file="f", eval_id="ails", trace=Trace(mode="live"), answered_at=THEN, **fields)


@pytest.fixture
def folder(tmp_path):
    """An evalset's folder with gold for the case `ails`."""
    (tmp_path / "gold.json").write_text(json.dumps({"version": 1, "cases": {"ails": {"expected": [EXPECTED, "42"]}}}))
    return tmp_path


def test_an_outcome_waits_for_all_others_of_its_gold_file():
    sealed = Sealed({0: Path("a"), 1: Path("b"), 3: Path("a")})
    outcomes = [Outcome(file="f", eval_id=str(number)) for number in range(4)]

    released = [[number for number, _ in sealed.release(number, outcomes[number])] for number in range(4)]

    assert released == [[], [1], [2], [0, 3]]


def test_the_gold_of_an_answered_case_is_opened_with_its_digest(folder):
    found = unseal(case(), played(workdir="/w"), folder)

    assert found.case.opened.expected == (EXPECTED, "42")
    assert found.audit.gold_sha256 == hashlib.sha256((folder / "gold.json").read_bytes()).hexdigest()
    assert (found.audit.answered_at, found.audit.answered_first, found.audit.workdir) == (
        THEN,
        True,
        "/w",
    )


def test_of_a_case_that_was_not_played_nothing_is_opened(folder):
    outcome = Outcome(file="f", eval_id="ails", failure=Failure(kind="interrupted", message="not played"))

    assert unseal(case(), outcome, folder).case.opened is None


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "no such file or directory"),
        ("{", "`evalkit check"),
        ('{"version": 1, "cases": {}}', "it has nothing for `ails`"),
    ],
)
def test_gold_that_cannot_be_read_says_why(tmp_path, content, why):
    if content is not None:
        (tmp_path / "gold.json").write_text(content)

    assert why in unseal(case(), played(), tmp_path).case.opened.unread


def mocks_with(text):
    route = Route(tool="look", replies=(Reply(value={"data": [text]}),), label="mocks.yaml:3 look")
    return MockSet(file="mocks.yaml", routes=(route,))


@pytest.mark.parametrize(
    ("fields", "mocks", "place"),
    [
        ({"prompt": f"Is it true that {EXPECTED.upper()}?"}, (), "prompt"),
        ({"prior_events": (PriorEvent(author="user", content={"parts": [{"text": EXPECTED}]}),)}, (), "prompt"),
        ({"session": SessionInput(app_name="a", user_id="u", state={"hint": {"is": EXPECTED}})}, (), "state"),
        ({"live": LiveSetup(env={"HINT": EXPECTED})}, (), "environment variable HINT"),
        ({}, (mocks_with(EXPECTED.replace(" ", "\n")),), "mocks, mocks.yaml:3 look"),
    ],
)
def test_an_expected_text_that_the_agent_could_see_is_found(folder, fields, mocks, place):
    assert unseal(case(**fields), played(), folder, mocks).audit.exposed == (Exposure(text=EXPECTED, place=place),)


def test_a_short_text_says_nothing_by_standing_somewhere(folder):
    assert unseal(case(prompt="What ails drum 42?"), played(), folder).audit.exposed == ()


def test_the_environment_of_the_run_is_searched_too(folder, monkeypatch):
    monkeypatch.setenv("HINT", EXPECTED)

    assert [one.place for one in unseal(case(), played(), folder).audit.exposed] == ["environment variable HINT"]


def test_the_files_that_a_stage_copied_are_searched_without_the_gold(folder):
    (folder / "files").mkdir()
    (folder / "files/notes.txt").write_text(f"Note: {EXPECTED}")
    stage = StageRecord(workdir="/stage/ails", files_created=("out.txt",))

    audit = unseal(case(live=LiveSetup(folder="files")), played(stage=stage), folder).audit

    assert audit.exposed == (Exposure(text=EXPECTED, place="working directory, notes.txt"),)
    assert (audit.workdir, audit.files_created) == ("/stage/ails", ("out.txt",))


def test_a_gold_file_within_the_working_directory_is_told(folder):
    found = unseal(case(), played(workdir=str(folder)), folder)

    assert found.audit.exposed == (Exposure(text="gold.json", place="working directory, as the gold file itself"),)


def test_who_judges_again_keeps_what_the_agent_saw_then_as_long_as_the_gold_is_the_same(folder):
    then = unseal(case(prompt=f"Is it that {EXPECTED}?"), played(), folder).audit

    assert unseal(case(), played(), folder, before=then).audit.exposed == then.exposed
    other = Audit(gold_sha256="another", exposed=then.exposed)
    assert unseal(case(), played(), folder, before=other).audit.exposed == ()


def noted(audit):
    return audited(CaseResult(file="f", eval_id="ails", run=0, verdict="passed"), audit).notes


def test_a_leak_is_noted_and_evidence_in_mocks_is_none():
    exposed = (Exposure(text="x", place="prompt"), Exposure(text="x", place="mocks, mocks.yaml:3 look"))

    assert noted(Audit(answered_at=THEN, scored_at=THEN + timedelta(seconds=1), exposed=exposed)) == (
        "not blind: the expected text 'x' stands in the prompt",
    )


def test_an_answer_that_is_not_older_than_the_reading_is_noted():
    assert noted(Audit(answered_at=THEN, scored_at=THEN, gold="gold.json")) == (
        "not blind: the answer is not older than the reading of gold.json",
    )
