"""`evalkit report`: a stored run shown again, by the real command and by what it calls."""

import json
import shutil
import subprocess
from datetime import datetime
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from evalkit.cli.main import cli
from evalkit.cli.report import report
from evalkit.errors import InputError, SettingsError
from evalkit.rescoring.options import ScoreOptions
from evalkit.rescoring.rescore import score_again
from evalkit.settings import load_settings

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
HEADLESS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
VOID = {"meta", "br", "img", "link", "input", "hr"}


class Page(HTMLParser):
    """A page as a tree would have it: each element with its attributes and text, and what is not closed in order."""

    def __init__(self, text):
        super().__init__()
        self.elements, self._open, self.faults = [], [], []
        self.feed(text)
        self.faults += [f"{tag} is never closed" for tag, _, _ in self._open]

    def handle_starttag(self, tag, attrs):
        element = (tag, dict(attrs), [])
        self.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_endtag(self, tag):
        if not self._open or self._open[-1][0] != tag:
            self.faults.append(f"</{tag}> closes {self._open[-1][0] if self._open else 'nothing'}")
        else:
            self._open.pop()

    def handle_data(self, data):
        for _, _, texts in self._open:
            texts.append(data)

    def all(self, *tags):
        return [(attrs, " ".join(" ".join(texts).split())) for tag, attrs, texts in self.elements if tag in tags]


@pytest.fixture
def invoke(in_project):
    """Call the command in this process."""

    def call(*args):
        return CliRunner().invoke(report, [str(arg) for arg in args], catch_exceptions=False)

    return call


@pytest.fixture
def page(invoke):
    """Render a run as a page, and parse it."""
    return lambda run="first": Page(invoke(run, "--format", "html").stdout)


@pytest.mark.parametrize("run", ["first", "twice"])
@pytest.mark.parametrize(("name", "file"), [("json", "results.json"), ("md", "report.md"), ("markdown", "report.md")])
def test_a_stored_run_is_shown_as_it_was_when_it_ended(invoke, in_project, run, name, file):
    assert invoke(run, "--format", name).stdout == (in_project.root / run / file).read_text(encoding="utf-8")


def test_without_a_format_it_is_what_the_run_printed_and_the_exit_code_is_that_of_the_run(invoke, in_project):
    first, twice = invoke("first"), invoke("twice")

    assert first.stdout == (in_project.root / "first.txt").read_text(encoding="utf-8")
    assert (first.exit_code, twice.exit_code) == (1, 0)


def test_repeats_and_a_comparison_come_back_as_they_were(invoke, in_project):
    assert "no change" in invoke("twice", "--format", "md").stdout
    assert invoke("twice", "--format", "junit").stdout == (in_project.root / "twice.xml").read_text(encoding="utf-8")


def test_junit_knows_the_line_of_each_case(invoke, in_project):
    text = invoke("first", "--format", "junit").stdout
    cases = ET.fromstring(text).findall(".//testcase")  # noqa: S314 - what evalkit itself just wrote
    lines = (in_project.root / "evalsets/lag/lag.test.json").read_text(encoding="utf-8").splitlines()

    assert len(cases) == 7
    for case in cases:
        around = "".join(lines[int(case.get("line")) - 1 :][:3])
        assert f'"eval_id": "{case.get("name")}"' in around


@pytest.mark.parametrize(
    ("output", "written"),
    [("out.html", "out.html"), ("reports/", "reports/report.html"), ("deep/er", "deep/er/report.html")],
)
def test_output_is_a_file_or_a_folder(invoke, in_project, output, written):
    done = invoke("first", "--format", "html", "--output", output)

    assert (done.stdout, done.stderr) == ("", f"report: {Path(written)}\n")
    assert (in_project.root / written).read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("output", "begins"),
    [
        ("lag.html", "<!doctype html>"),
        ("lag.md", "# Evaluation of "),
        ("lag.xml", "<?xml"),
        ("lag.json", "{"),
        ("lag.log", "evalsets/"),
    ],
)
def test_the_name_of_the_file_tells_the_format_if_nothing_else_does(invoke, in_project, output, begins):
    invoke("first", "--output", output)
    assert (in_project.root / output).read_text().startswith(begins)


@pytest.mark.parametrize("output", ["first/results.json", "first", "twice/report.md"])
def test_the_files_of_a_run_are_not_replaced(invoke, output):
    with pytest.raises(InputError, match="is a file of the run itself; name another"):
        invoke("first", "--format", "md" if output.endswith("md") else "json", "--output", output)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("run.json", None, "is no run folder, it has no run.json"),
        ("run.json", '{"schema": "evalkit.run/9"}', "has the schema 'evalkit.run/9'"),
        ("results.json", None, "has no results.json, so the run did not come to its end; `evalkit score` judges what"),
        ("results.json", "[]", "has the schema None"),
        ("results.json", '{"schema": "evalkit.results/1", "files": [{}]}', "is not what evalkit wrote"),
        ("outcomes.jsonl", "[]\n", "expected an object"),
    ],
)
def test_a_broken_older_or_foreign_run_is_one_clear_line(stored, file, text, message):
    path = stored.root / "first" / file
    path.unlink()
    if text is not None:
        path.write_text(text)
    done = stored.evalkit("report", "first", "--format", "html")

    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_json_is_whole_even_where_there_is_nothing_to_show(in_project):
    done = CliRunner().invoke(report, ["nowhere", "--format", "json"])

    assert isinstance(done.exception, InputError)
    assert json.loads(done.stdout)["schema"] == "evalkit.refusal/1"


def test_a_style_has_its_own_files_so_no_format_goes_with_it(invoke):
    with pytest.raises(SettingsError, match="leave out --format"):
        invoke("first", "--style", "holmes", "--format", "md")


def test_the_page_is_well_formed_loads_nothing_and_runs_nothing(page):
    found = page()
    linked = [value for _, attrs, _ in found.elements for name, value in attrs.items() if name in ("src", "href")]

    assert found.faults == []
    assert all(link.startswith("#") for link in linked)
    assert not [tag for tag, _, _ in found.elements if tag in ("script", "img", "link", "iframe", "object", "base")]
    assert not [name for _, attrs, _ in found.elements for name in attrs if name.startswith("on")]
    policy = next(attrs["content"] for attrs, _ in found.all("meta") if "http-equiv" in attrs)
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'")


def test_what_an_agent_said_is_text_on_the_page(invoke, page):
    shown = [text for _, text in page().all("pre")]

    assert any("<script>document.title = 'taken'</script><img src=x onerror=alert(1)>" in text for text in shown)
    assert "<script" not in invoke("first", "--format", "html").stdout


def test_the_page_names_every_verdict_and_that_the_model_was_not_exercised(page):
    found = page()
    tiles = [text for _, text in found.all("li")][:5]

    assert tiles == ["1 + passed", "2 x failed", "1 ! error", "1 ? inconclusive", "1 - skipped"]
    assert "golden replay: the model was not exercised" in [text for _, text in found.all("p")]


def test_every_case_has_a_row_with_its_verdict_and_why_and_its_details(page):
    found = page()
    rows = [text for _, text in found.all("tr")]
    details = {attrs["id"]: text for attrs, text in found.all("details")}
    links = {attrs["href"].removeprefix("#"): text for attrs, text in found.all("a") if "href" in attrs}

    assert [text for target, text in links.items() if target in details] == [
        "steady", "wrong", "unmocked", "crash", "script", "later", "known",
    ]  # fmt: skip
    assert any("- skipped later 0.00 not before the new broker is there" in row for row in rows)
    assert any("x failed known" in row and "known failing: bug 12" in row for row in rows)
    assert [attrs["id"] for attrs, _ in found.all("details") if "open" in attrs] == [
        f"case-{number}" for number in (2, 3, 4, 5, 7)
    ]  # fmt: skip
    assert "the callback broke" in details["case-4"]


def test_calls_expected_and_made_stand_side_by_side_with_the_reply(page):
    rows = [text for _, text in page().all("tr")]

    made = 'get_lag(group="orders")'
    assert f'as expected {made} {made} lag answered by evalsets/lag/mocks.yaml:4 get_lag {{ "status"' in " ".join(rows)
    assert any("missed" in row and 'get_lag(group="payments")' in row for row in rows)


def test_each_run_of_a_case_that_was_played_several_times_is_shown(page):
    found = page("twice")

    assert [text for _, text in found.all("h4")] == [
        "Run 1: passed", "Run 2: passed", "Run 1: failed", "Run 2: failed",
    ]  # fmt: skip
    assert any("4 runs of 2 cases, 2 passed" in text for _, text in found.all("caption"))


def test_the_page_can_be_read_by_everyone(page):
    found = page()
    levels = [int(tag[1]) for tag, _, _ in found.elements if tag in ("h1", "h2", "h3", "h4")]
    tables = [text for _, text in found.all("caption")]

    assert found.elements[0][1] == {"lang": "en"}
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert len(tables) == len(found.all("table"))
    assert all("scope" in attrs for attrs, _ in found.all("th"))
    assert [text for _, text in found.all("title")] == [text for _, text in found.all("h1")]


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium on this machine")
def test_a_browser_shows_the_page_and_runs_nothing_of_what_an_agent_said(invoke, in_project, tmp_path):
    invoke("first", "--format", "html", "--output", "report.html")
    done = subprocess.run(
        [BROWSER, *HEADLESS, f"--user-data-dir={tmp_path / 'browser'}", "--dump-dom",
         (in_project.root / "report.html").as_uri()],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    shown = Page(done.stdout)

    assert next(text for _, text in shown.all("title")).startswith("Evaluation of ")
    assert len(shown.all("details")) == 7
    assert not shown.all("script", "img")


def test_holmes_style_goes_into_a_folder_of_its_own_and_its_numbers_add_up(invoke, in_project):
    done = invoke("first", "--style", "holmes")
    folder = in_project.root / "first" / "holmes"
    data = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    records = {record["id"]: record for record in data["results"]}

    assert (done.exit_code, done.stderr) == (1, f"report: {folder / 'report.md'}\n")
    assert sorted(path.name for path in folder.iterdir()) == ["latest-results.md", "report.md", "results.json"]
    assert data["summary"] == {
        "total": 7, "passed": 1, "failed": 5, "skipped": 1,
        "failed_with_an_error": 1, "failed_as_not_judged": 1, "failed_as_known": 1,
    }  # fmt: skip
    assert [record["passed"] for record in data["results"]].count(True) == 1
    assert (records["later"]["skipped"], records["later"]["skip_reason"]) == (
        True,
        "not before the new broker is there",
    )
    assert records["wrong"]["prompt"] == "How far behind is orders?"
    assert records["wrong"]["output"] == "The lag of orders is 80."
    counted = "1 passed, 5 failed (1 with an error, 1 not judged, 1 known to fail), 1 skipped"
    assert f"**{counted}**" in (folder / "report.md").read_text(encoding="utf-8")
    assert f"](report.md): {counted}." in (folder / "latest-results.md").read_text(encoding="utf-8")


def test_holmes_style_tells_what_is_missing_by_the_gold_and_hides_and_cuts_what_it_must(invoke, in_project):
    invoke("gold", "--style", "holmes", "--output", "out")
    text = (in_project.root / "out" / "report.md").read_text(encoding="utf-8")
    hit, miss, long = json.loads((in_project.root / "out" / "results.json").read_text(encoding="utf-8"))["results"]

    assert (hit["passed"], hit["expected"], hit["details"]["missing"]) == (True, ["is 75"], [])
    assert (miss["passed"], miss["expected"], miss["details"]["missing"]) == (False, ["is 90"], ["is 90"])
    assert (miss["details"]["mode"], miss["details"]["judged_by"]) == ("strict", "baseline")
    assert miss["details"]["fixture"] == "test_ask_holmes/01_lag/test_case.yaml"
    assert datetime.fromisoformat(hit["details"]["answered_at"]) < datetime.fromisoformat(hit["details"]["scored_at"])
    assert hit["details"]["working_directory"]
    assert long["output"].startswith("Token Bearer [redacted: bearer token]")
    assert long["output"].endswith(" (truncated)")
    assert len(long["output"]) == 2000 + len(" (truncated)")
    assert "Missing:\n\n- `is 90`" in text
    assert "abc12345" not in text
    assert "- Mode: strict" in text


def test_what_is_expected_is_read_from_the_gold_file_when_the_report_is_written(invoke, in_project):
    path = in_project.root / "blind" / "gold.json"
    path.write_text(path.read_text().replace('"expected": ["is 90"]', '"expected": ["is ninety"]'))
    invoke("gold", "--style", "holmes", "--output", "out")
    path.unlink()
    invoke("gold", "--style", "holmes", "--output", "later")
    read, stored = (json.loads((in_project.root / name / "results.json").read_text()) for name in ("out", "later"))

    assert read["results"][1]["expected"] == ["is ninety"]
    assert stored["results"][1]["expected"] == ["is 90"]


def test_holmes_style_replaces_its_own_files_and_no_others(invoke, in_project):
    invoke("first", "--style", "holmes", "--output", "out")
    invoke("twice", "--style", "holmes", "--output", "out")

    assert len(json.loads((in_project.root / "out" / "results.json").read_text())["results"]) == 4
    with pytest.raises(InputError, match=r"first: has a results\.json that is no report of this kind"):
        invoke("first", "--style", "holmes", "--output", "first")


def test_a_run_with_several_models_shows_what_each_of_them_did(page, in_project):
    for model in ("small", "large"):
        shutil.copytree(in_project.root / "first", in_project.root / "both" / model)
    info = json.loads((in_project.root / "first" / "run.json").read_text())
    (in_project.root / "both" / "run.json").write_text(
        json.dumps({**info, "parts": {"small": "small", "large": "large"}})
    )
    score_again(ScoreOptions(run="both", report_dir=in_project.root / "merged"), load_settings())
    found = page("merged")

    assert "Models" in [text for _, text in found.all("h2")]
    assert any("steady in evalsets/lag/lag.test.json passed passed" in text for _, text in found.all("tr"))
    assert sum("How far behind is orders?" in text for _, text in found.all("pre")) >= 8


def test_the_help_says_which_formats_there_are():
    shown = CliRunner().invoke(cli, ["report", "--help"]).output

    assert "--style holmes" in shown
    assert "evalkit report latest --output report.html" in shown
