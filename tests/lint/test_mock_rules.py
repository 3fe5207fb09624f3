"""Routes that never answer, and replies that are not what they look like."""

import pytest

from evalkit.lint.mock_rules import misspelt_exceptions, shadowed_routes, unread_references
from evalkit.mocks import Backend
from evalkit.routes import MockSet, Reply, Route


def mocks_of(*routes):
    placed = (
        Route(
            **{
                "tool": "get_lag",
                "replies": (Reply(value=index, where=f"$[{index}].returns"),),
                "label": f"mocks.yaml:{index + 1} get_lag",
                "where": f"$[{index}]",
                **route,
            }
        )
        for index, route in enumerate(routes)
    )
    return MockSet(file="mocks.yaml", routes=tuple(placed))


def shadowed(*routes):
    return [problem.path for problem in shadowed_routes(mocks_of(*routes))]


ONCE = {"repeat_last": False}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({}, {"args": {"group": "a"}}),
        ({"args": {}}, {}),
        ({"args": {"group": "a"}}, {"args": {"group": "a"}}),
        ({"args": {"limit": {"$gt": 10}}}, {"args": {"limit": 12, "group": "a"}}),
        ({"agent": "kafka"}, {"agent": "kafka", "args": {"group": "a"}}),
        ({"passthrough": True, "replies": ()}, {"args": {"group": "a"}}),
        (ONCE, {"args": {"group": "a"}}),
    ],
)
def test_a_route_whose_calls_an_earlier_one_takes_never_answers(first, second):
    assert shadowed(first, second) == ["$[1]"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"args": {"group": "a"}}, {}),
        ({"args": {"group": "a"}}, {"args": {"group": "b"}}),
        ({"args": {"group": {"$regex": "^a"}}}, {"args": {"group": {"$regex": "^ab"}}}),
        ({"args": {"group": {"$absent": True}}}, {"args": {"limit": 1}}),
        ({}, {"tool": "get_topics"}),
        ({}, {"agent": "kafka"}),
        ({"agent": "kafka"}, {}),
        ({"agent": "kafka"}, {"agent": "k8s"}),
    ],
)
def test_a_route_that_may_be_reached_is_let_alone(first, second):
    assert shadowed(first, second) == []


@pytest.mark.parametrize("first", [{}, ONCE, {"args": {"group": {"$glob": "*"}}}])
def test_a_shadowed_route_really_answers_no_call(first):
    mocks = mocks_of(first, {"args": {"group": "a"}})
    backend = Backend(mocks, None, ())
    for turn in range(3):
        backend.answer("kafka", "get_lag", {"group": "a"}, turn)
    assert shadowed(first, {"args": {"group": "a"}}) == ["$[1]"]
    assert "mocks.yaml:2 get_lag" in backend.unused()


def test_a_route_that_is_shadowed_itself_is_not_named_as_the_cause():
    problems = list(shadowed_routes(mocks_of({}, {"args": {"group": "a"}}, {"args": {"group": "a"}})))
    assert [problem.path for problem in problems] == ["$[1]", "$[2]"]
    assert {problem.message for problem in problems} == {
        "mocks.yaml:1 get_lag comes first and takes all calls of this route, which never answers"
    }


def test_what_to_do_depends_on_why_a_route_is_shadowed():
    def hint(first, second):
        (problem,) = shadowed_routes(mocks_of(first, second))
        return problem.hint

    group = {"args": {"group": "a"}}
    assert hint({}, group) == "move this route above it"
    assert hint(group, group) == "keep one of the two, or write both replies as one `sequence`"
    assert "let the two take other calls" in hint({"args": {"group": {"$any": True}}}, group)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("TimeoutEror", "TimeoutError"),
        ("builtins.ValuError", "ValueError"),
        ("RunTimeError", "RuntimeError"),
        ("keyerror", "KeyError"),
        ("ConnectionErrors", "ConnectionError"),
    ],
)
def test_a_slip_in_the_name_of_an_exception_is_told(name, meant):
    reply = Reply(raises=name, where="$[0].raises")
    (problem,) = misspelt_exceptions(mocks_of({"replies": (reply,)}))
    assert (problem.path, problem.hint) == ("$[0].raises.type", f"did you mean `{meant}`?")


@pytest.mark.parametrize(
    "name",
    [
        "TimeoutError",
        "IOError",
        "builtins.KeyError",
        "ApiError",
        "AWSError",
        "DBError",
        "HTTPError",
        "ConnectError",
        "TimeoutException",
        "VaultError",
        "kafka.errors.KafkaTimeoutError",
        "redis.TimeoutErrors",
    ],
)
def test_any_other_name_is_one_of_its_own(name):
    assert list(misspelt_exceptions(mocks_of({"replies": (Reply(raises=name),)}))) == []


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"$file": "replies/lag.json"}, ["$[0].returns"]),
        ({"$file": "replies/lag.json", "lag": 3}, []),
        ({"$file": {"name": "x"}}, []),
        ({"file": "replies/lag.json"}, []),
        ("$file", []),
    ],
)
def test_a_reply_that_only_names_a_file_is_told(value, told):
    reply = Reply(value=value, where="$[0].returns")
    assert [problem.path for problem in unread_references(mocks_of({"replies": (reply,)}))] == told
