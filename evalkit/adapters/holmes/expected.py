"""What is expected of the answer: HolmesGPT's modes and scores, as gold that is read only after the answer."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from evalkit.adapters.holmes.notes import note
from evalkit.adapters.holmes.nouns import Fixture, Note, Options
from evalkit.adapters.holmes.test_case import CASE_FILE, number
from evalkit.formats.gold_items import build_rubrics
from evalkit.gold import Gold, GoldMode

SKIPPED_AS_ZERO: Final = "expected_score == 0"
"""What the self-answer profile records in place of a run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """How a case is judged, and what is made of the score.

    Attributes:
        mode: Strict or loose.
        expected_score: The score that its author expects, 1 unless said.
        skip: Why it is not run, if so.
        known_failing: Why it is known to fail, if so.
    """

    mode: GoldMode
    expected_score: float
    skip: str | None = None
    known_failing: str | None = None


def verdicts_of(fixture: Fixture, options: Options) -> Verdicts:
    """Decide how a fixture's cases are judged, by the rules of a profile."""
    case = fixture.case or {}
    correctness = (case.get("evaluation") or {}).get("correctness", 1)
    declared = correctness if isinstance(correctness, dict) else {"expected_score": correctness}
    score = number(declared.get("expected_score", 1))
    skip = (case.get("skip_reason") or "its fixture says skip") if case.get("skip") else None
    known = "its fixture expects the score 0" if score == 0 else None
    if options.profile == "self-answer" and declared is correctness and score == 0:
        skip, known = skip or SKIPPED_AS_ZERO, None
    return Verdicts(mode=_mode(fixture, declared, options), expected_score=score, skip=skip, known_failing=known)


def _mode(fixture: Fixture, declared: Mapping[str, Any], options: Options) -> GoldMode:
    said = declared.get("type")
    if options.profile == "self-answer":
        return "strict" if isinstance(said, str) and said.lower() == "strict" else "loose"
    if fixture.suite == "compaction":
        return "loose"
    return "loose" if fixture.kind == "ask" and said == "loose" else "strict"


def expected_texts(fixture: Fixture) -> tuple[str, ...]:
    """The expected texts, verbatim; a single one counts as a list of one."""
    expected = (fixture.case or {}).get("expected_output") or ()
    return tuple(text for text in ([expected] if isinstance(expected, str) else expected) if text.strip())


def gold_of(fixture: Fixture, options: Options) -> Gold:
    """Make the gold of a fixture's cases, which all share it."""
    case = fixture.case or {}
    expected, mode = expected_texts(fixture), verdicts_of(fixture, options).mode
    with_calls = bool(case.get("include_tool_calls"))
    return Gold(
        mode=mode,
        expected=expected,
        rubrics=build_rubrics(expected, mode, include_tool_calls=with_calls),
        include_tool_calls=with_calls,
        sections=_sections(case),
        json_answer=fixture.kind == "workload_health",
    )


def _sections(case: Mapping[str, Any]) -> dict[str, tuple[str, ...] | Literal[False]]:
    """What sections must contain, or False where there must be none; true wants it to be there, whatever it says."""
    said = (case.get("expected_sections") or {}).items()
    return {
        title: False if wanted is False else tuple(text for text in wanted if text) if wanted is not True else ()
        for title, wanted in said
    }


def expected_notes(fixture: Fixture, gold: Gold, verdicts: Verdicts) -> Iterator[Note]:
    """Say how the expected output is taken, without repeating it."""
    judged = sum(rubric.needs_judge for rubric in gold.rubrics)
    if judged:
        yield note("EXPECTED_NEEDS_JUDGE", f"{judged} of {len(gold.rubrics)} expectations only a judge can decide")
    if gold.mode == "loose":
        yield note("LOOSE", "the expected output is judged as a whole")
    if gold.include_tool_calls:
        yield note("TOOLS_IN_JUDGE", "a judge also sees the calls and what came back")
    if gold.sections:
        yield note("SECTIONS", f"{len(gold.sections)} sections of the answer are looked at")
    if verdicts.known_failing:
        yield note("KNOWN_FAILING", "the expected score is 0: it runs, and a failure is no news")
    if (fixture.case or {}).get("skip"):
        yield note("SKIPPED_UPSTREAM", verdicts.skip or "skip", CASE_FILE)
