import pytest

from evalkit.agent_lint import lint_sessions
from evalkit.cases import Case, CaseSet, SessionInput

NAMES = ("release_ops", "root")


def found(app):
    session = app and SessionInput(app_name=app, user_id="u")
    case = Case(eval_id="a", where="$.eval_cases[0]", turns=(), session=session)
    return lint_sessions(CaseSet(eval_set_id="s", cases=(case,), file="a.evalset.json"), NAMES)


@pytest.mark.parametrize("app", ["release-ops", "ReleaseOps", "Release_Ops", "relaese_ops"])
def test_an_app_spelled_almost_as_the_agent_is_a_warning(app):
    (problem,) = found(app)
    assert (problem.rule, problem.severity) == ("misspelt-app", "warning")
    assert problem.path == "$.eval_cases[0].session_input.app_name"
    assert problem.hint == "write `release_ops`"


@pytest.mark.parametrize("app", ["release_ops", "root", "billing", "release_ops_2", "ops", None])
def test_the_agents_own_name_and_quite_another_are_fine(app):
    assert found(app) == ()
