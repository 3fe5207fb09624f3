def test_an_agent_that_falls_back_to_adks_default_is_a_warning_that_names_it(make, lint):
    lonely = make.profile("lonely", model=None, fallback="gemini-9-flash")
    (problem,) = lint.agent(make.facts(make.tool("a"), others=[lonely]))
    assert (problem.file, problem.rule, problem.severity) == ("agents/root", "no-own-model", "warning")
    assert problem.message == (
        "agent lonely has no model of its own and none to inherit, so ADK would ask its default, gemini-9-flash"
    )
    assert 'LlmAgent(name="lonely", model="gemini-9-flash", …)' in problem.hint


def test_an_agent_with_a_model_or_one_to_inherit_is_fine(make, lint):
    assert lint.agent(make.facts(make.tool("a"), others=[make.profile("child", model=None)])) == ()
