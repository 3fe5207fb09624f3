"""A judge that is a model of ADK's."""

import asyncio
from types import SimpleNamespace

import pytest
from google.adk.models import BaseLlm, LlmResponse
from google.adk.models.registry import LLMRegistry
from google.genai import types

from evalkit.judges.kinds import JudgeChoice
from evalkit.judges.panel import Ask, Pace, Panel
from evalkit.judges.questions import question
from evalkit.scorers.rubrics.effective import Rubric

YES = '{"verdicts": [{"rubric_id": "r0", "verdict": "yes"}]}'


class BusyError(Exception):
    status_code = 429
    response = SimpleNamespace(headers={"retry-after": "0"})


class JudgeModel(BaseLlm):
    """Answers by what its name says after the slash."""

    @classmethod
    def supported_models(cls):
        return [r"evalkit-stand-in/.*"]

    async def generate_content_async(self, llm_request, stream=False):
        seen.append(llm_request)
        word = self.model.rpartition("/")[2]
        if word == "busy" and len(seen) < 3:
            raise BusyError("slow down")
        if word == "broken":
            raise RuntimeError("no such project")
        if word == "filtered":
            yield LlmResponse(error_code="SAFETY", error_message="no answer")
        if word == "silent":
            return
        thought = types.Part(text="Is it? no", thought=True)
        yield LlmResponse(content=types.Content(role="model", parts=[thought, types.Part(text=YES)]))


seen = []


@pytest.fixture(autouse=True)
def registered():
    seen.clear()
    LLMRegistry.register(JudgeModel)


def ruled(name, tmp_path, **config):
    asked = Ask(JudgeChoice.of(name, config), question({"final_answer": "75"}, [Rubric(id="r0", text="It is 75.")]))
    panel = Panel(tmp_path, Pace(first_wait=0, answers=1, timeout=5))
    return asyncio.run(panel.rule([asked]))[asked]["r0"]


def test_a_model_is_asked_by_its_name_with_its_options_and_its_thoughts_do_not_count(tmp_path):
    assert ruled("evalkit-stand-in/good", tmp_path, temperature=0.25).value == 1.0
    (request,) = seen
    assert (request.config.temperature, request.contents[0].role) == (0.25, "user")
    assert '"rubric": "It is 75."' in request.contents[0].parts[0].text


def test_a_busy_model_is_asked_again(tmp_path):
    assert ruled("evalkit-stand-in/busy", tmp_path).value == 1.0
    assert len(seen) == 3


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("broken", "evalkit-stand-in/broken: RuntimeError: no such project"),
        ("filtered", "evalkit-stand-in/filtered: SAFETY: no answer"),
        ("silent", 'the judge gave 1 answers that cannot be used; in the last one it is not JSON: ""'),
    ],
)
def test_a_model_without_an_answer_gives_no_verdict(tmp_path, word, told):
    ruling = ruled(f"evalkit-stand-in/{word}", tmp_path)
    assert (ruling.value, ruling.reason) == (None, told)


@pytest.mark.parametrize(("name", "config"), [("no-such-model", {}), ("evalkit-stand-in/good", {"temprature": 1})])
def test_what_adk_cannot_make_is_told(tmp_path, name, config):
    ruling = ruled(name, tmp_path, **config)
    assert ruling.value is None
    assert ruling.reason.startswith(f"ADK cannot make the judge {name}: ")
