"""The world outlives its cases: addresses and programs stay, routes and state come and go."""

import asyncio
import os
import threading

import httpx
import pytest

from evalkit.errors import FakeError, InputError
from evalkit.fakes import HttpFake
from evalkit.mocks.below import World


@pytest.fixture
def read():
    """Read a path of the service, as an agent would that remembers the address from its import."""
    return lambda address, path="/x": httpx.get(address + path).text


def test_the_address_is_there_before_any_case_and_the_same_in_all(service, route, read):
    one, two = service(route("GET /x", "one")), service(route("GET /x", "two"))
    with World([one, two]) as world:
        address = os.environ["SERVICE_URL"]
        with world.case([one]):
            assert read(address) == "one"
        with world.case([two]):
            assert read(address) == "two"


def test_a_client_that_keeps_its_connections_works_across_cases(service, route):
    one, two = service(route("GET /x", "one")), service(route("GET /x", "two"))
    with World([one, two]) as world, httpx.Client(base_url=os.environ["SERVICE_URL"]) as client:
        for fake in (one, two, one):
            with world.case([fake]):
                client.get("/x")
        with world.case([two]):
            assert client.get("/x").text == "two"


def test_each_case_starts_its_sequences_anew(service, route, read):
    fake = service(route("GET /x", "1", "2", repeat_last=False))
    with World([fake]) as world:
        for _ in range(2):
            with world.case([fake]) as fakes:
                assert [read(os.environ["SERVICE_URL"]) for _ in range(2)] == ["1", "2"]
                assert (fakes.misses, len(fakes.events), fakes.unused()) == ((), 2, ())


def test_a_case_does_not_see_the_routes_of_another(service, route, read):
    fake = service(route("GET /x", "one"))
    with World([fake]) as world, world.case() as fakes:
        address = os.environ["SERVICE_URL"]
        assert "no result" in read(address)
        assert (
            fakes.misses[0].message == "the agent's code asked SERVICE_URL for GET /x, but the case fakes nothing there"
        )


def test_requests_outside_of_cases_are_kept_by_the_world(service, route, read):
    fake = service(route("GET /x", "one"))
    with World([fake]) as world:
        assert "no result" in read(os.environ["SERVICE_URL"])
        with world.case([fake]) as fakes:
            pass
    assert fakes.misses == ()
    assert [miss.tool for miss in world.outside] == ["http SERVICE_URL"]


def test_a_thread_of_the_agent_is_answered_by_the_case_in_play(service, route, read):
    fake = service(route("GET /x", "one"))
    with World([fake]) as world, world.case([fake]):
        seen = []
        address = os.environ["SERVICE_URL"]
        thread = threading.Thread(target=lambda: seen.append(read(address)))
        thread.start()
        thread.join()
    assert seen == ["one"]


@pytest.mark.parametrize(
    ("env", "path", "form"),
    [
        ({"SERVICE_URL": "{url}"}, "", r"http://127\.0\.0\.1:\d+"),
        ({"SERVICE_URL": "{url}"}, "/prometheus", r"http://127\.0\.0\.1:\d+/prometheus"),
        ({"SERVICE_URL": "{host}:{port}"}, "", r"127\.0\.0\.1:\d+"),
        ({"SERVICE_URL": "{url}/api?x={{y}}"}, "", r"http://127\.0\.0\.1:\d+/api\?x={y}"),
    ],
)
def test_a_variable_gets_the_form_that_the_agent_reads(env, path, form, monkeypatch):
    import re

    monkeypatch.setenv("SERVICE_URL", "http://production")
    with World([HttpFake(env=env, path=path)]):
        assert re.fullmatch(form, os.environ["SERVICE_URL"])
    assert os.environ["SERVICE_URL"] == "http://production"


def test_several_variables_can_name_one_server_and_others_have_their_own(monkeypatch):
    both = HttpFake(env={"HOST_AND_PORT": "{host}:{port}", "URL": "{url}"})
    with World([both, both, HttpFake(env={"OTHER": "{url}"})]):
        assert os.environ["URL"] == f"http://{os.environ['HOST_AND_PORT']}"
        assert os.environ["OTHER"] != os.environ["URL"]
    assert not {"HOST_AND_PORT", "URL", "OTHER"} & os.environ.keys()


@pytest.mark.parametrize(
    "second", [HttpFake(env={"URL": "{host}"}, label="b:2"), HttpFake(env={"URL": "{url}", "A": "{url}"}, label="b:2")]
)
def test_two_forms_of_one_variable_are_a_contradiction(second):
    world = World([HttpFake(env={"URL": "{url}"}, label="a:1"), second])
    with pytest.raises(FakeError, match="b:2: sets URL otherwise than a:1 does"), world:
        pass
    assert issubclass(FakeError, InputError)
    assert "URL" not in os.environ


def test_a_case_with_fakes_must_be_alone(service, route):
    fake = service(route("GET /x", "one"))
    with World([fake]) as world:
        with world.case([fake]), pytest.raises(RuntimeError, match="only one in play"), world.case():
            pass
        with world.case(), pytest.raises(RuntimeError, match="only one in play"), world.case([fake]):
            pass
        with world.case(), world.case():
            pass


def test_a_world_without_fakes_starts_nothing():
    before = threading.active_count(), dict(os.environ)
    with World([]) as world, world.case():
        assert (threading.active_count(), dict(os.environ)) == before
        assert not world.alone


def test_nothing_is_left_behind(service, program):
    before = threading.active_count(), dict(os.environ)
    with World([service(), program("docker", (["ps"], ""))]):
        address = os.environ["SERVICE_URL"]
    assert (threading.active_count(), dict(os.environ)) == before
    with pytest.raises(httpx.ConnectError):
        httpx.get(address)


def test_a_failure_in_a_case_leaves_the_world_usable(service, route, read):
    fake = service(route("GET /x", "one"))
    with World([fake]) as world:
        with pytest.raises(ZeroDivisionError), world.case([fake]):
            raise ZeroDivisionError
        with world.case([fake]):
            assert read(os.environ["SERVICE_URL"]) == "one"


async def test_an_async_agent_is_served_within_its_own_loop(service, route):
    fake = service(route("GET /x", "one"))
    with World([fake]) as world, world.case([fake]) as fakes:
        async with httpx.AsyncClient() as client:
            answers = await asyncio.gather(*(client.get(os.environ["SERVICE_URL"] + "/x") for _ in range(5)))
    assert [answer.text for answer in answers] == ["one"] * 5
    assert len(fakes.events) == 5
