"""What a live model does, in each protocol and with streaming, has the right verdict for the right reason."""

import itertools
from importlib.util import find_spec

import pytest

EXPECTED = {
    "right": ("passed", ""),
    "wrong tool": ("failed", "0 of 1 expected calls were made"),
    "wrong argument": ("failed", 'get_lag ($.group: wanted "orders", found "payments")'),
    "no such tool": ("failed", "0 of 1 expected calls were made"),
    "no argument": ("failed", "0 of 1 expected calls were made"),
    "busy at first": ("passed", ""),
    "busy for ever": ("error", "model_error: lag asked "),
    "refused": ("error", "model_error: lag asked "),
    "hangs": ("failed", "timeout_exceeded: the case used up its 6 s"),
    "broken": ("error", "model_error: lag"),
    "silent": ("failed", "no response: the agent neither said nor called anything"),
}

CUT_OFF = {"broken": ("failed", "no response: ")}
"""What clients of OpenAI's protocol make of a stream that breaks off: it ends, and nothing was said."""


def needs(library):
    return pytest.mark.skipif(
        find_spec(library) is None, reason=f"needs {library}, which is no dependency of evalkit's"
    )


CLIENTS = [
    pytest.param("gemini-2.5-flash", id="gemini"),
    pytest.param("apigee/openai/stand-in", id="openai by ADK's own client"),
    pytest.param("gpt-4o", id="openai by its own library", marks=needs("openai")),
    pytest.param("openai/gpt-4o", id="openai by litellm", marks=needs("litellm")),
]


@pytest.fixture
def server(serve, answers):
    """A model that does what its user says, and answers once a tool has replied."""
    right = answers.call("get_lag", group="orders")
    acts = {
        "right": itertools.repeat(right),
        "wrong tool": itertools.repeat(answers.call("list_groups")),
        "wrong argument": itertools.repeat(answers.call("get_lag", group="payments")),
        "no such tool": itertools.repeat(answers.call("delete_group", group="orders")),
        "no argument": itertools.repeat(answers.call("get_lag")),
        "busy at first": iter([answers.Refuse(429, wait=0), answers.Refuse(503, wait=0), right]),
        "busy for ever": itertools.repeat(answers.Refuse(429, wait=0)),
        "refused": itertools.repeat(answers.Refuse(400, body={"error": {"code": 400, "message": "key not valid"}})),
        "hangs": itertools.repeat(answers.Hang()),
        "broken": itertools.repeat(answers.Raw(b'data: {"candidates": [{"content"')),
        "silent": itertools.repeat(answers.Say("")),
    }
    return serve(lambda asked: answers.Say("The lag is 75.") if asked.replies else next(acts[asked.user]))


@pytest.mark.parametrize("streaming", [False, True], ids=["whole", "streaming"])
@pytest.mark.parametrize("model", CLIENTS)
def test_each_behaviour_has_its_verdict_for_its_own_reason(project, make_case, server, model, streaming):
    protocol = "gemini" if model.startswith("gemini-") else "openai"
    expected = {**EXPECTED, **(CUT_OFF if streaming and protocol == "openai" else {})}
    project.evalset(*(make_case(name) for name in expected))

    done = project.run(server, models=(model,), streaming=streaming, timeout=6)

    assert done.verdicts == {name: verdict for name, (verdict, _) in expected.items()}
    assert {name: reason for name, (_, reason) in expected.items() if reason not in done.reasons[name]} == {}
    assert {(asked.protocol, asked.streaming) for asked in server.asked} == {(protocol, streaming)}
    assert sum(asked.user == "busy for ever" for asked in server.asked) >= 7
    assert sum(asked.user == "refused" for asked in server.asked) == 1
    assert done.notes["no such tool"] == ("lag called `delete_group`, a tool that it does not have",)
