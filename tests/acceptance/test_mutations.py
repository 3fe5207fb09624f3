"""Break the sample evalsets one place at a time: exactly the case that is broken turns red, and the reason says where.

Every breakage is a real edit of real files, and all of them are played in one run of their own. The README lists what a
golden replay cannot see; what it can see is here.
"""

import copy
import json
import re
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from evalkit.evaluate import RunOptions, evaluate
from evalkit.formats.mocks import read as read_mocks
from evalkit.results import CaseResult
from evalkit.settings import load_settings

EVALSETS = Path(__file__).resolve().parents[2] / "evalsets"
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\d)")


@dataclass(frozen=True)
class Breakage:
    """One edit: what it does, the case it breaks, and words of which the reason must hold one."""

    name: str
    eval_id: str
    named: tuple[str, ...]


def calls_in(case: dict[str, Any]) -> Iterator[tuple[list[Any], int, dict[str, Any]]]:
    """Yield each expected call with the list that holds it and its place there."""
    for turn in case["conversation"]:
        data = turn.get("intermediate_data") or {}
        for index, call in enumerate(data.get("tool_uses", [])):
            yield data["tool_uses"], index, call
        for event in data.get("invocation_events", []):
            for index, part in enumerate((event.get("content") or {}).get("parts", [])):
                if "function_call" in part:
                    yield event["content"]["parts"], index, part["function_call"]


def other_value(value: Any) -> Any:
    """Return another value of the same type."""
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else f"{value}-zz"


def other_type(value: Any) -> Any:
    """Return a value of another type."""
    return 12345 if isinstance(value, str) else "twelve"


def _rename_tool(call: dict[str, Any]) -> str:
    call["name"] = call["name"] + "_x"
    return call["name"]


def _rename_argument(call: dict[str, Any]) -> str | None:
    if not call["args"]:
        return None
    first = next(iter(call["args"]))
    call["args"] = {(f"{name}_x" if name == first else name): value for name, value in call["args"].items()}
    return f"{first}_x"


def _add_argument(call: dict[str, Any]) -> str:
    call["args"] = {**call["args"], "surplus": 1}
    return "surplus"


def _wrong_type(call: dict[str, Any]) -> str | None:
    for name, value in call["args"].items():
        call["args"][name] = other_type(value)
        return name
    return None


def _wrong_value(call: dict[str, Any]) -> str | None:
    for name, value in call["args"].items():
        call["args"][name] = other_value(value)
        return json.dumps(call["args"][name]).strip(chr(34))
    return None


CALL_EDITS: dict[str, Callable[[dict[str, Any]], str | None]] = {
    "tool name": _rename_tool,
    "argument name": _rename_argument,
    "added argument": _add_argument,
    "wrong type": _wrong_type,
    "argument value": _wrong_value,
}


def numbers_in_answers(case: dict[str, Any]) -> Iterator[tuple[dict[str, Any], re.Match[str]]]:
    for turn in case["conversation"]:
        for part in (turn.get("final_response") or {}).get("parts", []):
            for match in NUMBER.finditer(part.get("text", "")):
                yield part, match


def broken_cases(case: dict[str, Any]) -> Iterator[tuple[Breakage, dict[str, Any]]]:
    """Yield every breakage of one case, with the case as it then is."""
    eval_id = case["eval_id"]
    for index in range(len(list(calls_in(case)))):
        for kind, edit in CALL_EDITS.items():
            broken = copy.deepcopy(case)
            named = edit(list(calls_in(broken))[index][2])
            if named is not None:
                yield Breakage(f"{eval_id}: {kind} of call {index}", eval_id, (named,)), broken
        broken = copy.deepcopy(case)
        holder, place, call = list(calls_in(broken))[index]
        del holder[place]
        yield Breakage(f"{eval_id}: call {index} removed", eval_id, ("$.eval_cases[0].conversation[",)), broken
    for index in range(len(list(numbers_in_answers(case)))):
        broken = copy.deepcopy(case)
        part, match = list(numbers_in_answers(broken))[index]
        changed = str(int(float(match.group())) + 7919)
        part["text"] = part["text"][: match.start()] + changed + part["text"][match.end() :]
        yield Breakage(f"{eval_id}: {match.group()} in the answer", eval_id, (changed,)), broken


def evalset_files() -> list[Path]:
    return sorted([*EVALSETS.rglob("*.evalset.json"), *EVALSETS.rglob("*.test.json")])


def beside(path: Path, target: Path) -> None:
    """Copy what belongs to an evalset's folder, but no evalset and no subfolder with evalsets of its own."""
    for item in path.parent.iterdir():
        if item.is_file() and not item.name.endswith((".evalset.json", ".test.json")):
            shutil.copy(item, target / item.name)
        elif item.is_dir() and not any(item.rglob("test_config.json")):
            shutil.copytree(item, target / item.name)


def run(folder: Path, root: Path) -> dict[tuple[str, str], CaseResult]:
    options = RunOptions(paths=(str(folder),), report_dir=folder.parent / "report", jobs=2)
    report, _ = evaluate(options, load_settings(root))
    return {(Path(result.file).parent.name, result.eval_id): result for result in report.results}


def said(result: CaseResult) -> str:
    return "\n".join([*result.reasons, *(item.score.reason for item in result.criteria)])


def test_each_breakage_of_a_case_turns_that_case_red_and_names_the_place(tmp_path, repo_root):
    broken: dict[str, Breakage] = {}
    for path in evalset_files():
        data = json.loads(path.read_text())
        for case in data["eval_cases"]:
            for breakage, edited in broken_cases(case):
                name = f"b{len(broken)}"
                folder = tmp_path / "evalsets" / path.relative_to(EVALSETS).parts[0] / name
                folder.mkdir(parents=True)
                beside(path, folder)
                text = json.dumps({"eval_set_id": name, "eval_cases": [edited]})
                (folder / f"{name}.evalset.json").write_text(text)
                broken[name] = breakage
    results = run(tmp_path / "evalsets", repo_root)
    assert len(results) == len(broken) > 100
    green = [broken[name].name for (name, _), result in results.items() if result.verdict == "passed"]
    assert green == []
    silent = {
        broken[name].name: said(result)
        for (name, _), result in results.items()
        if not any(word in said(result) for word in broken[name].named)
    }
    assert silent == {}


def routes_in(mocks: dict[str, Any]) -> Iterator[tuple[str, list[Any], int]]:
    for tool, routes in mocks.get("tools", {}).items():
        for index in range(len(routes)):
            yield tool, routes, index


def paths_to_numbers(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], int | float]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in items:
        if isinstance(member, int | float) and not isinstance(member, bool):
            yield (*path, key), member
        else:
            yield from paths_to_numbers(member, (*path, key))


@pytest.fixture(scope="module")
def used_routes(tmp_path_factory) -> dict[str, set[str]]:
    """Which cases each mock answers, found by playing the files as they are."""
    report_dir = tmp_path_factory.mktemp("baseline") / "report"
    settings = load_settings(EVALSETS.parent)
    report, folder = evaluate(RunOptions(paths=(str(EVALSETS),), report_dir=report_dir), settings)
    assert {result.verdict for result in report.results} == {"passed"}
    used: dict[str, set[str]] = defaultdict(set)
    for outcome in folder.outcomes():
        for turn in outcome.trace.turns:
            for event in turn.tools:
                if event.route:
                    used[event.route].add(outcome.eval_id)
    return used


def mocks_files() -> list[Path]:
    return sorted(path for path in EVALSETS.rglob("*.yaml") if "tools" in yaml.safe_load(path.read_text()))


def evalsets_of(mocks: Path) -> Path:
    """Return the folder whose evalsets read a mocks file."""
    return next(folder for folder in mocks.parents if (folder / "test_config.json").is_file())


def broken_mocks(path: Path, used: dict[str, set[str]]) -> Iterator[tuple[set[str], str, dict[str, Any]]]:
    """Yield every breakage of a mocks file: the cases it breaks, a word that the reason must hold, the file's data."""
    data = yaml.safe_load(path.read_text())
    labels = [route.label for route in read_mocks(path).value.routes]
    said = answers(evalsets_of(path))
    for place, (tool, _, index) in enumerate(routes_in(data)):
        cases = used.get(labels[place], set())
        removed = copy.deepcopy(data)
        del removed["tools"][tool][index]
        removed["tools"] = {name: routes for name, routes in removed["tools"].items() if routes}
        yield cases, tool, removed
        for where, number in paths_to_numbers(data["tools"][tool][index].get("returns", {})):
            cited = {case for case in cases if re.search(rf"(?<![\w.]){re.escape(str(number))}(?![\w])", said[case])}
            if cited:
                changed = copy.deepcopy(data)
                change_at(changed["tools"][tool][index]["returns"], where, 7919)
                yield cited, str(number), changed


def test_each_breakage_of_a_mock_turns_exactly_the_cases_red_that_use_it(tmp_path, repo_root, used_routes):
    expected: dict[str, tuple[set[str], str]] = {}
    for path in mocks_files():
        folder = evalsets_of(path)
        for cases, named, data in broken_mocks(path, used_routes):
            name = f"m{len(expected)}"
            copied = tmp_path / "evalsets" / folder.relative_to(EVALSETS).parts[0] / name
            copied.mkdir(parents=True)
            beside(folder / "any", copied)
            for evalset in folder.glob("*.json"):
                shutil.copy(evalset, copied / evalset.name)
            (copied / path.relative_to(folder)).write_text(yaml.safe_dump(data))
            expected[name] = (cases, named)
    assert len(expected) > 30
    results = run(tmp_path / "evalsets", repo_root)
    red: dict[str, set[str]] = {name: set() for name in expected}
    for (name, eval_id), result in results.items():
        if result.verdict != "passed":
            red[name].add(eval_id)
            assert expected[name][1] in said(result), f"{name} {eval_id}: {said(result)}"
    assert red == {name: cases for name, (cases, _) in expected.items()}


def change_at(value: Any, path: tuple[Any, ...], by: int) -> None:
    for key in path[:-1]:
        value = value[key]
    value[path[-1]] += by


def answers(folder: Path) -> dict[str, str]:
    """Return what each case's golden answers say."""
    said: dict[str, str] = {}
    for path in (*folder.glob("*.evalset.json"), *folder.glob("*.test.json")):
        for case in json.loads(path.read_text())["eval_cases"]:
            parts = [part for turn in case["conversation"] for part in (turn.get("final_response") or {}).get("parts", [])]
            said[case["eval_id"]] = " ".join(part.get("text", "") for part in parts)
    return said
