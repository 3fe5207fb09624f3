import pytest

from evalkit.formats.likeness import opposed


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("contains", "not_contains"),
        ("icontains", "not_contains"),
        ("containsNot", "contains"),
        ("no_contains", "contains"),
        ("ordered", "unordered"),
        ("enable_alert", "disable_alert"),
        ("never_calls", "calls"),
        ("valid", "invalid"),
    ],
)
def test_names_that_differ_by_a_negation_say_the_opposite(one, other):
    assert opposed(one, other)
    assert opposed(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("notcontain", "not_contains"),
        ("nto_contains", "not_contains"),
        ("conatins", "contains"),
        ("unordred", "unordered"),
        ("dscription", "description"),
        ("inptu", "input"),
        ("IN_ODER", "IN_ORDER"),
        ("notes", "note"),
    ],
)
def test_a_slip_in_a_name_makes_no_opposite_of_it(one, other):
    assert not opposed(one, other)
