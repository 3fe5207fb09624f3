"""The agent's evalsets: what keeps them loadable, true to the tools, and easy to break.

A golden replay learns from what a case cites. So each call must be cited, each cited number must have one source, and
each route one user: then one wrong value shows in one case.
"""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from google.adk.evaluation.eval_case import get_all_tool_calls
from google.adk.evaluation.eval_config import EvalConfig
from google.adk.evaluation.eval_set import EvalSet

EVALSETS = Path(__file__).parents[3] / "evalsets" / "kafka_health"
FILES = sorted([*EVALSETS.rglob("*.evalset.json"), *EVALSETS.rglob("*.test.json")])

REAL_CALLS = {
    "get_kafka_cluster_health": [],
    "list_kafka_brokers": [],
    "list_kafka_topics": [],
    "get_topic_metadata": ["orders"],
    "list_consumer_groups": [],
    "describe_consumer_group": ["order-processor"],
    "get_consumer_lag": ["order-processor"],
    "create_kafka_topic": ["clicks", 6, 3],
    "add_topic_partitions": ["orders", 6],
    "delete_kafka_topic": ["orders"],
}


def _routes(file):
    tools = yaml.safe_load(file.read_text())["tools"]
    return [
        SimpleNamespace(label=f"{file.name} {tool} {route.get('args')}", tool=tool, **{"args": {}, **route})
        for tool, routes in tools.items()
        for route in routes
    ]


def _cases():
    for file in FILES:
        for case in EvalSet.model_validate_json(file.read_text()).eval_cases:
            own = case.model_extra["evalkit"].get("mocks")
            files = [file.parent / own, file.parent / "mocks.yaml"] if own else [file.parent / "mocks.yaml"]
            routes = [route for name in files for route in _routes(name)]
            yield pytest.param(SimpleNamespace(case=case, routes=routes), id=case.eval_id)


CASES = list(_cases())
ROUTES = [route for file in EVALSETS.rglob("*.yaml") for route in _routes(file)]


def _calls(case):
    return [call for turn in case.conversation for call in get_all_tool_calls(turn.intermediate_data)]


def _answering(played, call):
    return [
        route
        for route in played.routes
        if route.tool == call.name and all(call.args.get(name) == value for name, value in route.args.items())
    ]


def _words(text):
    return [word.strip(".,:;()") for word in re.findall(r"[\w./:;,()-]+", text)]


def _values(value):
    """Every word of a reply, and how many things are in each list and object, for answers may count."""
    if isinstance(value, dict):
        return [str(len(value)), *(word for item in value.values() for word in _values(item))]
    if isinstance(value, list):
        return [str(len(value)), *(word for item in value for word in _values(item))]
    return _words(str(value))


def _cited(case):
    """The numbers and the identifiers that the answers give: words with a digit, '_' or '-' inside."""
    answers = [part.text for turn in case.conversation if turn.final_response for part in turn.final_response.parts]
    return [word for answer in answers for word in _words(answer) if re.search(r"[\d_-]", word)]


def _said(case):
    texts = [part.text for turn in case.conversation for part in turn.user_content.parts if part.text]
    return [word for text in texts for word in _words(text)]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_adk_loads_every_file_under_its_own_name(file):
    loaded = EvalSet.model_validate_json(file.read_text())

    assert loaded.eval_set_id == file.name.split(".")[0]
    assert loaded.eval_cases


@pytest.mark.parametrize("file", sorted(EVALSETS.rglob("test_config.json")), ids=lambda file: file.parent.name)
def test_adk_loads_every_config(file):
    criteria = EvalConfig.model_validate_json(file.read_text()).criteria

    assert list(criteria) == ["tool_trajectory_avg_score", "grounding", "response_match_score"]


def test_both_kinds_of_file_and_many_cases_are_there():
    assert {file.name.split(".", 1)[1] for file in FILES} == {"evalset.json", "test.json"}
    ids = [param.id for param in CASES]
    assert len(ids) >= 12
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("played", CASES)
def test_every_case_belongs_to_the_agent_and_has_a_role(played):
    session = played.case.session_input

    assert session.app_name == "kafka_health"
    assert session.state["role"] in {"viewer", "operator", "admin"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_no_expected_call_leaves_its_arguments_out(file):
    """A call without `args` never equals one with empty arguments in ADK."""
    turns = [turn for case in json.loads(file.read_text())["eval_cases"] for turn in case["conversation"]]

    assert all("args" in call for turn in turns for call in turn["intermediate_data"].get("tool_uses", []))


def test_every_tool_of_the_agent_is_called_by_some_case():
    assert {call.name for param in CASES for call in _calls(param.values[0].case)} == set(REAL_CALLS)


def test_every_route_answers_one_call_of_one_case():
    used = [
        route.label
        for param in CASES
        for call in _calls(param.values[0].case)
        for route in _answering(param.values[0], call)
    ]

    assert sorted(used) == sorted(route.label for route in ROUTES)


@pytest.mark.parametrize("played", CASES)
def test_a_call_without_a_route_is_one_that_must_not_reach_its_tool(played):
    unanswered = [call.name for call in _calls(played.case) if not _answering(played, call)]

    expectations = played.case.model_extra["evalkit"].get("expect", ())
    blocked = [call["name"] for one in expectations for call in one.get("trajectory", {}).get("blocked", ())]
    assert unanswered == (["delete_kafka_topic"] if _refuses(played.case) else blocked)


def _refuses(case):
    parts = [part.function_response for turn in case.conversation for part in turn.user_content.parts]
    return any(answer and answer.response == {"confirmed": False} for answer in parts)


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.label)
def test_a_mocked_reply_has_the_shape_of_the_real_one(tools, route):
    real = getattr(tools, route.tool)(*REAL_CALLS[route.tool])
    assert real["status"] == "success"

    if route.returns["status"] == "error":
        assert sorted(route.returns) == ["error", "status"]
    else:
        assert _same_shape(route.returns, real)


def _same_shape(value, model):
    """The same keys and types throughout; each item of a list has the shape of the model's first, if it has one."""
    if isinstance(value, dict):
        return value.keys() == model.keys() and all(_same_shape(value[key], model[key]) for key in value)
    if isinstance(value, list):
        return isinstance(model, list) and (not model or all(_same_shape(item, model[0]) for item in value))
    return type(value) is type(model)


@pytest.mark.parametrize("route", [one for one in ROUTES if "total_lag" in one.returns], ids=lambda route: route.label)
def test_mocked_lags_add_up(route):
    partitions = route.returns["partitions"]

    assert [one["end_offset"] - one["committed_offset"] for one in partitions] == [one["lag"] for one in partitions]
    assert sum(one["lag"] for one in partitions) == route.returns["total_lag"]


@pytest.mark.parametrize("played", CASES)
def test_every_cited_number_has_one_source_and_no_neighbour_is_grounded(played):
    replies = [route.returns for call in _calls(played.case) for route in _answering(played, call)]
    sources = [word for reply in replies for word in _values(reply)]

    for number in filter(str.isdigit, _cited(played.case)):
        assert sources.count(number) == 1, number
        neighbours = {str(int(number) - 1), str(int(number) + 1), str(int(number) + 10)}
        assert neighbours.isdisjoint([*sources, *_said(played.case)]), number
        assert number not in _said(played.case)


@pytest.mark.parametrize("played", CASES)
def test_every_answered_call_is_cited_by_something_that_only_it_tells(played):
    replies = [_values(route.returns) for call in _calls(played.case) for route in _answering(played, call)]
    cited = set(_cited(played.case))

    for index, reply in enumerate(replies):
        others = {word for place, other in enumerate(replies) if place != index for word in other}
        assert cited & set(reply) - others - set(_said(played.case)), reply
