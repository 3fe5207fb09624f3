"""Real files from public repositories, with ADK's verdict for each: what ADK takes, `check` takes.

Exceptions stand here by rule and reason, never by the name of a file, so that other files can be tried in the same way.
"""

import json
import logging
import re
import warnings

import pytest
from google.adk.evaluation.eval_set import EvalSet
from google.adk.evaluation.local_eval_sets_manager import convert_eval_set_to_pydantic_schema
from pydantic import ValidationError

from evalkit.check import check
from evalkit.formats import config as config_format, evalset as evalset_format
from evalkit.formats.paths import read_path

REFUSED_ALL_THE_SAME = {
    "no-cases": "AgentEvaluator raises ValueError, `adk eval` prints an empty summary: nothing is judged",
    "no-turns": "AgentEvaluator calls a conversation without turns passed",
    "no-criteria": "no metric is run, and AgentEvaluator calls everything passed",
    "wrong-kind": "an evalset under the name of a config is a config without criteria",
    "unknown-metric": "the metric is not evaluated when the run comes to it",
    "not-a-gate": "the metric raises when the run comes to it",
    "misplaced-rubrics": "the metric raises `Rubrics are required` when the run comes to it",
    "unknown-key": "a key such as `metrics` in the place of `criteria`: no metric is run",
}
"""Rules for files that ADK's readers take in, and that would be judged by nothing or refused later."""


CONSEQUENCE = re.compile(r"nothing would be judged|judges nothing|ADK then refuses|fails when|nothing reads")
"""What such an error says will happen."""


@pytest.fixture(autouse=True)
def _quiet(caplog):
    caplog.set_level(logging.CRITICAL)


@pytest.fixture(scope="module")
def corpus(shared):
    """Every file as (path, what the index says of it)."""
    folder = shared / "corpus"
    index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    return [(folder / entry["file"], entry) for entry in index]


def accepted(entry):
    """Whether one of ADK's readers takes the file, with the criteria that it would have by itself."""
    readers = (entry["adk_verdict"], (entry.get("agent_evaluator") or {}).get("default_criteria") or "")
    return any(verdict.startswith("accepted") for verdict in readers)


def errors(path):
    return [problem for problem in check([path]).problems if problem.severity == "error"]


def test_what_one_of_adks_readers_takes_is_taken_unless_it_would_judge_nothing(corpus):
    taken = [path for path, entry in corpus if accepted(entry)]
    refused = {path.name: errors(path) for path in taken}
    unexplained = [
        str(problem)
        for problems in refused.values()
        for problem in problems
        if problem.rule not in REFUSED_ALL_THE_SAME
        or (problem.rule == "unknown-key" and not problem.message.startswith("nothing would be judged: "))
    ]
    assert len(taken) > 90
    assert unexplained == []
    told = [problem.message for problems in refused.values() for problem in problems]
    assert [message for message in told if not CONSEQUENCE.search(message)] == []
    assert sum(map(bool, refused.values())) < len(taken) / 8


def test_what_both_refuse_is_refused_with_a_place_and_a_remedy(corpus):
    refused = [path for path, entry in corpus if not accepted(entry)]
    assert len(refused) > 15
    for path in refused:
        found = errors(path)
        assert found, path.name
        for problem in found:
            assert problem.line, problem
            assert problem.column, problem
            assert problem.hint or "which nothing reads here" in problem.message, problem


def test_each_cause_that_adk_would_name_is_named(corpus):
    """ADK hides its schema errors behind a TypeError; each object that they are about must be in one of ours."""
    compared = 0
    for path, entry in corpus:
        if accepted(entry) or entry["json"] != "ok" or entry["claims"] != "evalset":
            continue
        text = path.read_text(encoding="utf-8")
        ours = [read_path(problem.path) for problem in evalset_format.parse(text, file=path.name).problems]
        for faulty in objects_that_adk_refuses(text):
            compared += 1
            assert any(at[: len(faulty)] == faulty or faulty[: len(at)] == at for at in ours), (path.name, faulty)
    assert compared > 50


def objects_that_adk_refuses(text):
    """The path of each object that ADK's own models find a fault in."""
    value = json.loads(text)
    if not isinstance(value, dict):
        return
    try:
        EvalSet.model_validate_json(text)
    except ValidationError as error:
        for fault in error.errors():
            steps = [step for step in fault["loc"] if step not in {"IntermediateData", "InvocationEvents"}]
            missing = fault["type"] in {"missing", "extra_forbidden"}
            yield tuple(steps[:-1] if missing else steps)


def test_one_cause_gives_one_line(corpus):
    """A file may have several causes, and no file has twenty."""
    counts = {path.name: len(check([path]).problems) for path, _ in corpus}
    assert max(counts.values()) <= 8, max(counts, key=counts.get)


def test_an_evalset_that_is_written_back_is_the_same_to_adk(corpus):
    compared = 0
    for path, entry in corpus:
        case_set = evalset_format.read(path).value if entry["claims"] == "evalset" else None
        if entry["adk_verdict"] == "accepted_new" and case_set:
            written = EvalSet.model_validate_json(evalset_format.write(case_set))
            assert written == EvalSet.model_validate_json(path.read_bytes()), path.name
            compared += 1
    assert compared > 30


def test_an_old_list_is_named_and_read_as_adk_reads_it(corpus):
    lists = [path for path, entry in corpus if entry["kind"] == "test_old"]
    assert len(lists) > 10
    for path in lists:
        found = check([path]).problems
        assert ("legacy-form", "warning") in [(problem.rule, problem.severity) for problem in found], path.name
        old = json.loads(path.read_text(encoding="utf-8"))
        cases = old if "data" in old[0] else [{"name": "x", "data": old}]
        expected = told(convert_eval_set_to_pydantic_schema("x", cases))
        assert told(EvalSet.model_validate_json(evalset_format.write(evalset_format.read(path).value))) == expected


def told(eval_set):
    """What an evalset says, without what ADK's conversion makes up: ids and times."""
    made_up = {"invocation_id", "creation_timestamp"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = [case.model_dump() for case in eval_set.eval_cases]
    return [
        {
            "session_input": case["session_input"],
            "conversation": [
                {key: value for key, value in turn.items() if key not in made_up} for turn in case["conversation"]
            ],
        }
        for case in cases
    ]


def test_a_config_is_read_whenever_it_has_no_errors(corpus):
    for path, entry in corpus:
        if entry["claims"] == "config":
            assert (config_format.read(path).value is None) == bool(errors(path)), path.name
