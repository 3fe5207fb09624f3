"""What stands in arguments and prompts until somebody knows better."""

import pytest

from evalkit.scaffold.texts import first_sentence, prompt_for, spoken, text_for


@pytest.mark.parametrize(
    ("name", "note", "form", "expected"),
    [
        ("topic_name", "", "", "example-topic"),
        ("groupId", "", "", "example-group"),
        ("id", "", "", "example-id"),
        ("namespace", "", "", "example-namespace"),
        ("created_at", "", "", "2026-01-31T12:00:00Z"),
        ("reply_to_email", "", "", "user@example.com"),
        ("title", "", "", "Example title"),
        ("anything", "", "uuid", "00000000-0000-4000-8000-000000000001"),
        ("start", "When it begins, e.g. now-30m, or a time.", "", "now-30m"),
        ("image", 'The image, such as "nginx:1.27".', "", "nginx:1.27"),
        ("name", "As it is, like people say.", "", "example-name"),
        ("", "", "", "example"),
    ],
)
def test_an_example_of_a_text(name, note, form, expected):
    assert text_for(name, note, form) == expected


@pytest.mark.parametrize(
    ("docstring", "expected"),
    [
        ("Measure the lag. More on it.", "Measure the lag"),
        ("Measure the\n    lag\n\nArgs:\n    x: y", "Measure the lag"),
        ("Look (e.g. at v1.2): then tell", "Look (e.g. at v1.2): then tell"),
        ("", ""),
    ],
)
def test_the_first_sentence_of_a_docstring(docstring, expected):
    assert first_sentence(docstring) == expected


def test_a_prompt_says_what_the_tool_is_for_and_states_every_argument():
    prompt = prompt_for("get_lag", "Measure the lag.", {"group": "orders", "limit": 3, "tags": ["a"]})
    assert prompt == 'Measure the lag (group: orders, limit: 3, tags: ["a"]).'


@pytest.mark.parametrize("docstring", ["", "word " * 60])
def test_without_a_sentence_the_name_of_the_tool_speaks(docstring):
    assert prompt_for("getConsumerLag", docstring, {}) == "Get consumer lag."


def test_a_name_that_has_no_words_stays_itself():
    assert (spoken("total_lag"), spoken("__")) == ("total lag", "__")
