"""Faults of meaning: files that every schema accepts, and that judge nothing or something else than meant.

A rule looks at values and yields problems that name a JSON path; `evalkit.check` finds the lines. A new rule is a
function in one of the tables below, and an entry in `formats.rules`.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from evalkit.cases import CaseSet, Config
from evalkit.errors import Problem
from evalkit.formats.config import ADK_DEFAULTS
from evalkit.lint import (
    case_rules,
    config_rules,
    expect_rules,
    gold_rules,
    mock_rules,
    pattern_rules,
    prior_rules,
    reference_rules,
    turn_rules,
)
from evalkit.lint.problems import fault
from evalkit.routes import MockSet

_TEST = ".test.json"

CASE_RULES: tuple[Callable[[CaseSet], Iterator[Problem]], ...] = (
    case_rules.duplicate_ids,
    case_rules.unsafe_set_id,
    case_rules.missing_mocks,
    case_rules.answers_without_id,
    case_rules.final_states,
    case_rules.repeated_rubrics,
    case_rules.repeated_checks,
    turn_rules.empty_messages,
    turn_rules.unread_calls,
    gold_rules.missing_gold,
    prior_rules.unpaired_events,
    expect_rules.contradictions,
    expect_rules.idle_expectations,
    pattern_rules.bare_in_expectations,
)
"""The rules for an evalset alone."""

PAIR_RULES: tuple[Callable[[CaseSet, Config], Iterator[Problem]], ...] = (
    config_rules.missing_args,
    config_rules.list_criteria,
    reference_rules.empty_references,
    gold_rules.unread_gold,
    expect_rules.unmet_patterns,
)
"""The rules for an evalset and the criteria that judge it, be they ADK's defaults."""

CONFIG_RULES: tuple[Callable[[CaseSet, Config], Iterator[Problem]], ...] = (
    reference_rules.judges_nothing,
    reference_rules.missing_references,
    reference_rules.missing_rubrics,
    config_rules.conflicting_rubrics,
)
"""The rules for an evalset and the config that somebody wrote for it."""

CRITERIA_RULES: tuple[Callable[[Config], Iterator[Problem]], ...] = (config_rules.odd_thresholds,)
"""The rules for a config alone."""

MOCKS_RULES: tuple[Callable[[MockSet], Iterator[Problem]], ...] = (
    pattern_rules.bare_in_routes,
    mock_rules.shadowed_routes,
    mock_rules.misspelt_exceptions,
    mock_rules.unread_references,
)
"""The rules for a mocks file alone."""


def lint_cases(cases: CaseSet, config: Config | None = None) -> tuple[Problem, ...]:
    """Apply every rule to an evalset, and to the criteria that judge it if their config could be read."""
    found = [problem for rule in CASE_RULES for problem in rule(cases)]
    return (*found, *(lint_config(cases, config) if config is not None else ()))


def lint_config(cases: CaseSet, config: Config) -> Iterator[Problem]:
    """Apply the rules for an evalset and its criteria together."""
    for rule in (*PAIR_RULES, *(CONFIG_RULES if config.origin != ADK_DEFAULTS else ())):
        yield from rule(cases, config)


def lint_criteria(config: Config) -> Iterator[Problem]:
    """Apply the rules for a config alone."""
    for rule in CRITERIA_RULES:
        yield from rule(config)


def lint_mocks(mocks: MockSet) -> tuple[Problem, ...]:
    """Apply every rule to a mocks file."""
    return tuple(problem for rule in MOCKS_RULES for problem in rule(mocks))


def lint_sets(sets: Iterable[CaseSet]) -> Iterator[Problem]:
    """Find evalsets that have the id of an earlier one in the same folder.

    `adk eval` refuses two such files. Of two `*.test.json` this is a warning: AgentEvaluator runs each by itself.
    """
    first: dict[tuple[Path, str], CaseSet] = {}
    for cases in sets:
        if cases.form is not None:
            continue  # a list has its id from the name of its file
        earlier = first.setdefault((Path(cases.file).parent, cases.eval_set_id), cases)
        if earlier is not cases:
            message = (
                f"the set id `{cases.eval_set_id}` is that of {earlier.file} too, so ADK refuses to run them together"
            )
            found = fault("duplicate-set-id", cases.file, "$.eval_set_id", message, "give each evalset its own id")
            apart = cases.file.endswith(_TEST) and earlier.file.endswith(_TEST)
            yield replace(found, severity="warning") if apart else found
