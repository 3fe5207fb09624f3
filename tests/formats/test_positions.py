import pytest

from evalkit.formats.positions import JsonPositions
from evalkit.formats.yaml_nodes import YamlPositions, compose

JSON = """{
  "name": "ü", "list": [1, {"key": "a \\" b"},
    true],
  "empty": {}
}"""

YAML = """base: &base
  returns: 1
tools:
  lag:
    - args: {ü: a, group: b}
    - <<: *base
      state: {}
"""


@pytest.mark.parametrize(
    ("path", "value", "key"),
    [
        ((), (1, 1), (1, 1)),
        (("name",), (2, 11), (2, 3)),
        (("list",), (2, 24), (2, 16)),
        (("list", 0), (2, 25), (2, 25)),
        (("list", 1, "key"), (2, 36), (2, 29)),
        (("list", 2), (3, 5), (3, 5)),
        (("empty",), (4, 12), (4, 3)),
    ],
)
def test_a_json_value_and_its_key_are_found(path, value, key):
    positions = JsonPositions(JSON)
    assert positions.place(path) == value
    assert positions.place(path, key=True) == key


def test_a_path_that_goes_on_in_json_where_nothing_is_points_at_the_last_thing_there():
    assert JsonPositions(JSON).place(("list", 1, "no", 3), key=True) == (2, 28)


@pytest.mark.parametrize(
    ("path", "value", "key"),
    [
        ((), (1, 1), (1, 1)),
        (("tools", "lag", 0, "args", "group"), (5, 27), (5, 20)),
        (("tools", "lag", 1), (6, 7), (6, 7)),
        (("tools", "lag", 1, "state"), (7, 14), (7, 7)),
        (("tools", "lag", 1, "returns"), (2, 12), (2, 3)),
    ],
)
def test_a_yaml_value_and_its_key_are_found_also_where_they_are_merged(path, value, key):
    positions = YamlPositions(compose(YAML))
    assert positions.place(path) == value
    assert positions.place(path, key=True) == key


def test_a_path_that_goes_on_in_yaml_where_nothing_is_points_at_the_last_thing_there():
    assert YamlPositions(compose(YAML)).place(("tools", "lag", 7, "args")) == (5, 5)


def test_an_empty_yaml_file_has_one_place():
    assert YamlPositions(compose("")).place(("tools",)) == (1, 1)


def test_of_a_repeated_key_the_last_counts_if_there_may_be_one():
    text = '{"a": 1, "b": 2, "a": 3}'
    assert JsonPositions(text).place(("a",)) == (1, 23)
    assert JsonPositions(text, repeated_keys=False).place(("a",)) == (1, 7)


def test_places_are_the_same_however_many_are_asked_for():
    text = "[\n" + ",\n".join(f"  {number}" for number in range(100)) + "\n]"
    positions = JsonPositions(text, repeated_keys=False)
    assert [positions.place((number,)) for number in range(100)] == [(number + 2, 3) for number in range(100)]
