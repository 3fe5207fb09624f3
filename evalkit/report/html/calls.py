"""The calls of a turn for a table: those that are expected beside those that were made."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evalkit.cases import Case, Criterion, Turn
from evalkit.codec.encoding import pretty
from evalkit.formats.own_metrics import metric_of
from evalkit.matching import PatternError
from evalkit.models.tree import AgentTree
from evalkit.report.html.texts import block
from evalkit.results import CaseResult
from evalkit.scorers.alignment import Mark, Row
from evalkit.scorers.calls import error_of, show_call
from evalkit.scorers.paths import accepted, nearest
from evalkit.traces import ToolEvent, TurnTrace

_TRAJECTORY = "trajectory"
_WORDS: dict[Mark, str] = {
    "=": "as expected",
    "~": "differs",
    "-": "missing",
    "+": "not expected",
    "o": "optional",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRow:
    """One row.

    Attributes:
        mark: How the call compares with what is expected, in words; empty where nothing is to be compared.
        kind: The same as a word for the style sheet.
        expected: The call that is expected; empty if none is.
        actual: The call that was made; empty if none was.
        agent: Who made it.
        status: What became of it.
        route: The mock that answered.
        differences: What differs, one line each.
        reply: What the model was told.
        error: What went wrong.
    """

    mark: str = ""
    kind: str = ""
    expected: str = ""
    actual: str = ""
    agent: str = ""
    status: str = ""
    route: str = ""
    differences: tuple[str, ...] = ()
    reply: str = ""
    error: str = ""


def call_rows(case: Case, turn: Turn | None, happened: TurnTrace, tree: AgentTree, result: CaseResult) -> list[CallRow]:
    """Align the calls of a turn with the nearest path that it accepts.

    Calls that no path is compared with, such as transfers and those inside agent tools, stand where they were made.
    """
    events = [event for event in happened.tools if not event.resumed]
    rows = [] if turn is None else _aligned(case, turn, happened, tree, result)
    if not rows:
        return [_made(event) for event in events]
    return list(_with_the_others(rows, events))


def _aligned(
    case: Case, turn: Turn, happened: TurnTrace, tree: AgentTree, result: CaseResult
) -> Sequence[Row[ToolEvent]]:
    criterion = next(
        (one.criterion for one in result.criteria if metric_of(one.criterion) == _TRAJECTORY),
        Criterion(name=_TRAJECTORY),
    )
    try:
        attempts = accepted(case, turn, criterion).attempts(happened, tree)
    except (PatternError, ValueError):  # told by the criterion, which could not be judged either
        return ()
    return nearest(attempts).rows if attempts else ()


def _with_the_others(rows: Sequence[Row[ToolEvent]], events: Sequence[ToolEvent]) -> Iterator[CallRow]:
    place = {event.id: number for number, event in enumerate(events)}
    compared = {row.made.id for row in rows if row.made}
    others = [event for event in events if event.id not in compared]
    for row in rows:
        while others and row.made and place.get(others[0].id, 0) < place.get(row.made.id, 0):
            yield _made(others.pop(0))
        yield _compared(row)
    yield from map(_made, others)


def _compared(row: Row[ToolEvent]) -> CallRow:
    expected = block(row.required.shown) if row.required else ""
    differences = tuple(map(block, row.required.differences(row.made))) if row.required and row.made else ()
    return _made(row.made, _WORDS[row.mark], expected, differences)


def _made(event: ToolEvent | None, mark: str = "", expected: str = "", differences: tuple[str, ...] = ()) -> CallRow:
    kind = mark.replace(" ", "-")
    if event is None:
        return CallRow(mark=mark, kind=kind, expected=expected)
    error = error_of(event) if event.status != "waiting" else None
    return CallRow(
        mark=mark,
        kind=kind,
        expected=expected,
        actual=block(show_call(event.name, event.args)),
        agent=block(event.agent) + (" (inside an agent tool)" if event.parent else ""),
        status=event.status,
        route=block(event.route or ""),
        differences=differences,
        reply="" if event.reply is None else block(_as_text(event.reply)),
        error=block(error or ""),
    )


def _as_text(reply: object) -> str:
    return reply if isinstance(reply, str) else pretty(reply, levels=2)
