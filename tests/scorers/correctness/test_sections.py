"""Sections of an answer are keys of a JSON object or headings of Markdown."""

import json

import pytest

from evalkit.scorers.correctness.sections import section

MARKDOWN = """\
# Report
Intro.
## Cause
The disk is full.
### Detail
Node blue-7.
## Next steps
Clean up.
```
## Not a heading
```
**Links**
none
"""


@pytest.mark.parametrize(
    ("title", "inside"),
    [
        ("Cause", "The disk is full.\n### Detail\nNode blue-7."),
        ("cause", "The disk is full.\n### Detail\nNode blue-7."),
        ("Detail", "Node blue-7."),
        ("Links", "none"),
        ("Not a heading", None),
        ("Elsewhere", None),
    ],
)
def test_a_heading_opens_a_section_up_to_the_next_of_its_level(title, inside):
    assert section(MARKDOWN, title) == inside


@pytest.mark.parametrize(
    ("answer", "inside"),
    [
        (json.dumps({"Cause": "full"}), "full"),
        ("```json\n" + json.dumps({"cause": "full"}) + "\n```", "full"),
        (json.dumps({"Cause": ["disk", "full"]}), '["disk", "full"]'),
        (json.dumps({"Cause": None}), None),
        (json.dumps({"Cause": "  "}), None),
        (json.dumps(["Cause"]), None),
    ],
)
def test_a_key_of_a_json_object_is_a_section_if_something_stands_under_it(answer, inside):
    assert section(answer, "Cause") == inside


def test_an_underlined_title_is_a_heading():
    assert section("Cause\n-----\nThe disk is full.", "Cause") == "The disk is full."
