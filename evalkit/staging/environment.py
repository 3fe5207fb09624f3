"""A case's own variables, expanded as HolmesGPT does it."""

import re
from collections.abc import Mapping

_REFERENCE = re.compile(r"\$(\w+|\{[^}]*\})", re.ASCII)


def expanded(variables: Mapping[str, str], environment: Mapping[str, str]) -> dict[str, str]:
    """Put values in the place of `$NAME` and `${NAME}`, one variable after the other.

    As with `os.path.expandvars`, what is not set stays as it is written; a variable may use those before it.
    """
    known = dict(environment)
    for name, value in variables.items():
        known[name] = _REFERENCE.sub(lambda found: known.get(found[1].strip("{}"), found[0]), value)
    return {name: known[name] for name in variables}
