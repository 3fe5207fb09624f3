"""The table of scorers."""

import subprocess
import sys

import pytest

from evalkit.errors import InputError
from evalkit.scorers import SCORERS, load


@pytest.mark.parametrize("name", SCORERS)
def test_every_scorer_in_the_table_can_be_loaded(name):
    assert callable(load(name))


def test_an_unknown_metric_lists_the_ones_there_are():
    with pytest.raises(InputError, match=r"no scorer is named 'rogue'; there are replay, tool_trajectory_avg_score"):
        load("rogue")


def test_loading_scorers_loads_neither_google_nor_nltk(clean_env):
    program = (
        "import sys; from evalkit.scorers import SCORERS, load; [load(name) for name in SCORERS];"
        "print(sorted({'google', 'nltk', 'scipy', 'pandas', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], env=clean_env, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
