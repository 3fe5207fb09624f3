"""With pytest-xdist each worker plays the cases that it is given, and the end is the same."""

COUNTING = """
import os


def before_tool(tool, args, tool_context):
    with open("played.txt", "a") as played:
        played.write(f"{os.getpid()} {tool_context.user_content.parts[0].text}\\n")
"""


def test_each_case_is_played_once_and_reported_as_without_workers(project, make_case):
    project.agent("lag", code=COUNTING, callback="before_tool")
    project.evalset(
        make_case("fine"),
        make_case("also fine"),
        make_case("wrong", answer="The lag is 99."),
        make_case("misses", group="nobody"),
        make_case("later", skip="not before the summer"),
    )

    done = project.run("--evalkit-mode", "golden", "-n", "2", "-v")

    assert done.counts == {"passed": 2, "failed": 2, "skipped": 1}
    assert done.properties["wrong"]["evalkit_score_grounding"] == "0.0"
    assert "FAILED (inconclusive) evalsets/lag/lag.test.json::misses" in done.out
    assert "2 passed, 1 failed, 0 errors, 1 inconclusive, 1 skipped (golden replay" in done.out
    assert len((project.root / "played.txt").read_text().splitlines()) == 4


GROUPS = """
def pytest_collection_modifyitems(items):
    print("GROUPS", [mark.args for item in items for mark in item.iter_markers("xdist_group")])
"""


def test_cases_of_one_agent_are_one_group(project, make_case):
    project.write("conftest.py", GROUPS)
    project.evalset(make_case("one"), make_case("two"))

    assert "GROUPS [('lag',), ('lag',)]" in project.run("--evalkit-mode", "golden", "--collect-only").out
