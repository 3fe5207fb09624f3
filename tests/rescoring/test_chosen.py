"""`--evalset`: which cases of a stored run a selector means."""

import pytest

from evalkit.cases import Case, CaseSet
from evalkit.errors import SelectionError
from evalkit.rescoring.chosen import choose

SETS = tuple(
    CaseSet(file=file, eval_set_id="x", cases=(Case(eval_id="one"), Case(eval_id="t:wo")))
    for file in ("evalsets/a/lag.test.json", "evalsets/b/lag.test.json", "c:d/pods.test.json")
)
A, B, C = (found.file for found in SETS)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ((), {(file, eval_id) for file in (A, B, C) for eval_id in ("one", "t:wo")}),
        (("evalsets/a",), {(A, "one"), (A, "t:wo")}),
        ((f"{A}:one",), {(A, "one")}),
        ((f"{C}:t:wo",), {(C, "t:wo")}),
        (("b/lag.test.json:one", "pods.test.json:one"), {(B, "one"), (C, "one")}),
        (("lag.test.json",), {(A, "one"), (A, "t:wo"), (B, "one"), (B, "t:wo")}),
    ],
)
def test_a_selector_names_files_folders_and_cases(wanted, expected):
    assert choose(SETS, wanted) == expected


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ("nothing", f"--evalset nothing: the run has no such evalset; it has {A}, {B}, {C}"),
        ("evalsets:one", "--evalset evalsets:one: names 2 evalsets of the run; case ids go with one file"),
        (f"{A}:on", f"{A}: no case 'on'; did you mean one?"),
    ],
)
def test_a_selector_that_names_nothing_says_what_there_is(wanted, message):
    with pytest.raises(SelectionError) as raised:
        choose(SETS, (wanted,))
    assert str(raised.value) == message
