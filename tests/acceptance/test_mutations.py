"""Break the sample evalsets one place at a time: exactly the case that is broken turns red, and the reason says where.

Every breakage is a real edit of real files: of a case, of a route in place of a tool or below it, of a fake object's
data. All of them are played in a few runs. The README lists what a golden replay cannot see; what it can see is here.
"""

import copy
import json
import re
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
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
    return value + 1 if isinstance(value, int) else f"{value}zz"


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


def run(folder: Path, root: Path) -> dict[str, dict[str, CaseResult]]:
    """Play every evalset below a folder; return each file's results by case, the files by their name's first part."""
    options = RunOptions(paths=(str(folder),), report_dir=folder.parent / "report", jobs=2)
    report, _ = evaluate(options, load_settings(root))
    results: dict[str, dict[str, CaseResult]] = defaultdict(dict)
    for result in report.results:
        results[Path(result.file).name.partition(".")[0]][result.eval_id] = result
    return results


def said(result: CaseResult) -> str:
    return "\n".join([*result.reasons, *(item.score.reason for item in result.criteria)])


def test_each_breakage_of_a_case_turns_that_case_red_and_names_the_place(tmp_path, repo_root, agents):
    broken: dict[str, Breakage] = {}
    for path in evalset_files():
        folder = tmp_path / "evalsets" / path.parent.relative_to(EVALSETS)
        if not folder.exists():
            folder.mkdir(parents=True)
            beside(path, folder)
        for case in json.loads(path.read_text())["eval_cases"]:
            for breakage, edited_case in broken_cases(case, agents):
                name = f"b{len(broken)}"
                text = json.dumps({"eval_set_id": name, "eval_cases": [edited_case]})
                (folder / f"{name}.evalset.json").write_text(text)
                broken[name] = breakage
    results = {name: next(iter(cases.values())) for name, cases in run(tmp_path / "evalsets", repo_root).items()}
    assert len(results) == len(broken) > 100
    green = [broken[name].name for name, result in results.items() if result.verdict == "passed"]
    print(chr(10).join(green)); assert green == []
    silent = {
        broken[name].name: said(result)
        for name, result in results.items()
        if not any(word in said(result) for word in broken[name].named)
    }
    print(silent); assert silent == {}


JsonPath = tuple[str | int, ...]
REMOVED = object()

ASKED_FOR = {"args", "argv", "stdin", "env", "method", "path", "query", "headers", "body"}
"""The keys of a route that say what it answers; all others say what it answers with."""

FILES = {"returns_file": "returns", "body_file": "text", "stdout_file": "stdout"}
"""The keys that name a file with a reply, and those that hold the reply itself."""


@dataclass(frozen=True)
class MockBreakage:
    """Edits of one mocks file by place, the cases that they break, and a word of which each reason must hold."""

    name: str
    cases: frozenset[str]
    named: str
    edits: Mapping[JsonPath, Any]


@dataclass(frozen=True)
class Used:
    """What the samples use when nothing is broken: by route, and by case whether tools ran for real."""

    routes: Mapping[str, frozenset[str]]
    real: frozenset[str]


@pytest.fixture(scope="module")
def used(samples) -> Used:
    assert {result.verdict for result in samples.report.results} == {"passed"}
    routes: dict[str, set[str]] = defaultdict(set)
    real: set[str] = set()
    for outcome in samples.outcomes:
        tools = [event for turn in outcome.trace.turns for event in turn.tools]
        for event in (*tools, *outcome.trace.backend_events):
            if event.route:
                routes[event.route].add(outcome.eval_id)
        real |= {outcome.eval_id for event in tools if event.status == "real"}
    return Used({label: frozenset(cases) for label, cases in routes.items()}, frozenset(real))


def mocks_files() -> list[Path]:
    return sorted(path for path in EVALSETS.rglob("*.yaml") if "agent" in yaml.safe_load(path.read_text()))


def evalsets_of(mocks: Path) -> Path:
    """Return the folder whose evalsets read a mocks file."""
    return next(folder for folder in mocks.parents if (folder / "test_config.json").is_file())


def readers(mocks: Path) -> dict[str, dict[str, Any]]:
    """Return the cases that read a mocks file, by id: those that name it, or all of its folder."""
    folder = evalsets_of(mocks)
    files = (*folder.glob("*.evalset.json"), *folder.glob("*.test.json"))
    cases = {case["eval_id"]: case for path in files for case in json.loads(path.read_text())["eval_cases"]}
    if mocks.parent == folder:
        return cases
    own = str(mocks.relative_to(folder))
    return {eval_id: case for eval_id, case in cases.items() if case.get("evalkit", {}).get("mocks") == own}


def said_in(case: dict[str, Any]) -> str:
    """Return what a case's golden answers say."""
    parts = [part for turn in case["conversation"] for part in (turn.get("final_response") or {}).get("parts", [])]
    return " ".join(part.get("text", "") for part in parts)


def routes_in(mocks: dict[str, Any]) -> Iterator[JsonPath]:
    """Yield the place of each route, in the order in which a mocks file is read."""
    for tool, routes in mocks.get("tools", {}).items():
        yield from (("tools", tool, index) for index in range(len(routes)))
    for agent, scoped in mocks.get("agents", {}).items():
        for tool, routes in scoped["tools"].items():
            yield from (("agents", agent, "tools", tool, index) for index in range(len(routes)))
    for number, backend in enumerate(mocks.get("backends", [])):
        for kind, fake in backend.items():
            yield from (("backends", number, kind, "routes", index) for index in range(len(fake.get("routes", []))))


def labels_in(mocks: Path) -> list[str]:
    """Return the label of each route, in the same order."""
    read = read_mocks(mocks).value
    below = [route for fake in read.fakes for route in getattr(fake, "routes", ())]
    return [route.label for route in (*read.routes, *below)]


def leaves(value: Any, path: JsonPath = ()) -> Iterator[tuple[JsonPath, Any]]:
    if isinstance(value, dict | list):
        for key, member in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(member, (*path, key))
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield path, value


def numbers_of(value: Any) -> list[str]:
    return NUMBER.findall(value) if isinstance(value, str) else [str(value)]


def with_other(key: str | int, value: Any, number: str) -> Any:
    """Return a reply's value with another number; that of an HTTP status or an exit code must stay possible."""
    by = 1 if key in ("status", "exit_code") else 7919
    if not isinstance(value, str):
        return value + by
    return NUMBER.sub(lambda match: str(int(float(number)) + by) if match.group() == number else match.group(), value)


def cites(case: dict[str, Any], number: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(number)}(?![\w])", said_in(case)) is not None


def edits_of_number(reply: dict[JsonPath, Any], number: str) -> dict[JsonPath, Any]:
    """Change a number wherever one reply has it: services repeat themselves, as in `ExitCode` and `Exited (137)`."""
    edits: dict[JsonPath, Any] = {}
    for path, value in reply.items():
        if number in numbers_of(value):
            *above, key = path
            edits |= {path: REMOVED} if key in FILES else {}
            edits[(*above, FILES.get(key, key))] = with_other(key, value, number)
    return edits


def reply_of(route: dict[str, Any], path: JsonPath, folder: Path) -> dict[JsonPath, Any]:
    """Return what a route answers with: each text and number by its place, and the text of files at theirs."""
    found = {}
    for inner, value in leaves({key: value for key, value in route.items() if key not in ASKED_FOR}):
        found[(*path, *inner)] = (folder / value).read_text() if inner[-1] in FILES else value
    return found


def at(value: Any, path: JsonPath) -> Any:
    for key in path:
        value = value[key]
    return value


def broken_routes(mocks: Path, used: Used) -> Iterator[MockBreakage]:
    """Yield the breakages of routes: each is removed once, and each number of its reply that is cited is changed."""
    data, cases = yaml.safe_load(mocks.read_text()), readers(mocks)
    for path, label in zip(routes_in(data), labels_in(mocks), strict=True):
        users = used.routes.get(label, frozenset())
        name = f"{mocks.relative_to(EVALSETS)} {label.partition(' ')[2]}"
        yield MockBreakage(f"{name} removed", users, label.partition(" ")[2], {path: REMOVED})
        reply = reply_of(at(data, path), path, mocks.parent)
        for number in sorted({number for value in reply.values() for number in numbers_of(value)}):
            citing = frozenset(eval_id for eval_id in users if cites(cases[eval_id], number))
            if citing:
                yield MockBreakage(f"{name}: {number}", citing, number, edits_of_number(reply, number))


def broken_objects(mocks: Path, used: Used) -> Iterator[MockBreakage]:
    """Yield the breakages of fake objects: each number of their data that is cited is changed."""
    data = yaml.safe_load(mocks.read_text())
    cases = {eval_id: case for eval_id, case in readers(mocks).items() if eval_id in used.real}
    if mocks.name == "mocks.yaml":  # where a case has an object of its own, its folder's is not used
        cases = {eval_id: case for eval_id, case in cases.items() if "mocks" not in case.get("evalkit", {})}
    for index, backend in enumerate(data.get("backends", [])):
        path: JsonPath = ("backends", index, "python", "data")
        fake = {(*path, *inner): value for inner, value in leaves(backend.get("python", {}).get("data"))}
        for number in sorted({number for value in fake.values() for number in numbers_of(value)}):
            citing = frozenset(eval_id for eval_id, case in cases.items() if cites(case, number))
            if citing:
                name = f"{mocks.relative_to(EVALSETS)} data: {number}"
                yield MockBreakage(name, citing, number, edits_of_number(fake, number))


def edited(data: Any, edits: Mapping[JsonPath, Any]) -> Any:
    """Return a copy of a mocks file's data with all edits made; what is left empty goes too, where the schema asks."""
    data = copy.deepcopy(data)
    for path, value in edits.items():
        if value is not REMOVED:
            at(data, path[:-1])[path[-1]] = value
    for path in sorted((path for path, value in edits.items() if value is REMOVED), key=str, reverse=True):
        del at(data, path[:-1])[path[-1]]
    for scope in (data, *data.get("agents", {}).values()):
        scope["tools"] = {tool: routes for tool, routes in scope.get("tools", {}).items() if routes}
    return data


def together(breakages: Iterable[MockBreakage], limit: int) -> list[list[MockBreakage]]:
    """Sort breakages of one file into groups that break no case twice, and at most `limit` cases each.

    So a case meets one breakage at a time, and most cases of a run must stay green.
    """
    groups: list[list[MockBreakage]] = []
    for breakage in breakages:
        for group in groups:
            broken = frozenset[str]().union(*(other.cases for other in group))
            if not broken & breakage.cases and len(broken | breakage.cases) <= limit:
                group.append(breakage)
                break
        else:
            groups.append([breakage])
    return groups


def write_copy(mocks: Path, edits: Mapping[JsonPath, Any], folder: Path) -> None:
    """Copy a folder of evalsets with the cases that read a mocks file, and with that file edited."""
    folder.mkdir(parents=True)
    home = evalsets_of(mocks)
    beside(home / "any", folder)
    (folder / "cases.evalset.json").write_text(
        json.dumps({"eval_set_id": "cases", "eval_cases": list(readers(mocks).values())})
    )
    (folder / mocks.relative_to(home)).write_text(yaml.safe_dump(edited(yaml.safe_load(mocks.read_text()), edits)))


def test_each_route_and_each_fake_object_is_used(used):
    unused = [label for mocks in mocks_files() for label in labels_in(mocks) if label not in used.routes]

    assert unused == []


def test_each_breakage_of_a_mock_turns_exactly_the_cases_red_that_use_it(tmp_path, repo_root, used):
    played: dict[str, list[MockBreakage]] = {}
    for mocks in mocks_files():
        breakages = [*broken_routes(mocks, used), *broken_objects(mocks, used)]
        for group in together(breakages, limit=max(1, len(readers(mocks)) // 3)):
            name = f"m{len(played)}"
            edits = {path: value for breakage in group for path, value in breakage.edits.items()}
            agent = mocks.relative_to(EVALSETS).parts[0]
            write_copy(mocks, edits, tmp_path / "evalsets" / agent / name)
            played[name] = group
    assert sum(map(len, played.values())) > 100
    results = run(tmp_path / "evalsets", repo_root)
    wrong = []
    for (name, eval_id), result in results.items():
        breakage = next((one for one in played[name] if eval_id in one.cases), None)
        if breakage is None and result.verdict != "passed":
            wrong.append(f"{eval_id} is {result.verdict}, though only {[one.name for one in played[name]]} broke")
        elif breakage is not None and result.verdict == "passed":
            wrong.append(f"{eval_id} stayed green over {breakage.name}")
        elif breakage is not None and breakage.named not in said(result):
            wrong.append(f"{eval_id} does not name {breakage.named!r} over {breakage.name}: {said(result)}")
    assert wrong == []
