"""The pytest plugin: what every run of pytest pays for, and no more.

Whether evaluations are asked for is decided once, when pytest is configured; only then are the hooks that collect, play
and report them registered (`evalkit.pytesting`). A run without evaluations loads none of it.
"""

from typing import Any

import pytest

from evalkit.pytesting import EVALUATIONS, UNASKED

_SUFFIXES = (".evalset.json", ".test.json")
"""As in `formats.files`, which this module does not load."""

_FOLDER = "evalsets"
"""Where evalsets lie in a project that says nothing else, as in `settings`."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer `--evalkit-mode`."""
    parser.getgroup("evalkit", "evaluations of ADK agents").addoption(
        "--evalkit-mode",
        choices=("golden", "live"),
        help="play the project's evalsets: golden plays each case's own turns back, offline; live asks the agents' own "
        "models, as -m eval does",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, and the hooks for evaluations if any are asked for."""
    config.addinivalue_line(
        "markers",
        "eval: an evaluation that asks an agent's own model. It runs under -m eval or --evalkit-mode live alone; as"
        " eval(agent=FOLDER) only where that agent's model can be asked",
    )
    if _may_be_asked(config):
        from evalkit.pytesting.asked import decide

        asked = decide(config)
        if asked is not None:
            from evalkit.pytesting.hooks import register

            register(config, asked)


def _may_be_asked(config: pytest.Config) -> bool:
    """Tell quickly whether evaluations could be wanted, by the command line or by `[tool.evalkit]`."""
    if config.option.evalkit_mode or "eval" in config.option.markexpr:
        return True
    if any(word in argument for argument in config.args for word in (*_SUFFIXES, _FOLDER)):
        return True
    starts = (config.invocation_params.dir, config.rootpath)
    files = {folder / "pyproject.toml" for start in starts for folder in (start, *start.parents)}
    return any(b"evalkit" in file.read_bytes() for file in files if file.is_file())


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test function with the marker `eval` in a run that is not for such; pytest looks for skips after this."""
    if item.get_closest_marker("eval") is not None and not item.config.pluginmanager.has_plugin(EVALUATIONS):
        item.add_marker(pytest.mark.skip(reason=UNASKED))


@pytest.fixture
def evalkit(request: pytest.FixtureRequest) -> Any:
    """Helpers for tests of your own: `evalkit.check(path)` and `with evalkit.mocks(path, agent=...) as played:`."""
    from evalkit.pytesting.helpers import Helpers

    return Helpers(request)
