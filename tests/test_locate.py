"""Which agent an evalset belongs to: each rule, and which of two wins."""

import re
from pathlib import Path

import pytest

from evalkit.cases import Case, CaseSet, SessionInput
from evalkit.errors import SelectionError
from evalkit.locate import agent_of, given_agent
from evalkit.routes import MockSet, ProvidedTool
from evalkit.settings import Settings


@pytest.fixture
def project(tmp_path):
    """A project with the agents `kafka_health` and `k8s_health`."""
    for name in ("kafka_health", "k8s_health"):
        make_agent(tmp_path / "agents" / name)
    return tmp_path


def make_agent(folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "agent.py").touch()
    return folder


def locate(project, evalset, *, app_names=(), mocks=None, agent_for=None):
    """Say which agent an evalset belongs to, given where it lies and what it says."""
    path = project / evalset
    path.parent.mkdir(parents=True, exist_ok=True)
    cases = tuple(
        Case(eval_id=str(number), session=SessionInput(app_name=name, user_id="u") if name else None)
        for number, name in enumerate(app_names)
    )
    settings = Settings(root=project, agent_for=agent_for or {}, origin=project / "pyproject.toml")
    mock_set = MockSet(file="mocks.yaml", agent=mocks) if mocks else None
    return agent_of(path, CaseSet(eval_set_id="lag", cases=cases), mock_set, settings)


KAFKA = "agents/kafka_health"


@pytest.mark.parametrize(
    "evalset",
    [
        "evalsets/kafka_health/lag.test.json",
        "evalsets/kafka_health/sub/folder/lag.test.json",
        "evalsets/kafka-health/lag.test.json",
        "agents/kafka_health/lag.test.json",
        "agents/kafka_health/tests/evals/lag.test.json",
    ],
)
def test_where_a_file_lies_says_which_agent_it_is_for(evalset, project):
    assert locate(project, evalset) == str(project / KAFKA)


@pytest.mark.parametrize("evalset", ["tests/evals/lag.test.json", "eval/data/lag.evalset.json", "lag.test.json"])
def test_the_agents_folder_may_have_hyphens(evalset, project):
    make_agent(project / "agents" / "docker-agent")

    assert locate(project, f"agents/docker-agent/{evalset}") == str(project / "agents" / "docker-agent")


def test_an_agents_package_may_lie_in_a_project_of_its_own_with_hyphens(project):
    package = make_agent(project / "agents" / "travel-concierge" / "travel_concierge")

    assert locate(project, "agents/travel-concierge/eval/data/trips.evalset.json") == str(package)
    assert locate(project, "evalsets/travel-concierge/trips.evalset.json") == str(package)


def test_an_agent_may_be_a_package_without_an_agent_module(project):
    folder = project / "agents" / "plain"
    folder.mkdir()
    (folder / "__init__.py").touch()

    assert locate(project, "evalsets/plain/lag.test.json") == str(folder)


def test_the_nearest_folder_with_an_agents_name_counts(project):
    assert locate(project, "evalsets/k8s_health/kafka_health/lag.test.json") == str(project / KAFKA)


def test_a_folder_above_the_project_is_no_hint(project):
    inner = project / "kafka_health"
    make_agent(inner / "agents" / "kafka_health")

    with pytest.raises(SelectionError, match="which agent is this for"):
        locate(inner, "evalsets/docker/lag.test.json")


def test_a_file_outside_the_project_is_found_by_its_folders_too(project, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "kafka_health" / "lag.test.json"

    assert locate(project, elsewhere) == str(project / KAFKA)


@pytest.mark.parametrize("app_names", [["kafka_health"], ["kafka_health", None, "kafka_health"], ["kafka-health"]])
def test_failing_all_else_the_app_of_the_cases_says_it(app_names, project):
    assert locate(project, "evalsets/lag.test.json", app_names=app_names) == str(project / KAFKA)


def test_cases_of_two_apps_say_nothing(project):
    with pytest.raises(SelectionError, match="which agent is this for"):
        locate(project, "evalsets/lag.test.json", app_names=["kafka_health", "k8s_health"])


@pytest.mark.parametrize("named", ["kafka_health", "agents/kafka_health"])
@pytest.mark.parametrize("by", ["mocks", "settings"])
def test_an_agent_is_named_by_itself_or_by_its_folder(named, by, project):
    says = {"mocks": named} if by == "mocks" else {"agent_for": {"evalsets": named}}

    assert locate(project, "evalsets/lag.test.json", **says) == str(project / KAFKA)


def test_an_agent_may_be_named_by_a_folder_relative_to_the_current_one(project, tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.mktemp("current")
    monkeypatch.chdir(folder)
    agent = make_agent(folder / "mine" / "agent_x")

    assert locate(project, "evalsets/lag.test.json", mocks="mine/agent_x") == str(agent)


def test_an_agent_may_be_a_dotted_module(project):
    assert locate(project, "evalsets/lag.test.json", mocks="company.agents.kafka") == "company.agents.kafka"


def test_each_rule_gives_way_to_those_before_it(project):
    evalset = "agents/kafka_health/evalsets/k8s_health/lag.test.json"
    for name in ("by_settings", "by_mocks"):
        make_agent(project / "agents" / name)

    def name(**says):
        return Path(locate(project, evalset, app_names=["k8s_health"], **says)).name

    assert name(mocks="by_mocks", agent_for={"agents": "by_settings"}) == "by_settings"
    assert name(mocks="by_mocks") == "by_mocks"
    assert name() == "kafka_health"
    assert Path(locate(project, "evalsets/k8s_health/lag.test.json", app_names=["kafka_health"])).name == "k8s_health"


def test_of_several_folders_in_the_settings_the_innermost_counts(project):
    agent_for = {"evalsets/a": "k8s_health", "evalsets/a/b": "kafka_health", "evalsets": "gone", "evalsets/a/c": "gone"}

    assert locate(project, "evalsets/a/b/d/lag.test.json", agent_for=agent_for) == str(project / KAFKA)
    assert locate(project, "evalsets/a/bb/lag.test.json", agent_for=agent_for) == str(project / "agents" / "k8s_health")


@pytest.mark.parametrize(
    ("says", "origin"),
    [
        ({"mocks": "kafka"}, r"mocks\.yaml: agent"),
        ({"agent_for": {"evalsets": "kafka"}}, r".*pyproject\.toml: tool\.evalkit\.agent_for"),
    ],
)
def test_an_agent_that_is_named_and_not_there_is_refused_with_those_that_are(says, origin, project):
    message = rf"{origin}: there is no agent 'kafka', neither in {re.escape(str(project / 'agents'))} nor as a folder;"

    with pytest.raises(SelectionError, match=rf"^{message} known: k8s_health, kafka_health$"):
        locate(project, "evalsets/lag.test.json", **says)


def test_a_file_that_nothing_is_said_of_is_refused_with_what_to_write(project):
    with pytest.raises(SelectionError) as raised:
        locate(project, "evalsets/docker/lag.test.json")

    folder = (project / "evalsets" / "docker").as_posix()
    assert str(raised.value) == (
        f"{project / 'evalsets/docker/lag.test.json'}: which agent is this for? No folder in its path is named like an"
        f' agent in agents/; use --agent FOLDER, or add agent_for = {{ "{folder}" = "agents/NAME" }} to [tool.evalkit]'
    )


def test_where_mocks_provide_tools_the_refusal_names_an_agent_for_them(project):
    evalset = project / "evalsets" / "docker" / "lag.test.json"
    mocks = MockSet(file="mocks.yaml", provides=(ProvidedTool(name="describe", description="Describe it."),))

    with pytest.raises(SelectionError, match=r"its mocks provide tools, so --agent evalkit\.adk\.bare would do, too$"):
        agent_of(evalset, CaseSet(eval_set_id="lag", cases=()), mocks, Settings(root=project))


def test_an_agent_may_be_given_by_its_name_in_the_project(project, monkeypatch):
    monkeypatch.chdir(project)
    settings = Settings(root=project)
    assert given_agent("kafka_health", settings) == str(project / "agents" / "kafka_health")


@pytest.mark.parametrize("given", ["agents/kafka_health", "agents.kafka_health", "elsewhere"])
def test_a_folder_or_a_module_is_taken_as_it_is_given(project, monkeypatch, given):
    make_agent(project / "elsewhere")
    make_agent(project / "agents" / "elsewhere")
    monkeypatch.chdir(project)
    assert given_agent(given, Settings(root=project)) == given


def test_outside_of_the_project_it_is_said_how_to_mark_it(tmp_path):
    with pytest.raises(SelectionError, match=r"nor as a folder; run from the project's folder, or mark it by \[tool"):
        locate(tmp_path, "evalsets/lag.test.json", mocks="kafka")
