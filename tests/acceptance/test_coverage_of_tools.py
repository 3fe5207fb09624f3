"""Every sample agent has evalsets, and between them they call every tool."""

from pathlib import Path


def test_every_sample_agent_has_evalsets(samples, repo_root):
    agents = {path.parent.name for path in repo_root.glob("agents/*/agent.py")}

    assert {Path(outcome.file).relative_to(samples.evalsets).parts[0] for outcome in samples.outcomes} == agents


def test_every_tool_is_called_by_some_case(samples):
    """Those behind a confirmation, too. The orchestrator has tools of specialists that their own evalsets call."""
    called = {event.name for outcome in samples.outcomes for turn in outcome.trace.turns for event in turn.tools}
    uncalled = {tool for tools in samples.report.uncalled_tools.values() for tool in tools}

    assert uncalled - called == set()
