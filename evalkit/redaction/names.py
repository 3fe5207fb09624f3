"""Names of variables, keys, headers, arguments and flags that say that a secret stands under them.

There are two degrees. What stands under a *certain* name, such as `DB_PASSWORD` or `X-Api-Key`, is a secret unless it
obviously is none. A *likely* name, such as `token` or `secret`, also stands before names and numbers of other things:
there the value itself must look like a secret.
"""

import re
from functools import lru_cache
from typing import Literal

Degree = Literal["certain", "likely"]

WORD = r"""(?ix:(?:passw(?:or)?d|passphrase|pwd|authorization|cookie|token|secret|credentials?|jwt|auth|dockerconfigjson
    |(?:api|app|access|secret|private|account|auth|master|signing|encryption|storage)[_-]?key)
    (?:[_-]?(?:hash|confirmation|confirm|value|[0-9]+))?)"""
"""How such a name ends, whatever its style; `re` and Rust's `regex` both read this. `degree` decides."""

_CERTAIN = re.compile(
    r"""(?x)(?:.*(?:password|passwd|passphrase)
    |(?:.*_)?(?:pwd|authorization|cookie|dockerconfigjson
        |(?:api|app|access|secret|private|account|auth|master|signing|encryption|storage)_?key
        |(?:client|app|api|shared|webhook|signing)_?secret
        |(?:access|auth|api|refresh|bearer|id|session|security|oauth|bot|sas)_?token))
    (?:_?(?:hash|confirmation|confirm|value|[0-9]+))?"""
)
_LIKELY = re.compile(r"(?:.*_)?(?:token|secret|credentials?|jwt|auth)")
_WHERE_TO_GO_ON = re.compile(r".*(?:page|next|continu\w*|sync|resume|cursor)_?token")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_LONGEST = 100


@lru_cache(maxsize=4096)
def degree(name: str) -> Degree | None:
    """Tell whether a name, in any style (`clientSecret`, `X-Api-Key`, `DB_PASSWORD`, `--token`), is one of a secret.

    Tokens that only say where to go on, such as `next_page_token`, are none; nor is a name that had a secret in it.
    """
    if "[secret: " in name:
        return None
    parts = _PARTS.findall(name[-_LONGEST:])
    snake = "_".join(parts).lower()
    if _WHERE_TO_GO_ON.fullmatch(snake):
        return None
    if _CERTAIN.fullmatch(snake):
        return "certain"
    return "likely" if _LIKELY.fullmatch(snake) else None
