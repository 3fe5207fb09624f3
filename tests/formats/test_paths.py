import pytest

from evalkit.formats.paths import read_path, write_path

PATHS = [
    ((), "$"),
    (("eval_cases", 0, "eval_id"), "$.eval_cases[0].eval_id"),
    (("a b",), '$["a b"]'),
    (("$any", "x-1"), '$.$any["x-1"]'),
    (('say "hi"', 2, "é"), '$["say \\"hi\\""][2]["é"]'),
    (("",), '$[""]'),
]


@pytest.mark.parametrize(("steps", "text"), PATHS, ids=[text for _, text in PATHS])
def test_a_path_is_written_and_read_back(steps, text):
    assert write_path(steps) == text
    assert read_path(text) == steps


def test_what_follows_a_well_formed_beginning_is_passed_over():
    assert read_path("$.a[0]… and so on") == ("a", 0)
