"""What the agent declares: its model, its tools, what needs a confirmation."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

AGENT = Path(__file__).parents[3] / "agents" / "k8s_health"

CHANGING = ["patch_deployment", "scale_deployment", "restart_deployment"]

DEPLOYMENT = {"namespace": "string", "deployment_name": "string"}
REQUIRED = {
    "get_kubernetes_cluster_info": {},
    "list_kubernetes_nodes": {},
    "list_kubernetes_namespaces": {},
    "list_pods": {},
    "describe_pod": {"namespace": "string", "pod_name": "string"},
    "get_pod_logs": {"namespace": "string", "pod_name": "string"},
    "list_deployments": {},
    "get_deployment_status": DEPLOYMENT,
    "list_kubernetes_events": {"namespace": "string"},
    "patch_deployment": {**DEPLOYMENT, "container": "string"},
    "scale_deployment": {**DEPLOYMENT, "replicas": "integer"},
    "restart_deployment": DEPLOYMENT,
}
OPTIONAL = {
    "list_pods": {"namespace", "label_selector"},
    "get_pod_logs": {"container", "tail_lines", "previous"},
    "list_deployments": {"namespace", "label_selector"},
    "list_kubernetes_events": {"object_kind", "object_name"},
    "patch_deployment": {"image", "env", "resources"},
}


@pytest.fixture(scope="module")
def declared(k8s_health):
    """The agent's tools by name, as ADK hands them to a model."""
    tools = asyncio.run(k8s_health.agent.root_agent.canonical_tools())
    return {tool.name: tool for tool in tools}


def test_the_agent_is_called_k8s_health(k8s_health):
    assert k8s_health.agent.root_agent.name == "k8s_health"


def test_the_model_has_a_default_that_the_example_environment_and_the_readme_name(k8s_health):
    default = k8s_health.agent.DEFAULT_MODEL

    assert k8s_health.agent.root_agent.model == default
    assert f"K8S_HEALTH_MODEL={default}\n" in (AGENT / ".env.example").read_text()
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


def test_the_instruction_and_the_readme_name_every_tool(k8s_health, declared):
    readme = (AGENT / "README.md").read_text()

    for name in declared:
        assert name in k8s_health.agent.INSTRUCTION
        assert f"`{name}`" in readme


def test_the_description_of_a_patch_names_every_resource_that_can_be_set(k8s_health, declared):
    for name in k8s_health.checks.QUANTITIES:
        assert name in declared["patch_deployment"].description


def test_the_instruction_is_no_state_template(k8s_health):
    assert "{" not in k8s_health.agent.INSTRUCTION


def test_changes_and_nothing_else_need_a_confirmation(declared):
    asked = {name: asyncio.run(tool.check_require_confirmation({}, None)) for name, tool in declared.items()}

    assert [name for name, confirms in asked.items() if confirms] == CHANGING


def test_the_example_environment_lists_every_setting(k8s_health):
    example = (AGENT / ".env.example").read_text()

    for variable in k8s_health.client.SETTINGS:
        assert f"\n{variable}=" in example


def test_adk_eval_can_load_the_agent_where_kubernetes_is_missing():
    """`adk eval` imports the folder's `__init__.py` under the name `agent`, with nothing of it on the path."""
    program = f"""
import importlib.util, json, sys
sys.modules["kubernetes"] = None
spec = importlib.util.spec_from_file_location("agent", {str(AGENT / "__init__.py")!r})
module = sys.modules["agent"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
root = module.agent.root_agent
print(json.dumps([root.name, root.model]))
"""
    environment = {**os.environ, "K8S_HEALTH_MODEL": "some-model"}

    ran = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)

    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == ["k8s_health", "some-model"]
