"""What an answer must say, held against what it says."""

import pytest

from evalkit.answers.demands import held_against
from evalkit.cases import NumberRule, ResponseRule

ANSWER = "The lag of orders is 1.240, over 3 partitions."


@pytest.mark.parametrize(
    ("demands", "told"),
    [
        ({"contains": ("orders", "Orders")}, ["", '"Orders" is not in the answer']),
        ({"not_contains": ("lag",)}, ['"lag" is in the answer']),
        ({"regex": ("^The", "^lag")}, ["", '"^lag" is not found in the answer']),
        ({"equals": (f" {ANSWER}\n", "3")}, ["", 'the answer is not "3"']),
        ({"number": (NumberRule(value=1240), NumberRule(value=1.24), NumberRule(value=3.1, tolerance="5%"))}, [""] * 3),
        ({"number": (NumberRule(value=4, tolerance=0.5),)}, ["4 ± 0.5 is not in the answer, which has 1.240, 1240, 3"]),
    ],
)
def test_each_demand_is_told_with_what_is_wrong(demands, told):
    found = list(held_against(ResponseRule(**demands), ANSWER))
    assert [demand.fault for demand in found] == told
    assert [(demand.key, demand.index) for demand in found] == [(*demands, index) for index in range(len(told))]


def test_a_number_of_any_size_is_told():
    (demand,) = held_against(ResponseRule(number=(NumberRule(value=10**400),)), "It is 75.")
    assert demand.fault.endswith(" is not in the answer, which has 75")


@pytest.mark.parametrize(
    ("text", "told"),
    [('"\\ud800"', "half a surrogate pair"), ("[" * 100_000, "is not JSON"), ("no JSON", "is not JSON")],
)
def test_an_answer_that_is_no_json_that_can_be_read_is_told(text, told):
    (demand,) = held_against(ResponseRule(json_schema={"type": "string"}), text)
    assert told in demand.fault


def test_a_schema_is_a_demand_too_and_its_text_names_the_key():
    (demand,) = held_against(ResponseRule(json_schema={"required": ["lag"]}), "{}")
    assert str(demand) == 'json_schema: $: "lag" is a required property'
