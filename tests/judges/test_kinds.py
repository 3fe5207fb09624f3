"""Which judge a name stands for, and judges that are functions of the user's."""

import json
import textwrap

import pytest

from evalkit.errors import SettingsError
from evalkit.judges.kinds import check_name

JUDGES = """
    import json, time

    def yes(asked):
        return {"verdicts": [{"rubric_id": one["rubric_id"], "verdict": "yes"} for one in asked["rubrics"]]}

    async def by_the_material(asked):
        said = "yes" if asked["material"]["final_answer"] == "75." else "no"
        return json.dumps([{"rubric_id": one["rubric_id"], "verdict": said} for one in asked["rubrics"]])

    def crash(asked):
        raise KeyError("no such thing")

    def for_ever(asked):
        time.sleep(30)

    number = 7
"""


@pytest.fixture
def judge(tmp_path, make, monkeypatch):
    """Ask a function in a module of the project's folder."""
    name = f"judges_of_{tmp_path.name}".replace("-", "_")
    (tmp_path / f"{name}.py").write_text(textwrap.dedent(JUDGES), encoding="utf-8")
    monkeypatch.setattr("sys.path", ["", *__import__("sys").path])

    def judge(function, module=name, **ways):
        return make.rule(make.ask(f"python:{module}:{function}"), root=tmp_path, **ways)["r1"]

    return judge


@pytest.mark.parametrize("function", ["yes", "by_the_material"])
def test_a_function_may_judge(judge, function):
    assert judge(function).value == 1.0


@pytest.mark.parametrize(
    ("function", "told"),
    [
        ("crash", "raised KeyError: 'no such thing'"),
        ("number", "is no function"),
        ("absent", "cannot be imported: AttributeError"),
    ],
)
def test_a_function_that_does_not_work_gives_no_verdict(judge, function, told):
    ruling = judge(function)
    assert ruling.value is None
    assert told in ruling.reason


def test_a_module_that_is_not_there_is_told(judge):
    assert "cannot be imported: ModuleNotFoundError" in judge("yes", module="no_such_module").reason


def test_a_function_that_never_returns_is_not_waited_for(judge, make):
    from dataclasses import replace

    ruling = judge("for_ever", pace=replace(make.quick, timeout=0.1, tries=1))
    assert (ruling.value, ruling.reason) == (None, "the judge did not answer within 0.1 s")


def test_a_question_can_be_read_by_a_program(make):
    asked = make.ask("x", "r0").question.as_json()
    assert asked["rubrics"] == [{"rubric_id": "r0", "rubric": "r0 holds"}]
    assert asked["material"] == {"user": "How far?", "final_answer": "75."}
    assert json.dumps(asked["rubrics"][0]["rubric"]) in asked["prompt"]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (" ", "expected a judge, such as gemini-2.5-flash"),
        ("http://127.0.0.1:8000/v1", "names no model; write https://HOST/v1?model=NAME&key=VARIABLE"),
        ("python:judges.yes", "names no function; write python:package.module:function"),
    ],
)
def test_a_name_that_lacks_a_part_is_refused(name, told):
    with pytest.raises(SettingsError, match=r"^--judge: ") as raised:
        check_name(name, "--judge")
    assert told in str(raised.value)
