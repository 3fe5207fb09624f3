"""What an answer states."""

from decimal import Decimal

import pytest

from evalkit.scorers.claims import claims


def numbers(text):
    return [str(claim.number) for claim in claims(text) if claim.number is not None]


def identifiers(text):
    return [claim.text for claim in claims(text) if claim.number is None]


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
        ("75, 75.0 and again 75", ["75"]),
    ],
)
def test_numbers_are_read_by_value(text, expected):
    assert numbers(text) == expected


def test_a_percent_sign_is_kept_in_mind():
    (claim,) = claims("99.9%")
    assert (claim.number, claim.percent) == (Decimal("99.9"), True)


@pytest.mark.parametrize(
    "text",
    [
        "1. First\n2) Second\n  3. Third",
        "the 1st and the 22nd",
        "three brokers",
        "on July 21, 2026, not on 3 March or in May 2027",
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


def test_each_thing_is_stated_once():
    assert identifiers("broker-2 and Broker-2") == ["broker-2"]


@pytest.mark.parametrize(
    ("text", "count"),
    [("a-" * 20_000 + "!", 1), ("1," * 20_000, 1), ("1/" * 20_000 + "x", 1), ("9" * 20_000, 1), ("1x" * 20_000, 1)],
    ids=["hyphens", "commas", "slashes", "digits", "units"],
)
def test_odd_text_is_read_without_backtracking(text, count):
    """A pattern that backtracks would not come to an end here."""
    assert len(claims(text)) == count
