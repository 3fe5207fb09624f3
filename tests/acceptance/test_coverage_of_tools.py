"""Every sample agent has evalsets, and between them they call all of its tools."""


def test_every_sample_agent_has_evalsets(samples, repo_root):
    agents = {path.parent.name for path in repo_root.glob("agents/*/agent.py")}

    assert {path.relative_to(samples.evalsets).parts[0] for path in samples.evalsets.rglob("*.json")} == agents
    assert set(samples.report.info.agents) == {str(repo_root / "agents" / name) for name in agents}


def test_every_tool_of_every_agent_is_called_by_some_case(samples):
    """Those behind a confirmation, too: a call that the user rejects counts."""
    assert {agent: tools for agent, tools in samples.report.uncalled_tools.items() if tools} == {}
