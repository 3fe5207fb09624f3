"""Answers written by hand over what the sample agents' tools reply: true ones, and ones that are false in one detail.

`answers/grounded.jsonl` was written before grounding was; the others to see what it makes of answers that it was not
made for: of the 30 in each it got 3, 5 and 5 wrong at first sight. `as_models_write.jsonl` holds 76 of 320 answers in
the prose of models, with tables, advice, comparisons and shares; most of them it got wrong at first sight. `wrong` is
the false detail.
"""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from evalkit.cases import Criterion, Message
from evalkit.formats import evalset
from evalkit.scorers import load

FILES = sorted((Path(__file__).parent / "answers").glob("*.jsonl"))


def answers():
    for file in FILES:
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            yield pytest.param(json.loads(line), id=f"{file.stem}:{number}")


@pytest.fixture(scope="module")
def cases(samples):
    """Each sample case with what happened in it."""
    sets = {file: evalset.read(file).value for file in {outcome.file for outcome in samples.outcomes}}
    return {
        f"{Path(outcome.file).parent.relative_to(samples.evalsets)}/{case.eval_id}": (case, outcome.trace)
        for outcome in samples.outcomes
        for case in sets[outcome.file].cases
        if case.eval_id == outcome.eval_id
    }


@pytest.fixture
def ground(cases):
    """Score an answer in the place of the one that ended a case."""

    def ground(name, text):
        case, trace = cases[name]
        said = replace(trace.turns[-1], final=Message(role="model", parts=({"text": text},)))
        happened = replace(trace, turns=(*trace.turns[:-1], said))
        return load("grounding")(case, happened, Criterion(name="grounding")).turns[-1]

    return ground


@pytest.mark.parametrize("answer", list(answers()))
def test_true_answers_and_false_ones_are_told_apart(ground, answer):
    found = ground(answer["case"], answer["answer"])

    if "wrong" in answer:
        assert found.value < 1.0
        assert answer["wrong"] in found.reason
    else:
        assert found.value in (1.0, None), found.reason


def test_half_of_the_answers_are_false():
    for file in FILES:
        lines = file.read_text(encoding="utf-8").splitlines()
        assert 2 * sum('"wrong"' in line for line in lines) == len(lines)
