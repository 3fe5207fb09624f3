"""What the page shows of a case: its verdict, why, and what happened in each play of it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from evalkit.cases import Case, Turn
from evalkit.models.known import tree_of
from evalkit.report.counts import NOT_PASSED
from evalkit.report.html.calls import CallRow, call_rows
from evalkit.report.html.texts import block, line, said
from evalkit.report.model import Report
from evalkit.report.plays import Played, play_key
from evalkit.report.repeated import repeats_phrase, verdicts_by_run
from evalkit.report.wording import MARKS, case_label, duration, explanation, score_phrase
from evalkit.results import CaseResult, CriterionResult, Effort, Verdict
from evalkit.scorers.conduct import as_played
from evalkit.traces import Trace, TurnTrace


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionView:
    """A criterion with its score; `kind` is for the style sheet."""

    name: str
    phrase: str
    kind: str
    origin: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnView:
    """One turn: what was said to the agent, its calls, and its answer beside the expected one."""

    number: int
    user: str
    calls: tuple[CallRow, ...]
    said: tuple[tuple[str, str], ...]
    answer: str | None
    expected: str | None

    @property
    def compared(self) -> bool:
        """Whether the calls are compared with expected ones."""
        return any(row.mark for row in self.calls)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayView:
    """One play of a case."""

    title: str
    reasons: tuple[str, ...]
    took: str
    criteria: tuple[CriterionView, ...]
    turns: tuple[TurnView, ...]
    not_played: tuple[str, ...]
    backend: tuple[tuple[str, str, str], ...]
    shown: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseView:
    """A case: a row of the table, and what unfolds beneath it."""

    anchor: str
    label: str
    verdict: Verdict
    mark: str
    seconds: str
    aside: str
    brief: str
    summary: str
    repeats: str
    notes: tuple[str, ...]
    plays: tuple[PlayView, ...]
    open: bool = False

    @property
    def needs_a_look(self) -> bool:
        """Whether it did not pass."""
        return self.verdict in NOT_PASSED

    def unfolded(self) -> "CaseView":
        """Return the same, shown unfolded."""
        return replace(self, open=True)


def case_view(report: Report, result: CaseResult, anchor: str) -> CaseView:
    """Collect what is shown of a case."""
    criteria = ", ".join(f"{line(item.criterion.name)} {score_phrase(item)}" for item in result.criteria)
    reason = line(result.reasons[0].partition("\n")[0]) if result.reasons else ""
    return CaseView(
        anchor=anchor,
        label=line(case_label(result)),
        verdict=result.verdict,
        mark=MARKS[result.verdict],
        seconds=f"{result.seconds:.2f}",
        aside=line(result.aside or ""),
        brief=criteria,
        summary=reason,
        repeats=f"{repeats_phrase(result)}; runs: {verdicts_by_run(result)}" if result.repeats else "",
        notes=tuple(map(block, result.notes)),
        plays=tuple(_play_view(run, report.plays.get(play_key(run)), bool(result.repeats)) for run in result.plays),
    )


def _play_view(run: CaseResult, played: Played | None, one_of_several: bool) -> PlayView:
    trace = played.outcome.trace if played else None
    case = as_played(played.case, trace) if played else None
    return PlayView(
        title=f"Run {run.run + 1}: {run.verdict}" if one_of_several else "",
        reasons=tuple(map(block, run.reasons)),
        took=f"{duration(run.seconds)}, {_took(run.effort)}",
        criteria=tuple(map(_criterion, run.criteria)),
        turns=tuple(_turns(case, trace, run)) if case and trace else (),
        not_played=tuple(_not_played(case, trace)) if case else (),
        backend=tuple(
            (block(one.request), block(one.reply), block(one.route or "no route")) for one in trace.backend_events
        )
        if trace
        else (),
        shown=played is not None,
    )


def _took(effort: Effort) -> str:
    told = [f"{effort.tool_calls} tool call{'' if effort.tool_calls == 1 else 's'}"]
    if effort.tokens:
        told.append(f"{effort.tokens:,} tokens")
    if effort.usd is not None and effort.tokens:
        told.append(f"${effort.usd:.4f} estimated")
    return ", ".join(told)


def _criterion(item: CriterionResult) -> CriterionView:
    score = item.score
    kind = "inconclusive" if score.state == "not_judged" else "skipped"
    if item.passed is not None:
        kind = "passed" if item.passed else "failed"
    return CriterionView(
        name=line(item.criterion.name),
        phrase=score_phrase(item),
        kind=kind if item.gates else "skipped",
        origin={"config": "config", "expect": "the case's own `expect`", "built-in": "evalkit itself"}[item.origin],
        reason=block(explanation(score)),
    )


def _turns(case: Case, trace: Trace, run: CaseResult) -> Iterator[TurnView]:
    tree = tree_of(trace.agents)
    for number, happened in enumerate(trace.turns):
        turn = case.turns[number] if case.turns and number < len(case.turns) else None
        yield TurnView(
            number=number + 1,
            user=said(happened.user) or "",
            calls=tuple(call_rows(case, turn, happened, tree, run)),
            said=tuple(_meanwhile(happened)),
            answer=said(happened.final),
            expected=_expected(turn),
        )


def _expected(turn: Turn | None) -> str | None:
    return None if turn is None else said(turn.final)


def _meanwhile(happened: TurnTrace) -> Iterator[tuple[str, str]]:
    """Yield who said what before the answer."""
    for words in happened.said:
        if not words.final and words.text.strip():
            yield line(words.agent), block(words.text)


def _not_played(case: Case, trace: Trace | None) -> Iterator[str]:
    """Yield what the user would have said in the turns that were not come to."""
    for turn in (case.turns or ())[len(trace.turns) if trace else 0 :]:
        yield said(turn.user) or ""
