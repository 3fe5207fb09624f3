"""Entries of the quarantine: what they must say, and when they end."""

from datetime import date, datetime

import pytest

from evalkit.errors import SettingsError
from evalkit.quarantine import Quarantine, read_entry

ENTRY = {
    "case": "lag.test.json:stuck",
    "owner": "team-kafka",
    "reason": "mixes up topics",
    "expires": date(2027, 1, 31),
}


@pytest.mark.parametrize("expires", [date(2027, 1, 31), "2027-01-31"])
def test_an_entry_says_which_case_who_why_and_until_when(expires):
    entry = read_entry({**ENTRY, "expires": expires}, "here")
    assert entry == Quarantine(**ENTRY)
    assert str(entry) == "in quarantine until 2027-01-31 (team-kafka): mixes up topics"


@pytest.mark.parametrize(
    ("today", "expired"), [(date(2027, 1, 30), False), (date(2027, 1, 31), False), (date(2027, 2, 1), True)]
)
def test_an_entry_holds_to_the_end_of_its_last_day(today, expired):
    assert Quarantine(**ENTRY).has_expired(today) is expired


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"owner": " "}, "here.owner: expected who looks after it, found ' '"),
        ({"reason": 3}, "here.reason: expected why it is in quarantine, found 3"),
        ({"until": "x"}, "here: unknown key 'until'; known keys: case, owner, reason, expires"),
        ({"expires": "soon"}, "here.expires: expected a date, such as 2027-01-31, found 'soon'"),
        ({"expires": "2027-02-30"}, "here.expires: expected a date, such as 2027-01-31, found '2027-02-30'"),
        (
            {"expires": datetime(2027, 1, 31, 12)},  # noqa: DTZ001 - TOML has times without a zone
            "here.expires: expected a date, such as 2027-01-31, found '2027-01-31 12:00:00'",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(change, message):
    with pytest.raises(SettingsError) as refused:
        read_entry({**ENTRY, **change}, "here")
    assert str(refused.value) == message


@pytest.mark.parametrize("key", ENTRY)
def test_nothing_may_be_left_out(key):
    with pytest.raises(SettingsError, match=rf"^here: {key} is missing: "):
        read_entry({name: value for name, value in ENTRY.items() if name != key}, "here")


def test_an_entry_that_is_no_table_is_refused():
    with pytest.raises(SettingsError, match=r"^here: expected a table with case, owner, reason, expires, found 'x'$"):
        read_entry("x", "here")
