"""HolmesGPT's `test_case.yaml`: what HolmesGPT refuses or drops, and what it takes in another way than meant.

What HolmesGPT takes is no error here, whatever evalkit's own formats would say of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from evalkit.cases import Json
from evalkit.errors import Problem, Rename
from evalkit.formats.documents import Document
from evalkit.formats.faults import load_schema
from evalkit.formats.files import Loaded
from evalkit.formats.holmes_yaml import as_yaml_1_1, explain_bare
from evalkit.formats.paths import JsonPath
from evalkit.formats.spelling import closest
from evalkit.formats.validation import schema_problems
from evalkit.formats.yaml_text import parse_yaml

SCHEMA = "holmes_case"
POLICIES = ("inherit", "always_mock", "never_mock")
"""Whether recordings answer; HolmesGPT takes any other word for the first."""
REQUESTS = {"test_investigate": "investigate_request.json", "test_workload_health": "workload_health_request.json"}
"""Suites whose cases are asked by a file, and its name."""
PROMPTLESS = ("compaction", "test_holmes_checks")
"""Suites whose cases ask nothing."""


@dataclass(frozen=True, slots=True)
class _Case:
    """A test case in its folder."""

    document: Document
    folder: Path

    @property
    def value(self) -> dict[str, Json]:
        """The case's own keys; none if it is no mapping."""
        return self.document.value if isinstance(self.document.value, dict) else {}


def looks_like_a_case(value: Json) -> bool:
    """Whether a mapping has anything that only a test case of HolmesGPT's has."""
    return isinstance(value, dict) and bool(value.keys() & load_schema(SCHEMA)["properties"].keys() - _COMMON)


_COMMON = {"description", "tags", "skip", "id", "folder", "max_tokens", "skills", "toolsets"}
"""Keys that test cases of other programs have too."""


def parse_case(data: bytes, file: str, folder: Path) -> Loaded[Document]:
    """Read a test case and find what is wrong with it.

    Args:
        data: The file's bytes.
        file: The file as the user named it.
        folder: Where it lies: its name and its parent's tell the suite, and included files lie in it.
    """
    parsed = parse_yaml(data, file)
    problems = tuple(_milder(problem) for problem in parsed.problems)
    if parsed.value is None:
        return Loaded(None, problems)
    document, bare = as_yaml_1_1(parsed.value)
    found = (_mendable(explain_bare(problem, bare)) for problem in schema_problems(SCHEMA, document))
    return Loaded(document, (*problems, *found, *_case_problems(_Case(document, folder))))


def _mendable(problem: Problem) -> Problem:
    """A problem with the fixes that can be made in YAML, where only keys are renamed."""
    return replace(problem, fixes=tuple(fix for fix in problem.fixes if isinstance(fix, Rename)))


def _milder(problem: Problem) -> Problem:
    """HolmesGPT takes the last of a key's values, without a word."""
    return replace(problem, severity="warning") if problem.rule == "duplicate-key" else problem


def _case_problems(case: _Case) -> Iterator[Problem]:
    """Find what the schema cannot say."""
    yield from _prompt_problems(case)
    yield from _include_problems(case)
    yield from _policy_problems(case)
    properties = load_schema(SCHEMA)["properties"]
    for key in case.value:
        known = properties.get(key, {})
        if known.get("x-later"):
            message = (
                f"only later versions of HolmesGPT than November 2025 have `{key}`, and evalkit does nothing by it"
            )
            yield case.document.problem("later-key", (key,), message)
        elif known.get("x-overwritten"):
            message = f"nothing reads `{key}` in a test case"
            yield case.document.problem("unread-key", (key,), message, known["description"].partition("; ")[2] or None)


def _prompt_problems(case: _Case) -> Iterator[Problem]:
    """A case that asks nothing; HolmesGPT says so only to whoever reads its debug log."""
    suite = case.folder.resolve().parent.name
    prompt = case.value.get("user_prompt")
    if prompt or suite in PROMPTLESS or not isinstance(prompt, str | list | None):
        return
    if any((case.folder / name).is_file() for name in REQUESTS.values()):
        return
    if suite in REQUESTS:
        message = f"the case asks nothing: a case of {suite} has its question in {REQUESTS[suite]}, which is not there"
        yield case.document.problem("no-prompt", (), message, f"write {REQUESTS[suite]}")
    elif "user_prompt" in case.value:
        message = "the case asks nothing, so HolmesGPT passes over it without a word"
        yield case.document.problem("no-prompt", ("user_prompt",), message, "write what is asked")
    elif not _is_misspelt(case):
        message = "the case has no user_prompt, so HolmesGPT passes over it without a word"
        yield case.document.problem("no-prompt", (), message, "write what is asked as user_prompt")


def _is_misspelt(case: _Case) -> bool:
    """Whether another problem says already what is meant as the prompt."""
    known = load_schema(SCHEMA)["properties"]
    return any(
        problem.hint is not None and "user_prompt" in problem.hint
        for problem in schema_problems(SCHEMA, case.document)
        if not known.keys() & {problem.path.removeprefix("$.")}
    )


def _include_problems(case: _Case) -> Iterator[Problem]:
    """Included files that are not there; HolmesGPT takes that for a folder without a test case."""
    included = case.value.get("include_files")
    for index, name in enumerate(included if isinstance(included, list) else ()):
        if isinstance(name, str) and not (case.folder / name).is_file():
            message = f"{name} is not in the case's folder, so HolmesGPT passes over the case without a word"
            yield case.document.problem("missing-include", ("include_files", index), message)


def _policy_problems(case: _Case) -> Iterator[Problem]:
    """Words that HolmesGPT takes for `inherit`."""
    overrides = case.value.get("mock_overrides")
    named: dict[JsonPath, Json] = {("mock_policy",): case.value.get("mock_policy")}
    named |= {("mock_overrides", name): word for name, word in overrides.items()} if isinstance(overrides, dict) else {}
    for path, word in named.items():
        if isinstance(word, str) and word not in POLICIES:
            near = closest(word, POLICIES)
            message = f"{word!r} is no mock policy, and HolmesGPT takes it for inherit"
            hint = f"did you mean {near}?" if near else f"write {', '.join(POLICIES[:-1])} or {POLICIES[-1]}"
            yield case.document.problem("wrong-value", path, message, hint, severity="warning")
