from dataclasses import replace

import pytest

from evalkit.cases import Message
from evalkit.routes import Reply
from evalkit.setups import PriorEvent

RULE = "value-from-nowhere"


@pytest.fixture(scope="module")
def k8s(make):
    tools = [
        make.tool("list_pods", namespace="", limit=10),
        make.tool("describe_pod", namespace=str, pod_name=str),
        make.tool("get_alerts", "List alerts.\n\nArgs:\n    state: `firing` or `pending`.", state="", severity=""),
        make.tool("get_order", order_id="", year=2000, latitude=0.0, items=[], labels={}),
        make.tool("query", expression="", start="", minutes=60),
    ]
    return make.facts(*tools, instruction="The staging cluster is called blue-7.")


def nowhere(lint, agent, *turns, **fields):
    return [problem.path.partition(".args.")[2] for problem in lint.case(agent, *turns, only=RULE, **fields)]


def test_a_name_that_nothing_tells_the_model_is_a_warning_with_an_example(k8s, make, lint):
    (problem,) = lint.case(k8s, make.turn("List the pods.", make.call("list_pods", namespace="shop")), only=RULE)
    assert (problem.severity, problem.rule) == ("warning", RULE)
    assert problem.path == "$.eval_cases[0].conversation[0].intermediate_data.tool_uses[0].args.namespace"
    assert problem.message.startswith("`list_pods` is expected with `namespace` shop, which nothing tells the model")
    assert problem.hint == 'say it in the prompt, such as "List the pods. (namespace: shop)"'


@pytest.mark.parametrize(
    ("prompt", "args"),
    [
        ("List the pods in namespace shop", {"namespace": "shop"}),
        ("List the pods in SHOP.", {"namespace": "shop"}),
        ("Pods of the payment gateway?", {"namespace": "payment-gateway"}),
        ("Pods of the payments' gateway?", {"namespace": "gateway_payment"}),
        ("Pods in prod?", {"namespace": "production"}),
        ("Pods in production?", {"namespace": "prod"}),
        ("Order 42?", {"order_id": "42"}),
        ("Order number 1,234?", {"order_id": "1234"}),
        ("Pods in cluster blue-7 of shop", {"namespace": "shop/web-1"}),
        ("Show twenty pods of shop", {"limit": 20}),
        ("Show two dozen", {"limit": 24}),
        ("Show 5k of them", {"limit": 5000}),
        ("The last 2 hours", {"minutes": 120}),
        ("Half an hour", {"limit": 30}),
        ("3 more than the 4 of before", {"limit": 7}),
        ("Show https://shop.example.com/a", {"namespace": "https://shop.example.com/a"}),
    ],
)
def test_what_the_prompt_says_in_some_way_comes_from_somewhere(prompt, args, k8s, make, lint):
    name = {"namespace": "list_pods", "limit": "list_pods", "order_id": "get_order", "minutes": "query"}[
        next(iter(args))
    ]
    assert nowhere(lint, k8s, make.turn(prompt, make.call(name, **args))) == []


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("query", {"expression": "sum by (job) (up)"}),
        ("query", {"expression": "errors of the shop"}),
        ("query", {"start": "now-1h"}),
        ("query", {"start": "2025-06-01T09:30:00Z"}),
        ("list_pods", {"limit": 1}),
        ("get_order", {"year": 2025}),
        ("get_order", {"latitude": 48.8566}),
        ("get_order", {"labels": {"urgent": True, "note": None}}),
        ("get_alerts", {"severity": "high"}),
        ("get_alerts", {"severity": "not-ready"}),
        ("get_alerts", {"state": "pending"}),
        ("list_pods", {"namespace": "blue-7"}),
    ],
)
def test_what_a_model_words_or_knows_by_itself_is_not_looked_for(tool, args, k8s, make, lint):
    assert nowhere(lint, k8s, make.turn("What is going on?", make.call(tool, **args))) == []


@pytest.mark.parametrize(
    ("tool", "args", "path"),
    [
        ("list_pods", {"namespace": "kube-system"}, "namespace"),
        ("list_pods", {"namespace": "going-up"}, "namespace"),
        ("list_pods", {"limit": 25}, "limit"),
        ("get_order", {"order_id": "A-17"}, "order_id"),
        ("get_order", {"order_id": "17"}, "order_id"),
        ("get_order", {"items": ["X-1", "Y-2"]}, "items[0]"),
        ("get_order", {"labels": {"app": "web-1"}}, "labels.app"),
        ("query", {"expression": "node-7.example.com"}, "expression"),
        ("query", {"minutes": 45}, "minutes"),
    ],
)
def test_what_a_model_could_only_guess_is_a_warning(tool, args, path, k8s, make, lint):
    assert nowhere(lint, k8s, make.turn("What is going on?", make.call(tool, **args)))[0] == path


def test_state_earlier_turns_and_earlier_replies_are_sources(k8s, make, lint):
    lookup = make.call("describe_pod", namespace="shop", pod_name="web-5c1f")
    assert len(nowhere(lint, k8s, make.turn("And it?", lookup))) == 2
    assert nowhere(lint, k8s, make.turn("And it?", lookup), state={"here": ["shop"], "pod": "web-5c1f"}) == []
    earlier = make.turn("Hello", final="Pod web-5c1f of namespace shop is down.")
    assert nowhere(lint, k8s, earlier, make.turn("And it?", lookup)) == []
    said = make.turn("I mean pod web-5c1f of shop.")
    assert nowhere(lint, k8s, said, make.turn("And it?", lookup)) == []
    answered = make.turn("Pods of shop?", make.call("list_pods"), replies={"list_pods": {"pods": ["web-5c1f"]}})
    assert nowhere(lint, k8s, answered, make.turn("And it?", lookup)) == []


def test_a_mocked_reply_is_a_source_once_its_tool_was_called(k8s, make, lint):
    mocks = make.mocks(make.route("list_pods", {"pods": ["web-5c1f"]}))
    first, second = make.call("list_pods"), make.call("describe_pod", namespace="shop", pod_name="web-5c1f")
    assert nowhere(lint, k8s, make.turn("The pods of shop?", first, second), mocks=mocks) == []
    assert nowhere(lint, k8s, make.turn("The pods of shop?", second, first), mocks=mocks) == ["pod_name"]


def test_a_mocked_reply_that_does_not_have_it_is_none(k8s, make, lint):
    mocks = make.mocks(make.route("list_pods", {"pods": ["web-1111"]}))
    second = make.call("describe_pod", namespace="shop", pod_name="web-5c1f")
    assert nowhere(lint, k8s, make.turn("The pods of shop?", make.call("list_pods"), second), mocks=mocks) == [
        "pod_name"
    ]


def test_messages_of_errors_and_written_state_are_sources_too(k8s, make, lint):
    reply = Reply(raises="TimeoutError", message="web-5c1f is gone", state={"last": "shop"})
    mocks = make.mocks(make.route("list_pods", replies=(reply,)))
    second = make.call("describe_pod", namespace="shop", pod_name="web-5c1f")
    assert nowhere(lint, k8s, make.turn("Pods?", make.call("list_pods"), second), mocks=mocks) == []


@pytest.mark.parametrize("passthrough", [False, True])
def test_after_a_reply_that_nothing_tells_anything_may_come_from_it(passthrough, k8s, make, lint):
    mocks = make.mocks(make.route("list_pods", replies=(), passthrough=True)) if passthrough else ()
    second = make.call("describe_pod", namespace="shop", pod_name="web-5c1f")
    turns = (
        make.turn("Pods?", make.call("list_pods"), second),
        make.turn("Go on", make.call("get_order", order_id="A-1")),
    )
    assert nowhere(lint, k8s, *turns, mocks=mocks) == []


def test_calls_made_together_do_not_see_each_others_replies(k8s, make, lint):
    mocks = make.mocks(make.route("list_pods", {"pods": ["web-5c1f"]}))
    calls = make.call("list_pods"), make.call("describe_pod", namespace="shop", pod_name="web-5c1f")
    assert nowhere(lint, k8s, make.turn("The pods of shop?", *calls, author="root"), mocks=mocks) == ["pod_name"]


def test_the_same_value_is_said_once(k8s, make, lint):
    turns = [make.turn("Go", make.call("list_pods", namespace="shop"), replies={"list_pods": {}}) for _ in range(2)]
    assert nowhere(lint, k8s, *turns) == ["namespace"]


@pytest.mark.parametrize(
    "rule",
    [
        {"args": {"list_pods": {"namespace": {"$any": True}}}},
        {"args": {"list_pods": [{"namespace": {"$any": True}}]}},
        {"args": {"list_pods": "ignore"}},
        {"args_match": "ignore"},
    ],
    ids=["by a pattern", "by a pattern for one call", "of this tool", "of every tool"],
)
def test_an_argument_that_the_expectation_leaves_open_is_not_looked_for(k8s, make, lint, rule):
    assert nowhere(lint, k8s, make.turn("Pods?", make.call("list_pods", namespace="shop"), **rule)) == []


def test_an_image_may_show_anything(k8s, make, lint):
    user = Message(role="user", parts=({"text": "And this?"}, {"inline_data": {"mime_type": "image/png", "data": ""}}))
    assert nowhere(lint, k8s, make.turn(user, make.call("list_pods", namespace="shop"))) == []


def test_an_answer_of_the_user_is_a_source(k8s, make, lint):
    answer = {"name": "ask", "response": {"choice": "shop"}}
    user = Message(role="user", parts=({"function_response": answer},))
    assert nowhere(lint, k8s, make.turn(user, make.call("list_pods", namespace="shop"))) == []


def test_what_the_session_held_before_is_a_source(k8s, make, lint):
    prior = (PriorEvent(author="agent", content={"parts": [{"text": "The pods of shop restart."}]}),)
    turn = make.turn("Which ones?", make.call("list_pods", namespace="shop"))
    assert nowhere(lint, k8s, turn, prior_events=prior) == []


def test_plain_words_are_not_compared_across_scripts(k8s, make, lint):
    assert nowhere(lint, k8s, make.turn("列出商店的所有 pods", make.call("list_pods", namespace="shop"))) == []
    assert nowhere(lint, k8s, make.turn("列出所有 pods", make.call("list_pods", namespace="shop-7"))) == ["namespace"]


@pytest.mark.parametrize(
    "changes",
    [{"told_at_run_time": True}, {"instruction": "Read {artifact.runbook}."}],
    ids=["a function", "an artifact"],
)
def test_an_instruction_that_nobody_knows_beforehand_may_say_anything(changes, k8s, make, lint):
    root = replace(k8s.profiles["root"], **changes)
    agent = replace(k8s, profiles={"root": root})
    assert nowhere(lint, agent, make.turn("Pods?", make.call("list_pods", namespace="shop"))) == []


def test_a_memory_may_say_anything(make, lint):
    agent = make.facts(make.tool("list_pods", namespace=""), make.tool("preload_memory", undeclared=True))
    assert nowhere(lint, agent, make.turn("Pods?", make.call("list_pods", namespace="shop"))) == []
