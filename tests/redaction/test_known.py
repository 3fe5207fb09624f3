from evalkit.redaction.known import MOST, KnownSecrets


def known(*values):
    secrets = KnownSecrets()
    for value in values:
        secrets.add(value, f"NAME_{value}")
    return secrets


def places(secrets, text):
    return sorted((hit.start, hit.end, hit.name) for hit in secrets.hits(text))


def test_a_short_value_counts_only_as_a_word_and_a_long_one_everywhere():
    secrets = known("hunt-2", "hunter2-of-orders")
    assert places(secrets, "hunt-2 hunt-23 (hunt-2)") == [(0, 6, "NAME_hunt-2"), (16, 22, "NAME_hunt-2")]
    assert places(secrets, "xhunter2-of-ordersx") == [(1, 18, "NAME_hunter2-of-orders")]


def test_values_that_come_later_are_looked_for_too():
    secrets = known()
    assert not secrets.may_be_in("horse-battery")
    assert [secrets.add(f"horse-{number:03}", "X") for number in (1, 2, 1)] == [True, True, False]
    assert secrets.may_be_in("a horse-002")
    for number in range(3, 40):
        secrets.add(f"horse-{number:03}", "X")
        assert secrets.may_be_in(f"a horse-{number:03}")
    assert secrets.may_be_in("a horse-001")


def test_so_many_values_are_remembered_and_not_more():
    secrets = known(*(f"value-{number}" for number in range(MOST)))
    assert not secrets.add("one-too-many", "X")
    assert "value-0" in secrets
    assert "one-too-many" not in secrets


def test_the_beginning_of_a_value_counts_where_the_rest_was_left_out():
    secrets = known("horse-battery-staple")
    assert places(secrets, "horse-bat… horse… horse-battery-staple…") == [
        (0, 9, "NAME_horse-battery-staple"),
        (18, 38, "NAME_horse-battery-staple"),
        (18, 38, "NAME_horse-battery-staple"),
    ]
