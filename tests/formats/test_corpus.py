"""Real files from public repositories, with ADK's verdict for each: what ADK takes, `check` takes."""

import json

import pytest
from google.adk.evaluation.eval_set import EvalSet

from evalkit.formats import config as config_format, evalset as evalset_format

JUDGES_NOTHING = {"no-cases", "no-turns", "no-criteria", "unknown-metric", "not-a-gate", "wrong-kind"}
"""Rules for files that ADK takes in and that would be judged by nothing, or refused when the run comes to it."""
OLD_FORMS = {"legacy-form"}


@pytest.fixture(scope="module")
def corpus(shared):
    """Every file as (name, text, what the index says of it)."""
    folder = shared / "corpus"
    index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    return [(entry["file"], (folder / entry["file"]).read_bytes(), entry) for entry in index]


def errors(loaded):
    return {problem.rule for problem in loaded.problems if problem.severity == "error"}


def evalsets(corpus):
    return [entry for entry in corpus if entry[2]["claims"] == "evalset"]


def test_an_evalset_that_adk_takes_is_taken_or_would_judge_nothing(corpus):
    accepted = [entry for entry in evalsets(corpus) if entry[2]["adk_verdict"] == "accepted_new"]
    refused = {name: errors(evalset_format.parse(data, file=name)) for name, data, _ in accepted}
    assert len(accepted) > 30
    assert {name: rules for name, rules in refused.items() if not rules <= JUDGES_NOTHING} == {}
    assert sum(bool(rules) for rules in refused.values()) < 5


def test_an_evalset_that_is_written_back_is_the_same_to_adk(corpus):
    compared = 0
    for name, data, entry in evalsets(corpus):
        case_set = evalset_format.parse(data, file=name).value
        if entry["adk_verdict"] == "accepted_new" and case_set:
            assert EvalSet.model_validate_json(evalset_format.write(case_set)) == EvalSet.model_validate_json(data), (
                name
            )
            compared += 1
    assert compared > 30


def test_a_config_that_adk_takes_is_taken_or_would_judge_nothing(corpus):
    accepted = [entry for entry in corpus if entry[2]["claims"] == "config" and entry[2]["adk_verdict"] == "accepted"]
    for name, data, _ in accepted:
        found = [problem for problem in config_format.parse(data, file=name).problems if problem.severity == "error"]
        # A key like `metrics_to_run` stands where `criteria` should: reported at that key, and nothing else is judged.
        instead = {problem.rule for problem in found if problem.hint != "write `criteria`"}
        assert instead <= JUDGES_NOTHING, name
    assert len(accepted) > 30


def test_what_adk_refuses_is_refused_with_a_place(corpus):
    for name, data, entry in evalsets(corpus):
        if entry["adk_verdict"] != "rejected":
            continue
        loaded = evalset_format.parse(data, file=name)
        assert loaded.value is None, name
        for problem in loaded.problems:
            assert problem.line, name
            assert problem.hint or problem.severity == "warning" or "which nothing reads here" in problem.message, (
                problem
            )


def test_the_old_list_forms_are_named(corpus):
    for name, data, entry in corpus:
        if entry["kind"] == "test_old":
            assert errors(evalset_format.parse(data, file=name)) == OLD_FORMS, name
