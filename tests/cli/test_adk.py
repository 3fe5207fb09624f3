"""`evalkit adk` without ADK's evaluation: its help, and what it says where the extra is missing."""

import importlib.util
import subprocess
import sys

import pytest


@pytest.mark.parametrize("arguments", [("adk", "--help"), ("adk", "eval", "--help")])
def test_help_teaches_and_loads_nothing_of_google(arguments, clean_env):
    program = (
        "import sys\nfrom evalkit.cli.main import cli\n"
        f"cli({list(arguments)!r}, standalone_mode=False)\n"
        "print([name for name in sys.modules if name.startswith('google.adk')])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], env=clean_env, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"
    assert "eval" in done.stdout


def test_the_help_of_eval_says_what_it_adds_to_adks_own(run_evalkit):
    out = run_evalkit("adk", "eval", "--help").stdout

    assert "--evalkit-mode [golden|live]" in out
    assert "What plain `adk eval` lets pass, and this does not:" in out
    assert "Exit code: 1 if a case failed or errored" in out


@pytest.mark.skipif(importlib.util.find_spec("pandas") is not None, reason="google-adk's eval extra is installed")
def test_without_adks_extra_one_line_says_what_to_install(run_evalkit):
    done = run_evalkit("adk", "eval", "agents/lagging", "lag.test.json")

    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.splitlines()[-1] == (
        "evalkit: adk eval needs google-adk's extra `eval` (there is no pandas): pip install 'adk-evalkit[adk-eval]'"
    )
