"""Several models side by side: what each case came to with each of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evalkit.report.counts import Counts, count
from evalkit.results import CaseResult, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelColumn:
    """What a run with one model came to: its gating cases, and those that are known to fail."""

    model: str
    counts: Counts
    known_failing: Counts


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRow:
    """One case with its verdict for each model, None where a run ended before it."""

    file: str
    label: str
    verdicts: tuple[Verdict | None, ...]

    @property
    def differs(self) -> bool:
        """Whether the models came to different verdicts."""
        return len(set(self.verdicts)) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelMatrix:
    """A column per model, in the order in which they were named; a row per case, in the order of the run."""

    columns: tuple[ModelColumn, ...]
    rows: tuple[ModelRow, ...]


def model_matrix(results: Mapping[str, Sequence[CaseResult]]) -> ModelMatrix:
    """Put the results of runs of the same cases side by side, by model."""
    columns = []
    rows: dict[tuple[str, str, int], dict[str, Verdict]] = {}
    for model, found in results.items():
        gating, known_failing = count(found)
        columns.append(ModelColumn(model=model, counts=gating, known_failing=known_failing))
        for result in found:
            rows.setdefault((result.file, result.eval_id, result.run), {})[model] = result.verdict
    return ModelMatrix(
        columns=tuple(columns),
        rows=tuple(
            ModelRow(
                file=file,
                label=f"{eval_id}#{run + 1}" if run else eval_id,
                verdicts=tuple(verdicts.get(column.model) for column in columns),
            )
            for (file, eval_id, run), verdicts in rows.items()
        ),
    )
