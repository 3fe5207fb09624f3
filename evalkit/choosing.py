"""Which cases a user means, which of them are left out and why, and which are played on a stage of their own."""

from collections.abc import Callable, Iterable, Sequence

from evalkit.bundles import Bundle
from evalkit.cases import Case
from evalkit.errors import SettingsError
from evalkit.options import RunOptions
from evalkit.play import DEFAULT_TIMEOUT, why_skipped
from evalkit.selection import find_named, keyword_filter
from evalkit.settings import Settings
from evalkit.staging.stage import StageOptions

SCORE_0 = "expected_score == 0"
"""Why the profile `self-answer` does not play a case that HolmesGPT expects to fail, in its own words."""


def chosen(bundles: Sequence[Bundle], options: RunOptions) -> Callable[[Bundle, Case], bool]:
    """Return what tells whether a case is meant: by its name, else by its selector, else by `-k` and `--tag`.

    Raises:
        SelectionError: A name means no case or several, or an expression is not well formed.
    """
    by_keyword = keyword_filter(options.keyword) if options.keyword else None
    tags = {tag.lower() for tag in options.tags}
    known = [(bundle.file, case.eval_id) for bundle in bundles for case in bundle.cases.cases]
    named = {found for name in options.cases for found in find_named(known, name)}

    def keep(bundle: Bundle, case: Case) -> bool:
        if named:
            return (bundle.file, case.eval_id) in named
        if bundle.ids:
            return case.eval_id in bundle.ids
        if tags and not tags & {tag.lower() for tag in case.tags}:
            return False
        return by_keyword is None or by_keyword(bundle.file, case)

    return keep


def why_left_out(case: Case, mode: str, options: RunOptions) -> str | None:
    """Say why a case that is meant is not played, None if it is."""
    reason = why_skipped(case, mode, scenarios=options.scenarios)
    if reason is not None:
        return reason
    if case.known_failing is not None:
        if options.profile == "self-answer" and _expected_score(case) == 0:
            return SCORE_0
        if options.profile == "self-answer" or options.skip_known_failing:
            return f"known failing: {case.known_failing}" if case.known_failing else "known failing"
    needed = case.live.needed if case.live else None
    if needed is None or options.live_setup or options.allow_empty:
        return None
    return f"needs live: {needed}; run it with --live-setup, or --allow-empty to play it over the mocks that there are"


def stage_of(case: Case, options: RunOptions, settings: Settings) -> StageOptions | None:
    """Say how a case's own stage is set up; None for a case that needs none."""
    live = options.live_setup and case.live is not None
    strict = options.profile == "self-answer"
    if not (live or strict):
        return None
    return StageOptions(
        live=live,
        shell=options.setup_shell,
        timeout=options.setup_timeout or settings.setup_timeout,
        files_unasked=strict and not (case.live and case.live.may_create_files),
    )


def time_limit(options: RunOptions, settings: Settings) -> float:
    """Say how many seconds a case may take; the profile's five minutes are no setting's business."""
    return options.timeout or (DEFAULT_TIMEOUT if options.profile == "self-answer" else settings.timeout)


def must_have_turns(cases: Iterable[Case]) -> None:
    """Make sure that a live setup is for something, in a mode that plays the cases' own turns back.

    Raises:
        SettingsError: None of the cases has any.
    """
    cases = tuple(cases)
    if cases and not any(turn.steps or turn.final for case in cases for turn in case.turns or ()):
        raise SettingsError(
            "--live-setup: golden mode plays the calls and answers that cases list, and none of these cases lists any;"
            " add --mode live, where the agent's own model is asked"
        )


def _expected_score(case: Case) -> object:
    """Return what HolmesGPT says that a converted case scores."""
    holmes = (case.source or {}).get("holmes")
    return holmes.get("expected_score") if isinstance(holmes, dict) else None
