"""Whose code a frame belongs to."""

import asyncio
import json

import google.adk
import pydantic
import pytest

import evalkit.play
from evalkit.adk.frames import calling_place, is_users, place_of


@pytest.mark.parametrize(
    "filename",
    [
        evalkit.play.__file__,
        google.adk.__file__,
        pydantic.__file__,
        asyncio.__file__,
        "<frozen importlib._bootstrap>",
        "/app/.venv/lib/python3.11/site-packages/mine/agent.py",
        "/usr/lib/python3/dist-packages/mine/agent.py",
    ],
)
def test_evalkit_adk_libraries_and_python_are_not_the_users(filename):
    assert not is_users(filename)


@pytest.mark.parametrize(
    "filename", [__file__, "/home/u/evalkit/agents/kafka/agent.py", "/home/u/google/adk-samples/agents/a/agent.py"]
)
def test_anything_else_is_whatever_its_folder_is_called(filename):
    assert is_users(filename)


def test_the_place_of_an_error_is_the_innermost_of_the_users_own():
    try:
        json.loads("{")
    except ValueError as error:
        place = place_of(error.__traceback__)
    assert place.startswith(f"{__file__}:")
    assert place.endswith(" in test_the_place_of_an_error_is_the_innermost_of_the_users_own")
    assert place_of(None) is None


def test_the_calling_place_is_where_the_users_code_runs_now():
    def caller():
        return sorted([0], key=lambda _: places.append(calling_place()) or 0)

    places = []
    caller()
    assert places[0].startswith(f"{__file__}:")
    assert "test_frames" in places[0]
