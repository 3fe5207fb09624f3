"""From the patterns of a route to one matcher of what a request or a program's call looks like."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from evalkit.cases import Json
from evalkit.matching import MISSING, Difference, Matcher, Members, compile_pattern
from evalkit.mocks.below.http_request import decode_path

_TEXT_OPERATORS = {"$regex", "$glob", "$icontains", "$contains"}
_COMBINING_OPERATORS = {"$not", "$all", "$oneof"}
_LIST_OPERATORS = {"$subset", "$unordered"}


def http_matcher(request: Mapping[str, Json], prefix: str = "") -> Members:
    """Build the matcher for `HttpRequest.view`; `prefix` is the path below which the service lives.

    Raises:
        PatternError: A pattern has faults.
    """
    parts: dict[str, Matcher] = {}
    if "method" in request:
        parts["method"] = compile_pattern(request["method"])
    if "path" in request:
        parts["path"] = _path(request["path"], prefix)
    elif prefix:
        parts["path"] = _Below(prefix, compile_pattern({"$any": True}))
    for part in ("query", "headers"):
        if part in request:
            parts[part] = _named(request[part], lower=part == "headers")
    if "body" in request:
        parts["body_text" if is_textual(request["body"]) else "body"] = compile_pattern(request["body"])
    return Members(parts, free=True)


def command_matcher(call: Mapping[str, Json]) -> Members:
    """Build the matcher for `CommandCall.view`.

    Raises:
        PatternError: A pattern has faults.
    """
    parts: dict[str, Matcher] = {}
    if "argv" in call:
        parts["argv"] = compile_pattern(call["argv"])
    if "env" in call:
        parts["env"] = _named(call["env"], lower=False)
    if "stdin" in call:
        parts["stdin_text" if is_textual(call["stdin"]) else "stdin"] = compile_pattern(call["stdin"])
    return Members(parts, free=True)


def is_textual(pattern: Json) -> bool:
    """Whether a pattern speaks of text, so that it is compared with a body as it was sent, not as it reads."""
    if isinstance(pattern, str):
        return True
    if not isinstance(pattern, Mapping) or not pattern:
        return False
    return all(_is_textual_operator(name, operand) for name, operand in pattern.items())


def _is_textual_operator(name: str, operand: Json) -> bool:
    if name in _COMBINING_OPERATORS:
        return all(map(is_textual, operand)) if isinstance(operand, list | tuple) else is_textual(operand)
    return name in _TEXT_OPERATORS and isinstance(operand, str)


def _path(pattern: Json, prefix: str) -> Matcher:
    if isinstance(pattern, str):
        return compile_pattern({"$eq": decode_path(prefix + pattern)})
    compiled = compile_pattern(pattern)
    return _Below(prefix, compiled) if prefix else compiled


def _named(patterns: Mapping[str, Json], *, lower: bool) -> Members:
    return Members({name.lower() if lower else name: _occurrences(pattern) for name, pattern in patterns.items()}, True)


def _occurrences(pattern: Json) -> Matcher:
    """Build the matcher for a name that may stand once (a text) or several times (a list of texts)."""
    wants_list = isinstance(pattern, list | tuple) or (
        isinstance(pattern, Mapping)
        and any(name in _LIST_OPERATORS and isinstance(operand, list | tuple) for name, operand in pattern.items())
    )
    compiled = compile_pattern(pattern)
    return _Listed(compiled) if wants_list else compiled


@dataclass(frozen=True, slots=True)
class _Listed(Matcher):
    """Wants a list, and takes a text that stands alone as a list of one."""

    items: Matcher

    def differences(self, value: Json, path: str) -> Iterator[Difference]:
        """Compare the list."""
        yield from self.items.differences([value] if isinstance(value, str) else value, path)

    def describe(self) -> str:
        """Write the wanted list."""
        return self.items.describe()


@dataclass(frozen=True, slots=True)
class _Below(Matcher):
    """Wants a path whose rest, below a prefix, matches."""

    prefix: str
    rest: Matcher

    def differences(self, value: Json, path: str) -> Iterator[Difference]:
        """Compare the rest of the path, or find that it lies elsewhere."""
        if value is MISSING or not (value == self.prefix or value.startswith(self.prefix + "/")):
            yield Difference(path, f"a path below {self.prefix}", value)
        else:
            yield from self.rest.differences(value.removeprefix(self.prefix) or "/", path)

    def describe(self) -> str:
        """Say what is wanted below what."""
        return f"{self.rest.describe()} below {self.prefix}"
