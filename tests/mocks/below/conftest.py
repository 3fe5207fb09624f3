"""Short words for fakes, and a world to play them in."""

import contextlib
import json
import os

import pytest

from evalkit.fakes import CommandFake, CommandReply, CommandRoute, HttpFake, HttpReply, HttpRoute
from evalkit.mocks.below import World


@pytest.fixture(scope="session")
def route():
    """Make an HTTP route out of `GET /path`, and replies: texts, JSON values or whole replies."""

    def made(request, *replies, label="", repeat_last=True, **parts):
        method, _, path = request.partition(" ")
        parts = {**({"method": method} if method else {}), **({"path": path} if path else {}), **parts}
        return HttpRoute(
            request=parts, replies=tuple(map(http_reply, replies)), repeat_last=repeat_last, label=label or request
        )

    return made


def http_reply(value):
    if isinstance(value, HttpReply):
        return value
    if isinstance(value, str):
        return HttpReply(body=value.encode(), headers=(("Content-Type", "text/plain; charset=utf-8"),))
    return HttpReply(body=json.dumps(value).encode(), headers=(("Content-Type", "application/json"),))


@pytest.fixture(scope="session")
def service():
    """Make a service whose address is in SERVICE_URL."""
    return lambda *routes, **options: HttpFake(routes=routes, **({"env": {"SERVICE_URL": "{url}"}} | options))


@pytest.fixture(scope="session")
def program():
    """Make a program out of a pattern for its arguments and what it writes, or does, each."""

    def made(name, *routes):
        return CommandFake(program=name, routes=tuple(map(command_route, routes)))

    return made


def command_route(given):
    if isinstance(given, CommandRoute):
        return given
    argv, *outputs = given
    replies = tuple(
        output if isinstance(output, CommandReply) else CommandReply(stdout=output.encode()) for output in outputs
    )
    return CommandRoute(call={"argv": argv}, replies=replies, label=f"mocks.yaml {' '.join(map(str, argv))}")


@pytest.fixture
def playing():
    """Open a world with these fakes, and in it one case that has them all."""

    @contextlib.contextmanager
    def played(*own, folder=(), turn=lambda: 0, package=None, **options):
        with World([*own, *folder], **options) as world, world.case(own, folder, turn=turn, package=package) as fakes:
            yield fakes

    return played


@pytest.fixture
def url():
    """The address in SERVICE_URL, as an agent reads it."""
    return lambda path="": os.environ["SERVICE_URL"] + path
