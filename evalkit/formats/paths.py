"""JSON paths: `$.eval_cases[0].eval_id` as text, `("eval_cases", 0, "eval_id")` as steps."""

import json
import re
from collections.abc import Iterable

JsonPath = tuple[str | int, ...]
"""The keys and indices that lead from a file's top value to a value inside it."""

_PLAIN_KEY = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)
_STEP = re.compile(r'\.([A-Za-z_$][\w$]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]', re.ASCII)


def write_path(steps: Iterable[str | int]) -> str:
    """Write steps as a path."""
    return "$" + "".join(map(write_step, steps))


def write_step(step: str | int) -> str:
    """Write one step: `.name`, `[0]`, or `["a key"]` for a key that is no plain name."""
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if _PLAIN_KEY.fullmatch(step) else f"[{json.dumps(step, ensure_ascii=False)}]"


def read_path(path: str) -> JsonPath:
    """Read a path back into steps, as far as it is one."""
    steps: list[str | int] = []
    at = 1
    while found := _STEP.match(path, at):
        name, index, quoted = found.groups()
        steps.append(name if name is not None else int(index) if index is not None else json.loads(quoted))
        at = found.end()
    return tuple(steps)
