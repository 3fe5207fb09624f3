"""Ready pipelines for users: golden replay of every change, live runs every night, by hand or by label."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from evalkit.errors import InputError

_FOLDER = "EVALSETS: evalsets\n"
"""The line of a template that names the folder of evalsets."""

_PLAIN = re.compile(r"[\w./-]*[A-Za-z][\w./-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline:
    """A pipeline of a CI service.

    Attributes:
        file: The template in this package.
        place: Where the service looks for it, from the top of the repository.
        next_steps: What is left to do once it is there, one thing a line.
    """

    file: str
    place: Path
    next_steps: tuple[str, ...]


PIPELINES: Mapping[str, Pipeline] = {
    "github": Pipeline(
        file="github.yml",
        place=Path(".github/workflows/evalkit.yml"),
        next_steps=(
            "adapt the steps Install to your project",
            "for live runs: add the secret GOOGLE_API_KEY, or what your agents need, and a label run-eval",
        ),
    ),
    "gitlab": Pipeline(
        file="gitlab.yml",
        place=Path(".gitlab/evalkit.gitlab-ci.yml"),
        next_steps=(
            "add to .gitlab-ci.yml: include: [{local: .gitlab/evalkit.gitlab-ci.yml}]",
            "adapt before_script to your project",
            "for live runs: add the variable GOOGLE_API_KEY, or what your agents need, a schedule and a label run-eval",
        ),
    ),
}
"""Name of a CI service and its pipeline."""


def pipeline_text(service: str, evalsets: str = "evalsets") -> str:
    """Return the pipeline for a service in `PIPELINES`, with the project's own folder of evalsets."""
    text = files(__name__).joinpath(PIPELINES[service].file).read_text(encoding="utf-8")
    folder = evalsets if _PLAIN.fullmatch(evalsets) else json.dumps(evalsets, ensure_ascii=False)
    return text.replace(_FOLDER, f"EVALSETS: {folder}\n")


def write_pipeline(service: str, repository: Path, evalsets: str = "evalsets") -> Path:
    """Write the pipeline for a service to its place, and return that.

    Raises:
        InputError: There is a file already, the folder is not the top of its repository, or it cannot be written.
    """
    path = repository / PIPELINES[service].place
    top = next((folder for folder in (repository, *repository.resolve().parents) if (folder / ".git").exists()), None)
    if top is not None and not top.samefile(repository):
        raise InputError(f"pipelines are read from the top of a repository; run this in {top}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(pipeline_text(service, evalsets))
    except FileExistsError:
        raise InputError(f"{path}: is there already; `evalkit ci {service}` prints what it would be") from None
    except OSError as error:
        raise InputError(f"{path}: cannot write: {error.strerror or error}") from error
    return path
