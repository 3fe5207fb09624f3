"""The ways to compare calls, and what others call them."""

import pytest
from google.adk.evaluation.eval_metrics import ToolTrajectoryCriterion

from evalkit.expectations import ArgsMatch
from evalkit.formats.faults import load_schema
from evalkit.formats.orders import ALIASES, NAMES, ORDERS, order_named, table

TRAJECTORY = load_schema("evalset")["$defs"]["Trajectory"]["properties"]


def test_a_file_may_use_every_name_and_no_other():
    assert sorted(TRAJECTORY["order"]["then"]["enum"]) == sorted(NAMES)
    modes = sorted(ArgsMatch.__args__)
    assert sorted(TRAJECTORY["args_match"]["then"]["enum"]) == modes
    assert sorted(TRAJECTORY["args"]["additionalProperties"]["then"]["enum"]) == modes


def test_every_match_type_of_adk_is_an_alias():
    adks = {kind.name for kind in ToolTrajectoryCriterion.MatchType}
    assert {order.adk for order in ORDERS.values() if order.adk} == adks


def test_every_mode_of_langchain_is_a_name():
    modes = {"strict", "unordered", "subset", "superset"}
    assert {order.langchain for order in ORDERS.values() if order.langchain} == modes
    assert modes <= {*NAMES}
    assert (order_named("strict"), order_named("superset")) == (ORDERS["exact"], ORDERS["any_order"])


def test_a_name_that_is_none_is_answered_with_those_that_are():
    with pytest.raises(
        ValueError, match="order is 'sorted'; write one of exact, in_order, any_order, unordered, subset"
    ):
        order_named("sorted")


def test_the_table_has_a_line_an_order_with_its_aliases():
    head, *rows = table().splitlines()
    assert head.startswith("order      ADK match_type  LangChain agentevals  missing calls")
    assert [row.split()[0] for row in rows] == [*ORDERS]
    assert rows[2].split() == ["any_order", "ANY_ORDER", "superset", "fail", "allowed", "free"]
    assert all(alias in table() for alias in ALIASES)
