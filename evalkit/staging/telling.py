"""What is worth telling of a stage once it is over."""

from collections.abc import Iterator

from evalkit.stage_records import StageRecord

_MOST_NAMED = 5
"""So many files are named; the rest is counted."""


def told_of_stage(stage: StageRecord | None) -> Iterator[str]:
    """Yield facts that change no verdict, such as a clean-up that failed."""
    if stage is None:
        return
    yield from stage.notes
    if stage.after is not None and stage.after.failed:
        yield f"after_test failed, so something may be left of the case's setup: {stage.after}"


def unasked_files(stage: StageRecord | None) -> Iterator[str]:
    """Say which files the agent created, if that is a fault."""
    if stage is not None and stage.files_unasked and stage.files_created:
        rest = len(stage.files_created) - _MOST_NAMED
        named = ", ".join(stage.files_created[:_MOST_NAMED]) + (f" and {rest} more" if rest > 0 else "")
        yield f"files_created: the agent created {named}, which the case does not ask for"
