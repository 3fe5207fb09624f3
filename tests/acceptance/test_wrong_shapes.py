"""A reply of the wrong shape below a tool fails the case the way production would, and the report says why.

Sample cases are played with one reply of a service or program spoilt. What their tools replied before stands in them as
recorded tool responses, so that the report shows what the tools make of the spoilt reply.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from evalkit.traces import Outcome

TABLE = """\
CONTAINER ID   IMAGE               COMMAND            CREATED      STATUS                       NAMES
0c9e13a7be2d   traefik:v3.4.1      "/entrypoint.sh"   2 days ago   Up 2 days (healthy)          edge-proxy
94ee1a7be2d4   media/encoder:5.3   "/entrypoint.sh"   2 days ago   Exited (139) 41 minutes ago  media-encoder
"""

Route = dict[str, Any]


def a_table(route: Route) -> None:
    del route["stdout_file"]
    route["stdout"] = TABLE


def half_a_document(route: Route) -> None:
    text = json.dumps(route.pop("json"))
    route["stdout"] = text[: len(text) // 2]


def no_metadata(route: Route) -> None:
    del route["json"]["items"][0]["metadata"]


def http_500(route: Route) -> None:
    del route["json"]
    route |= {"status": 500, "text": "<html>Internal Server Error</html>"}


def cut_off(route: Route) -> None:
    route["truncate"] = True


class Spoilt(NamedTuple):
    """A case, the mocks file that has its reply, how that is spoilt, and what the tool says of it."""

    case: str
    mocks: str
    spoil: Callable[[Route], None]
    error: str


SPOILT = {
    "docker prints a table": Spoilt(
        "docker_agent/containers_that_do_not_run",
        "mocks/containers_that_do_not_run.yaml",
        a_table,
        "Line 1 of docker's answer is not JSON",
    ),
    "docker prints half a document": Spoilt(
        "docker_agent/why_a_container_stopped", "mocks.yaml", half_a_document, "Docker's answer is not JSON"
    ),
    "a pod has no metadata": Spoilt(
        "k8s_health/pods_with_labels",
        "mocks.yaml",
        no_metadata,
        "Kubernetes' answer cannot be read: it has a Pod without metadata.",
    ),
    "Kubernetes answers 500": Spoilt(
        "k8s_health/stuck_rollout", "mocks.yaml", http_500, "Kubernetes answered 500 Internal Server Error."
    ),
    "Kubernetes breaks off": Spoilt(
        "k8s_health/deployments_and_images", "mocks.yaml", cut_off, "Kubernetes could not be asked: "
    ),
    "Prometheus answers 500": Spoilt(
        "observability/targets_that_are_down", "mocks.yaml", http_500, "Prometheus answered 500 Internal Server Error."
    ),
    "Loki breaks off": Spoilt(
        "observability/lines_of_the_last_half_hour", "mocks.yaml", cut_off, "Loki could not be asked: "
    ),
}


@pytest.fixture(scope="module")
def played(workbench, samples):
    """What became of each case, and the run's report as people read it."""
    for number, spoilt in enumerate(SPOILT.values()):
        agent, _, eval_id = spoilt.case.partition("/")
        outcome = next(one for one in samples.outcomes if one.eval_id == eval_id and f"/{agent}/" in one.file)
        (answered,) = outcome.trace.backend_events
        mocks = workbench.samples / agent / spoilt.mocks
        data = yaml.safe_load(mocks.read_text())
        spoilt.spoil(at(data, workbench.places(mocks)[answered.route]))
        folder = workbench.folder(workbench.samples / agent, f"s{number}")
        (folder / spoilt.mocks).write_text(yaml.safe_dump(data))
        workbench.evalset(folder, f"s{number}", with_replies(outcome))
    results = workbench.play()
    return {name: results[f"s{number}"].popitem()[1] for number, name in enumerate(SPOILT)}


def at(value: Any, path: tuple[str | int, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def with_replies(outcome: Outcome) -> dict[str, Any]:
    """Return a case as its file has it, with what its tools replied as recorded tool responses."""
    cases = json.loads(Path(outcome.file).read_text())["eval_cases"]
    case = next(case for case in cases if case["eval_id"] == outcome.eval_id)
    (turn,), (happened,) = case["conversation"], outcome.trace.turns
    replies = [{"name": event.name, "response": event.reply} for event in happened.tools]
    turn["intermediate_data"]["tool_responses"] = replies
    return case


@pytest.mark.parametrize("name", SPOILT)
def test_a_spoilt_reply_fails_the_case_because_the_answer_has_no_source_any_more(name, played):
    assert played[name].verdict == "failed"
    assert [reason.partition(" ")[0] for reason in played[name].reasons] == ["grounding"]


@pytest.mark.parametrize("name", SPOILT)
def test_the_report_says_what_the_tool_made_of_the_spoilt_reply(name, played, said, workbench):
    assert SPOILT[name].error in said(played[name])
    assert SPOILT[name].error in workbench.report.read_text()
