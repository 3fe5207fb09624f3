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
    "response_match_score": "evalkit.scorers.rouge:score",
    "grounding": "evalkit.scorers.grounding:score",
    "forbid": "evalkit.scorers.forbid:score",
    "blocked": "evalkit.scorers.blocked:score",
    "response": "evalkit.scorers.response:score",
    "state": "evalkit.scorers.state:score",
    "route": "evalkit.scorers.routing:score",
    "intermediate_responses": "evalkit.scorers.intermediate_responses:score",
    "tool_responses": "evalkit.scorers.tool_responses:score",
}
"""Metric name to `module:function`."""


def load(name: str) -> Scorer:
    """Return the scorer of a metric.

    Raises:
        InputError: No scorer has that name; the message lists those that there are.
    """
    if name not in SCORERS:
        raise InputError(f"no scorer is named {name!r}; there are {', '.join(SCORERS)}")
    module, _, function = SCORERS[name].partition(":")
    scorer: Scorer = getattr(importlib.import_module(module), function)
    return scorer
