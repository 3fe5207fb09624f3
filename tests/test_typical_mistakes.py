"""Thirty mistakes that people make, planted by hand: the first line printed names the place and the remedy."""

from pathlib import Path
from typing import NamedTuple

import pytest

from evalkit.check import check

EVALSET = """{
  "eval_set_id": "kafka_lag",
  "name": "Consumer lag",
  "eval_cases": [
    {
      "eval_id": "lag_of_orders",
      "conversation": [
        {
          "invocation_id": "one",
          "user_content": {"role": "user", "parts": [{"text": "How far behind is orders?"}]},
          "final_response": {"role": "model", "parts": [{"text": "It is 75 behind."}]},
          "intermediate_data": {
            "tool_uses": [
              {"name": "get_lag", "args": {"group": "orders"}}
            ],
            "intermediate_responses": [["kafka", [{"text": "Looking."}]]]
          }
        }
      ],
      "session_input": {"app_name": "kafka_health", "user_id": "ops", "state": {"role": "viewer"}}
    },
    {
      "eval_id": "lag_of_payments",
      "conversation": [
        {
          "user_content": {"role": "user", "parts": [{"text": "And payments?"}]},
          "final_response": {"role": "model", "parts": [{"text": "It is 3 behind."}]},
          "intermediate_data": {"tool_uses": []}
        }
      ]
    }
  ]
}
"""

CONFIG = """{
  "criteria": {
    "tool_trajectory_avg_score": {
      "threshold": 1.0,
      "match_type": "IN_ORDER"
    },
    "response_match_score": 0.3,
    "rubric_based_final_response_quality_v1": {
      "threshold": 0.8,
      "judge_model_options": {"judge_model": "gemini-2.5-flash", "num_samples": 3},
      "rubrics": [
        {"rubric_id": "names_the_lag", "rubric_content": {"text_property": "It names the lag."}}
      ]
    }
  }
}
"""


class Mistake(NamedTuple):
    """A mistake: what is written in the place of what, where the first line must point, and what it must say to do."""

    about: str
    right: str
    wrong: str
    place: str
    remedy: str
    rule: str


THREE = ': {"role": "model", "parts": [{"text": "It is 3'
IN_EVALSET = [
    Mistake("a comma too many", '"tool_uses": []}', '"tool_uses": [],}', ",}", "remove the comma", "bad-json"),
    Mistake("a comma too few", '"kafka_lag",', '"kafka_lag"', '\n  "name"', "write the comma", "bad-json"),
    Mistake("a comment", '"name": "Con', '// the name\n  "name": "Con', "// the", '"_comment"', "bad-json"),
    Mistake("Python's quotes", '"kafka_lag"', "'kafka_lag'", "'kafka_lag'", 'write "', "bad-json"),
    Mistake("Python's None", '"Consumer lag"', "None", "None", "write null", "bad-json"),
    Mistake("a quote inside a string", "It is 75 b", 'It is "75" b', '"75"', 'a string as \\"', "bad-json"),
    Mistake(
        "a key twice",
        '"user_id": "ops"',
        '"user_id": "ops", "app_name": "k8s"',
        '"app_name": "k8s"',
        "keep one",
        "duplicate-key",
    ),
    Mistake("camelCase at the top", '"eval_set_id"', '"evalSetId"', '"evalSetId"', "`eval_set_id`", "camel-case"),
    Mistake(
        "another name for the cases", '"eval_cases"', '"test_cases"', '"test_cases"', "`eval_cases`", "unknown-key"
    ),
    Mistake(
        "another name for the id",
        '"eval_id": "lag_of_o',
        '"case_id": "lag_of_o',
        '"case_id"',
        "`eval_id`",
        "unknown-key",
    ),
    Mistake("a number as id", '"lag_of_payments"', "7", "7,", "a string", "wrong-type"),
    Mistake("an id twice", '"lag_of_payments"', '"lag_of_orders"', '"lag_of_orders"\x00', "its own id", "duplicate-id"),
    Mistake("a path as set id", '"kafka_lag"', '"kafka/lag"', '"kafka/lag"', "letters, digits and", "unsafe-set-id"),
    Mistake(
        "the prompt as text",
        '{"role": "user", "parts": [{"text": "And payments?"}]}',
        '"And payments?"',
        '"And payments?"',
        '"parts": [{"text": "…"}]',
        "wrong-type",
    ),
    Mistake("a misspelt part", '[{"text": "And', '[{"txt": "And', '"txt"', "`text`", "unknown-key"),
    Mistake(
        "the old key for calls",
        '"intermediate_data": {"tool_uses": []}',
        '"expected_tool_use": []',
        '"expected_tool_use"',
        '"intermediate_data": {"tool_uses": [{"name": "…", "args": {}}]}',
        "old-keys",
    ),
    Mistake(
        "the old keys of a call",
        '{"name": "get_lag", "args"',
        '{"tool_name": "get_lag", "args"',
        '"tool_name"',
        "write `name`",
        "unknown-key",
    ),
    Mistake(
        "no arguments", ', "args": {"group": "orders"}', "", '{"name": "get_lag"}', 'write "args": {}', "missing-args"
    ),
    Mistake(
        "arguments as a list", '{"group": "orders"}', '["orders"]', '["orders"]', "must be an object", "wrong-type"
    ),
    Mistake(
        "an intermediate response as text",
        '["kafka", [{"text": "Looking."}]]',
        '"Looking."',
        '"Looking."',
        '["agent", [{"text": "…"}]]',
        "wrong-type",
    ),
    Mistake(
        "a misspelt session",
        '"session_input"',
        '"session_inputs"',
        '"session_inputs"',
        "`session_input`",
        "misspelt-key",
    ),
    Mistake("a session without user", '"user_id": "ops", ', "", '{"app_name"', '"user_id": "user"', "missing-key"),
    Mistake(
        "a misspelt answer",
        f'"final_response"{THREE}',
        f'"final_respons"{THREE}',
        '"final_respons"',
        "`final_response`",
        "unknown-key",
    ),
    Mistake(
        "an expectation that ADK has no key for",
        '"invocation_id": "one"',
        '"expected_response_contains": "75"',
        '"expected_response_contains"',
        '"response": {"contains": ["…"]}',
        "unknown-key",
    ),
]
RUBRIC = '{"rubric_id": "names_the_lag", "rubric_content": {"text_property": "It names the lag."}}'
JUDGE = '{"judge_model": "gemini-2.5-flash", "num_samples": 3}'
RUBRICS_INSIDE = f"""      "rubrics": [
        {RUBRIC}
      ]
    }}
  }}
"""
RUBRICS_BESIDE = f"""      "include_intermediate_responses_in_final": true
    }}
  }},
  "rubrics": [{RUBRIC}]
"""
IN_CONFIG = [
    Mistake("another name for the criteria", '"criteria"', '"criterion"', '"criterion"', "`criteria`", "unknown-key"),
    Mistake(
        "no such metric", '"response_match_score"', '"rouge_1"', '"rouge_1"', "`response_match_score`", "unknown-metric"
    ),
    Mistake("a misspelt match type", '"IN_ORDER"', '"IN_ODER"', '"IN_ODER"', "did you mean IN_ORDER?", "wrong-value"),
    Mistake("a misspelt option", '"match_type"', '"match_typ"', '"match_typ"', "`match_type`", "misspelt-key"),
    Mistake("a match type as number", '"IN_ORDER"', "1", "1\n", 'write "IN_ORDER"', "match-type-number"),
    Mistake("no threshold", '"threshold": 1.0,', "", "{\n      \n", 'add "threshold"', "missing-key"),
    Mistake("a percentage", "0.3", "30", "30", "scores from 0 to 1", "odd-threshold"),
    Mistake("rubrics as text", RUBRIC, '"It names the lag."', '"It names the lag."', '{"rubric_id": "…"', "wrong-type"),
    Mistake(
        "rubrics beside the criteria",
        RUBRICS_INSIDE,
        RUBRICS_BESIDE,
        '"rubrics"',
        '"threshold": …, "rubrics": […]',
        "misplaced-rubrics",
    ),
    Mistake(
        "the judge as text", JUDGE, '"gemini-2.5-flash"', '"gemini-2.5-flash"', '{"judge_model": "…"}', "wrong-type"
    ),
]


def table():
    for name, good, mistakes in (("lag.evalset.json", EVALSET, IN_EVALSET), ("test_config.json", CONFIG, IN_CONFIG)):
        for mistake in mistakes:
            yield pytest.param(name, good, mistake, id=mistake.about)


@pytest.mark.parametrize(("name", "good", "mistake"), [*table()])
def test_the_first_line_names_the_place_and_the_remedy(name, good, mistake, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("lag.evalset.json").write_text(EVALSET, encoding="utf-8")
    Path("test_config.json").write_text(CONFIG, encoding="utf-8")
    assert good.count(mistake.right) == 1, "the table says which place is meant"
    bad = good.replace(mistake.right, mistake.wrong)
    Path(name).write_text(bad, encoding="utf-8")

    first = check(["."]).problems[0]

    # A marked place is the last of its kind, any other the first.
    marker = mistake.place.removesuffix("\0")
    offset = bad.rindex(marker) if mistake.place.endswith("\0") else bad.index(marker)
    line = bad.count("\n", 0, offset) + 1
    column = offset - (bad.rfind("\n", 0, offset) + 1) + 1
    assert str(first).startswith(f"{name}:{line}:{column}: "), first
    assert mistake.remedy in str(first)
    assert first.rule == mistake.rule


def test_the_good_files_are_clean(tmp_path):
    (tmp_path / "lag.evalset.json").write_text(EVALSET, encoding="utf-8")
    (tmp_path / "test_config.json").write_text(CONFIG, encoding="utf-8")
    assert check([tmp_path]).problems == ()


def test_there_are_thirty():
    assert len([*table()]) >= 30
