"""An agent's environment: its `.env` by ADK's rule, set before import and taken back at the end."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from dotenv import dotenv_values

from evalkit.errors import EvalkitError

DISABLED = "ADK_DISABLE_LOAD_DOTENV"
"""The variable by which ADK's users switch `.env` files off."""


def env_file(folder: Path) -> Path | None:
    """Find the `.env` that ADK would load for an agent in `folder`: the nearest one, upwards to the root."""
    if os.environ.get(DISABLED, "").lower() in ("1", "true"):
        return None
    folder = folder.resolve()
    return next((place / ".env" for place in (folder, *folder.parents) if (place / ".env").is_file()), None)


@contextmanager
def agent_environment(folder: Path, extra: Mapping[str, str] | None = None) -> Iterator[Path | None]:
    """Set what the agent's `.env` says where the process does not say otherwise, and restore everything at the end.

    Args:
        folder: The agent's folder.
        extra: Variables that win over both.

    Yields:
        The `.env` file that was used, if there is one.

    Raises:
        EvalkitError: Whatever was raised inside, without the secrets of this environment.
    """
    before = dict(os.environ)
    path = env_file(folder)
    try:
        if path:
            for name, value in dotenv_values(path).items():
                if name not in before and value is not None:
                    os.environ[name] = value
        os.environ.update(extra or {})
        yield path
    except EvalkitError as error:
        error.args = tuple(map(_without_secrets, error.args))  # outside nobody knows what is to be hidden
        raise
    finally:
        os.environ.clear()
        os.environ.update(before)


def _without_secrets(told: object) -> object:
    from evalkit.redaction.redactor import Redactor  # loads what a worker needs only here

    return Redactor.of_process().text(told) if isinstance(told, str) else told
