"""Evalsets in the two list forms that ADK used before its evalset schema.

- *Wrapped*: a list of cases with `name`, `data` and `initial_session`. `adk eval` reads it, AgentEvaluator does not.
- *Flat*: the turns of one case, with `query`, `expected_tool_use` and `reference`. AgentEvaluator reads it, `adk eval`
  does not.

Both are read as ADK's own conversion reads them: a turn without `reference` has an empty one, and without
`expected_tool_use` it expects no calls.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath

from evalkit.cases import Case, CaseSet, Json, ListForm, Message, SessionInput, Step, ToolCall, Turn
from evalkit.errors import Problem, Rewrite, Splice
from evalkit.formats.documents import Document
from evalkit.formats.faults import load_schema
from evalkit.formats.files import EVALSET_SUFFIXES, Loaded, has_errors
from evalkit.formats.paths import JsonPath, write_path
from evalkit.formats.validation import schema_problems
from evalkit.formats.wording import listed

TODAY = 'an evalset is an object: {"eval_set_id": "…", "eval_cases": [{"eval_id": "…", "conversation": [{…}]}]}'

_SHOWN = 6
"""So many keys of items are named."""
_CONVERSATIONS = {"conversation", "conversation_scenario", "conversationScenario"}
TURN_KEYS = ("query", "reference", "expected_tool_use", "expected_intermediate_agent_responses")
_CASE_KEYS = ("data", "initial_session")
_NAMES = ("name", "eval_id", "test_case_id", "case_id", "test_id", "test_name", "id")
_SESSION_KEYS = ("app_name", "user_id", "state")
_ENTRY_KEYS = {
    "expected_tool_use": ("tool_name", "tool_input"),
    "expected_intermediate_agent_responses": ("author", "text"),
}
_TODAYS_CASE_KEYS = {"eval_id", "evalId", "conversation", "conversation_scenario"}
_FIX = "`evalkit check --fix` writes it in today's form, which both read"
_READERS = {
    "wrapped": "the old list form with `name` and `data`, which `adk eval` reads and AgentEvaluator does not",
    "flat": "the old list form with `query`, which AgentEvaluator reads and `adk eval` does not",
}


def read_list(document: Document, text: str) -> Loaded[CaseSet]:
    """Read a document that is a list.

    Args:
        document: The list.
        text: The text it was parsed from.
    """
    keys = dict.fromkeys(key for item in document.value if isinstance(item, dict) for key in item)
    wrapped = any(key in keys for key in _CASE_KEYS)
    if document.value and not wrapped and not any(key in keys for key in TURN_KEYS):
        return Loaded(None, (_neither(document, [*keys], text),))
    problems = schema_problems("legacy", document)
    if has_errors(problems):
        return Loaded(None, problems)
    case_set = _Reader(document).wrapped() if wrapped else _Reader(document).flat()
    return Loaded(case_set, (_old_form(document, case_set, problems), *problems))


def set_id(file: str) -> str:
    """The id that an evalset gets from the name of its file."""
    name = PurePath(file).name
    suffix = next((suffix for suffix in (*EVALSET_SUFFIXES, ".json") if name.endswith(suffix)), "")
    return re.sub(r"[^\w-]+", "_", name.removesuffix(suffix)).strip("_") or "evalset"


class _Reader:
    """Reads a list that its schema accepts."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._items: Sequence[Mapping[str, Json]] = document.value

    def wrapped(self) -> CaseSet:
        """Read a list of cases."""
        first = self._items[0]["data"][0]
        cases = tuple(self._case(item, index) for index, item in enumerate(self._items))
        return self._case_set(cases, ListForm(kind="wrapped", first_turn=frozenset(first)))

    def flat(self) -> CaseSet:
        """Read the turns of one case, which is named after the file."""
        case = Case(eval_id=set_id(self._document.file), turns=tuple(_turns(self._items, "$")), where="$", line=1)
        return self._case_set((case,), ListForm(kind="flat", first_turn=frozenset(self._items[0])))

    def _case_set(self, cases: tuple[Case, ...], form: ListForm) -> CaseSet:
        file = self._document.file
        return CaseSet(eval_set_id=set_id(file), cases=cases, file=file, form=form)

    def _case(self, item: Mapping[str, Json], index: int) -> Case:
        session = item.get("initial_session")
        return Case(
            eval_id=item["name"],
            turns=tuple(_turns(item["data"], f"$[{index}].data")),
            session=_session(session) if session else None,
            where=f"$[{index}]",
            line=self._document.positions.place((index, "name"), key=True).line,
            extra={key: value for key, value in item.items() if key not in {"name", *_CASE_KEYS}},
        )


def _session(session: Mapping[str, Json]) -> SessionInput:
    return SessionInput(
        app_name=session.get("app_name", ""), user_id=session.get("user_id", ""), state=session.get("state", {})
    )


def _turns(turns: Sequence[Mapping[str, Json]], where: str) -> Iterator[Turn]:
    for index, turn in enumerate(turns):
        at = f"{where}[{index}]"
        yield Turn(
            index=index,
            user=_said("user", turn["query"]),
            final=_said("model", turn.get("reference", "")),
            steps=tuple(_steps(turn, at)),
            where=at,
        )


def _said(role: str, text: str | None) -> Message:
    return Message(role=role, parts=({} if text is None else {"text": text},))


def _steps(turn: Mapping[str, Json], where: str) -> Iterator[Step]:
    for index, use in enumerate(turn.get("expected_tool_use", ())):
        absent = {"args": None} if use["tool_input"] is None else {}
        at = f"{where}.expected_tool_use[{index}]"
        yield Step(calls=(ToolCall(name=use["tool_name"], args=use["tool_input"] or {}, where=at, extra=absent),))
    for said in turn.get("expected_intermediate_agent_responses", ()):
        yield Step(agent=said["author"], message=Message(parts=_said("", said["text"]).parts))


def _old_form(document: Document, case_set: CaseSet, problems: Sequence[Problem]) -> Problem:
    """Say which of ADK's readers takes the form; there is a fix unless it would drop something."""
    assert case_set.form is not None
    message = f"this is {_READERS[case_set.form.kind]}"
    if case_set.form.kind == "flat" and (key := _case_name(document.value)):
        turns = len(document.value)
        message = (
            f"{message}: as one conversation of {turns} turns, though each item has a `{key}` as if it were a case"
        )
    dropped = [problem.path for problem in problems if problem.fixes] + [*_without_place(document.value)]
    if dropped:
        others, them = (f" and {len(dropped) - 1} more like it are", "them") if dropped[1:] else (" is", "it")
        reason = f"nothing reads {them}, and today's form has no place for {them}"
        hint = f"{_FIX}, once {dropped[0]}{others} gone or mended: {reason}"
        return document.problem("legacy-form", (), message, hint)
    return document.problem("legacy-form", (), message, _FIX, fixes=(Rewrite(),))


def _case_name(items: Sequence[Mapping[str, Json]]) -> str | None:
    """The key by which each turn of a flat list has a name of its own, as cases have; None if they have none."""
    for key in _NAMES:
        names = [item[key] for item in items if isinstance(item.get(key), str)]
        if len(names) == len(items) > 1 and len({*names}) == len(items):
            return key
    return None


def _without_place(value: Sequence[Mapping[str, Json]]) -> Iterator[str]:
    """The paths of what today's form has no place for or gives another meaning, documentation too."""
    todays = load_schema("evalset")["$defs"]["EvalCase"]["properties"]
    for index, item in enumerate(value):
        if "data" not in item:
            yield from _unknown_in_turn(item, (index,))
            continue
        yield from (write_path((index, key)) for key in item if key in todays)
        session = item.get("initial_session", {})
        yield from (write_path((index, "initial_session", key)) for key in session if key not in _SESSION_KEYS)
        for number, turn in enumerate(item["data"]):
            yield from _unknown_in_turn(turn, (index, "data", number))


def _unknown_in_turn(turn: Mapping[str, Json], path: JsonPath) -> Iterator[str]:
    yield from (write_path((*path, key)) for key in turn if key not in TURN_KEYS)
    for key, known in _ENTRY_KEYS.items():
        for index, entry in enumerate(turn.get(key, ())):
            yield from (write_path((*path, key, index, name)) for name in entry if name not in known)


def _neither(document: Document, keys: Sequence[str], text: str) -> Problem:
    """Report a list that is neither of the old forms; `keys` are those of its items."""
    if _TODAYS_CASE_KEYS & {*keys}:
        around = f'{{"eval_set_id": "{set_id(document.file)}", "eval_cases": '
        end = len(text.rstrip())
        fixes = (Splice(0, 0, around), Splice(end, end, "}"))
        message = "this is a list of cases without the evalset around it"
        foreign = [key for key in keys if key not in _TODAYS_CASE_KEYS]
        if foreign and not _CONVERSATIONS & {*keys}:  # cases of another format: they would be refused next
            message = f"{message}, and the cases have no `conversation`, but {listed(foreign[:_SHOWN])}"
            return document.problem("wrong-kind", (), message, TODAY)
        return document.problem("wrong-kind", (), message, f"write {around}[…]}}", fixes=fixes)
    if not keys:
        return document.problem("wrong-kind", (), "this is a list, not an evalset", TODAY)
    message = (
        f"neither of ADK's readers takes this list: its items have {listed(keys[:_SHOWN])}, and no `query` or `data`"
    )
    return document.problem("legacy-form", (0,), message, TODAY, severity="error")
