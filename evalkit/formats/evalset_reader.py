"""A document that the evalset schema accepts, as cases; and what the schema cannot say."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set as AbstractSet
from typing import Any

from evalkit.cases import Case, CaseSet, Expectation, Json, Message, SessionInput, Step, Turn
from evalkit.errors import Problem
from evalkit.formats.contents import JsonObject, read_message
from evalkit.formats.documents import MAX_DEPTH, Document, nesting
from evalkit.formats.expect import Block, pattern_problems, read_block, state_faults
from evalkit.formats.paths import read_path
from evalkit.formats.shapes import conform
from evalkit.formats.spelling import either_spelling, to_snake
from evalkit.formats.steps import Layout, read_steps, spelled

_SET_KEYS = frozenset(("eval_set_id", "name", "description", "eval_cases"))
_CASE_KEYS = frozenset(("eval_id", "conversation", "conversation_scenario", "session_input", "rubrics", "evalkit"))
_TURN_KEYS = frozenset(("invocation_id", "user_content", "final_response", "intermediate_data", "rubrics"))
_SESSION_KEYS = frozenset(("app_name", "user_id", "session_id", "state"))
_KEPT = ("creation_timestamp", "duration", "model_duration", "tool_duration", "final_session_state", "app_details")
"""Keys that ADK knows and no field holds."""

_NO_PARTS: tuple[JsonObject, ...] = ({},)
_NO_BLOCK = Block()
_NOTHING = Expectation()

_ID_KEY = re.compile(r'"(?:eval_id|evalId)"\s*:')


class EvalsetReader:
    """Reads one document; the problems that it meets gather in `problems`."""

    def __init__(self, document: Document, text: str, *, camel_case: bool = True) -> None:
        """Prepare to read.

        Args:
            document: What the schema accepts.
            text: The text it was parsed from.
            camel_case: Whether some key may be in camelCase; without any, reading is quicker.
        """
        self._document = document
        self._text = text
        self._get: Callable[[JsonObject, str], Any] = either_spelling if camel_case else _as_written
        self.problems: list[Problem] = []

    def case_set(self, indices: Collection[int]) -> CaseSet:
        """Read the document, and of its cases those at some indices."""
        value: JsonObject = self._document.value
        cases: Sequence[JsonObject] = value["eval_cases"]
        stands_for_all = len(indices) == 1 < len(cases)  # no problem will ever point at it
        lines = (None,) if stands_for_all else self._lines(cases, indices)
        return CaseSet(
            eval_set_id=value["eval_set_id"],
            name=value.get("name"),
            description=value.get("description"),
            cases=tuple(
                self._case(cases[index], f"$.eval_cases[{index}]", line)
                for index, line in zip(indices, lines, strict=True)
            ),
            file=self._document.file,
            extra=self._extra(value, _SET_KEYS, "$", rename=False),
        )

    def _case(self, case: JsonObject, where: str, line: int | None) -> Case:
        conversation, scenario = self._get(case, "conversation"), self._get(case, "conversation_scenario")
        if (conversation is None) == (scenario is None):
            self._not_one_of(scenario, where)
        block = self._block(case, conversation, where) if "evalkit" in case else _NO_BLOCK
        final_state = self._get(case, "final_session_state")
        if final_state:
            self._state_patterns(final_state, f"{where}.{spelled(case, 'final_session_state')}")
        extra = self._extra(case, _CASE_KEYS, where)
        if final_state is not None:
            del extra["final_session_state"]
        if "evalkit" in case:
            extra["evalkit"] = case["evalkit"]  # as written, for the writer to keep while it says the same
        return Case(
            eval_id=self._get(case, "eval_id"),
            turns=None if conversation is None else self._turns(case, conversation, block.expect, where),
            scenario=None if scenario is None else conform(scenario, "evalset", "ConversationScenario"),
            session=self._session(case, where),
            rubrics=_rubrics(case) if "rubrics" in case else None,
            final_state=final_state,
            tags=block.tags,
            skip=block.skip,
            known_failing=block.known_failing,
            gate=block.gate,
            mocks=block.mocks,
            source=block.source,
            prior_events=block.prior_events,
            live=block.live,
            gold=block.gold,
            where=where,
            line=line,
            extra=extra,
        )

    def _turns(
        self, case: JsonObject, conversation: Sequence[JsonObject], expect: Sequence[Expectation], where: str
    ) -> tuple[Turn, ...]:
        where = f"{where}.{spelled(case, 'conversation')}"
        expected = expect if len(expect) == len(conversation) else [_NOTHING] * len(conversation)
        return tuple([self._turn(turn, index, expected[index], where) for index, turn in enumerate(conversation)])

    def _turn(self, turn: JsonObject, index: int, expect: Expectation, where: str) -> Turn:
        where = f"{where}[{index}]"
        final = self._get(turn, "final_response")
        steps, layout = self._steps(turn, where)
        return Turn(
            index=index,
            user=self._message(self._get(turn, "user_content"), turn, "user_content", where),
            final=None if final is None else self._message(final, turn, "final_response", where),
            steps=steps,
            layout=layout,
            invocation_id=self._get(turn, "invocation_id") or "",
            rubrics=_rubrics(turn) if "rubrics" in turn else None,
            expect=expect,
            where=where,
            extra=self._extra(turn, _TURN_KEYS, where),
        )

    def _message(self, content: JsonObject, turn: JsonObject, key: str, where: str) -> Message:
        """Read the message that a turn has under a key."""
        parts: Sequence[JsonObject] = content.get("parts") or _NO_PARTS
        for part in parts:
            if len(part) != 1 or "text" not in part:
                self._depth(content, f"{where}.{spelled(turn, key)}")
                return read_message(content)
        return Message(role=content.get("role"), parts=tuple(parts))  # plain text: the usual case, kept quick

    def _steps(self, turn: JsonObject, where: str) -> tuple[tuple[Step, ...] | None, Layout]:
        data = self._get(turn, "intermediate_data")
        if data is None:
            return None, "flat"
        where = f"{where}.{spelled(turn, 'intermediate_data')}"
        steps, layout = read_steps(data, where)
        if layout == "events":
            self._depth(data, where)
            return steps, layout
        for step in steps:
            if step.message:
                self._depth(data, where)
                break
            for call in step.calls:
                if not _is_flat(call.args):
                    self._depth(call.args, f"{call.where}.args")
            for reply in step.replies:
                if not _is_flat(reply.response):
                    self._depth(reply.response, f"{reply.where}.response")
        return steps, layout

    def _session(self, case: JsonObject, where: str) -> SessionInput | None:
        session = self._get(case, "session_input")
        if session is None:
            return None
        where = f"{where}.{spelled(case, 'session_input')}"
        state = session.get("state", {})
        self._depth(state, f"{where}.state")
        return SessionInput(
            app_name=self._get(session, "app_name"),
            user_id=self._get(session, "user_id"),
            session_id=self._get(session, "session_id"),
            state=state,
            extra=self._extra(session, _SESSION_KEYS, where),
        )

    def _block(self, case: JsonObject, conversation: Sequence[Json] | None, where: str) -> Block:
        block = case.get("evalkit")
        if not block:
            return _NO_BLOCK
        self._depth(block, f"{where}.evalkit")
        for path, message in pattern_problems(block):
            self._report("bad-pattern", (*read_path(where), "evalkit", *path), message)
        expect, turns = block.get("expect", ()), conversation or ()
        if expect and len(expect) != len(turns):
            message = f"expect has {_count(expect, 'entry', 'entries')} for {_count(turns, 'turn', 'turns')}"
            hint = "write one entry a turn, {} where a turn needs none"
            self._report("expect-length", (*read_path(where), "evalkit", "expect"), message, hint)
        return read_block(block)

    def _not_one_of(self, scenario: Json, where: str) -> None:
        both = "neither a conversation nor" if scenario is None else "both a conversation and"
        hint = "write one of them" if scenario is None else "keep one of them"
        message = f"the case has {both} a conversation_scenario"
        self._report("conversation-or-scenario", read_path(where), message, hint)

    def _state_patterns(self, state: Mapping[str, Json], where: str) -> None:
        for path, message in state_faults(state, read_path(where)):
            self._report("bad-pattern", path, message)

    def _extra(self, value: JsonObject, taken: AbstractSet[str], where: str, *, rename: bool = True) -> dict[str, Json]:
        """Everything that the fields of a value do not hold.

        What ADK knows gets its snake_case name, except in the set itself, where ADK reads no other.
        """
        extra: dict[str, Json] = {}
        if value.keys() <= taken:
            return extra
        for key, item in value.items():
            name = to_snake(key) if rename else key
            if name not in taken:
                self._depth(item, f"{where}.{key}")
                extra[name if name in _KEPT else key] = item
        return extra

    def _depth(self, value: Json, where: str) -> None:
        """Report values that are nested deeper than ADK reads; plain ones cost next to nothing."""
        if not isinstance(value, dict | list) or _is_flat(value):
            return
        path = read_path(where)
        if len(path) + nesting(value) > MAX_DEPTH:
            message = f"the values are nested deeper than the {MAX_DEPTH} levels that ADK reads"
            self._report("too-deep", path, message)

    def _report(self, rule: str, path: tuple[str | int, ...], message: str, hint: str | None = None) -> None:
        self.problems.append(self._document.problem(rule, path, message, hint))

    def _lines(self, cases: Sequence[JsonObject], indices: Collection[int]) -> Iterator[int]:
        """The lines of some cases' ids: by a scan of the text if that finds one id a case, else by walking the JSON."""
        found = [match.start() for match in _ID_KEY.finditer(self._text)]
        if len(found) != len(cases):
            for index in indices:
                path = ("eval_cases", index, spelled(cases[index], "eval_id"))
                yield self._document.positions.place(path, key=True).line
            return
        line, before = 1, 0
        for index in indices:
            line += self._text.count("\n", before, found[index])
            before = found[index]
            yield line


_as_written: Callable[[Any, str], Any] = dict.get

_NESTED = (dict, list)


def _is_flat(value: Json) -> bool:
    """Whether an object or a list holds no other; a loop, which is twice as fast as `any`."""
    for item in value.values() if isinstance(value, dict) else value:  # noqa: SIM110 - see above
        if isinstance(item, _NESTED):
            return False
    return True


def _rubrics(value: JsonObject) -> tuple[JsonObject, ...] | None:
    rubrics = value.get("rubrics")
    return None if rubrics is None else tuple(conform(rubric, "evalset", "Rubric") for rubric in rubrics)


def _count(items: Sequence[Json], one: str, many: str) -> str:
    return f"{len(items)} {one if len(items) == 1 else many}"
