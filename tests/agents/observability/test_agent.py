"""What the agent declares: its model, its tools, and that they only look."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

AGENT = Path(__file__).parents[3] / "agents" / "observability"

REQUIRED = {
    "query_prometheus": {"query": "string"},
    "query_prometheus_range": {"query": "string", "start": "string"},
    "get_prometheus_targets": {},
    "get_prometheus_alerts": {},
    "query_loki": {"query": "string"},
    "list_loki_labels": {},
    "list_loki_label_values": {"label": "string"},
    "get_alertmanager_alerts": {},
    "get_alertmanager_silences": {},
}
OPTIONAL = {
    "query_prometheus": {"time"},
    "query_prometheus_range": {"end", "step"},
    "get_prometheus_alerts": {"state"},
    "query_loki": {"start", "end", "limit"},
    "get_alertmanager_alerts": {"alert_name", "include_suppressed"},
    "get_alertmanager_silences": {"include_expired"},
}


@pytest.fixture(scope="module")
def declared(observability):
    """The agent's tools by name, as ADK hands them to a model."""
    tools = asyncio.run(observability.agent.root_agent.canonical_tools())
    return {tool.name: tool for tool in tools}


def test_the_agent_is_called_observability(observability):
    assert observability.agent.root_agent.name == "observability"


def test_the_model_has_a_default_that_the_example_environment_and_the_readme_name(observability):
    default = observability.agent.DEFAULT_MODEL

    assert observability.agent.root_agent.model == default
    assert f"OBSERVABILITY_MODEL={default}\n" in (AGENT / ".env.example").read_text()
    assert f"`{default}`" in (AGENT / "README.md").read_text()


def test_every_tool_is_declared_with_its_arguments(declared):
    schemas = {name: tool._get_declaration().parameters_json_schema or {} for name, tool in declared.items()}

    required = {
        name: {argument: schema["properties"][argument]["type"] for argument in schema.get("required", [])}
        for name, schema in schemas.items()
    }
    optional = {
        name: set(schema["properties"]) - set(required[name])
        for name, schema in schemas.items()
        if set(schema.get("properties", {})) - set(required[name])
    }
    assert required == REQUIRED
    assert optional == OPTIONAL


def test_each_description_explains_every_argument(declared):
    for name, tool in declared.items():
        for argument in {*REQUIRED[name], *OPTIONAL.get(name, ())}:
            assert f"    {argument}: " in tool.description, f"{name} does not explain {argument}"


def test_the_instruction_and_the_readme_name_every_tool(observability, declared):
    readme = (AGENT / "README.md").read_text()

    for name in declared:
        assert name in observability.agent.INSTRUCTION
        assert f"`{name}`" in readme


def test_the_instruction_is_no_state_template(observability):
    assert "{" not in observability.agent.INSTRUCTION


def test_no_tool_needs_a_confirmation_since_none_changes_anything(observability, declared):
    asked = {name: asyncio.run(tool.check_require_confirmation({}, None)) for name, tool in declared.items()}

    assert asked == {tool.__name__: False for tool in observability.tools.READING}


def test_the_example_environment_lists_every_setting(observability):
    example = (AGENT / ".env.example").read_text()

    for service in observability.client.SERVICES:
        assert f"\n{service.variable}=" in example


@pytest.mark.parametrize(
    ("tool", "other"),
    [
        ("get_prometheus_alerts", "get_alertmanager_alerts"),
        ("get_alertmanager_alerts", "get_prometheus_alerts"),
    ],
)
def test_either_tool_for_alerts_says_when_to_use_the_other(declared, tool, other):
    assert f"for those use {other}" in declared[tool].description


def test_the_limits_that_a_model_reads_are_those_that_hold(observability, declared):
    assert (
        f"there may be {observability.prometheus.MAX_POINTS} values" in declared["query_prometheus_range"].description
    )
    assert f"from 1 to {observability.loki.MAX_LINES}" in declared["query_loki"].description


def test_adk_eval_can_load_the_agent_of_which_nothing_is_set():
    """`adk eval` imports the folder's `__init__.py` under the name `agent`, with nothing of it on the path."""
    program = f"""
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("agent", {str(AGENT / "__init__.py")!r})
module = sys.modules["agent"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
root = module.agent.root_agent
print(json.dumps([root.name, root.model]))
"""
    environment = {**os.environ, "OBSERVABILITY_MODEL": "some-model"}

    ran = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)

    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == ["observability", "some-model"]
