import io

import pytest

from evalkit.cli.console import in_colour, in_place, is_ci, is_github


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("stream", "environ", "wanted"),
    [
        (Terminal(), {}, True),
        (Terminal(), {"NO_COLOR": "1"}, True),  # of the escape sequences only colours go, see the renderer
        (io.StringIO(), {}, False),
        (io.StringIO(), {"FORCE_COLOR": "1"}, True),
        (io.StringIO(), {"FORCE_COLOR": ""}, False),
        (io.StringIO(), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (io.StringIO(), {"CI": "true", "TERM": "xterm-256color"}, False),
    ],
)
def test_colour_is_for_terminals_and_where_it_is_asked_for(stream, environ, wanted):
    assert in_colour(stream, environ) is wanted


@pytest.mark.parametrize(
    ("stream", "environ", "wanted"),
    [
        (Terminal(), {"TERM": "xterm"}, True),
        (Terminal(), {"CI": "false"}, True),
        (Terminal(), {"CI": "true"}, False),
        (Terminal(), {"CI": "1"}, False),
        (Terminal(), {"TERM": "dumb"}, False),
        (io.StringIO(), {"FORCE_COLOR": "1"}, False),
    ],
)
def test_lines_are_redrawn_only_where_somebody_looks_on(stream, environ, wanted):
    assert in_place(stream, environ) is wanted


def test_github_says_that_it_is_github():
    assert is_github({"GITHUB_ACTIONS": "true"})
    assert not is_github({"GITHUB_ACTIONS": "false"})
    assert not is_ci({})
