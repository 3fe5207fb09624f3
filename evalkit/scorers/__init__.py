"""What is measured: one idea a file, each a pure function from a case and its trace to a score.

A scorer knows neither threshold nor report: `evalkit.score` decides what a value means. Scorers are named here and
loaded when first used, so that a run pays only for the libraries of the criteria it has.
"""

import importlib
from collections.abc import Callable, Mapping

from evalkit.cases import Case, Criterion
from evalkit.errors import InputError
from evalkit.results import Score
from evalkit.traces import Trace

Scorer = Callable[[Case, Trace, Criterion], Score]
"""Scores one case by what happened in it. Raises whatever a bug raises: the caller makes that `not judged`."""

SCORERS: Mapping[str, str] = {
    "replay": "evalkit.scorers.replay:score",
    "tool_trajectory_avg_score": "evalkit.scorers.trajectory:score",
    "trajectory": "evalkit.scorers.trajectory_rules:score",
    "trajectory_f1": "evalkit.scorers.trajectory_f1:score",
    "efficiency": "evalkit.scorers.efficiency:score",
    "response_match_score": "evalkit.scorers.rouge:score",
    "rouge": "evalkit.scorers.overlap:score",
    "grounding": "evalkit.scorers.grounding:score",
    "forbid": "evalkit.scorers.forbid:score",
    "blocked": "evalkit.scorers.blocked:score",
    "worked": "evalkit.scorers.worked:score",
    "response": "evalkit.scorers.response:score",
    "state": "evalkit.scorers.state:score",
    "budget": "evalkit.scorers.budget:score",
    "route": "evalkit.scorers.routing:score",
    "intermediate_responses": "evalkit.scorers.intermediate_responses:score",
    "tool_responses": "evalkit.scorers.tool_responses:score",
    "evidence_touched": "evalkit.scorers.evidence_touched:score",
}
"""Metric name to `module:function`."""

JUDGED: Mapping[str, str] = {
    "rubric": "evalkit.scorers.rubrics.offline:score",
    "rubric_based_final_response_quality_v1": "evalkit.scorers.rubrics.offline:score",
    "rubric_based_tool_use_quality_v1": "evalkit.scorers.rubrics.offline:score",
    "final_response_match_v2": "evalkit.scorers.rubrics.offline:score",
    "holmes_correctness": "evalkit.scorers.holmes_correctness:score",
}
"""The metrics that may need a judge, and what scores them as far as that goes without one; see `evalkit.judges`."""

BASELINES = frozenset({"holmes_correctness"})
"""Those of them that are guessed at without a judge: what a judge was asked and left open stays open."""


def load(name: str) -> Scorer:
    """Return the scorer of a metric.

    Raises:
        InputError: No scorer has that name; the message lists those that there are.
    """
    known = {**SCORERS, **JUDGED}
    if name not in known:
        raise InputError(f"no scorer is named {name!r}; there are {', '.join(known)}")
    module, _, function = known[name].partition(":")
    scorer: Scorer = getattr(importlib.import_module(module), function)
    return scorer
