"""What can be read off a tool's docstring, in the ways in which people write them."""

import pytest

from evalkit.models.docstrings import argument_notes, reply_keys, reply_note


def returning(text):
    return f"Do it.\n\nReturns:\n{text}\n"


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("    `total_lag` in records and `partitions` with committed offset and lag.", ["total_lag", "partitions"]),
        ("    `healthy`, the counts of brokers, and `missing` (brokers that are gone).", ["healthy", "missing"]),
        ("    `count` and `alerts` (firing first), each with `name`, `state` and labels.", ["count", "alerts"]),
        ("    `log`, `cut_off`: whether the `beginning` is missing.", ["log", "cut_off"]),
        ("    A dictionary with the keys `status` and `report`.", ["status", "report"]),
        ("    dict: A dictionary containing 'status' and \"lag\".", ["status", "lag"]),
        (
            "    dict: Weather. Includes a 'status' key ('success' or 'error'). If 'success', includes a 'report' key.",
            ["status"],
        ),
        (
            "    dict: With the keys `status`, `rolled_back_to` and `audit_id`.",
            ["status", "rolled_back_to", "audit_id"],
        ),
        ("    Contains the following fields: `status` and `lag`.", ["status", "lag"]),
        (
            "    dict: status, name, replicas_before, and replicas_after.",
            ["status", "name", "replicas_before", "replicas_after"],
        ),
        ("    dict: status (str) and total_lag (int).", ["status", "total_lag"]),
        ("    - status: 'success' or 'error'\n    - `lag` (int): in records\n    - note: optional", ["status", "lag"]),
        ("    - lag: in records\n        - inner: not at the top", ["lag"]),
        ("    dict with\n        status (str): what came of it\n        lag (int): in records", ["status", "lag"]),
        ("    status: what came of it\n    error: only on failure\n    lag: in records", ["status", "lag"]),
    ],
)
def test_keys_that_every_reply_has_are_named_in_many_ways(text, keys):
    assert reply_keys(returning(text)) == tuple(keys)


@pytest.mark.parametrize(
    "text",
    [
        "    The output of `kubectl` as text.",
        "    True if the `topic` exists.",
        "    `report` or `error_message`.",
        "    With the keys `lag` on success.",
        "    dict: status, total_lag if it is known.",
        "    dict: status, lag.",
        "    dict: total_lag.",
        "    dict: total_lag, int.",
        "    str: total_lag, status.",
        "    Status, total_lag.",
        "    For lines `count` and `lines`. For numbers `series`.",
        "    Without a name `count` and `names`.",
        "    What list_pods tells, of which `rollout` comes first.",
        "    str: the lag",
        "    On success `lag`, on failure `error`.",
        "    A `dict` or `None`.",
        '    {"status": "success"}',
        "    The lag in records.",
        "    result: one line alone is prose",
    ],
)
def test_prose_and_keys_with_a_condition_are_passed_over(text):
    assert reply_keys(returning(text)) == ()


def test_what_is_said_of_the_reply_is_one_line():
    assert reply_note(returning("    `lag`, in\n        records.")) == "`lag`, in records."
    assert reply_note("Do it.") == ""


def test_the_section_ends_where_the_next_begins():
    text = "Do it.\n\nReturns:\n    `lag`.\n\nRaises:\n    ValueError: `other`, `more`.\n"
    assert reply_keys(text) == ("lag",)


def test_a_field_list_is_a_section_too():
    assert reply_keys("Do it.\n\n:param group: The group.\n:returns: `lag` and `state`\n") == ("lag", "state")


def test_names_of_parameters_may_speak_of_the_arguments():
    assert reply_keys(returning("    `group` and `lag`."), ["group"]) == ("lag",)


@pytest.mark.parametrize("text", ["", "Do it.", "Do it.\n\nReturns:\n"])
def test_without_a_section_there_are_no_keys(text):
    assert reply_keys(text) == ()


def test_notes_on_arguments_are_read_with_their_further_lines():
    text = "Do it.\n\nArgs:\n    group: The group,\n        also: its id.\n    limit (int, optional): How many.\n"
    assert argument_notes(text) == {"group": "The group, also: its id.", "limit": "How many."}
