"""A real worker process with real ADK agents in it; one process serves all these tests, as it would a run."""

import json
import queue
from textwrap import dedent

import pytest

from evalkit.cases import Case, Message, Step, ToolCall, Turn
from evalkit.codec.decoding import decode
from evalkit.errors import AgentLoadError
from evalkit.play import Job, PlayOptions
from evalkit.process import WorkerProcess
from evalkit.protocol import AgentReady, Assignment, Done, Finished, Secrets, Started, Unusable
from evalkit.routes import MockSet, Reply, Route
from evalkit.traces import Outcome

AGENT = """
    from google.adk.agents import LlmAgent

    def get_lag(group: str) -> dict:
        '''Say how far behind a consumer group is.'''
        raise AssertionError("the real tool ran")

    def before_tool(tool, args, tool_context):
        {before_tool}

    root_agent = LlmAgent(
        name={name}, model="gemini-2.5-flash", tools=[get_lag], before_tool_callback=before_tool
    )
"""

MOCKS = MockSet(
    file="mocks.yaml",
    routes=(
        Route(tool="get_lag", args={"group": "orders"}, replies=(Reply(value={"lag": 75}),)),
        Route(tool="get_lag", args={"group": "down"}, replies=(Reply(raises="TimeoutError", message="broker"),)),
    ),
)


@pytest.fixture(scope="module")
def worker(tmp_path_factory):
    """A worker that was started where nobody should start anything."""
    folder = tmp_path_factory.mktemp("current")
    for module in ("asyncio", "pickle", "evalkit", "google"):
        (folder / f"{module}.py").write_text("raise SystemExit('imported from the current folder')", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        process = WorkerProcess()
    yield process
    process.end()


@pytest.fixture
def write_agent(tmp_path):
    """Write an agent's package and give its folder."""

    def write(folder="kafka", *, before_tool="pass", name="'kafka'", above="", **files):
        package = tmp_path / folder
        package.mkdir(parents=True, exist_ok=True)
        code = dedent(AGENT).format(before_tool=before_tool.replace("\n", "\n    "), name=name)
        (package / "agent.py").write_text(f"{dedent(above)}\n{code}", encoding="utf-8")
        (package / "__init__.py").write_text("from . import agent\n", encoding="utf-8")
        for file, text in files.items():
            (package / f"{file}.py").write_text(text, encoding="utf-8")
        return package

    return write


def case(eval_id, group="orders"):
    turn = Turn(
        index=0,
        user=Message(role="user", parts=({"text": "How far behind?"},)),
        final=Message(role="model", parts=({"text": "It is 75 behind."},)),
        steps=(Step(calls=(ToolCall(name="get_lag", args={"group": group}, where="$.x"),)),),
    )
    return Case(eval_id=eval_id, turns=(turn,))


def assignment(agent, *cases, timeout=60, concurrency=1, **fields):
    return Assignment(
        agent=str(agent),
        jobs=tuple(
            Job(number=number, file="lag.test.json", case=case, folder_mocks=MOCKS) for number, case in enumerate(cases)
        ),
        options=PlayOptions(timeout=timeout, concurrency=concurrency),
        **fields,
    )


def serve_and_tell_all(worker, assignment):
    """Have an assignment played and give the messages up to the last."""
    heard = queue.SimpleQueue()
    worker.assign(assignment, heard.put)
    messages = [heard.get(timeout=120)]
    while isinstance(messages[-1], Secrets | AgentReady | Started | Finished):
        messages.append(heard.get(timeout=120))
    return messages


def serve(worker, assignment):
    """Do the same, and leave out what is told of the secrets of whoever runs the tests."""
    return [message for message in serve_and_tell_all(worker, assignment) if not isinstance(message, Secrets)]


def outcomes(messages):
    assert isinstance(messages[-1], Done), messages
    return [decode(Outcome, json.loads(message.outcome)) for message in messages if isinstance(message, Finished)]


def names(worker, agent, **fields):
    """The names of the agents in what was loaded."""
    ready, *_ = serve(worker, assignment(agent, **fields))
    assert isinstance(ready, AgentReady), ready
    return list(ready.tools)


def test_a_case_is_played_on_the_real_agent_in_another_process(worker, write_agent):
    agent = write_agent()
    messages = serve(worker, assignment(agent, case("one")))

    assert messages[0] == AgentReady(str(agent), {"kafka": ("get_lag",)})
    assert [type(message) for message in messages[1:]] == [Started, Finished, Done]
    (outcome,) = outcomes(messages)
    (event,) = outcome.trace.turns[0].tools
    assert (event.name, event.status, event.reply) == ("get_lag", "answered", {"lag": 75})
    assert outcome.trace.turns[0].final.text == "It is 75 behind."
    assert outcome.failure is None


def test_secrets_of_the_environment_are_told_before_anything_that_has_them(worker, write_agent):
    fetched = """
        import os
        os.environ["FETCHED_TOKEN"] = os.environ["OWN_TOKEN"][::-1]
    """
    agent = write_agent(above=fetched, before_tool="os.environ['LATE_PASSWORD'] = 'horse-battery'")
    (agent / ".env").write_text("OWN_TOKEN=abc12345\nLAG_TOKEN=none\n", encoding="utf-8")
    messages = serve_and_tell_all(worker, assignment(agent, case("one")))

    assert [type(message) for message in messages] == [Secrets, Secrets, AgentReady, Started, Secrets, Finished, Done]
    own, after_import, late = (message.variables for message in messages if isinstance(message, Secrets))
    assert (own["OWN_TOKEN"], "LAG_TOKEN" in own, "FETCHED_TOKEN" in own) == ("abc12345", False, False)
    fetched_later = (after_import.get("FETCHED_TOKEN"), late.get("LATE_PASSWORD"))
    assert fetched_later == ("54321cba", "horse-battery")


def test_five_cases_of_one_run_have_five_outcomes(worker, write_agent):
    agent = write_agent(
        before_tool="""
if args["group"] == "broken":
    raise KeyError("no such group")
while args["group"] == "stuck":
    pass
"""
    )
    played = outcomes(
        serve(
            worker,
            assignment(
                agent,
                case("agent-raises", "broken"),
                case("tool-raises", "down"),
                case("misses-its-mock", "unheard-of"),
                case("blocks-for-ever", "stuck"),
                case("fine"),
                timeout=6,
            ),
        )
    )

    assert {outcome.eval_id: outcome.failure and outcome.failure.kind for outcome in played} == {
        "agent-raises": "agent_error",
        "tool-raises": "tool_error",
        "misses-its-mock": None,
        "blocks-for-ever": "timeout_exceeded",
        "fine": None,
    }
    assert {outcome.eval_id: outcome.trace.turns[0].tools[0].status for outcome in played} == {
        "agent-raises": "unanswered",
        "tool-raises": "raised",
        "misses-its-mock": "missed",
        "blocks-for-ever": "unanswered",
        "fine": "answered",
    }
    assert played[0].failure.message == "KeyError: 'no such group'"
    assert played[0].failure.where.startswith(str(agent / "agent.py"))
    assert played[1].failure.message == "TimeoutError: broker"
    assert [miss.args for miss in played[2].trace.misses] == [{"group": "unheard-of"}]


def test_while_one_case_blocks_those_beside_it_are_played_to_their_end(worker, write_agent):
    agent = write_agent(before_tool="while args['group'] == 'stuck': pass")
    cases = [case("stuck", "stuck"), case("a"), case("b"), case("c")]
    played = outcomes(serve(worker, assignment(agent, *cases, timeout=6, concurrency=4)))

    assert {outcome.eval_id: outcome.failure and outcome.failure.kind for outcome in played} == {
        "stuck": "timeout_exceeded",
        "a": None,
        "b": None,
        "c": None,
    }


def test_what_agents_print_does_not_disturb_the_messages(worker, write_agent):
    loud = """
        import os, sys

        def shout():
            print("printed")
            sys.stdout.write("written")
            os.write(1, b"\\x00" * 100)

        shout()
    """
    (outcome,) = outcomes(serve(worker, assignment(write_agent(above=loud, before_tool="shout()"), case("one"))))

    assert outcome.failure is None


def test_agents_find_their_input_empty(worker, write_agent):
    ask = """
        import sys

        def ask():
            if sys.stdin.read():
                raise AssertionError("there is something on standard input")
            input("Continue? ")
    """
    (outcome,) = outcomes(serve(worker, assignment(write_agent(above=ask, before_tool="ask()"), case("one"))))

    assert outcome.failure.message.startswith("EOFError")


def test_two_agents_whose_packages_have_one_name_do_not_meet(worker, write_agent):
    above = "from kafka.helpers import NAME"
    one = write_agent("one/kafka", above=above, name="NAME", helpers="NAME = 'first'")
    two = write_agent("two/kafka", above=above, name="NAME", helpers="NAME = 'second'")

    assert [names(worker, one), names(worker, two), names(worker, one)] == [["first"], ["second"], ["first"]]


def test_an_agent_has_its_own_environment_and_the_next_one_does_not(worker, write_agent):
    above = "import os"
    name = "os.environ.get('EVALKIT_TEST_COLOUR', 'none')"
    red = write_agent("red", above=above, name=name)
    (red / ".env").write_text("EVALKIT_TEST_COLOUR=red\n", encoding="utf-8")
    plain = write_agent("plain", above="import os\nos.environ['EVALKIT_TEST_LEFT'] = 'left'", name=name)
    last = write_agent("last", above=above, name="os.environ.get('EVALKIT_TEST_LEFT', 'none')")

    assert names(worker, red) == ["red"]
    assert names(worker, plain) == ["none"]
    assert names(worker, last) == ["none"]
    assert names(worker, red, environment={"EVALKIT_TEST_COLOUR": "blue"}) == ["blue"]


def test_an_agent_that_moves_elsewhere_takes_nobody_with_it(worker, write_agent, tmp_path):
    mover = write_agent("mover", above=f"import os\nos.chdir({str(tmp_path)!r})")
    reader = write_agent("reader", above="import os", name="os.path.basename(os.getcwd())[:7]")

    assert names(worker, mover) == ["kafka"]
    assert names(worker, reader) == ["current"]


@pytest.mark.parametrize(
    ("above", "message"),
    [
        ("raise KeyError('x')", r"kafka: importing the agent failed: KeyError: 'x' \(.*agent\.py:1.*\)"),
        (
            "import no_such_module",
            r"kafka: importing the agent failed: ModuleNotFoundError: No module named 'no_such_.*",
        ),
        ("import sys; sys.exit(3)", r"kafka: importing the agent ended with SystemExit\(3\)"),
        ("def f(:", r"kafka: importing the agent failed: SyntaxError: .*"),
    ],
)
def test_an_agent_that_fails_to_import_is_one_line_and_the_worker_lives_on(above, message, worker, write_agent):
    (answer,) = serve(worker, assignment(write_agent(above=above), case("one")))

    assert isinstance(answer, Unusable)
    with pytest.raises(AgentLoadError, match=f"^{message}$"):
        raise answer.error
    assert names(worker, write_agent("well", name="'well'")) == ["well"]


def test_an_agent_that_is_not_there_is_one_line(worker, tmp_path):
    (answer,) = serve(worker, assignment("no/such folder", case("one")))

    assert isinstance(answer, Unusable)
    assert str(answer.error) == "no/such folder: no such agent folder, and no module could be called that"


def test_state_that_only_the_agents_own_classes_can_say_arrives_as_text(worker, write_agent):
    above = """
        class Cluster:
            def __str__(self):
                return "three brokers"
    """
    agent = write_agent(above=above, before_tool="tool_context.state['cluster'] = Cluster()")
    (outcome,) = outcomes(serve(worker, assignment(agent, case("one"))))

    assert "three brokers" in json.dumps(outcome.trace.state["cluster"])
