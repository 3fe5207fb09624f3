import importlib
import os
import signal
import subprocess
import sys

import pytest

import evalkit
from evalkit.cli.main import COMMANDS


def test_the_version_is_the_packages(run_evalkit):
    assert run_evalkit("--version").stdout == f"evalkit {evalkit.__version__}\n"


def test_python_runs_the_package_as_the_command(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "evalkit", "check", "nowhere"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == "evalkit: nowhere: no such file or folder\n"


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_lists_every_command(flag, run_evalkit):
    done = run_evalkit(flag)
    assert done.returncode == 0
    for name, (_, about) in COMMANDS.items():
        assert name in done.stdout
        assert about.split()[0] in done.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_of_the_table_exists_and_says_what_it_does(name):
    module, _, function = COMMANDS[name][0].partition(":")
    command = getattr(importlib.import_module(module), function)
    assert command.name == name
    assert command.help


def test_an_unknown_command_is_refused(run_evalkit):
    done = run_evalkit("chekc")
    assert done.returncode == 2
    assert "No such command 'chekc'. Did you mean 'check'?" in done.stderr


@pytest.mark.parametrize(
    ("wrong", "meant"), [("rn", "run"), ("comapre", "compare"), ("lint", "check"), ("eval", "run")]
)
def test_the_command_that_was_meant_is_named(wrong, meant, run_evalkit):
    assert f"No such command '{wrong}'. Did you mean '{meant}'?" in run_evalkit(wrong).stderr


def test_a_command_like_none_is_refused_without_a_guess(run_evalkit):
    done = run_evalkit("deploy")
    assert done.returncode == 2
    assert done.stderr.endswith("No such command 'deploy'.\n")


def test_ctrl_c_is_one_line_and_does_not_look_like_a_failed_case(tmp_path, clean_env):
    pipe = tmp_path / "slow.evalset.json"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "evalkit", "check", pipe]
    process = subprocess.Popen(command, env=clean_env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with pipe.open("wb"):  # waits until the command waits for what the file holds
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (2, "", "evalkit: interrupted\n")
