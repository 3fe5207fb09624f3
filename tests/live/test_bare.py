"""A bare model with the tools of a case: given by the mocks, called for real, answered by the routes."""

import pytest

MOCKS = """
agent: evalkit.adk.bare
provides:
  - name: kubectl_describe
    description: Describe a resource.
    parameters:
      type: object
      properties:
        kind: {type: string, description: Kind of the resource.}
        name: {type: string, description: Its name.}
        namespace: {type: [string, "null"], description: Where it lives.}
      required: [kind, name]
  - {name: list_clusters, description: List clusters.}
tools:
  kubectl_describe:
    - args: {kind: pod, name: web-1}
      returns: {status: success, data: "web-1: OOMKilled, limit 128Mi"}
"""
ANSWER = "web-1 was OOMKilled at its limit of 128Mi."


@pytest.fixture
def bare(project):
    """A project whose evalset is for the bare agent, and has nothing but a question."""
    project.write("evalsets/lag/mocks.yaml", MOCKS)
    project.config({"grounding": 1.0})

    def ask(eval_id="web-1", **block):
        said = {"user_content": {"role": "user", "parts": [{"text": "What is wrong with web-1?"}]}}
        project.evalset({"eval_id": eval_id, "conversation": [said], "evalkit": block})
        return project

    return ask


def investigates(answers):
    """A model that describes the pod and repeats what it is told."""

    def script(asked):
        if asked.replies:
            return answers.Say(ANSWER)
        return answers.calls(("kubectl_describe", {"kind": "pod", "name": "web-1"}))

    return script


def test_it_calls_the_tools_it_is_given_and_the_mocks_answer(bare, serve, answers, monkeypatch):
    monkeypatch.setenv("EVALKIT_BARE_MODEL", "gemini-2.0-flash")
    server = serve(investigates(answers))
    done = bare().run(server)

    assert done.verdicts == {"web-1": "passed"}
    assert {asked.model for asked in server.asked} == {"gemini-2.0-flash"}
    assert "model of evalkit.adk.bare: gemini-2.0-flash (EVALKIT_BARE_MODEL in the environment)" in done.told
    assert server.asked[0].tools == ("kubectl_describe", "list_clusters")
    assert server.asked[1].replies == ({"status": "success", "data": "web-1: OOMKilled, limit 128Mi"},)
    note = (
        "bare was given tools that it does not have itself, by `provides` of its mocks: kubectl_describe, list_clusters"
    )
    assert done.notes == {"web-1": (note,)}


def test_a_call_that_nothing_answers_leaves_the_verdict_open(bare, serve, answers):
    server = serve(lambda asked: answers.Say("No cluster.") if asked.replies else answers.call("list_clusters"))
    done = bare().run(server, models=("gemini-2.5-flash",))

    assert done.verdicts == {"web-1": "inconclusive"}
    assert "list_clusters" in done.reasons["web-1"]


def test_what_was_said_and_found_before_is_sent_and_founds_the_answer(bare, serve, answers):
    server = serve(lambda _asked: answers.Say(ANSWER))
    call = {"name": "kubectl_describe", "args": {"kind": "pod", "name": "web-1"}}
    reply = {"name": "kubectl_describe", "response": {"data": "web-1: OOMKilled, limit 128Mi"}}
    prior = [
        {"author": "user", "content": {"parts": [{"text": "Look at web-1."}]}},
        {"author": "agent", "content": {"parts": [{"function_call": call}]}},
        {"author": "agent", "content": {"parts": [{"function_response": reply}]}},
        {"author": "agent", "content": {"parts": [{"text": "I did."}]}},
    ]
    done = bare(prior_events=prior).run(server, models=("gemini-2.5-flash",))

    assert done.verdicts == {"web-1": "passed"}
    assert server.asked[0].users == ("Look at web-1.", "What is wrong with web-1?")
    (outcome,) = done.folder.outcomes()
    assert [turn.tools for turn in outcome.trace.turns] == [()]
