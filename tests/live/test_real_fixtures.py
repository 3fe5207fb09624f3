"""A few real fixtures, played live: the bare agent is given their tools, calls them, and is judged by the gold."""

import json
from itertools import islice
from types import SimpleNamespace

import pytest

from evalkit.adapters.holmes.conversion import convert
from evalkit.adapters.holmes.nouns import Options

OF_EACH = 2
"""Cases for each way in which the model behaves."""


def is_a_name(value):
    return isinstance(value, str) and value != "*"  # which stands for anything


def playable(path):
    """Find the cases of an evalset that recordings answer and that need no judge."""
    golds = json.loads((path.parent / "gold.json").read_text())["cases"]
    for case in json.loads(path.read_text())["eval_cases"]:
        block, gold = case["evalkit"], golds[case["eval_id"]]
        plain = not any(one["needs_judge"] for one in gold["rubrics"]) and not gold["sections"]
        named = [
            call
            for call in block["source"]["holmes"]["recorded_calls"]
            if any(map(is_a_name, (call["args"] or {}).values()))
        ]
        if (
            block["source"]["status"] == "replayable"
            and plain
            and named
            and not block.keys() & {"skip", "known_failing"}
        ):
            yield SimpleNamespace(
                id=case["eval_id"],
                path=path,
                asked=case["conversation"][0]["user_content"]["parts"][0]["text"],
                call=(named[0]["tool"], named[0]["args"]),
                expected="\n".join(gold["expected"]),
            )


@pytest.fixture
def cases(shared, project):
    """The first such cases of the real fixtures."""
    if not (shared / "holmesgpt").is_dir():
        pytest.skip("the fixtures of HolmesGPT are not among the shared data")
    convert(shared / "holmesgpt", project.root / "evals", Options())
    found = (case for path in sorted((project.root / "evals").rglob("*.evalset.json")) for case in playable(path))
    return list(islice(found, 3 * OF_EACH))


def test_a_model_passes_fails_and_is_left_undecided_by_what_it_finds_and_says(project, cases, serve, answers):
    right, wrong, astray = (cases[start::3] for start in range(3))
    by_prompt = {case.asked: case for case in cases}

    def script(asked):
        case = by_prompt[asked.user]
        tool, args = case.call
        if asked.replies:
            return answers.Say("Nothing is wrong here at all." if case in wrong else case.expected)
        if case in astray:
            args = {name: "elsewhere" if is_a_name(value) else value for name, value in args.items()}
        return answers.calls((tool, args))

    server = serve(script)
    done = project.run(
        server, paths=tuple({str(case.path) for case in cases}), agent="evalkit.adk.bare", models=("gemini-2.5-flash",)
    )

    told = dict.fromkeys((case.id for case in right), "passed")
    told |= dict.fromkeys((case.id for case in wrong), "failed")
    told |= dict.fromkeys((case.id for case in astray), "inconclusive")
    assert len(told) == 3 * OF_EACH
    assert {result.eval_id: result.verdict for result in done.report.results} == told
    assert {asked.user for asked in server.asked if asked.replies} == by_prompt.keys()
    assert all("elsewhere" in result.reasons[0] for result in done.report.results if result.verdict == "inconclusive")
