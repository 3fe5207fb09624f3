"""The jobs for GitLab CI: when what runs, what is kept, and that their command lines are ours."""

import re

import pytest

MERGE_REQUEST = {
    "CI_PIPELINE_SOURCE": "merge_request_event",
    "CI_MERGE_REQUEST_SOURCE_PROJECT_ID": "1",
    "CI_MERGE_REQUEST_PROJECT_ID": "1",
}
LABELLED = {**MERGE_REQUEST, "CI_MERGE_REQUEST_LABELS": "kafka,run-eval"}


@pytest.fixture(scope="module")
def jobs(pipeline):
    """The jobs, each with what it takes over from the hidden one."""
    read = pipeline("gitlab")
    base = read.pop(".evalkit")
    return {name: _merged(base, job) for name, job in read.items()}


def _merged(base, job):
    both = {key: _merged(base[key], job[key]) for key in base.keys() & job.keys() if isinstance(base[key], dict)}
    return {**base, **job, **both}


def holds(condition, variables):
    """Evaluate a condition of a rule; a variable that is not there is null."""
    return all(_compare(part.strip(), variables) for part in condition.split("&&"))


def _compare(part, variables):
    name, sign, other = re.fullmatch(r"\$(\w+) (==|!=|=~) (.*)", part).groups()
    value = variables.get(name)
    if sign == "=~":
        return value is not None and bool(re.search(other.strip("/"), value))
    right = variables.get(other[1:]) if other.startswith("$") else other.strip('"')
    return (value == right) is (sign == "==")


def runs(job, variables):
    """Whether the first rule that holds lets the job run."""
    return next((rule.get("when") != "never" for rule in job["rules"] if holds(rule["if"], variables)), False)


@pytest.mark.parametrize(
    ("variables", "golden", "live"),
    [
        pytest.param(MERGE_REQUEST, True, False, id="a merge request"),
        pytest.param(LABELLED, True, True, id="one with the label"),
        pytest.param({**MERGE_REQUEST, "CI_MERGE_REQUEST_LABELS": "no-run-eval"}, True, False, id="another label"),
        pytest.param({**LABELLED, "CI_MERGE_REQUEST_SOURCE_PROJECT_ID": "2"}, True, False, id="from a fork"),
        pytest.param({"CI_PIPELINE_SOURCE": "schedule"}, True, True, id="every night"),
        pytest.param({"CI_PIPELINE_SOURCE": "web"}, True, True, id="by hand"),
        pytest.param({"CI_PIPELINE_SOURCE": "push"}, False, False, id="a push"),
    ],
)
def test_a_job_runs_when_it_is_meant_to(jobs, variables, golden, live):
    assert (runs(jobs["evalkit-golden"], variables), runs(jobs["evalkit-live"], variables)) == (golden, live)


def test_no_money_is_spent_on_files_that_do_not_even_replay(jobs):
    assert jobs["evalkit-live"]["needs"] == [{"job": "evalkit-golden", "artifacts": False}]


def test_only_live_jobs_get_credentials(jobs):
    assert jobs["evalkit-live"]["environment"]["name"] == "evaluations"
    assert "environment" not in jobs["evalkit-golden"]


@pytest.mark.parametrize("mode", ["golden", "live"])
def test_every_command_line_is_understood_and_plays_what_the_job_is_named_for(jobs, mode, parsed):
    *_, (name, run) = parsed("\n".join(jobs[f"evalkit-{mode}"]["script"]))

    assert (name, run["mode"], run["report_dir"].as_posix()) == ("run", mode, "evalkit-run")
    assert run["require_judged"] is (mode == "live")  # a variable that is missing must not be green


def test_a_merge_request_shows_what_is_wrong_with_files(jobs, parsed):
    (line,) = jobs["evalkit-golden"]["after_script"]

    assert parsed(line)[0][1]["output"] == "gitlab"
    assert line.endswith(" > " + jobs["evalkit-golden"]["artifacts"]["reports"]["codequality"])


@pytest.mark.parametrize("job", ["evalkit-golden", "evalkit-live"])
def test_the_run_is_kept_whatever_came_of_it(jobs, job):
    artifacts = jobs[job]["artifacts"]

    assert (artifacts["when"], artifacts["paths"]) == ("always", ["evalkit-run/"])
    assert artifacts["reports"]["junit"] == "evalkit-run/junit.xml"


@pytest.mark.parametrize("job", ["evalkit-golden", "evalkit-live"])
def test_a_job_has_an_image_a_cache_for_pip_and_an_end(jobs, job):
    assert re.fullmatch(r"python:3\.\d+-slim", jobs[job]["image"])
    assert jobs[job]["variables"]["PIP_CACHE_DIR"] == f"$CI_PROJECT_DIR/{jobs[job]['cache']['paths'][0]}"
    assert jobs[job]["timeout"]
