"""What is wrong with `toolsets:` and with whole HTTP answers, although the schema allows it."""

import pytest

from evalkit.formats.toolsets import http_reply_faults, toolset_faults


def test_a_good_section_has_no_faults():
    tool = {"name": "query", "input_schema": {"type": "object"}, "output_schema": None}
    match = {"url": {"$glob": "http://*"}, "agent": "desk"}
    assert list(toolset_faults({"grafana": {"tools": [tool], "match": match}, "none": {"tools": []}})) == []


@pytest.mark.parametrize(
    ("toolset", "faults"),
    [
        (
            {"tools": [{"name": "a"}, {"name": "b"}, {"name": "a"}]},
            [
                (("x", "tools", 0, "name"), "wrong-value", "the toolset has 2 tools named a"),
                (("x", "tools", 2, "name"), "wrong-value", "the toolset has 2 tools named a"),
            ],
        ),
        (
            {"tools": [{"name": "a", "input_schema": {"type": "objekt"}}]},
            [(("x", "tools", 0, "input_schema"), "bad-pattern", "not a valid JSON Schema")],
        ),
        (
            {"tools": [{"name": "a", "outputSchema": {"required": "b"}}]},
            [(("x", "tools", 0, "outputSchema"), "bad-pattern", "not a valid JSON Schema")],
        ),
    ],
    ids=["twice", "input", "output"],
)
def test_each_fault_of_a_toolset_has_its_place(toolset, faults):
    assert list(toolset_faults({"x": toolset})) == faults


def test_a_match_that_is_no_pattern_has_its_place():
    ((path, rule, _),) = toolset_faults({"x": {"tools": [], "match": {"url": {"$globb": "*"}}}})
    assert (path, rule) == (("x", "match", "url", "$globb"), "bad-pattern")


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {"http": 1},
        {"$http": {}},
        {"$http": {"status": 503, "headers": {"Retry-After": "5"}, "json": None}},
        {"$http": {"text": "no"}},
    ],
)
def test_what_is_no_whole_answer_or_a_good_one_has_no_faults(value):
    assert list(http_reply_faults(value)) == []


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ({"$http": {}, "b": 1}, ((), "wrong-value", "$http is the whole answer; nothing can stand beside it")),
        (
            {"$http": 503},
            (("$http",), "wrong-type", "an answer is an object: {status: …, headers: {…}, json: … or text: …}"),
        ),
        (
            {"$http": {"code": 503}},
            (("$http", "code"), "unknown-key", "an answer has no code; it has status, headers, and json or text"),
        ),
        ({"$http": {"status": 99}}, (("$http", "status"), "wrong-value", "a status is a number from 100 to 599")),
        ({"$http": {"status": True}}, (("$http", "status"), "wrong-value", "a status is a number from 100 to 599")),
        (
            {"$http": {"headers": {"Retry-After": 5}}},
            (("$http", "headers"), "wrong-type", 'headers are texts by name, such as {Retry-After: "5"}'),
        ),
        ({"$http": {"json": 1, "text": "1"}}, (("$http",), "wrong-value", "a body is either json or text")),
        (
            {"$http": {"text": 1}},
            (("$http", "text"), "wrong-type", "a text is a string; write other values under json"),
        ),
    ],
)
def test_each_fault_of_an_answer_has_its_place(value, fault):
    assert list(http_reply_faults(value)) == [fault]
