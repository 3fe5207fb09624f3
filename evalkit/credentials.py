"""Which environment variables open a model, by the model's name: what a live run of an agent needs.

The tables say what google-genai, ADK's model classes and LiteLLM's providers read, so that a run without credentials
can be told from one that fails. A model that stands in neither table (a class of the user's own, a server of the
house) is its owner's affair: it needs nothing that anybody here knows of.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

Way = tuple[str, ...]
"""Variables that together are enough; `NAME=TRUE` for one that must be a switch turned on."""

_VERTEX = "GOOGLE_GENAI_USE_VERTEXAI=TRUE"
_ENTERPRISE = "GOOGLE_GENAI_USE_ENTERPRISE=TRUE"
_GEMINI_KEYS: tuple[Way, ...] = (("GOOGLE_API_KEY",), ("GEMINI_API_KEY",))
_VERTEX_WAYS: tuple[Way, ...] = tuple(
    (switch, project)
    for switch in (_VERTEX, _ENTERPRISE)
    for project in ("GOOGLE_CLOUD_PROJECT", "GOOGLE_APPLICATION_CREDENTIALS")
)
_AWS: tuple[Way, ...] = (
    ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"),
    ("AWS_PROFILE",),
    ("AWS_BEARER_TOKEN_BEDROCK",),
    ("AWS_WEB_IDENTITY_TOKEN_FILE",),
    ("AWS_ROLE_ARN",),
    ("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",),
    ("AWS_CONTAINER_CREDENTIALS_FULL_URI",),
)

_UNADVISED = frozenset(
    {_ENTERPRISE, "ANTHROPIC_AUTH_TOKEN", "AZURE_AD_TOKEN", "DATABRICKS_CLIENT_ID", "GOOGLE_APPLICATION_CREDENTIALS"}
    | {name for way in _AWS[2:] for name in way}
)
"""Variables that count where they are set, and that a message leaves out: it names the usual ways."""

ADK_MODELS: Mapping[str, tuple[Way, ...]] = {
    "Gemini": (*_GEMINI_KEYS, *_VERTEX_WAYS),
    "Gemma": (*_GEMINI_KEYS, *_VERTEX_WAYS),
    "GeminiEndpoint": _VERTEX_WAYS,
    "Claude": (("GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"),),
    "AnthropicLlm": (("ANTHROPIC_API_KEY",), ("ANTHROPIC_AUTH_TOKEN",)),
    "OpenAILlm": (("OPENAI_API_KEY",),),
    "OpenAIResponsesLlm": (("OPENAI_API_KEY",),),
    "AzureOpenAIResponsesLlm": (("AZURE_OPENAI_API_KEY",), ("OPENAI_API_KEY",)),
    "ApigeeLlm": (("APIGEE_PROXY_URL",),),
    "OCIGenAILlm": (("OCI_COMPARTMENT_ID",),),
}
"""What ADK's model classes need, by class; `GeminiEndpoint` is a Gemini that only Vertex AI has."""

LITELLM_PROVIDERS: Mapping[str, tuple[Way, ...]] = {
    "ai21": (("AI21_API_KEY",),),
    "anthropic": (("ANTHROPIC_API_KEY",), ("ANTHROPIC_AUTH_TOKEN",)),
    "azure": (("AZURE_API_KEY", "AZURE_API_BASE"), ("AZURE_AD_TOKEN", "AZURE_API_BASE")),
    "azure_ai": (("AZURE_AI_API_KEY", "AZURE_AI_API_BASE"),),
    "bedrock": _AWS,
    "cerebras": (("CEREBRAS_API_KEY",),),
    "cohere": (("COHERE_API_KEY",),),
    "cohere_chat": (("COHERE_API_KEY",),),
    "dashscope": (("DASHSCOPE_API_KEY",),),
    "databricks": (
        ("DATABRICKS_API_KEY", "DATABRICKS_API_BASE"),
        ("DATABRICKS_CLIENT_ID", "DATABRICKS_CLIENT_SECRET", "DATABRICKS_API_BASE"),
    ),
    "deepinfra": (("DEEPINFRA_API_KEY",),),
    "deepseek": (("DEEPSEEK_API_KEY",),),
    "fireworks_ai": (("FIREWORKS_AI_API_KEY",), ("FIREWORKS_API_KEY",), ("FIREWORKSAI_API_KEY",)),
    "gemini": _GEMINI_KEYS,
    "github": (("GITHUB_API_KEY",),),
    "groq": (("GROQ_API_KEY",),),
    "hosted_vllm": (("HOSTED_VLLM_API_BASE",),),
    "huggingface": (("HUGGINGFACE_API_KEY",), ("HF_TOKEN",)),
    "litellm_proxy": (("LITELLM_PROXY_API_KEY", "LITELLM_PROXY_API_BASE"),),
    "mistral": (("MISTRAL_API_KEY",),),
    "moonshot": (("MOONSHOT_API_KEY",),),
    "nebius": (("NEBIUS_API_KEY",),),
    "novita": (("NOVITA_API_KEY",),),
    "nvidia_nim": (("NVIDIA_NIM_API_KEY",),),
    "openai": (("OPENAI_API_KEY",),),
    "openrouter": (("OPENROUTER_API_KEY",),),
    "perplexity": (("PERPLEXITYAI_API_KEY",), ("PERPLEXITY_API_KEY",)),
    "replicate": (("REPLICATE_API_KEY",),),
    "sagemaker": _AWS,
    "sambanova": (("SAMBANOVA_API_KEY",),),
    "together_ai": (("TOGETHERAI_API_KEY",), ("TOGETHER_API_KEY",), ("TOGETHER_AI_API_KEY",)),
    "vertex_ai": (("VERTEXAI_PROJECT",), ("GOOGLE_CLOUD_PROJECT",), ("GOOGLE_APPLICATION_CREDENTIALS",)),
    "watsonx": (("WATSONX_API_KEY", "WATSONX_URL"), ("WATSONX_APIKEY", "WATSONX_URL")),
    "xai": (("XAI_API_KEY",),),
}
"""What LiteLLM's providers need, by the part of the model's name before the first slash."""

_BY_NAME: tuple[tuple[str, str], ...] = (
    (r"projects/.+", "GeminiEndpoint"),
    (r"(gemini|gemma|model-optimizer)-.*", "Gemini"),
    (r"claude-.*", "Claude"),
    (r"(gpt|o\d+)-.*", "OpenAILlm"),
    (r"apigee/.*", "ApigeeLlm"),
    (r"(meta\.llama-|google\.gem|xai\.grok-|mistralai\.mi|nvidia\.).*", "OCIGenAILlm"),
)
"""Which of its classes ADK chooses for a model's name; any other name with a slash goes to LiteLLM."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelInUse:
    """The model of an agent, as far as its access goes.

    Attributes:
        agent: The agent's name.
        model: The model's name.
        kind: The ADK class that the agent was given; None if it was given a name, from which ADK chooses the class.
        settled: True if the agent brings its own key or client, or a class of its own: nothing is looked up.
        origin: Where the model's name comes from, in words.
        unchosen: If it is a default that nobody chose, what makes it so and what to do.
    """

    agent: str
    model: str
    kind: str | None = None
    settled: bool = False
    origin: str = field(default="", compare=False)
    unchosen: str | None = field(default=None, compare=False)


def ways_to(model: str, kind: str | None = None) -> tuple[Way, ...]:
    """Return what opens a model: each way is enough. Empty for a model of which nothing is known."""
    name = re.sub(r"^[A-Za-z]+:", "", model)  # `openai:gpt-4o` names the class before the model
    if kind == "Gemini" and re.match(r"projects/", name):
        kind = "GeminiEndpoint"
    if kind is None:
        kind = next((known for pattern, known in _BY_NAME if re.fullmatch(pattern, name)), "LiteLlm")
    if kind != "LiteLlm":
        return ADK_MODELS.get(kind, ())
    provider, slash, _ = name.partition("/")
    if not slash:  # LiteLLM knows the models of the large providers without their names
        provider = "anthropic" if name.startswith("claude-") else "openai" if re.match(r"gpt-|o\d+(-|$)", name) else ""
    return LITELLM_PROVIDERS.get(provider, ())


def lacking(model: ModelInUse, environment: Mapping[str, str]) -> str | None:
    """Say which variables a model lacks, such as `OPENAI_API_KEY`; None if it can be asked.

    Of several ways those that somebody has begun to set up stand alone: what they lack is what was forgotten.
    """
    ways = () if model.settled else ways_to(model.model, model.kind)
    missing = {way: [name for name in way if not _is_set(name, environment)] for way in ways}
    if not all(missing.values()):
        return None
    begun = [left for way, left in missing.items() if _is_set(way[0], environment)]
    advised = begun or [left for way, left in missing.items() if _UNADVISED.isdisjoint(way)]
    return " or ".join(dict.fromkeys(" with ".join(left) for left in advised)) or None


def _is_set(name: str, environment: Mapping[str, str]) -> bool:
    variable, switch, _ = name.partition("=")
    value = environment.get(variable, "").strip()
    return value.lower() in ("1", "true") if switch else bool(value)
