"""From an agent to files, on the sample agents and on agents with servers: what is written is good and plays."""

import json
import shutil
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest
from google.adk.evaluation.eval_set import EvalSet

from evalkit.adk.facts import open_agent
from evalkit.agent_check import check_with_agents
from evalkit.check import check
from evalkit.errors import AgentLoadError, SelectionError
from evalkit.evaluate import RunOptions, evaluate
from evalkit.formats import evalset as evalset_format, mocks as mocks_format
from evalkit.scaffold.files import ExistingFilesError, write
from evalkit.scaffold.rehearsal import in_a_worker
from evalkit.scaffold.start import InitOptions, start
from evalkit.settings import load_settings

SAMPLES = ("devops_assistant", "docker_agent", "k8s_health", "kafka_health", "observability")
ADMIN = {"role": "admin"}


def edited(folder: Path) -> None:
    """Do what users do in the end: take the skip marks out."""
    for path in folder.rglob("*.test.json"):
        evalset = json.loads(path.read_text(encoding="utf-8"))
        for case in evalset["eval_cases"]:
            assert case["evalkit"].pop("skip") == "edit me"
        path.write_text(json.dumps(evalset), encoding="utf-8")


def rules(folder: Path, settings) -> list[str]:
    """The rules that files break, notes left out."""
    report, refusals = check_with_agents([folder], settings)
    assert refusals == ()
    return [problem.rule for problem in report.problems if problem.severity != "note"]


def calls_in(folder: Path) -> Iterator[tuple[str, str]]:
    """The tools that the cases of a folder call, each with the specialist whose turn it is."""
    for path in folder.rglob("*.test.json"):
        for case in evalset_format.read(path).value.cases:
            route = case.turns[0].expect.route or ("",)
            yield from ((route[-1] if route else "", call.name) for turn in case.turns for call in turn.calls)


@pytest.fixture(scope="module")
def samples(tmp_path_factory, repo_root, play):
    """Files for every sample agent, as they are written and as they are edited, and one run of the latter."""
    root = tmp_path_factory.mktemp("samples")
    settings = load_settings(repo_root)
    jobs = [(name, name, {}) for name in SAMPLES] + [("devops_admin", "devops_assistant", ADMIN)]
    made = {}
    for folder, agent, state in jobs:
        options = InitOptions(agent=agent, out=root / folder, state=state)
        made[folder] = start(options, settings, lambda _: None, lambda: nullcontext(play))
        write(made[folder].files)
    problems = check([root]).problems
    edited(root)
    report, _ = evaluate(RunOptions(paths=(str(root),), report_dir=root / "report", jobs=2), settings)
    return SimpleNamespace(root=root, made=made, problems=problems, results=report.results, settings=settings)


def test_files_as_written_have_no_errors_and_no_warnings(samples):
    assert {problem.rule for problem in samples.problems} == {"adk-cannot-play"}


def test_files_as_edited_have_no_errors_and_no_warnings_beside_the_agent(samples):
    assert rules(samples.root, samples.settings) == []


def test_adk_reads_every_evalset(samples):
    for path in samples.root.rglob("*.test.json"):
        loaded = EvalSet.model_validate_json(path.read_text(encoding="utf-8"))
        assert len(loaded.eval_cases) == len(evalset_format.read(path).value.cases)


def test_every_case_passes_a_golden_run_as_soon_as_it_is_not_skipped(samples):
    assert {result.eval_id: result.reasons for result in samples.results if result.verdict != "passed"} == {}
    assert len(samples.results) == sum(len(made.drafts) for made in samples.made.values()) > 90
    assert not any(draft.fault for made in samples.made.values() for draft in made.drafts)


@pytest.mark.parametrize("agent", SAMPLES)
def test_every_tool_has_a_case(agent, samples, repo_root):
    with open_agent(str(repo_root / "agents" / agent)) as view:
        known = view.facts().tool_names
    called = {name for _, name in calls_in(samples.root / agent)}
    left_out = {name.rpartition(".")[2] for name in samples.made[agent].left_out}
    assert known - {"exit_loop"} <= called | left_out
    assert left_out <= {"restart_deployment", "scale_deployment", "get_deployment_status", "exit_loop"}


def test_each_specialists_tools_have_cases_of_their_own(samples):
    made = {draft.eval_id for draft in samples.made["devops_admin"].drafts}
    assert {
        "k8s_health_list_pods",
        "check_pods_list_pods",
        "kafka_health_get_consumer_lag",
        "check_lag_get_consumer_lag",
    } <= made
    assert samples.made["devops_admin"].left_out == {}


def test_tools_that_ask_first_are_in_a_folder_of_their_own(samples):
    folder = samples.root / "devops_admin" / "confirmations"
    changes = evalset_format.read(folder / "devops_assistant_confirmations.test.json").value
    mocks = mocks_format.read(folder / "mocks.yaml").value
    asking = ["approve_remediation", "patch_deployment", "scale_deployment", "restart_deployment"]
    assert [case.turns[0].calls[-1].name for case in changes.cases] == asking
    assert [route.tool for route in mocks.routes] == asking
    assert changes.cases[0].session.state == ADMIN


@pytest.mark.parametrize(("agent", "match_type"), [("docker_agent", "EXACT"), ("devops_assistant", "IN_ORDER")])
def test_a_trajectory_has_to_be_equal_where_adk_can_see_it(agent, match_type, samples):
    criteria = json.loads((samples.root / agent / "test_config.json").read_text(encoding="utf-8"))["criteria"]
    assert criteria["tool_trajectory_avg_score"]["match_type"] == match_type


def test_small_talk_calls_nothing(samples):
    cases = evalset_format.read(samples.root / "docker_agent" / "docker_agent.test.json").value.cases
    talk = next(case for case in cases if case.eval_id == "small_talk")
    assert (talk.turns[0].calls, len(talk.turns[0].expect.trajectory.forbid)) == ((), 6)


def test_fakes_below_the_tools_are_hinted_at(samples):
    text = (samples.root / "observability" / "mocks.yaml").read_text(encoding="utf-8")
    assert "#   - http: {env: PROMETHEUS_URL, routes: [{method: GET, path: /PATH, json: {}}]}" in text


def test_the_same_agent_gives_the_same_files(samples, repo_root, play, tmp_path):
    options = InitOptions(agent=str(repo_root / "agents" / "kafka_health"), out=tmp_path)
    again = start(options, samples.settings, lambda _: None, lambda: nullcontext(play))
    assert [file.text for file in again.files] == [file.text for file in samples.made["kafka_health"].files]


AGENT = '''
from google.adk.agents import LlmAgent


def look(host: str) -> dict:
    """{docstring}"""


root_agent = LlmAgent(name="desk", model="gemini-2.5-flash", tools=[look])
'''


def test_files_go_below_the_evalsets_and_name_their_agent(project):
    project.agent("desk", AGENT.format(docstring="Look."))
    made = project.written("agents/desk")
    names = ["desk.test.json", "test_config.json", "mocks.yaml"]
    assert [file.path for file in made.files] == [Path("evalsets/desk", name) for name in names]
    assert mocks_format.read("evalsets/desk/mocks.yaml").value.agent == "desk"
    assert project.said == ["rehearsing 2 cases over their mocks: no model, no server, no tool"]


def test_an_agent_elsewhere_is_named_by_its_place_and_found_by_it(project):
    shutil.move(project.agent("desk", AGENT.format(docstring="Look.")), project.root / "desk-agent")
    project.written("desk-agent", out=Path("qa"))
    assert mocks_format.read("qa/mocks.yaml").value.agent == "desk-agent"
    assert rules(Path("qa"), load_settings(project.root)) == []


def test_an_agent_that_is_a_module_is_named_by_it(project):
    project.agent("desk", AGENT.format(docstring="Look."))
    project.written("agents.desk.agent", player=in_a_worker)  # one that starts here, so that it finds the module
    assert mocks_format.read("evalsets/desk/mocks.yaml").value.agent == "agents.desk.agent"


def test_files_that_are_there_are_kept_and_nothing_is_loaded(project):
    project.agent("desk", "raise AssertionError('it was loaded')")
    place = project.root / "evalsets" / "desk"
    place.mkdir(parents=True)
    (place / "mocks.yaml").write_text("tools: {}\n")
    with pytest.raises(ExistingFilesError, match=r"evalsets/desk/mocks\.yaml"):
        project.start("desk")


def test_a_folder_of_confirmations_that_is_there_is_kept_too(project):
    confirmed = AGENT.replace("tools=[look]", "tools=[FunctionTool(look, require_confirmation=True)]")
    imported = "from google.adk.tools.function_tool import FunctionTool\n"
    project.agent("desk", imported + confirmed.format(docstring="Look."))
    place = project.root / "evalsets" / "desk" / "confirmations"
    place.mkdir(parents=True)
    (place / "test_config.json").write_text("{}")
    with pytest.raises(ExistingFilesError, match=r"desk/confirmations/test_config\.json"):
        project.start("desk")
    assert project.start("desk", may_replace=True).files[-2].before == "{}"


def test_what_does_not_exist_is_refused(project):
    project.agent("desk", AGENT.format(docstring="Look."))
    with pytest.raises(SelectionError, match=r"evalkit init: there is no agent 'dsk'.*known: desk"):
        project.start("dsk")
    with pytest.raises(SelectionError, match="did you mean look"):
        project.start("desk", tools=("lok",))


def test_secrets_are_in_no_file(project, monkeypatch):
    monkeypatch.setenv("DESK_API_TOKEN", environment := "q9Zr2LmX8vTb4KpW")
    own, shaped = "Xk2v9Lq8Rt5Wz1Np", "ghp_" + "a1B2c3D4e5F6" * 3
    folder = project.agent("desk", AGENT.format(docstring=f"Look with {own}, {shaped} or {environment}."))
    (folder / ".env").write_text(f"DESK_PASSWORD={own}\n", encoding="utf-8")
    text = "".join(file.text for file in project.start("desk").files)
    assert [secret for secret in (own, shaped, environment) if secret in text] == []
    assert "Look with [secret" in text


@pytest.fixture
def clerk(project):
    """The agent of a real MCP server over standard input and output, in the project; the server counts its starts."""
    folder = project.root / "agents" / "clerk"
    shutil.copytree(
        Path(__file__).parents[1] / "adk" / "mcp_agent", folder, ignore=shutil.ignore_patterns("__pycache__")
    )
    return folder


def test_a_server_is_asked_once_and_not_for_the_rehearsal(project, clerk):
    made = project.written("clerk")
    assert project.said[0].startswith("asking toolset 1 of agent clerk (stdio: ")
    assert project.said[0].endswith(" server.py) for its tools, this once (at most 30 s)")
    assert {draft.eval_id: draft.fault for draft in made.drafts} == dict.fromkeys(
        ("add", "divide", "pay", "small_talk")
    )
    mocks = mocks_format.read("evalsets/clerk/mocks.yaml").value
    assert [tool["name"] for tool in mocks.toolsets["server"]["tools"]] == ["add", "divide", "pay"]
    assert [route.replies[0].value for route in mocks.routes][:2] == [{"result": 3}, {"result": 3}]
    edited(project.root / "evalsets")
    assert rules(Path("evalsets"), load_settings(project.root)) == []
    assert (clerk / "starts.txt").read_text().count("started") == 1


def test_a_server_that_does_not_answer_is_named_in_time(project, clerk):
    (clerk / "server.py").write_text("import sys\n\nsys.stdin.read()\n", encoding="utf-8")
    with pytest.raises(
        AgentLoadError, match=r"^toolset 1 of agent clerk \(stdio: .* server\.py\) did not list its tools"
    ):
        project.start("clerk", server_timeout=0.5)


def test_a_server_that_is_not_there_is_named(project, clerk):
    (clerk / "server.py").unlink()
    with pytest.raises(
        AgentLoadError, match=r"^toolset 1 of agent clerk \(stdio: .*\) cannot be asked for its tools: "
    ):
        project.start("clerk")


OWN = """
from google.adk.agents import LlmAgent
from google.adk.tools.base_toolset import BaseToolset
from google.adk.tools.function_tool import FunctionTool


def look(host: str) -> dict:
    raise AssertionError("the real tool ran")


class Own(BaseToolset):
    async def get_tools(self, readonly_context=None):
        return [FunctionTool(look)]


root_agent = LlmAgent(name="desk", model="gemini-2.5-flash", tools=[Own()])
"""


def test_a_toolset_of_own_code_is_asked_too(project):
    project.agent("desk", OWN)
    made = project.start("desk")
    assert {draft.eval_id: draft.fault for draft in made.drafts} == {"look": None, "small_talk": None}
    assert made.unlisted == ()


KEEPER = """
from google.adk.agents import LlmAgent
from google.adk.tools.openapi_tool import OpenAPIToolset

PET = {"type": "object", "properties": {"name": {"type": "string"}, "born": {"type": "string", "format": "date"}}}
ID = {"name": "petId", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 10}}
SPEC = {
    "openapi": "3.0.0",
    "info": {"title": "Pets", "version": "1"},
    "servers": [{"url": "https://pets.example/v1"}],
    "components": {"schemas": {"Pet": PET}},
    "paths": {
        "/pets/{petId}": {
            "get": {
                "operationId": "getPet",
                "summary": "Get a pet.",
                "parameters": [ID],
                "responses": {
                    "200": {
                        "description": "done",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}},
                    }
                },
            },
            "delete": {"operationId": "dropPet", "parameters": [ID], "responses": {"204": {"description": "gone"}}},
        }
    },
}
root_agent = LlmAgent(
    name="keeper", model="gemini-2.5-flash", tools=[OpenAPIToolset(spec_dict=SPEC, tool_name_prefix="zoo")]
)
"""


def test_the_tools_of_an_openapi_toolset_come_from_its_specification(project):
    project.agent("keeper", KEEPER)
    made = project.written("keeper")
    assert {draft.eval_id: draft.fault for draft in made.drafts} == dict.fromkeys(
        ("zoo_get_pet", "zoo_drop_pet", "small_talk")
    )
    (get_pet, _) = mocks_format.read("evalsets/keeper/mocks.yaml").value.routes
    assert (get_pet.args, get_pet.replies[0].value) == ({"pet_id": 10}, {"name": "example-name", "born": "2026-01-31"})
    edited(project.root / "evalsets")
    assert rules(Path("evalsets"), load_settings(project.root)) == []
