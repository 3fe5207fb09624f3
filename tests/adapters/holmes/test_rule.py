"""Routes as the converter writes them answer exactly the calls that HolmesGPT's rule lets a recording answer.

The rule, in Python: each recorded argument is in the call and `==` the recorded one; what else the call has is free.
Here it is asked of whole mocks files, read and answered as in any run.
"""

import json
from collections.abc import Mapping

from hypothesis import assume, example, given, settings, strategies as st

from evalkit.adapters.holmes.matching import args_pattern, unwritable
from evalkit.adapters.holmes.nouns import Options
from evalkit.formats import mocks as mocks_format
from evalkit.mocks import Backend, Missed, Returned

NAMES = st.sampled_from(["kind", "name", "namespace", "limit", "filter", "Filter", "$schema", "a b", ""])
NUMBERS = [0, 1, 2, -1, 100, 0.0, 1.0, 0.5, -0.0, 2**53, 2**53 + 1, float(2**53)]
SCALARS = (
    st.none()
    | st.booleans()
    | st.sampled_from(
        [0, 1, 2, -1, 100, 0.0, 1.0, 0.5, -0.0, 2**53, 2**53 + 1, float(2**53), "1", "true", "pod", "Pod", ""]
    )
    | st.text(max_size=3)
    | st.floats(allow_nan=False, allow_infinity=False)
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=5
)
TWINS = {0: (False, 0.0, -0.0, 0), 1: (True, 1.0, 1)}


def twins(value):
    """Values of other types that Python takes for equal, wherever they stand in the value."""
    if isinstance(value, bool | int | float) and value in TWINS:
        return st.sampled_from(TWINS[value])
    if isinstance(value, list):
        return st.tuples(*map(twins, value)).map(list)
    if isinstance(value, dict):
        return st.fixed_dictionaries({key: twins(member) for key, member in value.items()})
    return st.just(value)


@st.composite
def recorded_and_called(draw):
    """A recording's arguments, and a call that resembles it: equal, one thing otherwise, or with more."""
    recorded = draw(st.dictionaries(NAMES, VALUES, max_size=4))
    called = {name: draw(st.just(value) | twins(value)) for name, value in recorded.items()}
    for name in recorded:
        if draw(st.integers(0, 5)) == 0:
            called.pop(name)
        elif draw(st.integers(0, 5)) == 0:
            called[name] = draw(VALUES)
    return recorded, called | draw(st.dictionaries(NAMES.filter(lambda name: name not in recorded), VALUES, max_size=2))


def holmes_answers(recorded: Mapping, called: Mapping) -> bool:
    """HolmesGPT's rule."""
    return all(name in called and called[name] == value for name, value in recorded.items())


def is_told_apart(value, *, literally=False) -> bool:
    """Whether a pattern tells 1 from true: only below an object with a key like `$schema`, which can be but literal."""
    if isinstance(value, dict):
        literally = literally or any(key.startswith("$") for key in value)
        return any(is_told_apart(member, literally=literally) for member in value.values())
    if isinstance(value, list):
        return any(is_told_apart(item, literally=literally) for item in value)
    return literally and isinstance(value, bool | int | float) and value in TWINS


def is_written(recorded) -> bool:
    """Whether the converter can write the rule for a recording as it is."""
    return not unwritable(recorded) and not any(map(is_told_apart, recorded.values()))


def answers(folder, *recordings):
    """A mocks file with a route for each recording, as the converter writes them; it returns the route's number."""
    options = Options(literal_star=True)
    routes = [{"args": args_pattern(one, options), "returns": number} for number, one in enumerate(recordings)]
    written = json.dumps({"tools": {"tool": routes}}).encode()
    loaded = mocks_format.parse(written, file="mocks.json", folder=folder)
    assert loaded.problems == ()
    backend = Backend(None, loaded.value, ())

    def ask(called):
        answer = backend.answer("agent", "tool", called, 0)
        assert isinstance(answer, Returned | Missed)
        return answer.value if isinstance(answer, Returned) else None

    return ask


@settings(max_examples=150, deadline=None)
@given(recorded_and_called())
@example(({"limit": 1}, {"limit": True}))
@example(({"limit": 1}, {"limit": "1"}))
@example(({"limit": True}, {"limit": 1.0}))
@example(({"type": None}, {}))
@example(({"type": None}, {"type": None}))
@example(({"kind": "pod"}, {"kind": "Pod"}))
@example(({"kind": "*"}, {"kind": "pod"}))
@example(({"labels": {"a": 1}}, {"labels": {"a": True}}))
@example(({"labels": {"a": 1}}, {"labels": {"a": 1, "b": 2}}))
@example(({"labels": {"$schema": "x"}}, {"labels": {"$schema": "x"}}))
@example(({"ids": [0, 2]}, {"ids": [False, 2.0]}))
@example(({"ids": [1, 2]}, {"ids": [2, 1]}))
@example(({"text": "{$any: true}"}, {"text": "x"}))
def test_a_call_is_answered_exactly_if_the_rule_says_so(tmp_path_factory, pair):
    recorded, called = pair
    assume(is_written(recorded))
    answered = answers(tmp_path_factory.getbasetemp(), recorded)(called) == 0
    assert answered == holmes_answers(recorded, called)


@settings(max_examples=40, deadline=None)
@given(st.lists(recorded_and_called(), min_size=1, max_size=4))
def test_of_several_recordings_the_first_that_fits_answers_every_time(tmp_path_factory, pairs):
    recordings = [recorded for recorded, _ in pairs if is_written(recorded)]
    assume(recordings)
    ask = answers(tmp_path_factory.getbasetemp(), *recordings)
    for _, called in [*pairs, *pairs]:
        first = next((number for number, one in enumerate(recordings) if holmes_answers(one, called)), None)
        assert ask(called) == first


def test_a_recording_without_arguments_answers_every_call(tmp_path):
    ask = answers(tmp_path, {})
    assert [ask({}), ask({"kind": "pod"}), ask({})] == [0, 0, 0]
