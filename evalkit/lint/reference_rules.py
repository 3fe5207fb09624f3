"""The rules for what criteria compare with: what no case has is an error, what some turns lack a warning."""

from collections.abc import Callable, Iterator, Mapping

from evalkit.cases import CaseSet, Config, Turn
from evalkit.errors import Problem
from evalkit.formats.metrics import Reference
from evalkit.formats.paths import write_step
from evalkit.formats.wording import listed
from evalkit.lint.problems import fault
from evalkit.lint.references import PRESENT, RUBRIC_TYPES, reference_of, rubrics_of
from evalkit.lint.turn_rules import says_anything

_RUBRIC = '"rubrics": [{"rubric_id": "…", "rubric_content": {"text_property": "…"}}]'

_PER_TURN: Mapping[Reference, tuple[Callable[[Turn], bool], str, str]] = {
    "intermediate_data": (
        lambda turn: turn.steps is not None,
        "ADK takes that for no calls",
        'add "intermediate_data": {"tool_uses": []} if no calls are expected',
    ),
    "final_response": (
        lambda turn: turn.final is not None,
        "ADK compares with nothing, and ROUGE is then 0",
        'add "final_response": {"role": "model", "parts": [{"text": "…"}]}',
    ),
}
"""What turns have one by one: how to tell, what ADK does without, and what to write."""


def empty_references(cases: CaseSet, config: Config) -> Iterator[Problem]:
    """Find expected answers that say nothing, which no answer is like."""
    metrics = [item.name for item in config.criteria if item.gate and reference_of(item) == "final_response"]
    if not metrics or cases.form is not None:  # a list has empty answers where it has none
        return
    for turn in (turn for case in cases.cases for turn in case.turns or ()):
        if turn.final and not says_anything(turn.final):
            message = f"the expected answer says nothing, so no answer is like it for {listed(metrics)}"
            path = f"{turn.where}.final_response"
            yield fault("missing-reference", cases.file, path, message, "write its text, or leave `final_response` out")


def judges_nothing(cases: CaseSet, config: Config) -> Iterator[Problem]:
    """Find criteria that compare with something that no case has."""
    for criterion in config.criteria:
        reference = reference_of(criterion)
        if reference in {None, "rubrics"} or not criterion.gate:
            continue
        if not any(PRESENT[reference](case) for case in cases.cases):
            meaning = f"; {_PER_TURN[reference][1]}" if reference in _PER_TURN else ""
            named = cases.file or cases.eval_set_id
            message = f"`{criterion.name}` applies to no case of {named}: none has {reference}{meaning}"
            hint = 'give a case one, take the criterion out, or add "gate": false, which evalkit alone reads'
            path = f"$.criteria{write_step(criterion.name)}"
            yield fault("criterion-judges-nothing", config.origin, path, message, hint)


def missing_references(cases: CaseSet, config: Config) -> Iterator[Problem]:
    """Find turns that lack what a criterion compares with, while others have it."""
    turns = [turn for case in cases.cases for turn in case.turns or ()]
    for reference, (has, meaning, hint) in _PER_TURN.items():
        metrics = [item.name for item in config.criteria if item.gate and reference_of(item) == reference]
        without = [turn for turn in turns if not has(turn)]
        if metrics and len(without) < len(turns):
            message = f"the turn has no `{reference}` for {listed(metrics)}: {meaning}; evalkit leaves it out"
            yield from (fault("missing-reference", cases.file, turn.where, message, hint) for turn in without)


def missing_rubrics(cases: CaseSet, config: Config) -> Iterator[Problem]:
    """Find criteria that work by rubrics and have none, neither of their own nor in a case."""
    for criterion in config.criteria:
        if reference_of(criterion) != "rubrics" or not criterion.gate or criterion.options.get("rubrics"):
            continue
        kind = RUBRIC_TYPES.get(criterion.name)
        types = [rubric.get("type") for _, rubrics in rubrics_of(cases) for rubric in rubrics]
        checked = [rule.type for case in cases.cases for turn in case.turns or () for rule in turn.expect.rubrics]
        # A rubric with a check is for the metric `rubric`, unless its type says otherwise.
        types += [name for name in checked if kind is None or name == kind]
        if not types:
            own = " of its own (those in `expect` are for the metric `rubric`)" if checked else ""
            lacking = f"`{criterion.name}` works by rubrics, and neither the criterion nor a case has any{own}"
            hint = f"add {_RUBRIC}"
        elif kind and kind not in types:
            lacking = f"`{criterion.name}` takes rubrics of cases by their type, and none has `{kind}`"
            hint = f'add "type": "{kind}" to the rubrics that it should judge by'
        else:
            continue
        message, path = f"{lacking}; ADK refuses to judge", f"$.criteria{write_step(criterion.name)}"
        yield fault("missing-rubrics", config.origin, path, message, hint)
