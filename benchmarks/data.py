"""Sample data, made up here: an agent with a stand-in model, and evalsets, configs and mocks that fit it.

Ten consumer groups; a case asks about one of them, which takes two calls and an answer, that is three model turns.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

AGENT = "bench_agent"
GROUPS = 10

AGENT_SOURCE = '''\
"""An agent for benchmarks: its model follows a rule instead of thinking."""

import re

from google.adk.agents import Agent
from google.adk.models import BaseLlm, LlmResponse
from google.genai import types


def list_topics(group: str) -> dict:
    """List the topics that a consumer group reads."""
    number = int(group.removeprefix("group-"))
    return {"status": "success", "topics": [f"orders-{number}", f"payments-{number}"]}


def get_lag(group: str, minutes: int = 60) -> dict:
    """Tell how far a consumer group is behind."""
    number = int(group.removeprefix("group-"))
    return {"status": "success", "group": group, "minutes": minutes, "lag": 75 * number}


class StandIn(BaseLlm):
    """Calls both tools in turn, then answers with what they said."""

    async def generate_content_async(self, llm_request, stream=False):
        parts = [part for content in llm_request.contents for part in content.parts or ()]
        asked = max(index for index, part in enumerate(parts) if part.text and "How far behind" in part.text)
        group = re.search(r"group-\\d+", parts[asked].text)[0]
        replies = [part.function_response.response for part in parts[asked:] if part.function_response]
        if not replies:
            part = types.Part.from_function_call(name="list_topics", args={"group": group})
        elif len(replies) == 1:
            part = types.Part.from_function_call(name="get_lag", args={"group": group, "minutes": 30})
        else:
            topics, lag = " and ".join(replies[0]["topics"]), replies[1]["lag"]
            part = types.Part(text=f"The group {group} reads {topics} and is {lag} messages behind.")
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


root_agent = Agent(
    name="bench_agent",
    model=StandIn(model="stand-in"),
    instruction="Answer questions about consumer groups with your tools.",
    tools=[list_topics, get_lag],
)
'''

CRITERIA = {"criteria": {"tool_trajectory_avg_score": 1.0, "response_match_score": 0.8}}


def write_agent(folder: Path, name: str = AGENT) -> Path:
    """Write the agent's package into the folder and return its path."""
    agent = folder / name
    agent.mkdir(parents=True)
    (agent / "__init__.py").write_text("from . import agent\n", encoding="utf-8")
    (agent / "agent.py").write_text(AGENT_SOURCE.replace(f'"{AGENT}"', f'"{name}"'), encoding="utf-8")
    return agent


def write_evalsets(folder: Path, *, files: int, cases: int, agent: str = AGENT) -> list[Path]:
    """Write a folder of evalsets of an agent with `cases` cases each, and a config and mocks beside them."""
    folder.mkdir(parents=True)
    (folder / "test_config.json").write_text(json.dumps(CRITERIA, indent=2), encoding="utf-8")
    (folder / "mocks.yaml").write_text(json.dumps(_mocks(agent), indent=2), encoding="utf-8")  # JSON is YAML
    paths = [folder / f"{folder.name}_{number}.evalset.json" for number in range(files)]
    for path in paths:
        path.write_text(json.dumps(evalset(path.name.partition(".")[0], cases, agent), indent=2), encoding="utf-8")
    return paths


def evalset(name: str, cases: int, agent: str = AGENT) -> dict[str, Any]:
    """Make an evalset."""
    return {"eval_set_id": name, "eval_cases": [_case(f"{name}_{number}", number, agent) for number in range(cases)]}


def words(count: int, *, seed: int) -> Iterator[str]:
    """Yield made-up words as texts have them: few that are frequent, many that are rare, some not in Latin script."""
    chance = random.Random(seed)  # noqa: S311 - sample data
    for _ in range(count):
        rank = int(3_000 ** chance.random())
        if rank % 20 == 0:
            yield "".join(chr(0x430 + (rank >> shift) % 32) for shift in (0, 3, 6))
        else:
            stem = "".join("bcdfglmnprst"[(rank >> shift) % 12] + "aeiou"[(rank >> shift) % 5] for shift in (0, 2, 5))
            yield stem + ("", "s", "ing", "ed", "ation", "ly")[rank % 6]


def _case(eval_id: str, number: int, agent: str) -> dict[str, Any]:
    group = f"group-{number % GROUPS}"
    calls = [
        {"name": "list_topics", "args": {"group": group}},
        {"name": "get_lag", "args": {"group": group, "minutes": 30}},
    ]
    turn = {
        "invocation_id": f"turn-{number}",
        "user_content": _text("user", f"Question {number}: How far behind is {group}, and on which topics?"),
        "final_response": _text("model", _answer(number % GROUPS)),
        "intermediate_data": {"tool_uses": calls, "tool_responses": [], "intermediate_responses": []},
    }
    session = {"app_name": agent, "user_id": "bench", "state": {}}
    return {"eval_id": eval_id, "conversation": [turn], "session_input": session}


def _answer(number: int) -> str:
    return f"The group group-{number} reads orders-{number} and payments-{number} and is {75 * number} messages behind."


def _text(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "parts": [{"text": text}]}


def _mocks(agent: str) -> dict[str, Any]:
    topics = [
        {
            "args": {"group": f"group-{number}"},
            "returns": {"status": "success", "topics": [f"orders-{number}", f"payments-{number}"]},
        }
        for number in range(GROUPS)
    ]
    lags = [
        {
            "args": {"group": f"group-{number}"},
            "returns": {"status": "success", "group": f"group-{number}", "minutes": 30, "lag": 75 * number},
        }
        for number in range(GROUPS)
    ]
    return {"agent": agent, "tools": {"list_topics": topics, "get_lag": lags}}
