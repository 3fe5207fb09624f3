"""The model edge: whoever asks a model gets the case's turn, the model object stays the agent's own."""

import pytest
from google.adk.agents import BaseAgent, LlmAgent
from google.adk.apps import App
from google.adk.apps.app import EventsCompactionConfig
from google.adk.apps.base_events_summarizer import BaseEventsSummarizer
from google.adk.apps.llm_event_summarizer import LlmEventSummarizer
from google.adk.models import BaseLlm, Gemini, LLMRegistry
from google.adk.models.llm_request import LlmRequest
from google.adk.runners import Runner
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.function_tool import FunctionTool
from google.genai import types
from google.genai.models import AsyncModels, Models

from evalkit.adk.edges import edges

MODEL = "gemini-2.5-flash"


class HouseModel(BaseLlm):
    """A team's own model."""

    key: str = "a secret"

    async def generate_content_async(self, llm_request, stream=False):
        raise AssertionError("the real model was asked")
        yield


def get_lag(group: str) -> dict:
    """Return the lag of a consumer group."""
    raise AssertionError(f"the real get_lag ran for {group}")


def tell(seen):
    """Make a callback that notes the model of the agent that is about to ask it."""

    def before_model(callback_context, llm_request):
        agent = callback_context.get_invocation_context().agent
        seen.append((agent.name, llm_request.model, type(agent.canonical_model)))

    return before_model


@pytest.fixture
def play_lag(make, run):
    """Play a case with one call of `get_lag` and return its outcome, without failure."""

    def play_lag(root, *turns):
        turns = turns or (make.turn(make.call("get_lag", group="a")),)
        outcome = run.one(root, *turns, mocks=[make.route("get_lag")])
        assert outcome.failure is None
        assert outcome.trace.turns[0].golden.leftover == ()
        assert outcome.trace.turns[0].final.text == "the end"
        return outcome

    return play_lag


@pytest.mark.parametrize(
    ("model", "name", "kind"),
    [(MODEL, MODEL, Gemini), (Gemini(model="gemini-2.0-pro"), "gemini-2.0-pro", Gemini)],
    ids=["by name", "an instance"],
)
def test_the_model_keeps_its_name_and_type(play_lag, model, name, kind):
    seen = []
    root = LlmAgent(name="one", model=model, tools=[get_lag], before_model_callback=tell(seen))
    outcome = play_lag(root)
    assert seen == [("one", name, kind)] * 2
    assert outcome.trace.models == {"one": name}


def test_a_model_of_the_teams_own_class_stays_itself(play_lag):
    model = HouseModel(model="house-7b")
    root = LlmAgent(name="one", model=model, tools=[get_lag])
    assert play_lag(root).trace.models == {"one": "house-7b"}
    assert root.canonical_model is model
    assert model.key == "a secret"


def test_a_model_class_that_is_made_while_the_edges_are_in_place_is_covered(play_lag):
    def late(callback_context):
        class LateModel(BaseLlm):
            async def generate_content_async(self, llm_request, stream=False):
                raise AssertionError("the real model was asked")
                yield

        callback_context.get_invocation_context().agent.model = LateModel(model="late")

    root = LlmAgent(name="one", model=MODEL, tools=[get_lag], before_agent_callback=late)
    assert play_lag(root).trace.models == {"one": "late"}


def test_inherited_and_default_models_are_covered(make, play_lag):
    inner = LlmAgent(name="inner", tools=[get_lag])
    parent = LlmAgent(name="parent", model="gemini-2.0-pro", sub_agents=[inner])
    assert play_lag(parent).trace.models == {"parent": "gemini-2.0-pro", "inner": "gemini-2.0-pro"}
    bare = play_lag(LlmAgent(name="bare", tools=[get_lag]))
    assert bare.trace.models == {"bare": LlmAgent.DEFAULT_MODEL}


def test_agents_that_are_made_at_run_time_are_covered(make, run, play_lag):
    class Maker(BaseAgent):
        async def _run_async_impl(self, ctx):
            made = LlmAgent(name="made", model=MODEL, tools=[get_lag])
            async for event in made.run_async(ctx):
                yield event

    outcome = play_lag(Maker(name="maker"))
    assert run.tools(outcome) == [("made", "get_lag", "answered")]
    assert outcome.trace.models == {"made": MODEL}


def test_a_model_whose_provider_is_not_installed_is_played_and_noted(play_lag):
    outcome = play_lag(LlmAgent(name="one", model="openai/gpt-4o", tools=[get_lag]))
    assert outcome.trace.models == {"one": "openai/gpt-4o"}
    assert outcome.trace.notes == (
        (
            "model 'openai/gpt-4o' cannot be built here (Model openai/gpt-4o not found.); replay does not need it, a"
            " live run does"
        ),
    )


class TeamsOwn(BaseEventsSummarizer):
    """A summarizer that does not derive from ADK's, and asks a model all the same."""

    async def maybe_summarize_events(self, *, events):
        return await LlmEventSummarizer(llm=HouseModel(model="short")).maybe_summarize_events(events=events)


@pytest.mark.parametrize(
    "summarizer", [LlmEventSummarizer(llm=HouseModel(model="short")), TeamsOwn()], ids=["ADK's", "the team's"]
)
def test_a_summarizer_gets_a_line_and_no_turn_of_the_case(make, play_lag, summarizer):
    seen = []

    class Noting(BaseEventsSummarizer):
        async def maybe_summarize_events(self, *, events):
            summary = await summarizer.maybe_summarize_events(events=events)
            seen.append(summary.actions.compaction.compacted_content.parts[0].text)
            return summary

    config = EventsCompactionConfig(summarizer=Noting(), compaction_interval=1, overlap_size=0)
    root = LlmAgent(name="one", model=MODEL, tools=[get_lag])
    turns = [make.turn(make.call("get_lag", group=group)) for group in "ab"]
    outcome = play_lag(make.loaded(root, app=App(name="app", root_agent=root, events_compaction_config=config)), *turns)
    assert seen == ["The conversation so far, in short."] * 2
    assert [len(played.tools) for played in outcome.trace.turns] == [1, 1]
    assert outcome.trace.models == {"one": MODEL}


async def ask(model):
    async for _ in model.generate_content_async(LlmRequest(model=model.model)):
        pass


@pytest.mark.parametrize("swallowed", [False, True], ids=["let through", "swallowed"])
def test_a_callback_that_calls_a_model_by_itself_is_an_error_of_the_case(make, run, swallowed):
    async def consult(callback_context):
        try:
            await ask(HouseModel(model="house-7b"))
        except Exception:
            if not swallowed:
                raise

    outcome = run.one(LlmAgent(name="one", model=MODEL, before_agent_callback=consult), make.turn())
    assert outcome.failure.kind == "model_error"
    assert outcome.failure.message == (
        f"HouseModel (house-7b) was called outside an agent's turn, at {outcome.failure.where}; replay answers agents"
        " only, so mock the tool that does it"
    )
    assert outcome.failure.where.startswith(f"{__file__}:")
    assert outcome.failure.where.endswith("in ask")


def test_googles_client_below_the_models_is_an_error_too(make, run):
    def consult(callback_context):
        Models(api_client_=None).generate_content(model=MODEL, contents="?")

    outcome = run.one(LlmAgent(name="one", model=MODEL, before_agent_callback=consult), make.turn())
    assert outcome.failure.kind == "model_error"
    assert outcome.failure.message.startswith("google.genai's generate_content was called outside an agent's turn, at")
    assert outcome.failure.where.endswith("in consult")


def test_a_live_connection_is_refused(make, run):
    async def consult(callback_context):
        async with Gemini(model=MODEL).connect(LlmRequest()):
            pass

    outcome = run.one(LlmAgent(name="one", model=MODEL, before_agent_callback=consult), make.turn())
    assert outcome.failure.kind == "model_error"
    assert outcome.failure.message.startswith("Gemini was asked for a live (bidirectional) connection outside")


def test_outside_golden_mode_models_are_the_agents_own(make, run):
    outcome = run.one(LlmAgent(name="one", model=HouseModel(model="house-7b")), make.turn(), golden=False)
    assert outcome.failure.kind == "model_error"
    assert outcome.failure.message == "one asked house-7b: AssertionError: the real model was asked"
    assert outcome.trace.mode == "live"


def test_a_scripted_turn_is_known_as_a_models_by_its_version(make, run):
    seen = []

    def note(callback_context, llm_response):
        seen.append(llm_response.model_version)

    run.one(LlmAgent(name="one", model=MODEL, after_model_callback=note), make.turn())
    assert seen == [MODEL]


def test_afterwards_everything_is_as_before():
    places = [
        (owner, name) for owner in (BaseLlm, Gemini, HouseModel) for name in ("generate_content_async", "connect")
    ]
    places += [(client, "generate_content") for client in (Models, AsyncModels)]
    places += [(LLMRegistry, "new_llm"), (BaseLlm, "__pydantic_init_subclass__"), (BaseTool, "__init_subclass__")]
    places += [(BaseTool, "run_async"), (FunctionTool, "run_async"), (FunctionTool, "_invoke_callable")]
    places += [(FunctionTool, "_run_generator_as_node"), (LlmEventSummarizer, "maybe_summarize_events")]
    places += [(Runner, "run_async"), (Runner, "close")]

    def state():
        return [vars(owner).get(name) for owner, name in places]

    before = state()
    with edges():
        assert state() != before
    after = state()
    assert all(now is then for now, then in zip(after, before, strict=True))


def test_the_edges_are_taken_out_after_an_exception_too():
    before = vars(BaseLlm)["generate_content_async"]
    with pytest.raises(KeyError), edges():
        raise KeyError
    assert vars(BaseLlm)["generate_content_async"] is before


def test_thoughts_beside_a_recorded_call_are_kept(make, run):
    thought = types.Part(text="let me see", thought=True).model_dump(exclude_none=True)
    message = make.message("the end")
    spoken = type(message)(role="model", parts=(thought, *message.parts))
    outcome = run.one(LlmAgent(name="one", model=MODEL), make.turn(final=spoken))
    assert outcome.trace.turns[0].final.parts == (thought, {"text": "the end"})
    assert outcome.trace.turns[0].said[0].text == "the end"
