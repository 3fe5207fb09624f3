import asyncio
import json
import subprocess

import pytest

from evalkit.mocks import mocked_exception


@pytest.mark.parametrize(
    ("name", "cls"),
    [
        ("TimeoutError", TimeoutError),
        ("builtins.ValueError", ValueError),
        ("subprocess.SubprocessError", subprocess.SubprocessError),
        ("asyncio.QueueFull", asyncio.QueueFull),
    ],
)
def test_names_of_known_exceptions_are_raised_as_what_they_name(name, cls):
    error = mocked_exception(name, "broker unreachable")
    assert type(error) is cls
    assert str(error) == "broker unreachable"


@pytest.mark.parametrize(
    ("name", "module", "qualname"),
    [
        ("KafkaError", "evalkit.mocks.raising", "KafkaError"),
        ("no.such.package.ApiException", "no.such.package", "ApiException"),
        ("json.NoSuchError", "json", "NoSuchError"),
        ("json.dumps", "json", "dumps"),
    ],
)
def test_any_other_name_becomes_an_exception_class_of_that_name(name, module, qualname):
    error = mocked_exception(name, "boom")
    assert (type(error).__module__, type(error).__name__) == (module, qualname)
    assert type(error).__bases__ == (Exception,)
    assert str(error) == "boom"


def test_the_same_name_is_the_same_class_each_time():
    assert type(mocked_exception("KafkaError", "a")) is type(mocked_exception("KafkaError", "b"))


@pytest.mark.parametrize(
    ("name", "cls"),
    [
        ("UnicodeDecodeError", UnicodeDecodeError),
        ("subprocess.CalledProcessError", subprocess.CalledProcessError),
        ("json.JSONDecodeError", json.JSONDecodeError),
    ],
)
def test_a_class_that_wants_more_than_a_message_is_still_caught_and_still_says_it(name, cls):
    error = mocked_exception(name, "bad bytes")
    assert isinstance(error, cls)
    assert type(error).__name__ == cls.__name__
    assert str(error) == "bad bytes"


@pytest.mark.parametrize(
    "name",
    [
        "SystemExit",
        "KeyboardInterrupt",
        "builtins.SystemExit",
        "GeneratorExit",
        "asyncio.CancelledError",
        "ExceptionGroup",
    ],
)
def test_nothing_that_ends_the_process_or_the_task_is_ever_built(name):
    error = mocked_exception(name, "stop")
    assert isinstance(error, Exception)
    assert not isinstance(error, BaseExceptionGroup)
    assert str(error) == "stop"
