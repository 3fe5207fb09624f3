"""`report.md`: exact text, and what a Markdown parser makes of hostile text."""

import pytest
from markdown_it import MarkdownIt

from evalkit.report.markdown import render

MIXED = """\
# Evaluation of 2025-11-29 21:12:00 UTC

- Result: 1 passed, 1 failed, 1 error, 1 inconclusive, 1 skipped, 2 known failing in 1.9 s \
(exit 1: cases failed or had errors; golden replay: the model was not exercised)
- Mode: `golden`
- Versions: evalkit 0.1.0, google-adk 2.13.0, Python 3.11.7
- Agent `agents/kafka`: `gemini-2.5-flash`
- Known failing, not gating: 1 passed, 1 failed, 0 errors, 0 inconclusive, 0 skipped
- `fixed` in `evalsets/kafka/groups.test.json` passed although it is known to fail

## `evalsets/kafka/topics.evalset.json`

Criteria: `evalsets/kafka/test_config.json`. 1 passed, 1 failed, 1 error, 1 inconclusive, 1 skipped.

| Verdict | Case | Seconds | Criteria |
| --- | --- | ---: | --- |
| passed | `list_topics` | 0.12 | `replay` 1.00; `grounding` 1.00; `tool_trajectory_avg_score` 1.00 (by construction) |
| failed | `lag_of_group` | 0.31 | `replay` 0.50 (failed); `style` 0.25 (needs 0.50; informative); \
`response_match_score` not applicable |
| error | `broker_down` | 61.20 |  |
| inconclusive | `rubric#2` | 1.50 | `rubric` not judged |
| skipped | `chat` | 0.00 | `conversation_scenario is played live only` |

- `response_match_score` is not applicable to 1 of 5 cases

## `evalsets/kafka/groups.test.json`

0 passed, 0 failed, 0 errors, 0 inconclusive, 0 skipped. \
Known failing, not gating: 1 passed, 1 failed, 0 errors, 0 inconclusive, 0 skipped.

| Verdict | Case | Seconds | Criteria |
| --- | --- | ---: | --- |
| passed | `fixed` | 0.00 | known failing: `bug 12`; `replay` 1.00 |
| failed | `open` | 0.00 | known failing: `bug 13` |

## Not passed

### failed: `lag_of_group`

In `evalsets/kafka/topics.evalset.json`.

```text
replay: a golden call was never asked for
```

`replay` 0.50 (failed):

```text
expected  get_lag(group="pay")
actual    (nothing)
```

`style` 0.25 (needs 0.50; informative):

```text
too long
```

### error: `broker_down`

In `evalsets/kafka/topics.evalset.json`.

```text
agent_error: KeyError: 'x'
```

### inconclusive: `rubric#2`

In `evalsets/kafka/topics.evalset.json`.

```text
rubric could not run
```

`rubric` not judged:

```text
there is no judge
```

### failed: `open`

In `evalsets/kafka/groups.test.json`, known failing.

```text
replay: no
```

## Tools that no case called

- `kafka`: `create_topic`, `delete_topic`

## Slowest

- 1 min 01 s: `broker_down` in `evalsets/kafka/topics.evalset.json`
- 1.5 s: `rubric#2` in `evalsets/kafka/topics.evalset.json`

## Notes

```text
ADK's defaults apply to one file
```

For `list_topics`:

```text
get_lag takes a tool context: its own state writes did not run
```
"""

HOSTILE = "a|b`c``d\\|e\x1b[2J\r\n# h <img src=x> @octocat **b**\n```\n"


@pytest.fixture
def hostile(report, case, criterion):
    return report(
        case(
            HOSTILE,
            "failed",
            HOSTILE,
            file=HOSTILE,
            notes=(HOSTILE,),
            known_failing=HOSTILE,
            criteria=(criterion(HOSTILE, 0.0, passed=False, reason=HOSTILE + "!"),),
            seconds=2.0,
        ),
        case(HOSTILE + " too", "skipped", HOSTILE, file=HOSTILE),
        uncalled_tools={HOSTILE: (HOSTILE,)},
    )


def test_a_run_with_every_verdict_reads_like_this(mixed_report):
    assert render(mixed_report) == MIXED


def test_a_green_run_has_no_section_of_what_did_not_pass(report, case):
    assert [line for line in render(report(case("a"))).splitlines() if line.startswith("#")] == [
        "# Evaluation of 2025-11-29 21:12:00 UTC",
        "## `evalsets/kafka/topics.evalset.json`",
    ]


def test_text_from_outside_stands_in_code_only(hostile):
    outside_code = [
        child.content
        for token in MarkdownIt().enable("table").parse(render(hostile))
        for child in token.children or ()
        if child.type != "code_inline"
    ]

    assert not [text for text in outside_code if "octocat" in text or "img" in text or "\\x1b" in text]


def test_text_from_outside_adds_no_headings_columns_or_html(hostile):
    tokens = MarkdownIt().enable("table").parse(render(hostile))
    kinds = [token.type for token in tokens]

    assert [token.tag for token in tokens if token.type == "heading_open"] == ["h1", "h2", "h2", "h3", "h2", "h2", "h2"]
    assert kinds.count("tr_open") == 3
    assert kinds.count("td_open") == 2 * 4
    assert "html_block" not in kinds


def test_reasons_come_whole_within_their_block(hostile):
    blocks = [token.content for token in MarkdownIt().parse(render(hostile)) if token.type == "fence"]

    assert blocks[0] == "a|b`c``d\\|e\\x1b[2J\n# h <img src=x> @octocat **b**\n```\n\n"
    assert len(blocks) == 3


def test_a_reason_of_ten_kilobytes_is_cut_with_a_mark(report, case):
    shown = render(report(case("a", "failed", "y" * 10_240)))

    assert "y" * 2_000 + "... (truncated: 8,240 more characters in results.json)\n```\n" in shown


def test_a_case_that_gives_no_reason_still_has_its_section(report, case):
    shown = render(report(case("a", "inconclusive")))

    assert shown.endswith("## Not passed\n\n### inconclusive: `a`\n\nIn `evalsets/kafka/topics.evalset.json`.\n")
