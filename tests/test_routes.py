import pytest

from evalkit.routes import Reply, reply_faults


@pytest.mark.parametrize("name", [None, "TimeoutError", "KafkaError", "kubernetes.client.ApiException", "json.dumps"])
def test_what_a_tool_may_raise_is_no_fault(name):
    assert reply_faults(Reply(raises=name)) == []


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        (
            "SystemExit",
            "SystemExit ends the process and never reaches the agent; raise an Exception such as TimeoutError",
        ),
        ("builtins.KeyboardInterrupt", "KeyboardInterrupt ends the process"),
        ("asyncio.CancelledError", "asyncio.CancelledError cancels the task that plays the case"),
        ("ExceptionGroup", "ExceptionGroup cannot be made from a message"),
        ("print", "print is not an exception; write one such as TimeoutError"),
        ("int", "int is not an exception"),
        ("time out", '"time out" names no exception; write a built-in one such as TimeoutError, a dotted path'),
        ("", '"" names no exception'),
        ("a..b", '"a..b" names no exception'),
    ],
)
def test_what_cannot_be_raised_is_a_fault_that_says_why(name, fault):
    ((path, message),) = reply_faults(Reply(raises=name))
    assert path == ".raises.type"
    assert message.startswith(fault)
