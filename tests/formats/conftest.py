"""Small good files to start from."""

import json
from pathlib import Path

import pytest


@pytest.fixture
def turn():
    """A turn with a call and an answer, as ADK's schema has it."""
    return {
        "invocation_id": "turn-1",
        "user_content": {"role": "user", "parts": [{"text": "How far behind is the group orders?"}]},
        "final_response": {"role": "model", "parts": [{"text": "It is 75 behind."}]},
        "intermediate_data": {"tool_uses": [{"name": "get_lag", "args": {"group": "orders"}}]},
    }


@pytest.fixture
def case(turn):
    """A case with one turn."""
    return {"eval_id": "lag", "conversation": [turn]}


@pytest.fixture
def evalset(case):
    """A set with one case."""
    return {"eval_set_id": "kafka", "eval_cases": [case]}


@pytest.fixture
def write(tmp_path):
    """Write a file below the test's folder: text as it is, anything else as JSON."""

    def write_file(name: str, content: object) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str) else json.dumps(content, indent=2, ensure_ascii=False)
        path.write_text(text, encoding="utf-8")
        return path

    return write_file
