"""Which evalsets a run of pytest is to play, and with whose model turns.

1. `--evalkit-mode golden` or `live` says it.
2. `-m` with the word `eval` (not behind a `not`) means live: those items are played with the agents' own models.
3. `pytest = "golden"` in `[tool.evalkit]` lets a plain `pytest` replay.
4. An evalset file, or a folder of evalsets, named on the command line is replayed.
5. Otherwise nothing is collected. So a plain `pytest` never plays live.

By 1 to 3 the configured folders are collected: that of evalsets, those that `agent_for` names, and, inside the agents'
folder, whatever evalsets the agents keep themselves.
"""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest

from evalkit.errors import SettingsError
from evalkit.formats.files import EVALSET_SUFFIXES, discover
from evalkit.settings import Settings, load_settings

PlayMode = Literal["golden", "live"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a run of pytest was asked for.

    Attributes:
        mode: Where model turns come from.
        folders: Folders whose evalsets are collected where pytest comes by; real paths.
        named: Files and folders named on the command line; real paths.
        further: Evalsets that pytest would not come by, to be collected beside its own arguments.
    """

    mode: PlayMode
    settings: Settings
    folders: tuple[Path, ...] = ()
    named: tuple[Path, ...] = ()
    further: tuple[str, ...] = ()

    def wants(self, file: Path) -> bool:
        """Tell whether an evalset that pytest came by is to be collected."""
        place = _real(file)
        return any(place.is_relative_to(wanted) for wanted in (*self.folders, *self.named))


def decide(config: pytest.Config) -> Asked | None:
    """Find out what is asked for; None if no evaluation is.

    Raises:
        pytest.UsageError: `[tool.evalkit]` cannot be used.
    """
    try:
        settings = project_settings(config)
    except SettingsError as error:
        raise pytest.UsageError(str(error)) from error
    by_path = config.args_source is pytest.Config.ArgsSource.ARGS
    named = tuple(_named(config, settings)) if by_path else ()
    everywhere: PlayMode | None = config.option.evalkit_mode or (
        "live" if names_the_marker(config.option.markexpr) else settings.pytest
    )
    if everywhere is None:
        return Asked(mode="golden", settings=settings, named=named) if named else None
    folders = tuple(_configured(settings))
    at_home = _real(config.invocation_params.dir) in (_real(config.rootpath), settings.root)
    further = () if by_path or not at_home else tuple(_further(folders, config))
    return Asked(mode=everywhere, settings=settings, folders=folders, named=named, further=further)


def project_settings(config: pytest.Config) -> Settings:
    """Return the settings of the project that pytest runs in: of the current folder, else of pytest's root.

    Raises:
        SettingsError: They cannot be used.
    """
    settings = load_settings(config.invocation_params.dir)
    return settings if settings.origin else load_settings(config.rootpath)


def names_the_marker(expression: str) -> bool:
    """Tell whether a `-m` expression asks for the marker `eval`; what it then selects is pytest's to find out."""
    words = re.findall(r"[^\s()]+|[()]", expression)
    return any(word == "eval" and before != "not" for before, word in zip(["", *words], words, strict=False))


def _named(config: pytest.Config, settings: Settings) -> Iterator[Path]:
    """Yield what the command line names of ours: evalset files, and folders that hold nothing but evalsets."""
    homes = [home for home in _evalset_folders(settings) if home.is_dir()]
    for argument in config.args:
        path = config.invocation_params.dir / argument.partition("::")[0]
        is_evalset = path.name.endswith(EVALSET_SUFFIXES) and path.is_file()
        if is_evalset or (path.is_dir() and any(_real(path).is_relative_to(home) for home in homes)):
            yield _real(path)


def _configured(settings: Settings) -> Iterator[Path]:
    folders = (*_evalset_folders(settings), _real(settings.root / settings.agents))
    return (folder for folder in folders if folder.is_dir())


def _evalset_folders(settings: Settings) -> Iterator[Path]:
    return (_real(settings.root / folder) for folder in (settings.evalsets, *settings.agent_for))


def _further(folders: Iterable[Path], config: pytest.Config) -> Iterator[str]:
    """Yield the evalsets outside of pytest's own arguments, relative to where it was started, as those are."""
    start = _real(config.invocation_params.dir)
    covered = [_real(start / argument) for argument in config.args]
    for found in discover(folders):
        if found.kind == "evalset" and not any(_real(found.path).is_relative_to(place) for place in covered):
            yield os.path.relpath(found.path, start)


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))
