"""Judging the cases of a run: which criteria need a judge, what it is asked, and the scores that come of it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evalkit.cases import Case, Config, Criterion
from evalkit.formats.metrics import METRICS
from evalkit.formats.own_metrics import metric_of
from evalkit.judges.kinds import JudgeChoice, check_name
from evalkit.judges.panel import Ask, Pace, Panel, Pulse, Rulings, silently
from evalkit.judges.questions import Question, expected_question, material_of, question
from evalkit.lint.gold_rules import CORRECTNESS
from evalkit.results import Audit, Score
from evalkit.scorers import JUDGED
from evalkit.scorers.conduct import as_played
from evalkit.scorers.holmes_correctness import questions as expectations, weigh
from evalkit.scorers.per_turn import played
from evalkit.scorers.rubrics.checks import Ruling
from evalkit.scorers.rubrics.effective import MATCH, MATCH_ID, Rubric, RubricConflict
from evalkit.scorers.rubrics.offline import no_judge
from evalkit.scorers.rubrics.tally import Key, pending, tally
from evalkit.settings import Settings
from evalkit.traces import Outcome, Trace

ADKS_SAMPLES = 5
"""`num_samples` of ADK's metrics, where a criterion names none."""

OUR_SAMPLES = 3
"""The same for our own metrics."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hearing:
    """A case that was played, and the criteria that judge it.

    Attributes:
        case: With its gold, if it has any.
        audit: How that was opened.
    """

    case: Case
    outcome: Outcome
    config: Config
    audit: Audit | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Matter:
    """A criterion of a case that a judge is to decide: the questions, by turn, and what needs no asking."""

    case: Case
    trace: Trace
    criterion: Criterion
    asks: Mapping[int, Ask]
    settled: Mapping[Key, Ruling]


class Jury:
    """Asks the judges that the user has chosen; where none is, criteria are left to `evalkit.scorers.rubrics.offline`.

    A criterion's own `judge_model` comes before the settings, and the flag before both. In golden mode it is asked only
    if the settings or the flag name a judge too: a config that was written for `adk eval` must not start to spend.

    Args:
        settings: The project's: the judge, and the folder that functions are imported from.
        flag: The judge that the command line names, if any.
        pace: How patiently judges are asked.
        hide: Takes secrets out of a text before it goes to a judge.

    Raises:
        SettingsError: The name of a judge lacks a part.
    """

    def __init__(
        self,
        settings: Settings,
        flag: str | None = None,
        *,
        pace: Pace | None = None,
        hide: Callable[[str], str] = str,
    ) -> None:
        self._default = settings.judge and check_name(settings.judge, "[tool.evalkit] judge")
        self._flag = flag and check_name(flag, "--judge")
        self._panel = Panel(Path(settings.root), pace, hide)

    def wants(self, hearing: Hearing) -> bool:
        """Tell whether a judge is to be asked about a case."""
        return any(True for _ in self._matters(hearing))

    async def hear(
        self,
        hearings: Sequence[Hearing],
        tell: Callable[[str], None] = silently,
        stop: Callable[[], bool] = lambda: False,
    ) -> list[dict[str, Score]]:
        """Have cases judged.

        Args:
            hearings: The cases.
            tell: Tells the user how far it is.
            stop: Tells whether the user wants no more to be asked; what is left is then not judged.

        Returns:
            For each case the scores by criterion, of those that a judge decides.
        """
        matters = [list(self._matters(hearing)) for hearing in hearings]
        asks = [ask for of_case in matters for matter in of_case for ask in matter.asks.values()]
        if asks:
            tell(_announced(asks))
        rulings = await self._panel.rule(asks, Pulse(tell), stop)
        return [{matter.criterion.name: _score(matter, rulings) for matter in of_case} for of_case in matters]

    def _matters(self, hearing: Hearing) -> Iterator[_Matter]:
        """Yield what a judge is to decide of a case; nothing of one whose verdict no judge can change."""
        outcome = hearing.outcome
        trace = outcome.trace
        if trace is None or outcome.failure is not None or outcome.skipped is not None or trace.misses:
            return
        case = as_played(hearing.case, trace)
        for criterion in hearing.config.criteria:
            choice = self._choice(criterion, trace.mode)
            if choice is not None and metric_of(criterion) in JUDGED:
                matter = _matter(case, trace, criterion, choice)
                if matter is not None:
                    yield matter

    def _choice(self, criterion: Criterion, mode: str) -> JudgeChoice | None:
        options = criterion.options.get("judge_model_options") or {}
        own = options.get("judge_model") if self._default or mode == "live" else None
        name = self._flag or own or self._default
        return JudgeChoice.of(name, options.get("judge_model_config")) if name else None


def _matter(case: Case, trace: Trace, criterion: Criterion, choice: JudgeChoice) -> _Matter | None:
    metric = metric_of(criterion)
    try:
        left = expectations(case, trace, criterion) if metric == CORRECTNESS else pending(case, trace, criterion)
    except RubricConflict:
        return None
    settled = _by_construction(case, trace) if metric == MATCH else {}
    asks = {
        index: _ask(choice, criterion, _question(case, trace, criterion, index, rubrics))
        for index, rubrics in left
        if not all((index, rubric.id) in settled for rubric in rubrics)
    }
    return _Matter(case=case, trace=trace, criterion=criterion, asks=asks, settled=settled) if left else None


def _question(case: Case, trace: Trace, criterion: Criterion, index: int, rubrics: Sequence[Rubric]) -> Question:
    if metric_of(criterion) == CORRECTNESS:
        return expected_question(case, trace, criterion, rubrics)
    return question(material_of(case, trace, _place(case, trace, index), criterion), rubrics)


def _ask(choice: JudgeChoice, criterion: Criterion, put: Question) -> Ask:
    options = criterion.options.get("judge_model_options") or {}
    samples, at_once = options.get("num_samples"), options.get("parallelism_limit")
    usual = OUR_SAMPLES if METRICS[metric_of(criterion) or ""].kind == "evalkit" else ADKS_SAMPLES
    return Ask(choice, put, int(samples or usual), int(at_once) if at_once else None)


def _place(case: Case, trace: Trace, index: int) -> int:
    """Return the place of a turn among those that were played."""
    return next(place for place, (turn, _) in enumerate(played(case, trace)) if turn.index == index)


def _by_construction(case: Case, trace: Trace) -> dict[Key, Ruling]:
    """Settle the turns whose golden answer would be compared with itself."""
    return {
        (turn.index, MATCH_ID): Ruling(value=1.0, by="golden replay", by_construction=True)
        for turn, happened in played(case, trace)
        if happened.golden is not None
        and not happened.golden.changed
        and turn.final is not None
        and happened.final is not None
        and happened.final.text == turn.final.text
    }


def _score(matter: _Matter, rulings: Mapping[Ask, Rulings]) -> Score:
    said = {
        (index, rubric_id): ruling for index, ask in matter.asks.items() for rubric_id, ruling in rulings[ask].items()
    }
    if metric_of(matter.criterion) == CORRECTNESS:
        return weigh(matter.case, matter.trace, matter.criterion, said)
    unasked = no_judge(matter.criterion, matter.trace.mode)
    return tally(matter.case, matter.trace, matter.criterion, {**matter.settled, **said}, unasked)


def _announced(asks: Sequence[Ask]) -> str:
    new = dict.fromkeys(asks)
    judges = ", ".join(dict.fromkeys(ask.judge.name for ask in new))
    return f"judging: {len(new)} questions to {judges}, {sum(ask.samples for ask in new)} answers in all"
