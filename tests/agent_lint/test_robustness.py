"""Whatever stands in a case or an instruction, every rule ends without an exception."""

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

NAMES = st.sampled_from(["get_lag", "get_logs", "list_pods", "transfer_to_agent", "exit_loop", "get_lags", ""])
WORDS = st.sampled_from(
    ["get_lag", "always", "first", "60 minutes", "1e999999", "...", "now-1h", "Loki", "9" * 60, "½", "٣", "a:b/c", "\0"]
)
TEXTS = st.lists(WORDS | st.text(max_size=8), max_size=6).map(" ".join)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=6
)
ARGS = st.dictionaries(st.sampled_from(["group_id", "minutes", "agent_name", "x"]) | TEXTS, VALUES, max_size=3)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    prompts=st.lists(st.tuples(TEXTS, st.lists(st.tuples(NAMES, ARGS), max_size=3)), min_size=1, max_size=3),
    instruction=TEXTS,
    docstring=TEXTS,
    reply=VALUES,
)
def test_no_rule_stumbles(prompts, instruction, docstring, reply, make, lint):
    agent = make.facts(
        make.tool("get_lag", f"Do it.\n\nArgs:\n    minutes: {docstring}", group_id=str, minutes=60, start="now-1h"),
        make.tool("get_logs", keys=["lines"], returns={"type": "object"}),
        instruction=instruction,
        others=[make.profile("other", make.tool("list_pods", namespace=str))],
    )
    mocks = make.mocks(make.route("get_logs", reply), make.route("get_lag", reply, args={"x": 1}))
    turns = [make.turn(prompt, *(make.call(name, **args) for name, args in calls)) for prompt, calls in prompts]
    for problem in (*lint.case(agent, *turns, mocks=mocks), *lint.mocks(mocks, agent)):
        assert str(problem)


@pytest.mark.parametrize("value", ["1e999999", "-1e-999999", "9" * 5000, "NaN", "Infinity"])
def test_numbers_beyond_all_measure_are_no_numbers(value, make, lint):
    agent = make.facts(make.tool("get_logs", limit="", start=""))
    assert all(str(one) for one in lint.case(agent, make.turn("Show 3 of 4", make.call("get_logs", limit=value))))
