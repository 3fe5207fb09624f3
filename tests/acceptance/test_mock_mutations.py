"""Break the mocks of the sample evalsets: exactly the cases that use what is broken turn red, and the reason names it.

Broken are routes in place of a tool, routes of services and programs below it, and the data of fake objects. A route is
removed, or a number of its reply that a case cites is changed, wherever the reply has it: services repeat themselves,
as in `ExitCode: 137` beside `Exited (137)`. Breakages of one file that concern different cases are played together.
"""

import copy
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

EVALSETS = Path(__file__).resolve().parents[2] / "evalsets"

JsonPath = tuple[str | int, ...]
REMOVED = object()

ASKED_FOR = {"args", "argv", "stdin", "env", "method", "path", "query", "headers", "body"}
"""The keys of a route that say what it answers; all others say what it answers with."""

FILES = {"returns_file": "returns", "body_file": "text", "stdout_file": "stdout"}
"""The keys that name a file with a reply, and those that hold the reply itself."""

CITED = re.compile(r"(?<![\w./-])(?<!\w:)\d+(?:\.\d+)?(?![\w.:/-]*\d)(?!-)")
"""A number that stands for itself; those of names, times and addresses do not."""


@dataclass(frozen=True)
class Breakage:
    """Edits of one mocks file by place, the cases that they break, and a word that each reason must hold."""

    name: str
    cases: frozenset[str]
    named: str
    edits: Mapping[JsonPath, Any]


@dataclass(frozen=True)
class Used:
    """What the samples use as they are: by each route's label the cases, and the cases whose tools ran for real."""

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
    agents = sorted(path.parent.name for path in EVALSETS.parent.glob("agents/*/agent.py"))
    return sorted(path for agent in agents for path in (EVALSETS / agent).rglob("*.yaml"))


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
    return {eval_id: case for eval_id, case in cases.items() if case["evalkit"].get("mocks") == own}


def at(value: Any, path: JsonPath) -> Any:
    for key in path:
        value = value[key]
    return value


def leaves(value: Any, path: JsonPath = ()) -> Iterator[tuple[JsonPath, Any]]:
    """Yield each text and number in a value with its place."""
    if isinstance(value, dict | list):
        for key, member in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(member, (*path, key))
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield path, value


def numbers_of(value: Any) -> list[str]:
    return CITED.findall(value) if isinstance(value, str) else [str(value)]


def cited_in(case: dict[str, Any]) -> set[str]:
    """Return the numbers that a case's golden answers give."""
    parts = [part for turn in case["conversation"] for part in (turn.get("final_response") or {}).get("parts", [])]
    return {number for part in parts for number in numbers_of(part.get("text", ""))}


def edits_of_number(reply: Mapping[JsonPath, Any], number: str) -> dict[JsonPath, Any]:
    """Change a number wherever a reply has it; a file's text then stands in its place."""
    edits: dict[JsonPath, Any] = {}
    for path, value in reply.items():
        if number in numbers_of(value):
            *above, key = path
            edits |= {path: REMOVED} if key in FILES else {}
            edits[(*above, FILES.get(key, key))] = _with_other(key, value, number)
    return edits


def _with_other(key: str | int, value: Any, number: str) -> Any:
    by = 1 if key in ("status", "exit_code") else 7919  # not every number can be a status or an exit code
    if not isinstance(value, str):
        return value + by
    return CITED.sub(lambda match: str(int(float(number)) + by) if match.group() == number else match.group(), value)


def broken_routes(mocks: Path, places: Mapping[str, JsonPath], used: Used) -> Iterator[Breakage]:
    """Yield the breakages of a file's routes: each is removed, and each number of its reply that is cited changed."""
    data, cases = yaml.safe_load(mocks.read_text()), readers(mocks)
    for label, path in places.items():
        users, kind = used.routes.get(label, frozenset()), label.partition(" ")[2]
        name = f"{mocks.relative_to(EVALSETS)} {kind}"
        yield Breakage(f"{name} removed", users, kind, {path: REMOVED})
        reply = _reply_of(at(data, path), path, mocks.parent)
        yield from _broken_numbers(name, reply, {eval_id: cases[eval_id] for eval_id in users})


def _reply_of(route: dict[str, Any], path: JsonPath, folder: Path) -> dict[JsonPath, Any]:
    """Return what a route answers with: each text and number by its place, and the text of files at theirs."""
    answer = {key: value for key, value in route.items() if key not in ASKED_FOR}
    return {
        (*path, *inner): (folder / value).read_text() if inner[-1] in FILES else value
        for inner, value in leaves(answer)
    }


def broken_objects(mocks: Path, used: Used) -> Iterator[Breakage]:
    """Yield the breakages of a file's fake objects: each number of their data that is cited is changed."""
    cases = {eval_id: case for eval_id, case in readers(mocks).items() if eval_id in used.real}
    for index, backend in enumerate(yaml.safe_load(mocks.read_text()).get("backends", [])):
        data = backend.get("python", {}).get("data")
        fake = {("backends", index, "python", "data", *inner): value for inner, value in leaves(data)}
        yield from _broken_numbers(f"{mocks.relative_to(EVALSETS)} data", fake, cases)


def _broken_numbers(
    name: str, reply: Mapping[JsonPath, Any], cases: Mapping[str, dict[str, Any]]
) -> Iterator[Breakage]:
    cited = {eval_id: cited_in(case) for eval_id, case in cases.items()}
    for number in dict.fromkeys(number for value in reply.values() for number in numbers_of(value)):
        citing = frozenset(eval_id for eval_id, numbers in cited.items() if number in numbers)
        if citing:
            yield Breakage(f"{name}: {number}", citing, number, edits_of_number(reply, number))


def together(breakages: Iterable[Breakage], limit: int) -> list[list[Breakage]]:
    """Sort breakages of one file into groups that break no case twice, and at most `limit` cases each.

    So a case meets one breakage at a time, and in each run most cases must stay green.
    """
    groups: list[list[Breakage]] = []
    for breakage in breakages:
        for group in groups:
            broken = frozenset[str]().union(*(other.cases for other in group))
            if not broken & breakage.cases and len(broken | breakage.cases) <= limit:
                group.append(breakage)
                break
        else:
            groups.append([breakage])
    return groups


def edited(data: Any, edits: Mapping[JsonPath, Any]) -> Any:
    """Return a copy of a mocks file's data with the edits made, and without tools that have no routes left."""
    data = copy.deepcopy(data)
    for path, value in edits.items():
        if value is not REMOVED:
            at(data, path[:-1])[path[-1]] = value
    for path in sorted((path for path, value in edits.items() if value is REMOVED), reverse=True):
        del at(data, path[:-1])[path[-1]]
    for scope in (data, *data.get("agents", {}).values()):
        scope["tools"] = {tool: routes for tool, routes in scope.get("tools", {}).items() if routes}
    return data


def fault(eval_id: str, result: Any, group: list[Breakage], said: str) -> str | None:
    """Say what is wrong with a case's result, given what was broken; None if nothing is."""
    breakage = next((one for one in group if eval_id in one.cases), None)
    if breakage is None:
        return None if result.verdict == "passed" else f"{eval_id} broke by {[one.name for one in group]}: {said}"
    if result.verdict == "passed":
        return f"{eval_id} stayed green over {breakage.name}"
    return None if breakage.named in said else f"{eval_id} does not name {breakage.named} for {breakage.name}: {said}"


def test_every_route_is_used_by_one_case(workbench, used):
    users = {label: used.routes.get(label, ()) for mocks in mocks_files() for label in workbench.places(mocks)}

    assert {label: cases for label, cases in users.items() if len(cases) != 1} == {}


def test_each_breakage_of_a_mock_turns_exactly_the_cases_red_that_use_it(workbench, used, said):
    groups: dict[str, list[Breakage]] = {}
    for mocks in mocks_files():
        home, cases = evalsets_of(mocks), readers(mocks)
        breakages = (*broken_routes(mocks, workbench.places(mocks), used), *broken_objects(mocks, used))
        for group in together(breakages, limit=max(1, len(cases) // 3)):
            name = f"m{len(groups)}"
            folder = workbench.folder(home, name)
            edits = {path: value for breakage in group for path, value in breakage.edits.items()}
            text = yaml.safe_dump(edited(yaml.safe_load(mocks.read_text()), edits))
            (folder / mocks.relative_to(home)).write_text(text)
            workbench.evalset(folder, name, *cases.values())
            groups[name] = group
    assert sum(map(len, groups.values())) > 100
    faults = [
        fault(eval_id, result, groups[name], said(result))
        for name, results in workbench.play().items()
        for eval_id, result in results.items()
    ]
    assert [one for one in faults if one] == []
