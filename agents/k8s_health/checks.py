"""Is an argument one that Kubernetes could accept? Everything here is decided without asking Kubernetes.

A model may send anything its tool declaration does not stop, a number as text included, so types are checked too.
"""

import re

from .replies import ToolError

SYSTEM_PREFIX = "kube-"
MAX_LABEL_LENGTH = 63
MAX_NAME_LENGTH = 253
MAX_TAIL_LINES = 1000

_LABEL = r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?"
_NAME = rf"{_LABEL}(?:\.{_LABEL})*"
_KIND = re.compile(r"[A-Z][A-Za-z]*")
_VARIABLE = re.compile(r"[-._A-Za-z][-._A-Za-z0-9]*")

_PATH_PART = r"[a-z0-9]+(?:[._-]+[a-z0-9]+)*"
_IMAGE = re.compile(
    rf"(?:[A-Za-z0-9.-]+(?::[0-9]+)?/)?{_PATH_PART}(?:/{_PATH_PART})*"
    r"(?=[:@])(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(?:@sha256:[0-9a-f]{64})?"
)

_CPU = re.compile(r"[0-9]+(?:\.[0-9]+)?m?")
_MEMORY = re.compile(r"[0-9]+(?:\.[0-9]+)?(?:[KMGT]i|[kMGT])?")
QUANTITIES = {"cpu_request": _CPU, "cpu_limit": _CPU, "memory_request": _MEMORY, "memory_limit": _MEMORY}
"""What can be set of a container's resources, and how its value is written."""


def label(argument: str, value: object) -> None:
    """Refuse what is no DNS label, the rule for the names of namespaces and containers.

    Raises:
        ToolError: The value is empty, too long, or has a character or an end that these names cannot have.
    """
    _matches(argument, value, _LABEL, MAX_LABEL_LENGTH, "small letters, digits and '-'")


def name(argument: str, value: object) -> None:
    """Refuse what is no DNS subdomain, the rule for the names of pods and deployments.

    Raises:
        ToolError: The value is empty, too long, or has a character or an end that these names cannot have.
    """
    _matches(argument, value, _NAME, MAX_NAME_LENGTH, "small letters, digits, '-' and '.'")


def own_namespace(value: object) -> None:
    """Refuse also the namespaces of Kubernetes itself, in which nobody should change anything by way of an agent.

    Raises:
        ToolError: The value is no legal name of a namespace, or starts with what Kubernetes keeps for its own.
    """
    label("namespace", value)
    if str(value).startswith(SYSTEM_PREFIX):
        raise ToolError(f"{value} is a namespace of Kubernetes itself; this agent changes nothing there.")


def text(argument: str, value: object) -> None:
    """Refuse a value that is empty or no text.

    Raises:
        ToolError: It is.
    """
    if not isinstance(value, str):
        raise ToolError(f"{argument} must be text, not {value!r}.")
    if not value.strip():
        raise ToolError(f"{argument} must not be empty.")


def kind(argument: str, value: object) -> None:
    """Refuse what cannot be an object's kind.

    Raises:
        ToolError: The value does not look like `Pod` or `ReplicaSet`.
    """
    text(argument, value)
    if not _KIND.fullmatch(str(value)):
        raise ToolError(f"{argument} must be a kind as Kubernetes writes it, such as Pod or Deployment, not {value!r}.")


def number(argument: str, value: object, *, least: int, most: int | None = None) -> None:
    """Refuse what is not a whole number within the limits.

    Raises:
        ToolError: The value is no integer, less than `least`, or more than `most`.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise ToolError(f"{argument} must be a whole number, not {value!r}.")
    if value < least:
        raise ToolError(f"{argument} must be at least {least}, not {value}.")
    if most is not None and value > most:
        raise ToolError(f"{argument} must be at most {most}, not {value}.")


def image(value: object) -> None:
    """Refuse what is no image reference, and one that leaves open what would run.

    Raises:
        ToolError: The value is malformed, or has neither a tag nor a digest.
    """
    text("image", value)
    if not _IMAGE.fullmatch(str(value)):
        raise ToolError(f"image must be a reference with a tag or a digest, such as nginx:1.27.4, not {value!r}.")


def environment(value: object) -> None:
    """Refuse what cannot be set as environment variables.

    Raises:
        ToolError: The value is no object, is empty, or has a name or a value that Kubernetes would not take.
    """
    for key, item in _entries("env", value).items():
        if not _VARIABLE.fullmatch(key):
            raise ToolError(f"env has {key!r}, which cannot be the name of an environment variable.")
        if not isinstance(item, str):
            raise ToolError(f"env must have text for {key}, not {item!r}.")


def resources(value: object) -> None:
    """Refuse what are no resources of a container.

    A memory of `128m` is legal to Kubernetes and never meant: it is an eighth of a byte. So it is refused too.

    Raises:
        ToolError: The value is no object, is empty, or has a key or a quantity that cannot be.
    """
    for key, item in _entries("resources", value).items():
        if key not in QUANTITIES:
            raise ToolError(f"resources has {key!r}; it can have {', '.join(QUANTITIES)}.")
        if not isinstance(item, str) or not QUANTITIES[key].fullmatch(item):
            example = "'250m' or '2'" if key.startswith("cpu") else "'256Mi' or '1Gi'"
            raise ToolError(f"resources must have text such as {example} for {key}, not {item!r}.")


def _entries(argument: str, value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise ToolError(f"{argument} must be an object, not {value!r}.")
    if not value:
        raise ToolError(f"{argument} must not be empty.")
    return {str(key): item for key, item in value.items()}


def _matches(argument: str, value: object, pattern: str, longest: int, allowed: str) -> None:
    text(argument, value)
    if len(str(value)) > longest:
        raise ToolError(f"{argument} has {len(str(value))} characters; Kubernetes allows {longest}.")
    if not re.fullmatch(pattern, str(value)):
        raise ToolError(f"{argument} must be made of {allowed}, with a letter or digit at each end, not {value!r}.")


SETTINGS = {"image": image, "env": environment, "resources": resources}
"""The check of each setting of a container that can be changed."""
