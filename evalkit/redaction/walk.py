"""Through a JSON value, with an eye to the names under which its texts stand.

Names of secrets are the keys of objects; in an object with a `name` and a `value` (a variable of a container, a header,
a field of a form) that name; in a list an item that is followed by its value (a flag, a header as a pair). All that a
Kubernetes `Secret` holds is secret.
"""

from collections.abc import Iterator
from typing import Protocol

from evalkit.cases import Json
from evalkit.redaction.names import degree

_NAME_KEYS = ("name", "key", "header")
_VALUE_KEYS = ("value", "val")
_KUBERNETES_DATA = ("data", "stringData")
_PAIR = 2
_LEAST_DIGITS = 6
"""Digits of a number that is a secret; shorter ones under such a name count something."""


class Hide(Protocol):
    """Takes the secrets out of texts."""

    def __call__(self, text: str, name: str = "", *, sure: bool = False) -> str:
        """Return a text without the secrets in it.

        Args:
            text: The text.
            name: The name it stands under; all of it is a secret if the name says so.
            sure: Whether it is a secret whatever its name.
        """


def without_secrets(value: Json, hide: Hide, name: str = "") -> Json:
    """Copy a value that stands under a name, without its secrets."""
    if isinstance(value, str):
        return hide(value, name)
    if isinstance(value, dict):
        return _object(value, hide)
    if isinstance(value, list):
        return [without_secrets(item, hide, of or name) for item, of in zip(value, _names(value), strict=True)]
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if is_number and degree(name) == "certain" and len(str(value)) >= _LEAST_DIGITS:
        return hide(str(value), name)
    return value


def _object(value: dict[str, Json], hide: Hide) -> Json:
    stated = next((text for key, text in value.items() if key.lower() in _NAME_KEYS and isinstance(text, str)), "")
    copied: dict[str, Json] = {}
    for key, item in value.items():
        if key in _KUBERNETES_DATA and isinstance(item, dict) and value.get("kind") == "Secret":
            copied[key] = {hide(name): _kubernetes_secret(inner, hide, name) for name, inner in item.items()}
        else:
            name = stated if key.lower() in _VALUE_KEYS and degree(stated) else key
            copied[hide(key)] = without_secrets(item, hide, name)
    return copied


def _kubernetes_secret(value: Json, hide: Hide, name: str) -> Json:
    return hide(value, name, sure=True) if isinstance(value, str) else without_secrets(value, hide, name)


def _names(items: list[Json]) -> Iterator[str]:
    """Yield for each item of a list the one before it, if that is its name."""
    before: Json = None
    for item in items:
        is_name = isinstance(before, str) and (before.startswith("--") or len(items) == _PAIR) and degree(before)
        yield str(before) if is_name else ""
        before = item
