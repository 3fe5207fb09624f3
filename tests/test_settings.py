"""`[tool.evalkit]`: where it is looked for, what it may say, and what is said about what it may not."""

import re
from datetime import date

import pytest

from evalkit.errors import SettingsError
from evalkit.prices import Price
from evalkit.quarantine import Quarantine
from evalkit.settings import Settings, load_settings

AGENT_FOR = 'a table of folders and agents, such as { "evalsets/kafka" = "agents/kafka_health" }'


@pytest.fixture
def write(tmp_path):
    """Write a `pyproject.toml` and give its path."""

    def write(text, folder=tmp_path):
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "pyproject.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def refusal(folder):
    with pytest.raises(SettingsError) as raised:
        load_settings(folder)
    return str(raised.value)


def test_every_key_has_its_place(tmp_path, write):
    path = write("""
        [tool.evalkit]
        agents = "src/agents"
        evalsets = "data/evals"
        agent_for = { "data/evals/kafka" = "src/agents/kafka_health" }
        mode = "live"
        timeout = 12.5
        setup_timeout = 60
        jobs = 4
        optional_offline = ["safety_v1", "response_evaluation_score"]
        pytest = "golden"
        min_pass_rate = 0.8
        min_lower_bound = 0.5
        suite_min_pass_rate = 1
        suite_min_lower_bound = 0.75
        judge = "gemini-2.5-flash"

        [tool.evalkit.prices]
        "gemini-2.5-flash" = { input = 0.30, output = 2.50 }

        [[tool.evalkit.quarantine]]
        case = "data/evals/kafka/lag.test.json:stuck"
        owner = "team-kafka"
        reason = "mixes up topics"
        expires = 2027-01-31
    """)

    assert load_settings(tmp_path) == Settings(
        root=tmp_path,
        agents="src/agents",
        evalsets="data/evals",
        agent_for={"data/evals/kafka": "src/agents/kafka_health"},
        mode="live",
        timeout=12.5,
        setup_timeout=60,
        jobs=4,
        optional_offline=("safety_v1", "response_evaluation_score"),
        pytest="golden",
        min_pass_rate=0.8,
        min_lower_bound=0.5,
        suite_min_pass_rate=1,
        suite_min_lower_bound=0.75,
        judge="gemini-2.5-flash",
        prices={"gemini-2.5-flash": Price(input=0.3, output=2.5)},
        quarantine=(
            Quarantine(
                case="data/evals/kafka/lag.test.json:stuck",
                owner="team-kafka",
                reason="mixes up topics",
                expires=date(2027, 1, 31),
            ),
        ),
        origin=path,
    )


def test_a_key_that_is_not_there_has_its_default(tmp_path, write):
    path = write("[tool.evalkit]\njobs = 2")

    assert load_settings(tmp_path) == Settings(root=tmp_path, jobs=2, origin=path)


def test_an_empty_table_makes_its_folder_the_root(tmp_path, write):
    path = write("[tool.evalkit]")

    assert load_settings(tmp_path / "a" / "b") == Settings(root=tmp_path, origin=path)


def test_without_settings_the_folder_itself_is_the_root(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    assert load_settings() == Settings(root=tmp_path, origin=None)


def test_the_nearest_file_that_has_the_table_counts(tmp_path, write):
    write("[tool.evalkit]\njobs = 2")
    write("[tool.evalkit]\njobs = 3", tmp_path / "team")
    write("[tool.ruff]\nline-length = 100", tmp_path / "team" / "kafka")

    assert load_settings(tmp_path / "team" / "kafka" / "evalsets").jobs == 3


KEYS = (
    "agents",
    "evalsets",
    "agent_for",
    "mode",
    "timeout",
    "setup_timeout",
    "jobs",
    "optional_offline",
    "ignore",
    "pytest",
    "min_pass_rate",
    "min_lower_bound",
    "suite_min_pass_rate",
    "suite_min_lower_bound",
    "prices",
    "judge",
    "quarantine",
)


@pytest.mark.parametrize("text", ["", "[project]\nname = 'x'", "tool = 3", "[tool]\nruff = 3"])
def test_a_file_without_the_table_is_somebody_elses(text, tmp_path, write):
    write(text)

    assert load_settings(tmp_path).origin is None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("agent = 'x'", "agent: unknown key; did you mean agents?"),
        ("time_out = 3", "time_out: unknown key; did you mean timeout?"),
        (
            "colour = 'red'",
            "colour: unknown key; known keys: " + ", ".join(KEYS),
        ),
        ("agents = ['a']", "agents: expected a folder, found ['a']"),
        ("evalsets = 3", "evalsets: expected a folder, found 3"),
        (
            "agent_for = 'kafka'",
            f"agent_for: expected {AGENT_FOR}, found 'kafka'",
        ),
        (
            "agent_for = { a = 1 }",
            f"agent_for: expected {AGENT_FOR}, found {{'a': 1}}",
        ),
        ("mode = 'gold'", "mode: expected golden, cassette or live, found 'gold'"),
        ("pytest = 'live'", "pytest: expected \"golden\"; a plain pytest never plays live, found 'live'"),
        ("mode = true", "mode: expected golden, cassette or live, found True"),
        ("timeout = '5 s'", "timeout: expected seconds, found '5 s'"),
        ("timeout = true", "timeout: expected seconds, found True"),
        ("setup_timeout = 0", "setup_timeout: expected more than 0, found 0"),
        ("timeout = 0", "timeout: expected more than 0, found 0"),
        ("timeout = nan", "timeout: expected more than 0, found nan"),
        ("min_pass_rate = 80", "min_pass_rate: expected a share above 0 and up to 1, such as 0.8, found 80"),
        ("min_lower_bound = 0", "min_lower_bound: expected a share above 0 and up to 1, such as 0.8, found 0"),
        (
            "suite_min_pass_rate = nan",
            "suite_min_pass_rate: expected a share above 0 and up to 1, such as 0.8, found nan",
        ),
        ("quarantine = ['a']", "quarantine: expected tables under [[tool.evalkit.quarantine]], found ['a']"),
        (
            "quarantine = [{ case = 'a', owner = 'b', reason = 'c' }]",
            "quarantine[0]: expires is missing: a date, such as 2027-01-31",
        ),
        (
            "prices = 3",
            "prices: expected a table of models, such as { flash = { input = 0.30, output = 2.50 } }, found 3",
        ),
        (
            "prices = { flash = { input = -1, output = 2 } }",
            "prices.flash.input: expected a price of 0 or more, found -1",
        ),
        ("jobs = 1.5", "jobs: expected a number of processes, found 1.5"),
        ("jobs = -1", "jobs: expected more than 0, found -1"),
        (
            "optional_offline = 'safety_v1'",
            "optional_offline: expected a list of metric names, such as [\"safety_v1\"], found 'safety_v1'",
        ),
        (
            "optional_offline = [1]",
            'optional_offline: expected a list of metric names, such as ["safety_v1"], found [1]',
        ),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_place_and_what_to_write(line, message, tmp_path, write):
    path = write(f"[tool.evalkit]\n{line}")

    assert refusal(tmp_path) == f"{path}: tool.evalkit.{message}"


def test_a_table_that_is_none_is_refused(tmp_path, write):
    path = write("[tool]\nevalkit = 'agents'")

    assert refusal(tmp_path) == f"{path}: tool.evalkit: expected a table, found 'agents'"


def test_broken_toml_is_refused_with_its_line(tmp_path, write):
    path = write("[tool.evalkit]\njobs = =")

    assert re.fullmatch(rf"{re.escape(str(path))}: is not TOML: .*line 2.*", refusal(tmp_path))


def test_a_file_in_another_encoding_is_refused(tmp_path):
    path = tmp_path / "pyproject.toml"
    path.write_bytes("name = 'é'".encode("latin-1"))

    assert refusal(tmp_path).startswith(f"{path}: is not TOML: 'utf-8' codec")
