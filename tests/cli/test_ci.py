"""`evalkit ci` as a user types it."""

import pytest

from evalkit.templates import PIPELINES, pipeline_text


@pytest.mark.parametrize("service", PIPELINES)
def test_a_pipeline_is_printed_whole(service, run_evalkit):
    done = run_evalkit("ci", service)

    assert (done.returncode, done.stdout, done.stderr) == (0, pipeline_text(service), "")


def test_it_is_written_for_the_projects_own_evalsets_and_says_what_is_next(run_evalkit, tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.evalkit]\nevalsets = "qa/evals"\n', encoding="utf-8")
    done = run_evalkit("ci", "github", "--write")

    assert (done.returncode, done.stdout) == (0, ".github/workflows/evalkit.yml\n")
    assert done.stderr.splitlines()[0] == "next: adapt the steps Install to your project"
    assert "  EVALSETS: qa/evals\n" in (tmp_path / ".github/workflows/evalkit.yml").read_text(encoding="utf-8")


def test_a_file_that_is_there_is_not_overwritten(run_evalkit):
    run_evalkit("ci", "gitlab", "--write")
    done = run_evalkit("ci", "gitlab", "--write")

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("evalkit: .gitlab/evalkit.gitlab-ci.yml: is there already")


def test_a_service_that_has_no_pipeline_is_answered_with_those_that_do(run_evalkit):
    done = run_evalkit("ci", "jenkins")

    assert done.returncode == 2
    assert "'github', 'gitlab'" in done.stderr
