import pytest

from evalkit.cases import CallPattern

RULE = "prompt-between-tools"


@pytest.fixture(scope="module")
def watch(make):
    names = (
        "get_prometheus_alerts get_alertmanager_alerts get_alertmanager_silences query_prometheus query_loki"
        " get_weather get_time list_kafka_topics list_kafka_brokers describe_consumer_group get_consumer_lag"
    )
    plain = [make.tool(name) for name in names.split()]
    events = [make.tool("list_cluster_events", namespace=str, kind=""), make.tool("list_cluster_namespaces")]
    nodes = make.tool("list_cluster_nodes")
    return make.facts(*plain, *events, nodes)


def named(lint, agent, *turns):
    return [problem.message.split("`")[1] for problem in lint.case(agent, *turns, only=RULE)]


def test_a_prompt_that_names_the_twins_subject_is_a_warning_with_what_to_say(watch, make, lint):
    turn = make.turn("Are there firing alerts in Prometheus?", make.call("get_alertmanager_alerts"))
    (problem,) = lint.case(watch, turn, only=RULE)
    assert (problem.severity, problem.path) == ("warning", "$.eval_cases[0].conversation[0].user_content")
    assert problem.message == (
        'the prompt says "Prometheus", the subject of `get_prometheus_alerts`, and nothing of'
        " `get_alertmanager_alerts`, which is expected; a model may well call the other"
    )
    assert problem.hint == (
        'say "alertmanager" in the prompt instead of "Prometheus", or expect `get_prometheus_alerts`'
    )


@pytest.mark.parametrize(
    ("prompt", "expected", "twin"),
    [
        ("Which topics are on the cluster?", "list_kafka_brokers", "list_kafka_topics"),
        ("How many errors per minute are there in Loki?", "query_prometheus", "query_loki"),
    ],
)
def test_twins_that_share_a_subject_or_a_verb_and_a_proper_name(prompt, expected, twin, watch, make, lint):
    assert named(lint, watch, make.turn(prompt, make.call(expected))) == [twin]


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("Which alerts does Alertmanager have, sent by Prometheus?", "get_alertmanager_alerts"),
        ("Which alerts are firing?", "get_alertmanager_alerts"),
        ("Which alerts are silenced?", "get_alertmanager_silences"),
        ("Silences of prometheus-operated alerts", "get_alertmanager_silences"),
        ("Describe group a of consumers, how far behind is it?", "get_consumer_lag"),
        ("How far behind is consumer group a?", "get_consumer_lag"),
        ("Is it raining in Rome at this time?", "get_weather"),
        ("Loki, the dog: how warm is it?", "query_prometheus"),
        ("Which broker of the cluster has most topics?", "list_kafka_brokers"),
        ("What lately happened in namespace shop?", "list_cluster_events"),
    ],
)
def test_prompts_that_name_the_tools_own_subject_or_none_are_clean(prompt, expected, watch, make, lint):
    args = {"namespace": "shop"} if expected == "list_cluster_events" else {}
    assert named(lint, watch, make.turn(prompt, make.call(expected, **args))) == []


def test_a_word_that_is_passed_as_an_argument_is_no_subject(watch, make, lint):
    events = make.call("list_cluster_events", namespace="default", kind="Node")
    assert named(lint, watch, make.turn("What happened to node n-3 in default?", events)) == []


def test_a_twin_that_is_expected_too_is_no_rival(watch, make, lint):
    both = make.call("get_alertmanager_alerts"), make.call("get_prometheus_alerts")
    assert named(lint, watch, make.turn("All alerts, also those in Prometheus", *both)) == []
    accepted = ((CallPattern(name="get_prometheus_alerts"),),)
    assert named(lint, watch, make.turn("Alerts in Prometheus", both[0], any_of=accepted)) == []


def test_the_subject_may_have_been_named_in_an_earlier_turn(watch, make, lint):
    turns = make.turn("I mean Alertmanager."), make.turn("As in Prometheus?", make.call("get_alertmanager_alerts"))
    assert named(lint, watch, *turns) == []
