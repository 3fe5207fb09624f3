import pytest

from evalkit.cases import CallPattern

RULE = "ordered-tool"


def agent_told(make, instruction):
    return make.facts(make.tool("get_overview"), make.tool("list_nodes"), make.tool("get_pod"), instruction=instruction)


def missing(make, lint, instruction, *turns):
    turns = turns or (make.turn("What is wrong with pod a?", make.call("get_pod")),)
    problems = lint.case(agent_told(make, instruction), *turns, only=RULE)
    return [problem.hint.split('"')[3] for problem in problems]


def test_a_tool_that_the_instruction_orders_is_missed_with_what_to_write(make, lint):
    agent = agent_told(make, "You help.\n\nAlways start with get_overview.")
    (problem,) = lint.case(agent, make.turn("And pod a?", make.call("get_pod")), only=RULE)
    assert problem.severity == "warning"
    assert problem.path == "$.eval_cases[0].conversation[0].intermediate_data"
    assert problem.message == (
        'the instruction of root says "Always start with get_overview.", and the expectation has no call of'
        " `get_overview`"
    )
    assert problem.hint == (
        'add {"name": "get_overview", "args": {…}}, or'
        ' "evalkit": {"expect": [{"trajectory": {"optional": ["get_overview"]}}]}'
    )


@pytest.mark.parametrize(
    "instruction",
    [
        "Start with get_overview and list_nodes, two overview tools.",
        "First call get_overview and list_nodes.",
        "First, use get_overview and list_nodes. Then answer.",
        "Before anything else, call `get_overview` and `list_nodes`.",
        "Begin by calling get_overview and list_nodes, then look closer with get_pod as needed.",
        "You should always call get_overview and list_nodes.",
        "Call get_overview and list_nodes first.",
        "You **always** start with **get_overview** and **list_nodes**.",
        "Steps:\n1. Always begin with get_overview.\n2. Before answering, check list_nodes.",
        "# Workflow\n\n- Always call get_overview and\n  list_nodes.\n- Be brief.",
        "When asked for names:\n- Give them.\n\nAlways start with get_overview and list_nodes.",
    ],
)
def test_orders_for_every_request_are_found(instruction, make, lint):
    assert missing(make, lint, instruction) == ["get_overview", "list_nodes"]


@pytest.mark.parametrize(
    "instruction",
    [
        "",
        "Which nodes there are: list_nodes. What is wrong: get_overview.",
        "When the user asks about nodes, always start with list_nodes.",
        "When the user asks about nodes:\n- Always start with list_nodes.",
        "When the user asks about nodes:\n1. First call list_nodes.\n2. Be brief.",
        "## Questions about nodes\nFirst call list_nodes.",
        "- Nodes, when they are asked for. Call list_nodes first.",
        "Always use list_nodes for nodes.",
        "Always use list_nodes to count them.",
        "Always call list_nodes before get_pod.",
        "Always call list_nodes or get_overview.",
        "Never start with get_overview.",
        "Call the tool that answers and no other: no get_overview first.",
        "Use list_nodes to get the first 20 nodes.",
        "Names start with two underscores, as list_nodes shows.",
        "First look at the question. Then call get_overview.",
        "Always call get_overviews.",
    ],
)
def test_orders_with_a_condition_and_other_words_are_not(instruction, make, lint):
    assert missing(make, lint, instruction) == []


ORDER = "Always start with get_overview."


def test_a_call_of_it_satisfies_the_order_for_the_conversation(make, lint):
    first = make.turn("Hello", make.call("get_overview"), make.call("get_pod"))
    assert missing(make, lint, ORDER, first, make.turn("And pod b?", make.call("get_pod"))) == []


def test_it_is_missed_once_a_conversation(make, lint):
    turns = [make.turn("And pod b?", make.call("get_pod")) for _ in range(3)]
    assert missing(make, lint, ORDER, *turns) == ["get_overview"]


def test_an_expectation_that_speaks_of_the_tool_knows_what_it_does(make, lint):
    turn = make.turn("And pod a?", make.call("get_pod"), optional=(CallPattern(name="get_overview"),))
    assert missing(make, lint, ORDER, turn) == []


def test_small_talk_without_any_call_needs_no_overview(make, lint):
    assert missing(make, lint, ORDER, make.turn("Hello!")) == []


def test_the_order_is_for_the_agent_that_is_told(make, lint):
    other = make.profile("other", make.tool("get_disk"), make.tool("get_overview"), instruction=ORDER)
    agent = make.facts(make.tool("get_pod"), others=[other])
    assert lint.case(agent, make.turn("And pod a?", make.call("get_pod")), only=RULE) == []
    assert len(lint.case(agent, make.turn("And disk a?", make.call("get_disk")), only=RULE)) == 1


def missing_for(make, lint, instruction, *calls, other=()):
    tools = [make.tool(name) for name in ("whoami", "scale_deployment", "delete_pod", "get_pod", "verify", *other)]
    agent = make.facts(*tools, make.tool("rollback", "Roll a deployment back."), instruction=instruction)
    turn = make.turn("Do it", *(make.call(name) for name in calls))
    return [problem.hint.split('"')[3] for problem in lint.case(agent, turn, only=RULE)]


@pytest.mark.parametrize(
    ("instruction", "call"),
    [
        ("Before you scale or roll back anything, call whoami.", "scale_deployment"),
        ("Before you scale or roll back anything, call whoami.", "rollback"),
        ("You operate releases. Before scaling a deployment, always call whoami. Be brief.", "scale_deployment"),
        ("Before deleting pods, first check whoami.", "delete_pod"),
        ("Before you roll back a deployment, you must call whoami.", "rollback"),
        ("After you scale or delete anything, please call whoami.", "delete_pod"),
    ],
)
def test_an_order_on_the_occasion_of_a_call_holds_for_that_call(instruction, call, make, lint):
    assert missing_for(make, lint, instruction, call) == ["whoami"]
    assert missing_for(make, lint, instruction, "whoami", call) == []
    assert missing_for(make, lint, instruction, "get_pod") == []


@pytest.mark.parametrize(
    "instruction",
    [
        "Before you scale a broker, call whoami.",
        "Before you roll back a database, call whoami.",
        "Before you restart anything, call whoami.",
        "Before you scale anything, call whoami if nobody knows who asks.",
        "Before you scale anything when asked to, call whoami.",
        "Before you scale anything, whoami may help.",
        "Before you scale anything, call whoami or get_pod.",
        "Before you answer questions on scale, call whoami.",
        "In production: Before you scale anything, call whoami.",
        "# When asked to scale\nBefore you scale anything, call whoami.",
    ],
)
def test_an_occasion_that_may_be_another_is_left_alone(instruction, make, lint):
    assert missing_for(make, lint, instruction, "scale_deployment", "rollback") == []


def test_the_order_after_an_occasion_is_an_order_as_before(make, lint):
    told = "Before you scale anything, call whoami. Always start with get_pod."
    assert missing_for(make, lint, told, "rollback") == ["get_pod"]
