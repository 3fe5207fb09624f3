"""The app that a case's session belongs to, beside the agent that it is for."""

from collections.abc import Collection, Iterator

from evalkit.agent_lint.problems import below, problem
from evalkit.cases import CaseSet
from evalkit.errors import Problem
from evalkit.formats.likeness import likeness, opposed
from evalkit.formats.spelling import squeeze

_SURELY = 0.9
"""How alike two names are of which one is the other with a slip in it."""


def misspelt_apps(cases: CaseSet, names: Collection[str]) -> Iterator[Problem]:
    """Report sessions of an app that is spelled almost as the agent is, and not so.

    Args:
        cases: The cases of an evalset.
        names: What the agent is called: its folder first, then the agent itself, and its app if that has a name.
    """
    for case in cases.cases:
        app = case.session.app_name if case.session else None
        near = next((name for name in names if app and _is_slip(app, name)), None)
        if app in names or near is None:
            continue
        message = f"the session is one of the app `{app}`, and the agent is `{near}`"
        path = below(case.where, "session_input", "app_name")
        yield problem("misspelt-app", cases.file, path, message, f"write `{near}`")


def _is_slip(app: str, name: str) -> bool:
    one, other = squeeze(app), squeeze(name)
    return one == other or (likeness(one, other) >= _SURELY and len(one) == len(other) and not opposed(app, name))
