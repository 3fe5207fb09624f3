"""The sample evalsets: what keeps them loadable by ADK, true to their agents, and easy to break.

A golden replay learns from what a case cites. So each call must be cited by something that only it tells, and no number
near a cited one may be found: then one wrong value shows.
"""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from google.adk.evaluation.eval_config import EvalConfig
from google.adk.evaluation.eval_set import EvalSet

EVALSETS = Path(__file__).resolve().parents[2] / "evalsets"

AT_LEAST = {"kafka_health": 12, "k8s_health": 10, "docker_agent": 6, "observability": 7, "devops_assistant": 14}
FILES = sorted(
    file for agent in AT_LEAST for form in ("evalset", "test") for file in (EVALSETS / agent).rglob(f"*.{form}.json")
)
CONFIGS = sorted(file for agent in AT_LEAST for file in (EVALSETS / agent).rglob("test_config.json"))
SPECIALISTS = [name for name in AT_LEAST if name != "devops_assistant"]
ROLES = {"kafka_health", "k8s_health", "devops_assistant"}
"""The agents that know roles."""


def agent_of(path: Path) -> str:
    return path.relative_to(EVALSETS).parts[0]


def name_of(path: Path) -> str:
    return str(path.relative_to(EVALSETS))


def cases_of(agent: str) -> dict[str, dict[str, Any]]:
    """Return an agent's cases by id."""
    files = [path for path in FILES if agent_of(path) == agent]
    return {case["eval_id"]: case for path in files for case in json.loads(path.read_text())["eval_cases"]}


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_adk_loads_every_file_under_its_own_name(file):
    loaded = EvalSet.model_validate_json(file.read_text())

    assert loaded.eval_set_id == file.name.split(".")[0]
    assert loaded.eval_cases


@pytest.mark.parametrize("file", CONFIGS, ids=name_of)
def test_adk_loads_every_config_and_grounding_gates(file):
    criteria = EvalConfig.model_validate_json(file.read_text()).criteria

    assert criteria["grounding"] == 1.0


@pytest.mark.parametrize("agent", AT_LEAST)
def test_an_agent_has_many_cases_in_files_of_both_kinds(agent):
    files = [path for path in FILES if agent_of(path) == agent]
    ids = Counter(case["eval_id"] for path in files for case in json.loads(path.read_text())["eval_cases"])

    assert {path.name.split(".", 1)[1] for path in files} == {"evalset.json", "test.json"}
    assert len(ids) >= AT_LEAST[agent]
    assert [eval_id for eval_id, count in ids.items() if count > 1] == []


@pytest.mark.parametrize("agent", AT_LEAST)
def test_every_case_belongs_to_its_agent_and_has_a_role_where_there_are_roles(agent):
    sessions = [case["session_input"] for case in cases_of(agent).values()]

    assert {session["app_name"] for session in sessions} == {agent}
    assert {session.get("state", {}).get("role") for session in sessions} <= (
        {"viewer", "operator", "admin"} if agent in ROLES else {None}
    )


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_no_expected_call_leaves_its_arguments_out(file):
    """A call without `args` never equals one with empty arguments in ADK."""
    turns = [turn for case in json.loads(file.read_text())["eval_cases"] for turn in case["conversation"]]

    assert all("args" in call for turn in turns for call in turn["intermediate_data"].get("tool_uses", []))


@pytest.fixture(scope="module")
def replies(samples) -> dict[str, list[Any]]:
    """What the tools of each case replied in the run of all samples."""
    return {
        f"{agent_of(Path(outcome.file))}/{outcome.eval_id}": [
            event.reply
            for turn in outcome.trace.turns
            for event in turn.tools
            if event.status in ("answered", "real") and event.reply is not None
        ]
        for outcome in samples.outcomes
    }


CASES = [
    pytest.param(f"{agent}/{eval_id}", case, id=f"{agent}/{eval_id}")
    for agent in SPECIALISTS
    for eval_id, case in cases_of(agent).items()
]


@pytest.mark.parametrize(("name", "case"), CASES)
def test_no_neighbour_of_a_cited_number_is_found_anywhere(name, case, replies):
    told = [word for reply in replies[name] if reply["status"] == "success" for word in values(reply)]

    for number in filter(str.isdigit, cited(case)):
        neighbours = {str(int(number) - 1), str(int(number) + 1), str(int(number) + 10)}
        assert number not in told or neighbours.isdisjoint([*told, *asked(case)]), number


@pytest.mark.parametrize(("name", "case"), CASES)
def test_every_call_is_cited_by_something_that_only_it_tells(name, case, replies):
    """A confirmed change is not: without its call there would be nothing to confirm."""
    told = [] if "confirmation" in case["evalkit"]["tags"] else [values(reply) for reply in replies[name]]

    for index, reply in enumerate(told):
        others = {word for place, other in enumerate(told) if place != index for word in other}
        assert set(cited(case)) & set(reply) - others - set(asked(case)), reply


def words(text: str) -> list[str]:
    return [word.strip(".,:;()") for word in re.findall(r"[\w./:;,()-]+", text)]


def values(value: Any) -> list[str]:
    """Every word of a reply, and how many things are in each list and object, for answers may count."""
    if isinstance(value, dict):
        return [str(len(value)), *(word for item in value.values() for word in values(item))]
    if isinstance(value, list):
        return [str(len(value)), *(word for item in value for word in values(item))]
    return words(str(value))


def cited(case: dict[str, Any]) -> list[str]:
    """The numbers and identifiers that the answers give: words with a digit, '_', '-' or '/', or in camel case."""
    parts = [part for turn in case["conversation"] for part in (turn.get("final_response") or {}).get("parts", [])]
    return [word for part in parts for word in words(part["text"]) if re.search(r"[\d_/-]|[a-z][A-Z]", word)]


def asked(case: dict[str, Any]) -> list[str]:
    parts = [part for turn in case["conversation"] for part in turn["user_content"]["parts"]]
    return [word for part in parts for word in words(part.get("text", ""))]
