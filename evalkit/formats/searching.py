"""Searching a text for a regular expression many times faster than `re` does, by the engine of `jsonschema-rs`."""

from collections.abc import Callable
from functools import cache

import jsonschema_rs


@cache
def searcher(pattern: str) -> Callable[[str], bool]:
    """Make a function that tells whether a pattern occurs in a text.

    Args:
        pattern: In the syntax that `re` and Rust's `regex` share: no look-around, no back-references.
    """
    options = jsonschema_rs.RegexOptions()
    return jsonschema_rs.Draft202012Validator({"pattern": pattern}, pattern_options=options).is_valid
