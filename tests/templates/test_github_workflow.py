"""The workflow for GitHub Actions: when what runs, with which rights, and that its command lines are ours."""

import re

import pytest

FIRST_PARTY = {"actions/checkout", "actions/setup-python", "actions/upload-artifact"}
HERE, FORK = "team/agents", "somebody/agents"


@pytest.fixture(scope="module")
def workflow(pipeline):
    return pipeline("github")


@pytest.fixture(scope="module")
def triggers(workflow):
    return workflow[True]  # YAML 1.1 takes the key `on` for a boolean; GitHub does not


def steps(workflow, job):
    return workflow["jobs"][job]["steps"]


def script(workflow, job):
    return "\n".join(step.get("run", "") for step in steps(workflow, job))


def value_at(path, event):
    """Look a value up in the `github` context; what is not there is null."""
    value = {"repository": HERE, **event}
    for name in path.split(".")[1:]:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def evaluated(expression, event):
    """Evaluate an expression of GitHub's, with its and, or, not and comparisons."""
    python = re.sub(r"github(\.\w+)+", lambda name: repr(value_at(name[0], event)), expression)
    python = re.sub(r"!(?!=)", " not ", python).replace("&&", " and ").replace("||", " or ")
    return eval(python, {"__builtins__": {}})  # noqa: S307 - an expression of our own template


def pull_request(action, *, label=None, head=HERE):
    event = {"action": action, "label": {"name": label} if label else None}
    event["pull_request"] = {"head": {"repo": {"full_name": head}}}
    return {"event_name": "pull_request", "event": event, "ref": "refs/pull/7/merge", "run_id": 42}


def other(name, *, fork=False):
    return {"event_name": name, "event": {"repository": {"fork": fork}}, "ref": "refs/heads/main", "run_id": 42}


def test_it_starts_for_changes_labels_every_night_and_by_hand_and_for_nothing_else(triggers):
    assert set(triggers) == {"pull_request", "schedule", "workflow_dispatch"}
    assert triggers["pull_request"]["types"] == ["opened", "synchronize", "reopened", "labeled"]
    (schedule,) = triggers["schedule"]
    assert re.fullmatch(r"[1-9]\d? \d{1,2} \* \* \*", schedule["cron"])  # once a day, off the busy full hour


def test_it_may_read_the_repository_and_no_more(workflow):
    assert workflow["permissions"] == {"contents": "read"}
    assert not [job for job in workflow["jobs"].values() if "permissions" in job]


def test_golden_always_runs_since_a_skipped_job_counts_as_a_successful_one(workflow):
    golden = workflow["jobs"]["golden"]

    assert "if" not in golden
    assert "needs" not in golden
    assert not golden.get("continue-on-error")


@pytest.mark.parametrize(
    ("event", "wanted"),
    [
        pytest.param(other("schedule"), True, id="every night"),
        pytest.param(other("workflow_dispatch"), True, id="by hand"),
        pytest.param(pull_request("labeled", label="run-eval"), True, id="by label"),
        pytest.param(pull_request("opened"), False, id="a new pull request"),
        pytest.param(pull_request("synchronize"), False, id="a new commit"),
        pytest.param(pull_request("labeled", label="bug"), False, id="another label"),
        pytest.param(pull_request("labeled", label="run-eval", head=FORK), False, id="a fork's pull request"),
        pytest.param(other("schedule", fork=True), False, id="every night in a fork"),
        pytest.param(other("workflow_dispatch", fork=True), False, id="by hand in a fork"),
    ],
)
def test_models_are_asked_only_where_somebody_wants_that_and_never_for_forks(workflow, event, wanted):
    assert bool(evaluated(workflow["jobs"]["live"]["if"], event)) is wanted


def test_no_money_is_spent_on_files_that_do_not_even_replay(workflow):
    assert workflow["jobs"]["live"]["needs"] == "golden"


def test_secrets_reach_the_one_step_that_needs_them(workflow):
    with_secrets = [
        step["name"] for job in workflow["jobs"] for step in steps(workflow, job) if "secrets." in str(step)
    ]

    assert with_secrets == ["Ask the models"]
    assert "secrets." not in str({**workflow, "jobs": None})
    assert not [job for job in workflow["jobs"].values() if "secrets." in str({**job, "steps": None})]


@pytest.mark.parametrize(
    ("event", "group", "cancels"),
    [
        (pull_request("synchronize"), "refs/pull/7/merge", True),
        (pull_request("labeled", label="bug"), 42, True),
        (other("schedule"), "refs/heads/main", False),
    ],
)
def test_a_new_commit_ends_the_run_before_it_and_a_label_ends_none(workflow, event, group, cancels):
    def expression(text):
        return re.search(r"\$\{\{(.*)\}\}", text)[1]

    assert evaluated(expression(workflow["concurrency"]["group"]), event) == group
    assert evaluated(expression(workflow["concurrency"]["cancel-in-progress"]), event) is cancels


@pytest.mark.parametrize("job", ["golden", "live"])
def test_actions_are_githubs_own_in_a_pinned_major_version(workflow, job):
    used = [step["uses"] for step in steps(workflow, job) if "uses" in step]

    assert {name.partition("@")[0] for name in used} == FIRST_PARTY
    assert all(re.fullmatch(r"[\w/-]+@v\d+", name) for name in used)


@pytest.mark.parametrize("job", ["golden", "live"])
def test_a_checkout_leaves_no_credentials_behind_and_pip_is_cached(workflow, job):
    checkout, python = steps(workflow, job)[:2]

    assert checkout["with"]["persist-credentials"] is False
    assert python["with"]["cache"] == "pip"
    assert ".github/workflows/evalkit.yml" in python["with"]["cache-dependency-path"].split()


@pytest.mark.parametrize("job", ["golden", "live"])
def test_every_command_line_is_understood_and_plays_what_the_job_is_named_for(workflow, job, parsed):
    *checks, (name, run) = parsed(script(workflow, job))

    assert [command for command, _ in checks] == (["check"] if job == "golden" else [])
    assert (name, run["mode"], run["junit"].as_posix()) == ("run", job, "evalkit-run/junit.xml")
    assert run["report_dir"].as_posix() == "evalkit-run"
    assert run["require_judged"] is (job == "live")  # a secret that is missing must not be green


@pytest.mark.parametrize("job", ["golden", "live"])
def test_the_run_is_kept_whatever_came_of_it(workflow, job):
    upload = steps(workflow, job)[-1]

    assert upload["uses"].startswith("actions/upload-artifact@")
    assert upload["if"] == "${{ !cancelled() }}"
    assert (upload["with"]["name"], upload["with"]["path"]) == (f"evalkit-{job}", "evalkit-run/")


@pytest.mark.parametrize("job", ["golden", "live"])
def test_no_job_runs_for_ever(workflow, job):
    assert 0 < workflow["jobs"][job]["timeout-minutes"] <= 60


def test_nothing_from_outside_is_pasted_into_a_script(workflow):
    assert not [job for job in workflow["jobs"] if "${{" in script(workflow, job)]
