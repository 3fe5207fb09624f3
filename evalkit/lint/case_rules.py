"""The rules for an evalset alone."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from evalkit.cases import Case, CaseSet
from evalkit.errors import Problem
from evalkit.lint.problems import fault
from evalkit.lint.references import rubric_ids

_ANSWERED = {"id": "a part that is no answer"}


def duplicate_ids(cases: CaseSet) -> Iterator[Problem]:
    """Find cases with the id of an earlier one."""
    first: dict[str, Case] = {}
    for case in cases.cases:
        earlier = first.setdefault(case.eval_id, case)
        if earlier is not case:
            path = f"{case.where}.{'name' if cases.form else 'eval_id'}"
            twice = f"the id `{case.eval_id}` is that of {earlier.where} in line {earlier.line} too"
            message = f"{twice}; ADK refuses to run the set"
            yield fault("duplicate-id", cases.file, path, message, "give each case its own id")


def unsafe_set_id(cases: CaseSet) -> Iterator[Problem]:
    """Find a set id that ADK cannot save results under."""
    name = cases.eval_set_id
    if not name or name in {".", ".."} or any(sign in name for sign in "/\\\0") or name[1:2] == ":":
        message = f"the set id {name!r} cannot be part of a file name, where ADK puts it when it saves the results"
        yield fault("unsafe-set-id", cases.file, "$.eval_set_id", message, "use letters, digits and underscores")


def missing_mocks(cases: CaseSet) -> Iterator[Problem]:
    """Find cases whose own mocks file is not there."""
    folder = Path(cases.file).parent
    for case in cases.cases if cases.file else ():
        if case.mocks and not (folder / case.mocks).is_file():
            message = f"there is no file {folder / case.mocks}"
            hint = "the path is relative to the folder of the evalset"
            yield fault("missing-mocks", cases.file, f"{case.where}.evalkit.mocks", message, hint)


def answers_without_id(cases: CaseSet) -> Iterator[Problem]:
    """Find user turns that answer a request without naming it."""
    for case in cases.cases:
        for turn in case.turns or ():
            if any(not (part.get("function_response") or _ANSWERED).get("id") for part in turn.user.parts):
                message = "the answer has no id; evalkit fills in that of the open request, plain `adk eval` does not"
                yield fault("adk-cannot-play", cases.file, f"{turn.where}.user_content", message)


def final_states(cases: CaseSet) -> Iterator[Problem]:
    """Find expected states that only evalkit looks at."""
    for case in cases.cases:
        if case.final_state:
            message = "ADK defines this key and reads it nowhere; evalkit judges it"
            yield fault("adk-never-reads", cases.file, f"{case.where}.final_session_state", message)


def repeated_rubrics(cases: CaseSet) -> Iterator[Problem]:
    """Find rubrics with the id of another that applies to the same turn."""
    for case in cases.cases:
        if not case.rubrics and not any(turn.rubrics for turn in case.turns or ()):
            continue
        of_case = rubric_ids(case.rubrics)
        scopes = [
            (case.where, (), of_case),
            *((turn.where, of_case, rubric_ids(turn.rubrics)) for turn in case.turns or ()),
        ]
        for where, outer, own in scopes:
            for name in dict.fromkeys(name for name in own if (*outer, *own).count(name) > 1):
                message = f"two rubrics that apply here have the id `{name}`; ADK refuses to judge"
                yield fault("duplicate-rubric", cases.file, f"{where}.rubrics", message, "give each rubric its own id")


def repeated_checks(cases: CaseSet) -> Iterator[Problem]:
    """Find rubrics of one entry of `expect` that have the id of an earlier one."""
    for case in cases.cases:
        for turn in case.turns or ():
            names = Counter(rubric.rubric_id for rubric in turn.expect.rubrics)
            place = f"{case.where}.evalkit.expect[{turn.index}].rubrics"
            for name in (name for name, count in names.items() if count > 1):
                message = f"two checks here are about the rubric `{name}`; which of them decides?"
                yield fault("duplicate-rubric", cases.file, place, message, "put both into one check")
