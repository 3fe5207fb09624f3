"""Secrets are in nothing that pytest prints or writes."""


def test_a_failure_shows_which_secret_was_there_and_not_the_secret(project, make_case):
    token = "glpat-" + "Zx81kPqR57vTnM2wYc9L"
    code = """
        import os

        def raise_in(tool, args, tool_context):
            if args["group"] == "payments":
                raise RuntimeError(f"no access with {os.environ['LAG_TOKEN']}")
    """
    project.agent("lag", code=code, callback="raise_in")
    project.write("agents/lag/.env", "LAG_TOKEN=k3Jx9QpL2mZt\n")
    project.evalset(make_case("raises", group="payments"), make_case("misses", group=token))
    run = project.run("--evalkit-mode", "golden", "evalsets")
    junit = (project.root / "junit.xml").read_text(encoding="utf-8")
    assert run.verdicts() == {"raises": "error", "misses": "inconclusive"}
    for text in (run.out, run.err, junit):
        assert "k3Jx9QpL2mZt" not in text
        assert token not in text
    for text in (run.out, junit):
        assert "no access with [secret: LAG_TOKEN]" in text
        assert "[secret: a GitLab token]" in text
