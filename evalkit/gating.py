"""Under what terms a run's cases gate: their own words, the settings, and flags, which win over the settings."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from evalkit.cases import CaseSet, Gate
from evalkit.errors import SelectionError, SettingsError
from evalkit.quarantine import Quarantine
from evalkit.repeats import CaseKey, Terms
from evalkit.selection import check_ids, parse_selector
from evalkit.settings import Settings


def terms_for(
    case_sets: Sequence[CaseSet],
    settings: Settings,
    *,
    mode: str,
    case: Gate,
    suite: Gate,
    require_judged: bool = False,
) -> Terms:
    """Find the terms of a run.

    Args:
        case_sets: The evalsets that it plays, or played.
        settings: The project's gates and its quarantine.
        mode: Where model turns come from.
        case: What flags say of each case.
        suite: What flags say of all runs together.
        require_judged: Whether a run that judges nothing is not good enough.

    Raises:
        SettingsError: The quarantine names a file or a case that is not there.
    """
    return Terms(
        gate=_flags_win(case, settings.min_pass_rate, settings.min_lower_bound),
        own={(found.file, one.eval_id): one.gate for found in case_sets for one in found.cases if one.gate},
        quarantine=dict(_quarantine(case_sets, settings)),
        suite=_flags_win(suite, settings.suite_min_pass_rate, settings.suite_min_lower_bound),
        replayed=mode != "live",
        require_judged=require_judged,
    )


def _flags_win(flags: Gate, rate: float | None, bound: float | None) -> Gate:
    return Gate(
        min_pass_rate=rate if flags.min_pass_rate is None else flags.min_pass_rate,
        min_lower_bound=bound if flags.min_lower_bound is None else flags.min_lower_bound,
    )


def _quarantine(case_sets: Sequence[CaseSet], settings: Settings) -> Iterator[tuple[CaseKey, Quarantine]]:
    """Yield each case in quarantine; an entry that names what is not there is refused, as nobody else would notice."""
    if not settings.quarantine:
        return
    by_path = {Path(found.file).resolve(): found for found in case_sets}
    for place, entry in enumerate(settings.quarantine):
        try:
            selector = parse_selector(str(settings.root / entry.case))
            found = by_path.get(selector.path.resolve())
            if found is None:
                continue
            known = [case.eval_id for case in found.cases]
            check_ids(entry.case.partition(":")[0], known, selector.ids)
        except SelectionError as error:
            raise SettingsError(f"{settings.origin}: tool.evalkit.quarantine[{place}].case: {error}") from error
        yield from (((found.file, eval_id), entry) for eval_id in selector.ids or known)
