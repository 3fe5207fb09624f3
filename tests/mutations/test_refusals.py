"""Broken files: what ADK refuses is never called clean, and what ADK takes is refused only where nothing is judged."""

import json

from hypothesis import given, settings, strategies as st

from evalkit.bundles import Reader
from evalkit.check import check
from evalkit.formats import config as config_format, evalset as evalset_format
from evalkit.formats.files import has_errors

NOTHING = "nothing would be judged: "

many = settings(settings.get_profile("mutations"))

JUDGES_NOTHING = {
    "no-cases": "nothing would be judged",
    "no-turns": "AgentEvaluator calls a conversation without turns passed",
    "no-criteria": "no metric would be run",
    "unknown-metric": "the metric is not evaluated when the run comes to it",
    "not-a-gate": "the metric raises when the run comes to it",
    "misplaced-rubrics": "the metric raises when the run comes to it",
    "duplicate-rubric": "the metric raises when the run comes to it",
    "misspelt-key": "what the key says would have no effect",
    "misplaced-key": "what the key asks for would not be judged",
    "duplicate-key": "one of two values would be lost",
    "wrong-kind": "the file is another one than its name says",
    "expect-length": "evalkit's own block",
    "bad-pattern": "evalkit's own block",
}
"""Rules for what ADK's models take and what would not be judged, or something else than meant."""


def is_ours(problem):
    """Whether a problem is about a key that only evalkit reads, or that a config without criteria misspells."""
    ours = ".evalkit" in problem.path or problem.path.endswith(".gate") or "final_session_state" in problem.path
    return ours or "`criteria`" in (problem.hint or "") or problem.message.startswith(NOTHING)


def is_unplayable(problem):
    """Whether a problem is a call without a name, or a number beyond 64 bits, which ADK's models take."""
    return ("tool call" in problem.message or problem.path.endswith(".name")) or "whole number" in problem.message


def unexplained(problems):
    return [
        str(problem)
        for problem in problems
        if problem.severity == "error" and problem.rule not in JUDGES_NOTHING
        if not is_ours(problem) and not is_unplayable(problem)
    ]


@many
@given(data=st.data())
def test_a_broken_evalset_is_clean_only_if_adk_takes_it(data, mutated, good, reads):
    text = json.dumps(data.draw(mutated(good["evalset"])))
    problems = evalset_format.parse(text, file="f").problems
    if reads.evalset(text) is None:
        assert has_errors(problems)
    else:
        assert unexplained(problems) == []


@many
@given(data=st.data())
def test_a_broken_config_is_clean_only_if_adk_takes_it(data, mutated, good, reads):
    text = json.dumps(data.draw(mutated(good["config"])))
    problems = config_format.parse(text, file="f").problems
    read = reads.config(text)
    if read is None:
        assert has_errors(problems)
        return
    assert unexplained(problems) == []
    if any(problem.rule == "unknown-key" and problem.message.startswith(NOTHING) for problem in problems):
        assert read.criteria == {}  # ADK runs no metric, as was said


@many
@given(data=st.data())
def test_a_broken_list_is_clean_only_if_a_reader_takes_it(data, mutated, good, reads, tmp_path):
    path = tmp_path / "lag.test.json"
    value = data.draw(mutated(good["wrapped_list"]) | mutated(good["flat_list"]))
    path.write_text(json.dumps(value), encoding="utf-8")
    if not has_errors(check([path]).problems):
        assert reads.list(path) or reads.evalset(path.read_bytes())


@many
@given(data=st.data())
def test_what_is_left_out_of_an_evalset_has_no_problems(data, mutated, good, tmp_path):
    """`check` reads one plain case for all; that must find what reading all of them finds."""
    (tmp_path / "test_config.json").write_text('{"criteria": {"response_match_score": 2, "route": 1}}')
    path = tmp_path / "lag.evalset.json"
    path.write_text(json.dumps(data.draw(mutated(good["evalset"]))), encoding="utf-8")
    whole, quick = Reader(), Reader(whole=False)
    for reader in (whole, quick):
        reader.evalset(path)
    assert quick.problems == whole.problems
