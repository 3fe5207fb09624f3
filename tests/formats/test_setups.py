"""`prior_events`, `live` and `gold`: read, written back, and refused where they make no sense."""

import json

import pytest

from evalkit.formats import evalset
from evalkit.formats.evalset_writer import write_case_set
from evalkit.setups import LiveSetup, PortForward, PriorEvent

LIVE = {
    "needed": "no recordings",
    "before_test": "kubectl apply -f manifest.yaml",
    "after_test": "kubectl delete -f manifest.yaml",
    "setup_timeout": 360,
    "env": {"KUBECONFIG": "$TMPDIR/config"},
    "port_forwards": [{"namespace": "shop", "service": "prometheus", "local_port": 9090, "remote_port": 80}],
    "folder": "files",
    "shared": "../../shared",
    "may_create_files": True,
}
CALL = {"function_call": {"name": "get_lag", "args": {"group": "orders"}}}


def parse(**block):
    case = {"eval_id": "one", "conversation": [{"user_content": {"parts": [{"text": "hi"}]}}], "evalkit": block}
    return evalset.parse(json.dumps({"eval_set_id": "lag", "eval_cases": [case]}).encode(), file="lag.evalset.json")


def read(**block):
    loaded = parse(**block)
    assert loaded.problems == ()
    return loaded.value


def test_a_live_setup_is_read_with_every_word_of_it():
    assert read(live=LIVE).cases[0].live == LiveSetup(
        needed="no recordings",
        before="kubectl apply -f manifest.yaml",
        after="kubectl delete -f manifest.yaml",
        timeout=360,
        env={"KUBECONFIG": "$TMPDIR/config"},
        port_forwards=(PortForward(namespace="shop", service="prometheus", local_port=9090, remote_port=80),),
        folder="files",
        shared="../../shared",
        may_create_files=True,
    )


def test_prior_events_have_their_parts_as_adk_reads_them():
    events = [
        {"author": "user", "content": {"role": "user", "parts": [{"text": "the lag of orders?"}]}},
        {"author": "agent", "content": {"parts": [{"functionCall": CALL["function_call"]}]}},
    ]
    assert read(prior_events=events).cases[0].prior_events == (
        PriorEvent(author="user", content={"role": "user", "parts": [{"text": "the lag of orders?"}]}),
        PriorEvent(author="agent", content={"parts": [CALL]}),
    )


def test_what_is_read_is_written_back_whole():
    block = {
        "prior_events": [{"author": "agent", "content": {"role": "model", "parts": [CALL]}}],
        "live": LIVE,
        "gold": "gold.json",
    }
    cases = read(**block)
    bare = [{**vars_of(case), "extra": {}} for case in cases.cases]
    written = write_case_set(type(cases)(eval_set_id="lag", cases=tuple(type(cases.cases[0])(**one) for one in bare)))
    assert written["eval_cases"][0]["evalkit"] == block


def vars_of(case):
    return {name: getattr(case, name) for name in case.__dataclass_fields__}


@pytest.mark.parametrize(
    ("block", "path", "message"),
    [
        ({"live": {"setup_timeout": 0}}, ".live.setup_timeout", "0"),
        ({"live": {"before": "true"}}, ".live.before", "before"),
        ({"live": {"env": {"A": 1}}}, ".live.env.A", "string"),
        ({"prior_events": [{"content": {}}]}, ".prior_events[0]", "author"),
        ({"gold": 1}, ".gold", "string"),
    ],
)
def test_what_makes_no_sense_is_refused_where_it_stands(block, path, message):
    problem = parse(**block).problems[0]
    assert (problem.severity, problem.path) == ("error", f"$.eval_cases[0].evalkit{path}")
    assert message in problem.message
