"""ADK's own command `adk eval`, run in this process with evalkit in place around it."""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from google.adk.version import __version__ as adk_version

from evalkit.adk import private
from evalkit.adk.load import LoadedAgent
from evalkit.adk.patches import Patches
from evalkit.cases import CaseSet
from evalkit.errors import AdkVersionError, InputError
from evalkit.formats.evalset_writer import write_case_set

_EVALSET = ".evalset.json"

_REMEDY = "install a google-adk that this evalkit knows (2.13) or a newer evalkit"

_AGENT, _EVALSETS = "agent_module_file_path", "eval_set_file_path_or_id"
_CONFIG, _STORAGE = "config_file_path", "eval_storage_uri"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the arguments of `adk eval` ask for, as far as evalkit has to know.

    Attributes:
        agent: The agent's folder.
        evalsets: Files, with ids behind a colon; an id of a set stands for its file in the agent's folder.
        config: The config for all of them; None if none was named.
        storage: Where evalsets and results are kept instead of in local folders.
    """

    agent: Path
    evalsets: tuple[str, ...]
    config: Path | None
    storage: str | None


def require_extra() -> None:
    """Make sure that ADK's evaluation can be loaded.

    Raises:
        InputError: google-adk's extra `eval` is not installed.
    """
    try:
        import google.adk.evaluation.local_eval_service  # noqa: F401 - whether that works is the question
    except ModuleNotFoundError as error:
        raise InputError(
            f"adk eval needs google-adk's extra `eval` (there is no {error.name}): pip install 'adk-evalkit[adk-eval]'"
        ) from error


def read_arguments(arguments: Sequence[str]) -> Asked:
    """Read arguments as ADK does.

    Raises:
        click.UsageError: ADK does not know an option, or an argument is missing or wrong.
    """
    given = _command().make_context("adk eval", list(arguments)).params
    agent = Path(given[_AGENT])
    return Asked(
        agent=agent,
        evalsets=tuple(_file_of(text, agent) for text in given[_EVALSETS]),
        config=Path(given[_CONFIG]) if given[_CONFIG] else None,
        storage=given[_STORAGE],
    )


def run_command(arguments: Sequence[str], evalsets: Sequence[CaseSet], config: Path | None, agent: LoadedAgent) -> None:
    """Run ADK's command to its end, whatever exit code it then has.

    Args:
        arguments: As the user gave them.
        evalsets: The evalsets to run instead of those in the arguments.
        config: The config to use instead of any in the arguments; None for ADK's defaults.
        agent: The agent, loaded.

    Raises:
        AdkVersionError: This google-adk's command is made otherwise.
    """
    from google.adk.cli import cli_eval
    from google.adk.evaluation import local_eval_sets_manager

    private.check([(cli_eval, "get_app_or_root_agent"), (local_eval_sets_manager, "load_eval_set_from_file")])
    command = _command()
    context = command.make_context("adk eval", list(arguments))
    context.params[_EVALSETS] = tuple(one.file for one in evalsets)
    context.params[_CONFIG] = str(config) if config else None
    handed_over: list[str] = []

    async def loaded(folder: str) -> tuple[Any, Any]:
        handed_over.append(folder)
        return agent.app, agent.root

    with Patches() as patches, context:
        patches.set(cli_eval, "get_app_or_root_agent", loaded)
        patches.wrap(local_eval_sets_manager, "load_eval_set_from_file", _reading({one.file: one for one in evalsets}))
        with suppress(SystemExit):  # its code says less than the verdicts do
            command.invoke(context)
    if not handed_over:
        raise AdkVersionError(f"`adk eval` of google-adk {adk_version} loads agents otherwise; {_REMEDY}")


def _command() -> Any:
    from google.adk.cli import cli_tools_click

    private.check([(cli_tools_click, "cli_eval")])
    command = cli_tools_click.cli_eval
    missing = {_AGENT, _EVALSETS, _CONFIG, _STORAGE} - {parameter.name for parameter in command.params}
    if missing:
        raise AdkVersionError(
            f"`adk eval` of google-adk {adk_version} takes no {', '.join(sorted(missing))}; {_REMEDY}"
        )
    return command


def _file_of(text: str, agent: Path) -> str:
    """Name the file that an argument stands for; what is neither a file nor a set of the agent's stays as it is."""
    name, colon, ids = text.partition(":")
    of_agent = agent / f"{name}{_EVALSET}"
    if not Path(name).exists() and of_agent.is_file():
        return f"{os.path.relpath(of_agent)}{colon}{ids}"
    return text


def _reading(evalsets: Mapping[str, CaseSet]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Let ADK read files in the old list forms as evalkit does: it knows one of them, and cannot store its results."""

    def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
        def load_eval_set_from_file(eval_set_file_path: str, eval_set_id: str) -> Any:
            from google.adk.evaluation.eval_set import EvalSet

            known = evalsets.get(eval_set_file_path)
            if known is None or known.form is None:
                return original(eval_set_file_path, eval_set_id)
            return EvalSet.model_validate(write_case_set(known))

        return load_eval_set_from_file

    return wrap
