"""An agent's `.env` by ADK's rule: the nearest one upwards, explicit variables win, everything is taken back."""

import os

import pytest

from evalkit.adk.environment import agent_environment, env_file
from evalkit.errors import AgentLoadError


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An agent's folder two levels down, and no variable of ours set."""
    for name in ("EVALKIT_T_A", "EVALKIT_T_B", "EVALKIT_T_C", "ADK_DISABLE_LOAD_DOTENV"):
        monkeypatch.delenv(name, raising=False)
    made = tmp_path / "agents" / "bot"
    made.mkdir(parents=True)
    return made


def test_the_nearest_file_is_used_and_no_other(folder, tmp_path):
    (tmp_path / ".env").write_text("EVALKIT_T_A=far\nEVALKIT_T_B=far\n")
    assert env_file(folder) == tmp_path / ".env"
    (folder / ".env").write_text("EVALKIT_T_A=near\n")
    with agent_environment(folder) as used:
        assert used == folder / ".env"
        assert os.environ["EVALKIT_T_A"] == "near"
        assert "EVALKIT_T_B" not in os.environ


def test_an_error_that_leaves_it_tells_no_secret_of_it(folder):
    (folder / ".env").write_text("EVALKIT_T_A=plain\nEVALKIT_T_PASSWORD=horse-7-battery\n")
    refused = pytest.raises(AgentLoadError, match=r"^plain: no login with \[secret: EVALKIT_T_PASSWORD\]$")
    with refused, agent_environment(folder):
        raise AgentLoadError(f"{os.environ['EVALKIT_T_A']}: no login with {os.environ['EVALKIT_T_PASSWORD']}")


def test_a_folder_called_env_is_not_the_file(folder, tmp_path):
    (folder / ".env").mkdir()
    (tmp_path / ".env").write_text("")
    assert env_file(folder) == tmp_path / ".env"


def test_explicit_variables_win_and_what_the_caller_adds_wins_over_both(folder, monkeypatch):
    monkeypatch.setenv("EVALKIT_T_A", "explicit")
    (folder / ".env").write_text("EVALKIT_T_A=file\nEVALKIT_T_B=file\nEVALKIT_T_C=${EVALKIT_T_B}-2\n")
    with agent_environment(folder, {"EVALKIT_T_B": "extra"}):
        values = [os.environ[f"EVALKIT_T_{letter}"] for letter in "ABC"]
    assert values == ["explicit", "extra", "file-2"]


def test_a_name_without_a_value_sets_nothing(folder):
    (folder / ".env").write_text("EVALKIT_T_A\nEVALKIT_T_B=\n")
    with agent_environment(folder):
        assert "EVALKIT_T_A" not in os.environ
        assert os.environ["EVALKIT_T_B"] == ""


@pytest.mark.parametrize("value", ["1", "true", "TRUE"])
def test_adks_switch_turns_it_off(folder, monkeypatch, value):
    (folder / ".env").write_text("EVALKIT_T_A=file\n")
    monkeypatch.setenv("ADK_DISABLE_LOAD_DOTENV", value)
    with agent_environment(folder) as used:
        assert used is None
        assert "EVALKIT_T_A" not in os.environ


def test_everything_is_as_before_even_after_an_exception(folder):
    (folder / ".env").write_text("EVALKIT_T_A=file\n")
    before = dict(os.environ)

    def change():
        with agent_environment(folder):
            os.environ["EVALKIT_T_B"] = "set by the agent"
            os.environ.pop("PATH")
            raise KeyError

    with pytest.raises(KeyError):
        change()
    assert dict(os.environ) == before


def test_the_rule_is_adks_own(folder, tmp_path, monkeypatch):
    from google.adk.cli.utils import envs

    (tmp_path / ".env").write_text("EVALKIT_T_A=file\nEVALKIT_T_B=file\nEVALKIT_T_C=${EVALKIT_T_A}\n")
    monkeypatch.setenv("EVALKIT_T_A", "explicit")
    before = dict(os.environ)
    with agent_environment(folder):
        ours = dict(os.environ)
    envs._get_explicit_env_keys.cache_clear()
    try:
        envs.load_dotenv_for_agent("bot", str(folder.parent))
        adks = dict(os.environ)
    finally:
        envs._get_explicit_env_keys.cache_clear()
        os.environ.clear()
        os.environ.update(before)
    assert ours == adks
