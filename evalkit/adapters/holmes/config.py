"""The criteria that converted cases are judged by."""

from typing import Any

from evalkit.adapters.holmes.nouns import Options
from evalkit.gold import Gold


def config(gold: Gold, options: Options) -> dict[str, Any]:
    """Make the value of `test_config.json`: correctness gates, how it was reached informs."""
    criteria: dict[str, Any] = {
        "holmes_correctness": {"threshold": 1.0},
        "efficiency": {"threshold": 1.0, "gate": False},
        "evidence_touched": {"threshold": 1.0, "gate": False},
    }
    if options.expect_recorded:
        order = {"match_type": "ANY_ORDER", "ignore_args": True}
        criteria["tool_trajectory_avg_score"] = {"threshold": 1.0, **order, "gate": False}
    if options.inline_gold and gold.rubrics:
        judged = "tool_use" if gold.include_tool_calls else "final_response"
        criteria[f"rubric_based_{judged}_quality_v1"] = {"threshold": 1.0, "gate": False}
    return {"criteria": criteria}
