"""What would run outside of the agent's own process: it needs leave, or a route."""

import pytest
from google.adk.agents import BaseAgent, LlmAgent
from google.adk.code_executors.base_code_executor import BaseCodeExecutor
from google.adk.code_executors.code_execution_utils import CodeExecutionResult
from google.adk.tools.agent_tool import AgentTool
from google.adk.workflow import Workflow
from pydantic import Field

from evalkit.traces import Failure

MODEL = "gemini-2.5-flash"
CODE = "Let me compute.\n```python\nprint(6 * 7)\n```"


class Executor(BaseCodeExecutor):
    """A code executor that only notes what it is asked to run."""

    ran: list[str] = Field(default_factory=list)

    def execute_code(self, invocation_context, code_execution_input):
        self.ran.append(code_execution_input.code.strip())
        return CodeExecutionResult(stdout="42")


class RemoteA2aAgent(BaseAgent):
    """Stands for ADK's class of this name, which needs an extra."""

    async def _run_async_impl(self, ctx):
        raise AssertionError("the remote agent was called")
        yield


def remote():
    return RemoteA2aAgent(name="remote", description="far away")


def test_a_code_executor_does_not_run(make, run):
    executor = Executor()
    outcome = run.one(LlmAgent(name="one", model=MODEL, code_executor=executor), make.turn(final=CODE))
    message = "Executor was asked to run code, which needs --allow-passthrough"
    assert outcome.failure == Failure(kind="tool_error", message=message)
    assert executor.ran == []


def test_a_code_executor_runs_if_the_command_line_allows_it(make, run):
    executor = Executor()
    agent = LlmAgent(name="one", model=MODEL, code_executor=executor)
    assert run.one(agent, make.turn(final=CODE), passthrough=True).failure is None
    assert set(executor.ran) == {"print(6 * 7)"}


def test_an_agent_without_a_code_executor_may_show_code(make, run):
    outcome = run.one(LlmAgent(name="one", model=MODEL), make.turn(final=CODE))
    assert (outcome.failure, outcome.trace.turns[0].final.text) == (None, CODE)


@pytest.mark.parametrize("how", ["root", "transfer", "node"])
def test_a_remote_agent_is_not_reached(make, run, how):
    root = {
        "root": remote,
        "transfer": lambda: LlmAgent(name="root", model=MODEL, sub_agents=[remote()]),
        "node": lambda: Workflow(name="flow", edges=[("START", LlmAgent(name="one", model=MODEL), remote())]),
    }[how]()
    calls = [make.call("transfer_to_agent", agent_name="remote")] if how == "transfer" else []
    outcome = run.one(root, make.turn(*calls))
    assert outcome.failure == Failure(
        kind="case_error",
        message=(
            "remote is a RemoteA2aAgent, which runs on another machine: offer it as an agent tool and mock that with a"
            " route, or allow the real one with --allow-passthrough"
        ),
    )


def test_a_remote_agent_behind_an_agent_tool_is_answered_by_a_route(make, run):
    root = LlmAgent(name="root", model=MODEL, tools=[AgentTool(remote())])
    turn = make.turn(make.call("remote", request="?"))
    answered = run.one(root, turn, mocks=[make.route("remote", {"result": "75"})])
    missed = run.one(root, turn)
    assert (run.tools(answered, "status", "reply"), run.tools(missed, "status")) == (
        [("answered", {"result": "75"})],
        [("missed",)],
    )


def test_a_remote_agent_that_is_let_through_is_called(make, run):
    root = LlmAgent(name="root", model=MODEL, tools=[AgentTool(remote())])
    turn = make.turn(make.call("remote", request="?"))
    outcome = run.one(root, turn, mocks=[make.route("remote", passthrough=True)], passthrough=True)
    assert outcome.failure == Failure(
        kind="tool_error",
        message="AssertionError: the remote agent was called",
        where=outcome.failure.where,
    )
