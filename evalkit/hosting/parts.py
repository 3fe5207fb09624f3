"""The evalsets of one run of ADK's command, as its service asks for them."""

from collections.abc import Iterable, Mapping, Sequence

from evalkit.adk.eval_results import Judged
from evalkit.adk.hosted import HostedTarget, Infer
from evalkit.adk.target import AdkTarget
from evalkit.bundles import Bundle
from evalkit.cases import Criterion, Json
from evalkit.formats.metrics import METRICS
from evalkit.formats.own_metrics import metric_of
from evalkit.hosting.record import Record
from evalkit.play import PlayOptions, play
from evalkit.results import Score

_NO_JUDGE = (
    "it needs a judge model, and golden mode asks no model: play with --evalkit-mode live, or write"
    ' `optional_offline = ["{}"]` under [tool.evalkit]'
)


class Part:
    """Plays and judges the cases of some evalsets with the same criteria; see `evalkit.adk.eval_service.Host`.

    Args:
        record: Where outcomes and verdicts go.
        bundles: The evalsets.
        options: How cases are played.
        target: The agent.
    """

    def __init__(self, record: Record, bundles: Sequence[Bundle], options: PlayOptions, target: AdkTarget) -> None:
        self._record = record
        self._options = options
        self._target = target
        self._jobs = {bundle.cases.eval_set_id: record.jobs(bundle) for bundle in bundles}
        self._criteria = {one.name: one for one in bundles[0].config.criteria}
        self._left = sum(map(len, self._jobs.values()))

    async def play(self, eval_set_id: str, infer: Infer) -> None:
        """Play the cases of an evalset; after the last one of all, the agent's toolsets and plugins are closed."""
        jobs = self._jobs[eval_set_id]
        await play(jobs, HostedTarget(self._target, infer), self._options, emit=self._record.take)
        self._left -= len(jobs)
        if not self._left:
            await self._target.close()

    def is_left_to_adk(self, metric: str) -> bool:
        """Leave to ADK what only ADK computes; judges are asked where models may be."""
        criterion = self._criteria.get(metric)
        return criterion is None or self._is_adks(criterion)

    def judge(self, eval_set_id: str, eval_id: str, found: Mapping[str, Score]) -> Judged:
        """Judge a case that has been played."""
        job = next(job for job in self._jobs[eval_set_id] if job.case.eval_id == eval_id)
        unasked = [one.name for one in self._criteria.values() if _is_judge(one) and not self._is_adks(one)]
        withheld = {name: Score(state="not_judged", reason=_NO_JUDGE.format(name)) for name in unasked}
        return self._record.judge(job.number, {**found, **withheld})

    def hide(self, value: Json) -> Json:
        """Take the secrets out of a JSON value, as for every file of the run."""
        return self._record.folder.redactor.value(value)

    def _is_adks(self, criterion: Criterion) -> bool:
        metric = metric_of(criterion)
        if metric is None:
            return True  # a function of the user's
        if _is_judge(criterion):
            return self._record.live
        return criterion.custom_function is None and metric in METRICS and METRICS[metric].kind != "evalkit"


def _is_judge(criterion: Criterion) -> bool:
    metric = METRICS.get(metric_of(criterion) or "")
    return metric is not None and metric.kind == "adk-judge"


def together(bundles: Iterable[Bundle]) -> list[list[Bundle]]:
    """Sort evalsets by what one run of ADK's command can take: one config, and no set id twice."""
    runs: list[list[Bundle]] = []
    for bundle in bundles:
        run = next((run for run in runs if _fits(bundle, run)), None)
        if run is None:
            runs.append([bundle])
        else:
            run.append(bundle)
    return runs


def _fits(bundle: Bundle, run: Sequence[Bundle]) -> bool:
    ids = {one.cases.eval_set_id for one in run}
    return bundle.config.origin == run[0].config.origin and bundle.cases.eval_set_id not in ids
