"""The outcomes of a stored run into verdicts: what a judge is asked and what not, and what no longer fits."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from evalkit.effort import effort_of
from evalkit.interrupt import Interruption
from evalkit.judges.jury import Hearing, Jury
from evalkit.redaction.redactor import Redactor
from evalkit.report.progress import Progress
from evalkit.rescoring.basis import Basis
from evalkit.rescoring.kept import kept_scores
from evalkit.rescoring.options import ScoreOptions
from evalkit.rescoring.stored_run import StoredRun
from evalkit.results import CaseResult, Score
from evalkit.score import JudgeOptions, judge
from evalkit.sealed import audited, unseal
from evalkit.settings import Settings
from evalkit.traces import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """An outcome with its verdict, without secrets; `outcome` is what is kept of it in the new run."""

    outcome: Outcome
    result: CaseResult


@dataclass(frozen=True, slots=True, kw_only=True)
class _Matter:
    """What is to be judged, its gold open, and what was judged before and still holds."""

    hearing: Hearing
    kept: Mapping[str, Score]

    @property
    def open(self) -> Hearing:
        """What a judge would be asked about."""
        config = self.hearing.config
        criteria = tuple(one for one in config.criteria if one.name not in self.kept)
        return replace(self.hearing, config=replace(config, criteria=criteria))


class Bench:
    """Judges the outcomes of stored runs.

    A judge is asked only if `--judge` or the settings name one; what was judged before and has not changed is asked
    again only by `--judge`.

    Args:
        options: What the user asks.
        settings: The project's: prices, what may be absent offline, the judge.
        redactor: Hides secrets in results, and in what a judge is asked.
        progress: Told of each verdict.

    Attributes:
        interrupted: Whether the user stopped it before every question was asked.
    """

    def __init__(self, options: ScoreOptions, settings: Settings, redactor: Redactor, progress: Progress) -> None:
        self._anew = options.judge is not None
        self._judging = JudgeOptions.of(settings)
        self._jury = Jury(settings, options.judge, hide=redactor.text) if options.judge or settings.judge else None
        self._redactor = redactor
        self._progress = progress
        self.interrupted = False

    def judge(self, run: StoredRun, basis: Basis) -> list[Judged]:
        """Judge every outcome of a run."""
        matters = [self._matter(run, basis, outcome) for outcome in run.outcomes]
        heard = self._heard(matters)
        self._progress.start(len(matters))
        found = []
        for matter, more in zip(matters, heard, strict=True):
            found.append(self._judged(basis, matter, more))
            self._progress.case_done(found[-1].result)
        self._progress.stop()
        return found

    def _matter(self, run: StoredRun, basis: Basis, outcome: Outcome) -> _Matter:
        """Open what an outcome is judged by, and look up what was judged before."""
        key = (outcome.file, outcome.eval_id)
        case, config = basis.cases[key], basis.configs[outcome.file]
        if outcome.skipped is None and key in basis.skipped:
            outcome = replace(outcome, skipped=basis.skipped[key])
        hearing = Hearing(case=case, outcome=outcome, config=config)
        if key in basis.unfit or outcome.skipped is not None:
            return _Matter(hearing=hearing, kept={})
        before = run.before(outcome)
        earlier = before.audit if before else None
        unsealed = unseal(case, outcome, basis.folders[outcome.file], before=earlier)
        hearing = replace(hearing, case=unsealed.case, audit=unsealed.audit)
        same_gold = unsealed.audit is None or (
            earlier is not None and earlier.gold_sha256 == unsealed.audit.gold_sha256
        )
        old = run.configs.get(outcome.file)
        if before is None or old is None or self._anew or not same_gold or case != run.cases[key]:
            return _Matter(hearing=hearing, kept={})
        return _Matter(hearing=hearing, kept=kept_scores(before, old, config))

    def _heard(self, matters: Sequence[_Matter]) -> list[dict[str, Score]]:
        """Have judged what needs a judge: all together, so that several are asked at once."""
        jury = self._jury
        wanted = [matter.open if jury and jury.wants(matter.open) else None for matter in matters]
        hearings = [hearing for hearing in wanted if hearing is not None]
        if jury is None or not hearings:
            return [{} for _ in matters]
        with Interruption(self._progress.message) as interruption:
            scores = iter(asyncio.run(jury.hear(hearings, self._progress.message, interruption.asked)))
            self.interrupted = interruption.asked()
        return [{} if hearing is None else next(scores) for hearing in wanted]

    def _judged(self, basis: Basis, matter: _Matter, heard: Mapping[str, Score]) -> Judged:
        case, outcome = matter.hearing.case, matter.hearing.outcome
        reason = basis.unfit.get((outcome.file, outcome.eval_id))
        if reason is not None and outcome.skipped is None:
            result = self._unfit(matter.hearing, reason)
        else:
            found = judge(case, outcome, matter.hearing.config, self._judging, {**matter.kept, **heard})
            result = audited(found, matter.hearing.audit)
        return Judged(outcome=outcome, result=self._redactor.clear(result))

    def _unfit(self, hearing: Hearing, reason: str) -> CaseResult:
        """Return the result of an outcome that is none of its case as it is now: nothing can be said."""
        case, outcome = hearing.case, hearing.outcome
        return CaseResult(
            file=outcome.file,
            eval_id=outcome.eval_id,
            run=outcome.run,
            verdict="inconclusive",
            reasons=(reason,),
            known_failing=case.known_failing,
            seconds=outcome.seconds,
            effort=effort_of(outcome.trace, self._judging.prices),
            line=case.line,
        )
