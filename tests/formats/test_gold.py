"""Gold files: read with the place of each fault, and written as they are read."""

import json

import pytest

from evalkit.formats import gold

EVERYTHING = {
    "version": 1,
    "cases": {
        "lag[0]": {
            "mode": "loose",
            "expected": ["lag is 75", "must name\nthe group"],
            "rubrics": [
                {
                    "rubric_id": "expected_0",
                    "rubric_content": {"text_property": "lag is 75 must name the group"},
                    "type": "TOOL_USE_QUALITY",
                    "needs_judge": True,
                }
            ],
            "include_tool_calls": True,
            "sections": {"Cause": ["the consumer"], "Next steps": False},
            "json_answer": True,
        }
    },
}


def faults(value):
    text = value if isinstance(value, str) else json.dumps(value)
    return [(one.rule, one.path, one.message) for one in gold.parse(text, file="gold.json").problems]


def with_case(**fields):
    return {"version": 1, "cases": {"a": fields}}


def test_a_file_is_written_as_it_was_read():
    read = gold.parse(json.dumps(EVERYTHING), file="gold.json").value

    assert json.loads(gold.write(read.cases)) == EVERYTHING


def test_what_is_left_out_has_its_default_and_rubrics_are_made_of_the_texts():
    found = gold.parse(json.dumps(with_case(expected=["lag is 75"])), file="gold.json").value.cases["a"]

    assert (found.mode, found.include_tool_calls, found.json_answer, dict(found.sections)) == (
        "strict",
        False,
        False,
        {},
    )
    assert [(one.rubric_id, one.text) for one in found.rubrics] == [("expected_0", "lag is 75")]


def test_the_texts_that_must_stay_hidden_are_those_of_rubrics_and_sections_too():
    found = gold.parse(json.dumps(EVERYTHING), file="gold.json").value.cases["lag[0]"]

    assert found.texts == ("lag is 75", "must name\nthe group", "lag is 75 must name the group", "the consumer")


@pytest.mark.parametrize(
    ("value", "rule", "path", "message"),
    [
        ({"version": 2, "cases": {}}, "wrong-value", "$.version", "must be 1, not 2"),
        ({"cases": {}}, "missing-key", "$", "a gold file needs `version`"),
        (with_case(expected="x"), "wrong-type", "$.cases.a.expected", "must be a list, not a string"),
        (with_case(expected=[" "]), "wrong-value", "$.cases.a.expected[0]", "must be a text that says something"),
        (with_case(expekted=["x"]), "unknown-key", "$.cases.a.expekted", "unknown key `expekted`"),
        (with_case(expected=["x"], mode="Loose"), "wrong-value", "$.cases.a.mode", "must be strict or loose"),
        (with_case(sections={"T": True}), "wrong-value", "$.cases.a.sections.T", "must be a list of texts, or false"),
        (with_case(), "wrong-value", "$.cases.a", "nothing is expected here"),
        (with_case(expected=["x"], rubrics=[]), "wrong-value", "$.cases.a.rubrics", "there are 0 rubrics for 1"),
    ],
)
def test_a_fault_says_where_it_stands(value, rule, path, message):
    ((found_rule, found_path, found_message),) = faults(value)

    assert (found_rule, found_path) == (rule, path)
    assert found_message.startswith(message)


def test_two_rubrics_of_a_case_cannot_share_an_id():
    rubric = {"rubric_id": "r", "rubric_content": {"text_property": "x"}}
    found = faults(with_case(expected=["x", "y"], rubrics=[rubric, rubric]))

    assert [path for _, path, _ in found] == ["$.cases.a.rubrics[0].rubric_id", "$.cases.a.rubrics[1].rubric_id"]


def test_a_rubric_of_several_lines_is_refused_since_adk_reads_line_by_line():
    rubric = {"rubric_id": "r", "rubric_content": {"text_property": "x\ny"}}

    ((_, path, message),) = faults(with_case(expected=["x"], rubrics=[rubric]))
    assert (path, message) == (
        "$.cases.a.rubrics[0].rubric_content.text_property",
        'must be one line of text, not "x\\ny"',
    )
