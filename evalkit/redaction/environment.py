"""Which environment variables hold secrets, by their names and by what they hold."""

from collections.abc import Mapping
from functools import lru_cache

from evalkit.redaction.likeness import is_named_secret, is_telling
from evalkit.redaction.shapes import SHAPES


def secret_variables(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables with a secret, in the order of their names, each with its secret.

    Of an address that is the password in it. Values that are too common to be secret, such as `true`, `localhost` or
    `admin`, are left out.
    """
    secrets = {name: _secret(name, environment[name]) for name in sorted(environment)}
    return {name: secret for name, secret in secrets.items() if secret}


@lru_cache(maxsize=1024)  # workers ask after each case, and hardly anything changes
def _secret(name: str, value: str) -> str | None:
    value = value.strip()
    if is_named_secret(name, value) and is_telling(value):
        return value
    shaped = (found.secret for shape in SHAPES for found in shape.find(value) if is_telling(found.secret))
    return next(shaped, None)
