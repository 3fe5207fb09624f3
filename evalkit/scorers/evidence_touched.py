"""`evidence_touched`: was a recording that tells of something found ever served?

Recordings that tell of an error or of no data are dead ends, as are those that only say that all went well. Where a
case has others and none of them was served, the answer rests on nothing that was looked up. Nothing says that a
recording is needed, so this is for information.

In golden mode the case makes its own calls, so this holds by construction.
"""

from evalkit.cases import Case, Criterion
from evalkit.replies import finds_something
from evalkit.results import Score
from evalkit.scorers.golden_calls import made_by_the_case
from evalkit.scorers.made import of_tools
from evalkit.traces import Trace


def score(case: Case, trace: Trace, criterion: Criterion) -> Score:  # noqa: ARG001 - this metric has no options
    """Look for a served recording that tells of something found."""
    if not trace.has_evidence:
        return Score(state="not_applicable", reason="no recording of this case tells of something found")
    answered = [event for turn in trace.turns for event in of_tools(turn) if event.status == "answered"]
    served = list(dict.fromkeys(event.route or event.name for event in answered if finds_something(event.reply)))
    by_construction = made_by_the_case(case, trace)
    if served:
        return Score(value=1.0, by_construction=by_construction, details={"served": served})
    reason = f"none of the {len(answered)} recordings served tells of something found" if answered else _UNTOUCHED
    return Score(value=0.0, reason=reason, by_construction=by_construction, details={"served": []})


_UNTOUCHED = "no recording was served, so the answer rests on nothing that was looked up"
