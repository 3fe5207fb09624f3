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
