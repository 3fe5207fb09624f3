from decimal import Decimal

import pytest

from evalkit.agent_lint import words
from evalkit.agent_lint.known import Known


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("get_pod_logs", ["get", "pod", "logs"]),
        ("getPodLogs", ["get", "pod", "logs"]),
        ("HTTPServer2", ["http", "server", "2"]),
        ("list-topics", ["list", "topics"]),
    ],
)
def test_a_name_comes_apart_into_its_words(name, parts):
    assert words.parts(name) == parts


@pytest.mark.parametrize(
    ("plural", "singular"),
    [
        ("topics", "topic"),
        ("queries", "query"),
        ("indexes", "index"),
        ("status", "status"),
        ("class", "class"),
        ("ids", "ids"),
    ],
)
def test_singular_and_plural_have_one_stem(plural, singular):
    assert words.stem(plural) == singular


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("the last hour", 3600),
        ("90 minutes", 5400),
        ("30m", 1800),
        ("half an hour", 1800),
        ("a day", 86_400),
        ("past two weeks", 1_209_600),
    ],
)
def test_a_period_is_read_in_seconds(text, seconds):
    assert [length for _, length in words.periods(text)] == [Decimal(seconds)]


@pytest.mark.parametrize("text", ["as soon as I am home", "30 monkeys", "web-30m", "v1.5s", "no period"])
def test_other_words_are_no_period(text):
    assert words.periods(text) == []


@pytest.mark.parametrize(
    ("names", "seconds"), [(["since", "minutes"], 60), (["hours"], 3600), (["tail"], None), (["s", "h"], None)]
)
def test_the_unit_of_an_argument_is_in_its_name(names, seconds):
    assert words.unit_of(names) == seconds


def test_with_many_numbers_known_sums_explain_nothing():
    known = Known()
    known.add(" ".join(str(1000 + 17 * number) for number in range(50)))
    assert not known.has_number(Decimal(2017))
    assert known.has_number(Decimal(1017))
