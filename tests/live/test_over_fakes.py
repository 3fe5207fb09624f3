"""Live over fakes below the tools: their code reaches the fakes and nothing else, while models are asked for real."""

AGENT = '''
import os
import httpx
from google.adk.agents import LlmAgent


def get_lag(group: str) -> dict:
    """Return the lag of a consumer group."""
    base = os.environ["LAG_URL"] if group == "orders" else os.environ["GOOGLE_GEMINI_BASE_URL"]
    return httpx.get(f"{base}/lag").json()


root_agent = LlmAgent(name="lag", model="gemini-2.5-flash", tools=[get_lag])
'''

MOCKS = """
backends:
  - http: {env: LAG_URL, routes: [{method: GET, path: /lag, json: {lag: 75}}]}
"""


def test_what_a_tool_reaches_beyond_the_fakes_is_refused_and_its_model_is_not(project, make_case, serve, answers):
    project.write("agents/lag/agent.py", AGENT)
    project.write("evalsets/lag/mocks.yaml", MOCKS)
    project.config({"grounding": 1.0})
    project.evalset(make_case("orders"), make_case("elsewhere"))
    server = serve(
        lambda asked: answers.Say("The lag is 75.") if asked.replies else answers.call("get_lag", group=asked.user)
    )

    done = project.run(server)

    assert done.verdicts == {"orders": "passed", "elsewhere": "error"}
    assert "ConnectError" in done.reasons["elsewhere"]
    traces = {outcome.eval_id: outcome.trace for outcome in done.folder.outcomes()}
    assert [event.request for event in traces["orders"].backend_events] == ["GET /lag"]
    assert str(server.server_port) in traces["elsewhere"].misses[0].message
    assert [asked.user for asked in server.asked] == ["orders", "orders", "elsewhere"]
