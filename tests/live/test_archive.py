"""Fixtures of ours in an archive, from its address to the report: converted, set up, played, taken down, reported."""

import hashlib
import io
import json
import tarfile
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from textwrap import indent

import pytest

AGENT = '''
import pathlib
import urllib.request
from google.adk.agents import LlmAgent


def read_page(path: str) -> dict:
    """Read a page of the server that the case has set up."""
    port = pathlib.Path("port").read_text().strip()
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}", timeout=10) as page:
        return {"text": page.read().decode()}


root_agent = LlmAgent(name="lag", model="gemini-2.5-flash", tools=[read_page])
'''

SERVER = """\
import functools
import http.server
import pathlib

handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory="pages")
with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
    pathlib.Path("port.new").write_text(str(server.server_port))
    pathlib.Path("port.new").rename("port")
    server.serve_forever()
"""

SERVES = """\
python3 server.py >server.log 2>&1 &
echo $! >server.pid
until [ -e port ]; do kill -0 $(cat server.pid); sleep 0.05; done
"""
FORKS = "echo $MARK\nsetsid sleep 300 &\n(sleep 300 &)\nsleep 300 &\n"
CLEANED = "echo cleaned\n"


def case_text(prompt, before, after=CLEANED, **keys):
    """Write a `test_case.yaml`."""
    lines = [f"{key}: {json.dumps(value)}\n" for key, value in keys.items()]
    scripts = {"before_test": before, "after_test": after}
    lines += [f"{key}: |\n{indent(script, '  ')}" for key, script in scripts.items()]
    return f"user_prompt: {prompt}\nexpected_output: crane 7 is paused\n" + "".join(lines)


def fixtures(mark):
    env = {"MARK": mark}
    page = {"server.py": SERVER, "pages/status.txt": "crane 7 is paused\n"}
    served = case_text("page", SERVES, f"kill $(cat server.pid)\n{CLEANED}", test_env_vars=env, tags=["network"])
    return {
        "01_page": {"test_case.yaml": served, **page},
        "02_broken": {"test_case.yaml": case_text("broken", f"{FORKS}echo no crane >&2\nexit 3\n", test_env_vars=env)},
        "03_stuck": {"test_case.yaml": case_text("stuck", "sleep 300\n", test_env_vars=env, setup_timeout=5)},
        "04_forks": {"test_case.yaml": case_text("forks", FORKS, test_env_vars=env)},
    }


def packed(folders):
    """Make an archive as a host of repositories does: one folder, and the fixtures deep in it."""
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w:gz") as archive:
        for folder, files in folders.items():
            for name, text in files.items():
                info = tarfile.TarInfo(f"cranes-main/tests/fixtures/test_ask_holmes/{folder}/{name}")
                info.size = len(text.encode())
                archive.addfile(info, io.BytesIO(text.encode()))
    return written.getvalue()


@pytest.fixture
def address(mark) -> Iterator[tuple[str, str]]:
    """Serve the archive; tell its address and its digest."""
    body = packed(fixtures(mark))

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/cranes.tar.gz", hashlib.sha256(body).hexdigest()
        server.shutdown()
        thread.join()


@pytest.fixture
def model(serve, answers):
    """A model that reads the page where there is one, and says what it finds."""

    def script(asked):
        if asked.user == "page" and not asked.replies:
            return answers.call("read_page", path="status.txt")
        return answers.Say("As far as I can see crane 7 is paused.")

    return serve(script)


def test_an_archive_is_converted_run_live_and_reported_and_nothing_is_left(
    project, run_evalkit, address, model, mark, left
):
    project.write("agents/lag/agent.py", AGENT)
    url, digest = address

    converted = run_evalkit("convert", "holmes", url, "evals", "--sha256", digest, "--cache", "cache")
    played = run_evalkit(
        *("run", "evals", "--agent", "agents/lag", "--mode", "live", "--live-setup", "--yes", "--report", "out"),
        env=model.variables,
    )
    reported = run_evalkit("report", "out", "--style", "holmes")

    assert (converted.returncode, converted.stdout.count("needs_live")) == (0, 4)
    assert (played.returncode, reported.returncode) == (1, 1), played.stderr
    cases = {
        case["eval_id"]: case
        for file in json.loads((project.root / "out/results.json").read_text())["files"]
        for case in file["cases"]
    }
    assert {eval_id: case["verdict"] for eval_id, case in cases.items()} == {
        "01_page": "passed",
        "02_broken": "error",
        "03_stuck": "error",
        "04_forks": "passed",
    }
    assert cases["02_broken"]["reasons"][0] == "setup_failed: before_test: exit code 3: no crane"
    assert cases["03_stuck"]["reasons"][0] == "setup_failed: before_test: its time was up after 5 s"
    assert {case["stage"]["after"]["stdout"] for case in cases.values()} == {"cleaned\n"}
    assert {case["stage"]["after"]["exit_code"] for case in cases.values()} == {0}
    assert {asked.user: asked.replies for asked in model.asked} == {
        "page": ({"text": "crane 7 is paused\n"},),
        "forks": (),
    }
    assert cases["04_forks"]["stage"]["before"]["stdout"] == f"{mark}\n"
    assert left() == []

    folder = project.root / "out/holmes"
    data = json.loads((folder / "results.json").read_text())
    assert sorted(path.name for path in folder.iterdir()) == ["latest-results.md", "report.md", "results.json"]
    assert data["summary"] == {
        "total": 4, "passed": 2, "failed": 2, "skipped": 0,
        "failed_with_an_error": 2, "failed_as_not_judged": 0, "failed_as_known": 0,
    }  # fmt: skip
    assert "2 passed, 2 failed (2 with an error), 0 skipped" in (folder / "report.md").read_text()
