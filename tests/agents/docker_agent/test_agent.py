"""What the agent declares: its model, its tools, and that they only look."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

AGENT = Path(__file__).parents[3] / "agents" / "docker_agent"

REQUIRED = {
    "list_docker_containers": {},
    "inspect_docker_container": {"container": "string"},
    "get_docker_container_logs": {"container": "string"},
    "get_docker_container_stats": {},
    "get_docker_compose_status": {},
    "list_docker_images": {},
}
OPTIONAL = {
    "get_docker_container_logs": {"tail", "since"},
    "get_docker_container_stats": {"container"},
    "get_docker_compose_status": {"project"},
}


@pytest.fixture(scope="module")
def declared(docker_agent):
    """The agent's tools by name, as ADK hands them to a model."""
    tools = asyncio.run(docker_agent.agent.root_agent.canonical_tools())
    return {tool.name: tool for tool in tools}


def test_the_agent_is_called_docker_agent(docker_agent):
    assert docker_agent.agent.root_agent.name == "docker_agent"


def test_the_model_has_a_default_that_the_example_environment_and_the_readme_name(docker_agent):
    default = docker_agent.agent.DEFAULT_MODEL

    assert docker_agent.agent.root_agent.model == default
    assert f"DOCKER_AGENT_MODEL={default}\n" in (AGENT / ".env.example").read_text()
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


def test_the_instruction_and_the_readme_name_every_tool(docker_agent, declared):
    readme = (AGENT / "README.md").read_text()

    for name in declared:
        assert name in docker_agent.agent.INSTRUCTION
        assert f"`{name}`" in readme


def test_the_instruction_is_no_state_template(docker_agent):
    assert "{" not in docker_agent.agent.INSTRUCTION


def test_no_tool_needs_a_confirmation_since_none_changes_anything(docker_agent, declared):
    asked = {name: asyncio.run(tool.check_require_confirmation({}, None)) for name, tool in declared.items()}

    assert asked == {tool.__name__: False for tool in docker_agent.tools.READING}


def test_the_readme_says_what_each_tool_runs(docker_agent, tools, docker):
    readme = (AGENT / "README.md").read_text()
    tools.list_docker_containers()
    tools.list_docker_images()
    tools.get_docker_container_stats()
    tools.get_docker_compose_status()

    for call in docker.calls():
        assert " ".join(call).replace("{{json .}}", "'{{json .}}'") in readme.replace(" [CONTAINER]", "")


def test_adk_eval_can_load_the_agent_where_docker_is_missing():
    """`adk eval` imports the folder's `__init__.py` under the name `agent`, with nothing of it on the path."""
    program = f"""
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("agent", {str(AGENT / "__init__.py")!r})
module = sys.modules["agent"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
root = module.agent.root_agent
print(json.dumps([root.name, root.model]))
"""
    environment = {**os.environ, "DOCKER_AGENT_MODEL": "some-model", "PATH": ""}

    ran = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)

    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == ["docker_agent", "some-model"]
