"""What a user installs: the wheel, what it asks for, the commands it brings; and that documents name real ones."""

import configparser
import email.message
import email.parser
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import evalkit

CORE = {
    "click",
    "google-adk",
    "httpx",
    "jinja2",
    "jsonschema",
    "jsonschema-rs",
    "pyyaml",
    "rich",
    "rouge-score",
}

BUILD = "import sys; from hatchling.build import build_{kind}; build_{kind}(sys.argv[1])"


def build(kind: str, root: Path, into: Path) -> Path:
    command = [sys.executable, "-c", BUILD.format(kind=kind), str(into)]
    subprocess.run(command, cwd=root, check=True, capture_output=True)
    (built,) = into.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(repo_root, tmp_path_factory):
    with zipfile.ZipFile(build("wheel", repo_root, tmp_path_factory.mktemp("wheel"))) as archive:
        yield archive


@pytest.fixture(scope="module")
def metadata(wheel) -> email.message.Message:
    text = wheel.read(f"{dist_info(wheel)}/METADATA").decode()
    return email.parser.HeaderParser().parsestr(text)


def dist_info(wheel: zipfile.ZipFile) -> str:
    return f"adk_evalkit-{evalkit.__version__}.dist-info"


def requirements(metadata, extra: str | None = None) -> set[str]:
    """Names of the distributions that the core, or an extra, asks for."""
    marker = re.compile(r"extra == ['\"]([\w-]+)['\"]")
    rows = metadata.get_all("Requires-Dist")
    return {
        re.match(r"[\w-]+(\[[\w,-]+\])?", row)[0].lower()
        for row in rows
        if (found[1] if (found := marker.search(row)) else None) == extra
    }


def test_the_wheel_holds_the_package_and_nothing_else(wheel):
    assert {name.split("/")[0] for name in wheel.namelist()} == {"evalkit", dist_info(wheel)}


def test_the_wheel_holds_every_file_of_the_package(wheel, repo_root):
    paths = [path.relative_to(repo_root) for path in (repo_root / "evalkit").rglob("*") if path.is_file()]
    source = {path.as_posix() for path in paths if not re.search(r"(^|/)(__pycache__|\.)", path.as_posix())}
    assert source <= set(wheel.namelist())
    assert "evalkit/py.typed" in source


def test_the_wheel_holds_what_is_read_from_the_package_at_run_time(wheel):
    data = {
        "evalkit/templates/github.yml",
        "evalkit/templates/gitlab.yml",
        "evalkit/report/schemas/results.schema.json",
    }
    assert data <= set(wheel.namelist())


def test_the_source_archive_holds_the_package_and_its_documents(repo_root, tmp_path):
    with tarfile.open(build("sdist", repo_root, tmp_path)) as archive:
        top = {name.split("/")[1] for name in archive.getnames()}
    assert top == {"evalkit", "README.md", "LICENSE", "CHANGELOG.md", "pyproject.toml", "PKG-INFO", ".gitignore"}


def test_the_metadata_says_what_it_is(metadata):
    assert metadata["Name"] == "adk-evalkit"
    assert metadata["Version"] == evalkit.__version__
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata["License-Expression"] == "Apache-2.0"


def test_a_user_gets_the_core_and_no_more(metadata):
    assert requirements(metadata) == CORE


@pytest.mark.parametrize(
    ("extra", "brings"),
    [("agents", {"confluent-kafka", "kubernetes"}), ("fast", {"rouge-score-rs"}), ("adk-eval", {"google-adk[eval]"})],
)
def test_an_extra_brings_what_it_is_named_for(metadata, extra, brings):
    assert requirements(metadata, extra) == brings


def test_the_wheel_brings_the_command_and_the_pytest_plugin(wheel):
    parser = configparser.ConfigParser()
    parser.read_string(wheel.read(f"{dist_info(wheel)}/entry_points.txt").decode())
    assert {section: dict(parser[section]) for section in parser.sections()} == {
        "console_scripts": {"evalkit": "evalkit.cli.main:main"},
        "pytest11": {"evalkit": "evalkit.pytest_plugin"},
    }


def test_the_installed_command_tells_its_version(run_evalkit):
    done = run_evalkit("--version")
    assert (done.returncode, evalkit.__version__ in done.stdout) == (0, True)


def test_pytest_knows_the_eval_marker(pytestconfig):
    assert [line for line in pytestconfig.getini("markers") if line.startswith("eval:")]


@pytest.mark.parametrize("document", [".ci/run", "CONTRIBUTING.md", "README.md"])
def test_every_make_target_a_document_names_exists(document, repo_root):
    targets = set(re.findall(r"^([a-z-]+):", (repo_root / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    text = (repo_root / document).read_text(encoding="utf-8")
    named = set(re.findall(r"(?:`|^ *)make ([a-z][a-z-]*)", text, re.MULTILINE))
    named |= set(" ".join(re.findall(r"for target in ([a-z -]+);", text)).split())
    assert named <= targets


def test_every_make_target_is_explained_by_help(repo_root):
    text = (repo_root / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", text, re.MULTILINE)[1].split()
    assert set(re.findall(r"^([a-z-]+):.*## \S", text, re.MULTILINE)) == set(phony)
