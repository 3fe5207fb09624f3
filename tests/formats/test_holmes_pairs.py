"""Recordings that answer the same call."""

import pytest

from evalkit.formats.holmes_pairs import in_order, overlaps
from evalkit.formats.holmes_recording import Recording


def recording(file, match, data="x", tool="get_lag"):
    return Recording(file=file, tool=tool, match=match, status="success", data=data)


def test_most_arguments_come_first_then_the_name():
    given = [recording("b", None), recording("c", {"n": 1}), recording("a", {"n": 1}), recording("d", {"n": 1, "m": 2})]
    assert [item.file for item in in_order(given)] == ["d", "a", "c", "b"]


def test_an_argument_that_may_be_anything_does_not_count_unless_it_is_read_literally():
    given = [recording("b", {"n": 1}), recording("c", {"n": "*", "m": "*"}), recording("a", {"n": 1, "m": "*"})]
    assert [item.file for item in in_order(given)] == ["a", "b", "c"]
    assert [item.file for item in in_order(given, literal_star=True)] == ["a", "c", "b"]


@pytest.mark.parametrize(
    ("one", "other", "overlap"),
    [
        ({"n": 1}, {"n": 1}, ("a", "b", True)),
        ({"n": 1}, {"n": True}, ("a", "b", True)),
        ({"n": 1}, {"n": 1.0, "m": None}, ("b", "a", False)),
        ({"n": 1}, {"m": 2}, ("a", "b", False)),
        (None, {}, ("a", "b", True)),
        ({}, {"n": 1}, ("b", "a", False)),
        ({"n": 1}, {"n": "1"}, None),
        ({"n": {"x": 1}}, {"n": {"x": 1, "y": 2}}, None),
        ({"n": 1, "m": 2}, {"n": 1, "m": 3}, None),
        ({"n": 1, "m": "*"}, {"n": 1}, ("a", "b", False)),
        ({"n": 1}, {"n": 1, "m": "*"}, ("a", "b", False)),
        ({"n": "*"}, {"n": 1}, None),
    ],
)
def test_two_overlap_where_no_argument_tells_them_apart(one, other, overlap):
    found = [(o.first.file, o.second.file, o.equal) for o in overlaps([recording("a", one), recording("b", other)])]
    assert found == ([overlap] if overlap else [])


def test_recordings_of_different_tools_never_overlap():
    assert list(overlaps([recording("a", None), recording("b", None, tool="get_topics")])) == []


@pytest.mark.parametrize(("data", "differ"), [("x", False), ("y", True)])
def test_only_different_results_matter(data, differ):
    (found,) = overlaps([recording("a", None), recording("b", None, data)])
    assert found.differ is differ
