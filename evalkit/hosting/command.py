"""The composition root of `evalkit adk eval`."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from evalkit.adk.eval_command import Asked, read_arguments, require_extra, run_command
from evalkit.adk.eval_service import hosted_by
from evalkit.bundles import Bundle
from evalkit.errors import EvalkitError, InputError, SelectionError
from evalkit.formats.config import ADK_DEFAULTS
from evalkit.hosting.parts import Part, together
from evalkit.hosting.record import Record
from evalkit.locate import as_typed
from evalkit.look import told_models
from evalkit.opening import opened_agent
from evalkit.plan import RunOptions, assignments, plan
from evalkit.report.model import Report
from evalkit.runs import RunFolder
from evalkit.settings import Settings

Tell = Callable[[str], None]


def adk_eval(arguments: Sequence[str], options: RunOptions, settings: Settings, tell: Tell) -> tuple[Report, RunFolder]:
    """Run `adk eval` with mocks and mode in place.

    Args:
        arguments: Those of `adk eval`.
        options: The mode, where the run's files go, and the command line.
        settings: The project's.
        tell: Takes each line for the user that belongs before ADK's output.

    Raises:
        InputError: The input cannot be used, or ADK's extra is missing; nothing was played.
    """
    require_extra()
    options = _with_arguments(options, read_arguments(arguments), settings)
    planned = plan(options, settings)
    record = Record(planned, options, settings)
    todo = assignments(planned, options, settings)
    with closing(record.folder):
        if not todo:
            record.write_inputs()
        for assignment in todo:
            with opened_agent(assignment, record.learn_secrets) as (target, ready):
                record.learn_secrets()  # those that the agent fetched when it was imported
                record.write_inputs()  # now that they are known
                for line in told_models(ready.models):
                    tell(f"model of {as_typed(assignment.agent)}: {line}")
                record.skip_what_is_out_of_reach(ready)
                for bundles in together(record.to_be_played()):
                    tell(f"criteria of {', '.join(one.file for one in bundles)}: {bundles[0].config.origin}")
                    with hosted_by(Part(record, bundles, assignment.options, target)), _outlived(record):
                        run_command(arguments, [one.cases for one in bundles], _config(bundles), target.agent)
        return record.finish(), record.folder


def _with_arguments(options: RunOptions, asked: Asked, settings: Settings) -> RunOptions:
    live = (options.mode or settings.mode) == "live"
    if not asked.evalsets:
        raise SelectionError(
            "no evalset is named, so nothing would be judged: add files, or ids of the evalsets in"
            f" {as_typed(str(asked.agent))}, each with case ids behind a colon if not all cases are meant"
        )
    if asked.storage and not live:
        raise InputError(
            f"--eval_storage_uri {asked.storage}: golden mode lets nothing leave this machine; leave the option out, or"
            " add --evalkit-mode live"
        )
    return replace(options, paths=asked.evalsets, agent=str(asked.agent), config=asked.config, scenarios=live)


def _config(bundles: Sequence[Bundle]) -> Path | None:
    origin = bundles[0].config.origin
    return None if origin == ADK_DEFAULTS else Path(origin)


@contextmanager
def _outlived(record: Record) -> Iterator[None]:
    """Keep what was played, and its verdicts, whatever ADK's command ends with."""
    if record.interrupted:
        return
    try:
        yield
    except EvalkitError:
        raise
    except KeyboardInterrupt:
        record.interrupted = True
    except Exception as error:  # noqa: BLE001 - a crash of ADK's, or of a metric of the user's, is a note of the report
        said = " ".join(str(error).split())
        record.crashes.append(f"`adk eval` itself ended with {type(error).__name__}: {said}")
