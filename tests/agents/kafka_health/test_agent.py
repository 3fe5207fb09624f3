"""What the agent declares: its model, its tools, what needs a confirmation."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

AGENT = Path(__file__).parents[3] / "agents" / "kafka_health"

CHANGING = ["create_kafka_topic", "add_topic_partitions", "delete_kafka_topic"]

REQUIRED = {
    "get_kafka_cluster_health": {},
    "list_kafka_brokers": {},
    "list_kafka_topics": {},
    "get_topic_metadata": {"topic_name": "string"},
    "list_consumer_groups": {},
    "describe_consumer_group": {"group_id": "string"},
    "get_consumer_lag": {"group_id": "string"},
    "create_kafka_topic": {"topic_name": "string", "partitions": "integer", "replication_factor": "integer"},
    "add_topic_partitions": {"topic_name": "string", "total_partitions": "integer"},
    "delete_kafka_topic": {"topic_name": "string"},
}
OPTIONAL = {"list_kafka_topics": {"include_internal"}, "get_consumer_lag": {"topic_name"}}


@pytest.fixture(scope="module")
def declared(kafka_health):
    """The agent's tools by name, as ADK hands them to a model."""
    tools = asyncio.run(kafka_health.agent.root_agent.canonical_tools())
    return {tool.name: tool for tool in tools}


def test_the_agent_is_called_kafka_health(kafka_health):
    assert kafka_health.agent.root_agent.name == "kafka_health"


def test_the_model_has_a_default_that_the_example_environment_and_the_readme_name(kafka_health):
    default = kafka_health.agent.DEFAULT_MODEL

    assert kafka_health.agent.root_agent.model == default
    assert f"KAFKA_HEALTH_MODEL={default}\n" in (AGENT / ".env.example").read_text()
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


def test_the_instruction_and_the_readme_name_every_tool(kafka_health, declared):
    readme = (AGENT / "README.md").read_text()

    for name in declared:
        assert name in kafka_health.agent.INSTRUCTION
        assert f"`{name}`" in readme


def test_the_instruction_is_no_state_template(kafka_health):
    assert "{" not in kafka_health.agent.INSTRUCTION


def test_changes_and_nothing_else_need_a_confirmation(declared):
    asked = {name: asyncio.run(tool.check_require_confirmation({}, None)) for name, tool in declared.items()}

    assert [name for name, confirms in asked.items() if confirms] == CHANGING


def test_the_example_environment_lists_every_setting(kafka_health):
    example = (AGENT / ".env.example").read_text()

    for variable in kafka_health.client.SETTINGS:
        assert f"\n{variable}=" in example


def test_adk_eval_can_load_the_agent_where_confluent_kafka_is_missing():
    """`adk eval` imports the folder's `__init__.py` under the name `agent`, with nothing of it on the path."""
    program = f"""
import importlib.util, json, sys
sys.modules["confluent_kafka"] = None
spec = importlib.util.spec_from_file_location("agent", {str(AGENT / "__init__.py")!r})
module = sys.modules["agent"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
root = module.agent.root_agent
print(json.dumps([root.name, root.model]))
"""
    environment = {**os.environ, "KAFKA_HEALTH_MODEL": "some-model"}

    ran = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)

    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == ["kafka_health", "some-model"]
