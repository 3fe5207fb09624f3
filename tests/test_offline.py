"""The tests' own rule: nothing leaves this machine, and nobody's credentials are used."""

import os
import socket

import pytest


def test_a_connection_that_leaves_this_machine_fails_the_test():
    with socket.socket() as door, pytest.raises(AssertionError, match=r"tried to reach .*192\.0\.2\.1"):
        door.connect(("192.0.2.1", 80))


def test_a_connection_on_this_machine_works():
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        visitor, _ = server.accept()
        with visitor:
            client.sendall(b"hello")
            assert visitor.recv(5) == b"hello"


@pytest.mark.parametrize("name", ["GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS", "OPENAI_API_KEY"])
def test_no_credential_is_left_in_the_environment(name):
    assert name not in os.environ
