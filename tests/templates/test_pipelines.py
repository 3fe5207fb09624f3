"""Where pipelines go, and how they are made a project's own."""

from pathlib import Path

import pytest
import yaml

from evalkit.errors import InputError
from evalkit.templates import PIPELINES, pipeline_text, write_pipeline


@pytest.mark.parametrize("service", PIPELINES)
def test_a_pipeline_is_yaml_and_says_where_it_belongs(service):
    text = pipeline_text(service)

    assert isinstance(yaml.safe_load(text), dict)
    assert PIPELINES[service].place.as_posix() in text.splitlines()[0]


@pytest.mark.parametrize("service", PIPELINES)
@pytest.mark.parametrize("folder", ["evals", "qa/kafka-evals", "my evals: 1", "0", "${{ x }}", 'a"b', "über"])
def test_the_projects_own_folder_stands_where_it_is_to_be_adapted(service, folder):
    data = yaml.safe_load(pipeline_text(service, folder))
    variables = data["env"] if service == "github" else data[".evalkit"]["variables"]

    assert variables["EVALSETS"] == folder


@pytest.mark.parametrize("service", PIPELINES)
def test_a_pipeline_is_written_to_its_place(service, tmp_path):
    path = write_pipeline(service, tmp_path, "evals")

    assert path == tmp_path / PIPELINES[service].place
    assert path.read_text(encoding="utf-8") == pipeline_text(service, "evals")


def test_a_file_that_is_there_stays_as_it_is(tmp_path):
    write_pipeline("github", tmp_path).write_text("mine", encoding="utf-8")

    with pytest.raises(InputError, match=r"evalkit\.yml: is there already; `evalkit ci github` prints"):
        write_pipeline("github", tmp_path)
    assert (tmp_path / ".github/workflows/evalkit.yml").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("kind", ["folder", "worktree"])
def test_inside_of_a_repository_nobody_would_read_it(kind, tmp_path):
    git, inside = tmp_path / ".git", tmp_path / "services/kafka"
    git.mkdir() if kind == "folder" else git.write_text("gitdir: elsewhere\n", encoding="utf-8")
    inside.mkdir(parents=True)

    with pytest.raises(InputError, match="run this in ") as raised:
        write_pipeline("github", inside)
    assert str(raised.value).endswith(str(tmp_path))
    assert not [*inside.iterdir()]
    assert write_pipeline("github", tmp_path).is_file()


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / ".github").write_text("no folder", encoding="utf-8")

    with pytest.raises(InputError, match=r"evalkit\.yml: cannot write: "):
        write_pipeline("github", tmp_path)


def test_what_gitlab_is_told_to_include_is_what_was_written():
    include = f"local: {PIPELINES['gitlab'].place.as_posix()}"

    assert include in pipeline_text("gitlab")
    assert include in PIPELINES["gitlab"].next_steps[0]
    assert PIPELINES["gitlab"].place == Path(".gitlab/evalkit.gitlab-ci.yml")
