"""What only running the agent shows, on real agents over mocks."""

import pytest

AGENT = """
from google.adk.agents import LlmAgent
from google.adk.tools.function_tool import FunctionTool
from google.adk.tools.long_running_tool import LongRunningFunctionTool


def look(host: str) -> dict:
    '''Look at a host.'''
    raise AssertionError("the real tool ran")


def drop(host: str) -> dict:
    '''Drop a host.'''
    raise AssertionError("the real tool ran")


{more}
root_agent = LlmAgent(name="desk", model="gemini-2.5-flash", {fields})
"""


@pytest.fixture
def made(project):
    """Make the files for an agent with these fields; its cases by id."""

    def made(fields, more="", **options):
        project.agent("desk", AGENT.format(fields=fields, more=more))
        start = project.start("desk", **options)
        return {draft.eval_id: draft for draft in start.drafts}

    return made


def test_a_case_that_can_be_played_stays_as_it_is(made):
    draft = made("tools=[look]")["look"]
    assert (draft.ending, draft.answer, draft.exact, draft.fault) == (
        "answered",
        "The result is example-result.",
        True,
        None,
    )


def test_a_tool_that_asks_first_is_confirmed_in_a_second_turn(made):
    drafts = made("tools=[look, FunctionTool(drop, require_confirmation=True)]")
    assert {name: (draft.ending, draft.exact, draft.fault) for name, draft in drafts.items()} == {
        "look": ("answered", True, None),
        "small_talk": ("answered", True, None),
        "drop": ("confirmed", False, None),
    }


def test_a_tool_that_only_sometimes_asks_is_as_it_is_for_the_example(made):
    more = "def asks(host: str) -> bool:\n    return host != 'host.example.com'\n"
    assert made("tools=[FunctionTool(drop, require_confirmation=asks)]", more)["drop"].ending == "answered"


def test_a_callback_that_stands_in_the_way_is_expected_to(made):
    more = (
        "def guard(tool, args, tool_context):\n"
        "    if tool.name == 'drop' and tool_context.state.get('role') != 'admin':\n"
        "        return {'error': 'Only an admin may do that.'}\n"
    )
    fields = "tools=[look, FunctionTool(drop, require_confirmation=True)], before_tool_callback=guard"
    draft = made(fields, more)["drop"]
    assert (draft.ending, draft.refusal) == ("blocked", {"error": "Only an admin may do that."})
    assert (draft.answer, draft.exact, draft.fault) == ("Nothing was done: it was refused.", True, None)


def test_the_state_that_a_guard_asks_for_may_be_given(made):
    more = (
        "def guard(tool, args, tool_context):\n"
        "    return None if tool_context.state.get('role') == 'admin' else {'error': 'no'}\n"
    )
    assert made("tools=[drop], before_tool_callback=guard", more, state={"role": "admin"})["drop"].ending == "answered"


def test_a_refused_transfer_makes_one_case_for_all_that_is_behind(made):
    more = (
        "def guard(tool, args, tool_context):\n"
        "    return {'error': 'Stay here.'} if tool.name == 'transfer_to_agent' else None\n"
        "other = LlmAgent(name='other', model='gemini-2.5-flash', description='Other', tools=[look, drop])\n"
    )
    drafts = made("sub_agents=[other], before_tool_callback=guard", more)
    assert list(drafts) == ["desk_may_not_call_other", "small_talk"]
    assert drafts["desk_may_not_call_other"].fault is None


def test_an_answer_that_the_agent_would_change_is_left_out(made):
    more = (
        "def shout(callback_context, llm_response):\n"
        "    for part in llm_response.content.parts:\n"
        "        part.text = part.text and part.text.upper() + '!'\n"
    )
    drafts = made("tools=[look], after_model_callback=shout", more)
    assert [(draft.answer, draft.must_say, draft.fault) for draft in drafts.values()] == [(None, None, None)] * 2


def test_a_route_that_code_of_the_agents_own_chooses_is_left_out(made):
    more = (
        "from google.adk.agents import BaseAgent\n"
        "inner = LlmAgent(name='inner', model='gemini-2.5-flash', tools=[look])\n"
        "class Own(BaseAgent):\n"
        "    async def _run_async_impl(self, ctx):\n"
        "        async for event in inner.run_async(ctx):\n"
        "            yield event\n"
        "own = Own(name='own', description='Own', sub_agents=[inner])\n"
    )
    draft = made("sub_agents=[own]", more)["look"]
    assert draft.fault is None


def test_a_long_running_tool_is_answered_at_once(made):
    assert made("tools=[LongRunningFunctionTool(look)]")["look"].fault is None


def test_calls_inside_an_agent_tool_are_not_seen_by_adk(made):
    more = (
        "from google.adk.tools.agent_tool import AgentTool\n"
        "inner = LlmAgent(name='inner', model='gemini-2.5-flash', description='Inner', tools=[look])\n"
    )
    drafts = made("tools=[AgentTool(inner)]", more)
    assert [(draft.eval_id, draft.exact, draft.fault) for draft in drafts.values()] == [
        ("look", False, None),
        ("small_talk", True, None),
    ]


def test_what_cannot_be_played_says_why(made):
    more = "def break_down(tool, args, tool_context):\n    raise RuntimeError('the callback broke')\n"
    drafts = made("tools=[look], before_tool_callback=break_down", more)
    assert "RuntimeError: the callback broke" in drafts["look"].fault
    assert drafts["small_talk"].fault is None
