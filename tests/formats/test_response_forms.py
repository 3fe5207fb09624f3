import pytest

from evalkit.formats.response_forms import number_for_bounds, text_for_pattern


@pytest.mark.parametrize(
    ("bounds", "written"),
    [
        ({"min": 5, "max": 7}, 'write {"value": 6, "tolerance": 1}'),
        ({"gte": 0.1, "lte": 0.3}, 'write {"value": 0.2, "tolerance": 0.1}'),
        ({"$lte": 100, "$gte": -100}, 'write {"value": 0, "tolerance": 100}'),
        ({"from": 7, "to": 5}, 'write {"value": 6, "tolerance": 1}'),
        ({"min": 5}, 'write {"value": …, "tolerance": …}'),
        ({"$gte": 5}, 'patterns such as $gte are not taken here: write {"value": …, "tolerance": …}'),
        ({"min": 1e400, "max": 5}, 'write {"value": …, "tolerance": …}'),
        ({"min": True, "max": 5}, 'write {"value": …, "tolerance": …}'),
        ({"precision": 2}, None),
    ],
)
def test_bounds_become_a_value_with_a_tolerance(bounds, written):
    assert number_for_bounds(bounds) == written


@pytest.mark.parametrize(
    ("rule", "pattern", "written"),
    [
        ("contains", {"$regex": "Da.*"}, 'write "regex": "Da.*" in the response rule'),
        ("regex", {"$contains": "Dana"}, 'write "contains": "Dana" in the response rule'),
        ("equals", {"$icontains": "2 of (3)"}, r'write "regex": "(?i)2\\ of\\ \\(3\\)" in the response rule'),
        ("contains", {"text": "Dana"}, None),
        ("contains", {}, None),
    ],
)
def test_a_pattern_becomes_the_rule_that_says_the_same(rule, pattern, written):
    assert text_for_pattern(rule, pattern) == written


def test_a_pattern_under_a_negation_is_given_no_rule_of_its_own():
    assert text_for_pattern("not_contains", {"$regex": "Dana"}).startswith("patterns such as $regex are not taken")
