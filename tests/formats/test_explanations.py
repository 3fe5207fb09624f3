"""The page of rules: each has a section, and its examples are what it says they are."""

import re

import pytest

from evalkit.check import check
from evalkit.formats import evalset
from evalkit.formats.explanations import TOPICS, explanation, overview, topic
from evalkit.formats.orders import table
from evalkit.formats.rules import RULES

BLOCK = re.compile(r"^(Bad|Good|Beside) (\w+)(?: `(\S+)`)?:\n\n```\w+\n(.*?)```", re.MULTILINE | re.DOTALL)
FILES = {"config": "test_config.json", "mocks": "mocks.yaml"}
AROUND = {
    "turn": '{"eval_set_id": "lag", "eval_cases": [{"eval_id": "one", "conversation": [%s]}]}',
    "case": '{"eval_set_id": "lag", "eval_cases": [%s]}',
}
IN_WORDS = {
    "unreadable-file": "needs a file without permission",
    "bad-encoding": "needs bytes that are no text",
    "too-deep": "needs 201 levels",
    "too-many-faults": "needs thousands of faults",
    "duplicate-set-id": "needs two files",
    "undiscovered-name": "is about a name",
    "unread-file": "needs two files",
}
"""Rules whose examples are told in words, and why."""

SHOWN = [
    name
    for name in RULES
    if name not in IN_WORDS and not re.search(r"^Found by `check --agent`", explanation(name), re.MULTILINE)
]


def examples(name):
    """The examples of a rule's section: when it shows them, of what, the file it names, and the text."""
    return BLOCK.findall(explanation(name))


@pytest.mark.parametrize("name", RULES)
def test_a_section_says_what_and_shows_bad_and_good(name):
    text = explanation(name)
    assert text.startswith(f"{name} ({RULES[name].severity})\n\n")
    assert len(text.split("\n\n")[1]) > 40
    assert re.search(r"^Bad\b", text, re.MULTILINE)
    assert re.search(r"\bGood\b", text)


@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.parametrize("kind", ["Bad", "Good"])
def test_an_example_is_what_it_says_it_is(name, kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    checked = []
    for when, what, file, text in examples(name):
        if when in {kind, "Beside"}:
            path = tmp_path / (file or FILES.get(what, "lag.evalset.json"))
            path.write_text(AROUND.get(what, "%s") % text if what in AROUND else text, encoding="utf-8")
            checked.append(path)
    rules = {problem.rule for problem in check(checked).problems}
    assert (name in rules) == (kind == "Bad"), rules
    assert kind == "Bad" or not any(problem.severity == "error" for problem in check(checked).problems)


def test_the_overview_has_a_line_a_rule():
    assert len(overview().splitlines()) == len(RULES)


@pytest.mark.parametrize("name", TOPICS)
def test_an_example_of_a_topic_is_good(name):
    """Its first block is an entry of `expect` that the reader accepts."""
    (entry,) = re.findall(r"^```json\n(.*?)^```", topic(name), re.MULTILINE | re.DOTALL)
    turn = '{"user_content": {"parts": [{"text": "Why?"}]}}'
    case = f'{{"eval_id": "one", "conversation": [{turn}], "evalkit": {{"expect": [{entry}]}}}}'
    loaded = evalset.parse(AROUND["case"] % case, file="f")
    assert loaded.problems == ()
    assert loaded.value.cases[0].turns[0].expect.trajectory.compares


def test_a_topic_has_the_table_of_orders():
    assert table() in topic("trajectory")
