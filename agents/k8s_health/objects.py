"""What the API's objects have in common.

To the client nearly every field is optional. The fields read here are not to Kubernetes: whoever leaves them out is
not a Kubernetes API server, and no answer may be made up in their place.
"""

import datetime as dt
from typing import TYPE_CHECKING, Protocol, TypeVar

from .replies import ToolError

if TYPE_CHECKING:
    from kubernetes.client import V1ObjectMeta

MAX_LISTED = 100
"""How many objects a reply lists: a cluster may have thousands, and a model reads them all."""

Value = TypeVar("Value")


class Described(Protocol):
    """An object of any kind."""

    @property
    def metadata(self) -> "V1ObjectMeta | None":
        """Its name, namespace, labels and the like."""


def required(value: Value | None, what: str) -> Value:
    """Return a value that Kubernetes always sends.

    Args:
        value: What the client read.
        what: What it would mean if there were none, such as `a Pod without status`.

    Raises:
        ToolError: There is none.
    """
    if value is None:
        raise ToolError(f"Kubernetes' answer cannot be read: it has {what}.")
    return value


def metadata(thing: Described, kind: str) -> "V1ObjectMeta":
    """Return an object's metadata, which has a name.

    Raises:
        ToolError: The object has no metadata, or no name in it.
    """
    found = required(thing.metadata, f"a {kind} without metadata")
    required(found.name, f"a {kind} without a name")
    return found


def timestamp(moment: dt.datetime | None) -> str | None:
    """Write a moment as Kubernetes does, to the second: `2025-06-01T09:30:00Z`."""
    return moment.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if moment else None
