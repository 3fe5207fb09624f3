"""What an answer states."""

import re
from decimal import Decimal

import pytest

from evalkit.scorers.grounds.claims import claims


def numbers(text):
    return [str(claim.quantity.number) for claim in claims(text) if claim.quantity]


def identifiers(text):
    return [claim.text for claim in claims(text) if claim.kind == "identifier"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The lag is 75.", ["75"]),
        ("It lags 1,240 records, or $1,240.50.", ["1240", "1240.50"]),
        ("75ms, 3.2 GB, 128Mi, 500m, 99.9%, 12GB/s", ["75", "3.2", "128", "500", "99.9", "12"]),
        ("Ready 2/3, retries 4-5", ["2", "3", "4", "5"]),
        ("a 3-node cluster, a 24-hour window", ["3", "24"]),
        ("changed by -5 or \N{MINUS SIGN}7, now +8", ["-5", "-7", "8"]),
        ("lag=75 (of 80)", ["75", "80"]),
        ("延迟是75。", ["75"]),
    ],
)
def test_numbers_are_read_by_value(text, expected):
    assert numbers(text) == expected


@pytest.mark.parametrize(
    ("text", "base", "dimension"),
    [
        ("99.9%", "99.9", "percent"),
        ("99.9 percent", "99.9", "percent"),
        ("1.5 GiB", "1610612736", "bytes"),
        ("1.5 GB", "1500000000", "bytes"),
        ("128Mi", "134217728", "bytes"),
        ("5000 ms", "5", "seconds"),
        ("three weeks", "1814400", "seconds"),
        ("a 24-hour window", "86400", "seconds"),
        ("4.8k", "4800", ""),
        ("75 records", "75", ""),
    ],
)
def test_units_are_kept_in_mind(text, base, dimension):
    (claim,) = claims(text)
    assert (claim.quantity.base, claim.quantity.unit.dimension) == (Decimal(base), dimension)


@pytest.mark.parametrize(
    ("text", "number", "others"),
    [
        ("4.820", "4.820", [["4820"]]),
        ("12,5", "12.5", [["12", "5"]]),
        ("1 240", "1240", [["1", "240"]]),
        ("1'240", "1240", [["1.240"]]),
        ("1\u202f240", "1240", [["1.240"]]),
    ],
)
def test_numbers_of_other_countries_are_read_in_every_way(text, number, others):
    (claim,) = claims(text)
    assert claim.quantity.number == Decimal(number)
    assert [[str(one.number) for one in reading] for reading in claim.readings] == others


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("on July 21, 2026, not on 3 March or in May 2027", ["date", "date", "date"]),
        ("at 6 am on 21.07.2026", ["date", "date"]),
        ('It said "no space left" and \u201ctimed out\u201d.', ["quotation", "quotation"]),
        ("`disk full` in `web`, and `kubectl get pods` tells more", ["quotation", "identifier"]),
        ("three brokers, but one of them", ["number"]),
    ],
)
def test_dates_quotations_and_numbers_in_words_are_claims(text, kinds):
    assert [claim.kind for claim in claims(text)] == kinds


def test_what_else_is_an_identifier_can_be_said():
    assert [claim.text for claim in claims("web and Staging", re.compile("[A-Z][a-z]+"))] == ["Staging"]


@pytest.mark.parametrize(
    "text",
    [
        "1. First\n2) Second\n  3. Third",
        "the 1st and the 22nd",
        "one broker, no other",
        "The up-to-date, in-sync, under-replicated, read-only, end-to-end view",
        "and/or, e.g. 24/7, i/o, utf-8, k8s on GitHub",
        "READY, HTTP, IDs and APIs",
        "c'est-à-dire, по-прежнему",
        "- a list - with dashes",
        "__two bold__ and _two slanted_ words",
        "",
    ],
    ids=lambda text: text[:20] or "nothing",
)
def test_prose_states_nothing(text):
    assert claims(text) == ()


@pytest.mark.parametrize(
    "name",
    [
        "order-processor",
        "broker-2",
        "payments.dlq",
        "consumer_lag",
        "__consumer_offsets",
        "CrashLoopBackOff",
        "OOMKilled",
        "7f9c8b-xk2",
        "10.0.0.5:9092",
        "v2.8.1",
        "3.7.0",
        "2026-07-21",
        "2026-07-21T10:15:00Z",
        "10:15",
        "550e8400-e29b-41d4-a716-446655440000",
        "/var/log/app.log",
        "prod/payments",
        "registry.example/api:1.4",
        "p99",
    ],
)
@pytest.mark.parametrize("around", ["{}", "It is {}.", "**{}**", "_{}_", "`{}`", "({}),", "“{}”!", "消费组{}的"])
def test_identifiers_are_found_in_any_surroundings(name, around):
    assert identifiers(around.format(name)) == [name]


def test_one_thing_stated_twice_has_one_key():
    assert len({claim.key for claim in claims("broker-2 and Broker-2, 75 and 75.0")}) == 2


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("`" * 20_001, 0),
        ("not healthy " * 3_000, 0),
        ("12 345 " * 5_000, 1),
        ("a-" * 20_000 + "!", 1),
        ("1," * 20_000, 1),
        ("1/" * 20_000 + "x", 1),
        ("9" * 20_000, 1),
        ("1x" * 20_000, 1),
    ],
    ids=["backticks", "states", "groups", "hyphens", "commas", "slashes", "digits", "units"],
)
def test_odd_text_is_read_without_backtracking(text, count):
    """A pattern that backtracks would not come to an end here."""
    assert len({claim.key for claim in claims(text)}) == count
