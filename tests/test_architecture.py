"""The map of the code, held: who may import whom, who may know which library, and what stays unloaded."""

import ast
import graphlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from evalkit.cases import Case, CaseSet, Config, Criterion, Message, Turn
from evalkit.report import render_run_files
from evalkit.report.model import build_report
from evalkit.results import CaseResult
from evalkit.runs import RunFolder, RunInfo
from evalkit.traces import Outcome, Trace, TurnTrace

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "evalkit"

# A room is a module or package right under `evalkit`; it imports only from rooms above it.
ORDER = (
    "errors",
    "quarantine",
    "prices",
    "settings",
    "templates",
    "credentials",
    "expectations",
    "setups",
    "stage_records",
    "prior_events",
    "gold",
    "cases",
    "staging",
    "traces",
    "costs",
    "replies",
    "results",
    "codec",
    "searching",
    "redaction",
    "storage",
    "workflow_commands",
    "matching",
    "answers",
    "fakes",
    "routes",
    "formats",
    "lint",
    "bundles",
    "check",
    "diffing",
    "fixing",
    "findings",
    "mocks",
    "models",
    "agent_lint",
    "scorers",
    "targets",
    "adk",
    "limits",
    "play",
    "protocol",
    "opening",
    "worker",
    "last_words",
    "process",
    "pool",
    "stats",
    "judges",
    "effort",
    "score",
    "exposure",
    "sealed",
    "pass_rates",
    "repeats",
    "suites",
    "runs",
    "compare",
    "report",
    "sides",
    "adapters",
    "adk_history",
    "selection",
    "locate",
    "agent_check",
    "scaffold",
    "interrupt",
    "gather",
    "gating",
    "options",
    "choosing",
    "plan",
    "look",
    "staged",
    "evaluate",
    "rescoring",
    "hosting",
    "cli",
    "pytesting",
    "pytest_plugin",
    "__main__",
)

# Which rooms may import a library; every other library is open to all.
LIBRARY_ROOMS = {
    "google": {"adk"},
    "click": {"cli"},
    "pytest": {"pytesting", "pytest_plugin"},
    "rich": {"cli", "report"},
}

HEAVY = ("google", "nltk", "pandas", "rich", "scipy")
LONGEST_MODULE = 300

MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}


def imports(source: str, module: str, *, is_package: bool = False) -> Iterator[tuple[str, int]]:
    """Yield each name that the source imports, wherever it stands, as a full dotted path with its line."""
    package = module.split(".") if is_package else module.split(".")[:-1]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            yield from ((f"{origin}.{alias.name}", node.lineno) for alias in node.names)


def imports_of(module: str) -> Iterator[tuple[str, int]]:
    path = MODULES[module]
    return imports(path.read_text(encoding="utf-8"), module, is_package=path.name == "__init__.py")


def module_of(name: str) -> str | None:
    """The module of ours that an imported name comes from: `evalkit.cases.Case` comes from `evalkit.cases`."""
    while name and name not in MODULES:
        name = name.rpartition(".")[0]
    return name or None


def room_of(module: str) -> str:
    """The room that a module belongs to; the bare package is its own, above all others."""
    return module.split(".")[1] if "." in module else ""


def stands_below(other: str, room: str) -> bool:
    """Whether `other` stands below `room`; a room that is not on the map is the business of another test."""
    if not room:
        return bool(other)
    return {room, other} <= set(ORDER) and ORDER.index(other) > ORDER.index(room)


def faults_of_direction() -> Iterator[str]:
    for module in MODULES:
        for name, line in imports_of(module):
            target = module_of(name)
            if target and stands_below(room_of(target), room_of(module)):
                yield f"{module}:{line} imports {name}, which stands below it"


def faults_of_libraries() -> Iterator[str]:
    for module in MODULES:
        for name, line in imports_of(module):
            library = name.split(".")[0]
            if room_of(module) not in LIBRARY_ROOMS.get(library, {room_of(module)}):
                yield f"{module}:{line} imports {name}, which only {sorted(LIBRARY_ROOMS[library])} may"


def faults_of_privacy() -> Iterator[str]:
    for module in MODULES:
        for name, line in imports_of(module):
            private = any(part.startswith("_") and not part.startswith("__") for part in name.split("."))
            if name.startswith("google.") and private and module != "evalkit.adk.private":
                yield f"{module}:{line} imports {name}; private names of ADK belong into evalkit/adk/private.py"


def faults_of_tables() -> Iterator[str]:
    """Entries of tables of names, `module` or `module:name`, that lead nowhere."""
    for module, path in MODULES.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
            if not re.fullmatch(r"evalkit(\.\w+)+(:\w+)?", text) or text.endswith(".yaml"):  # a file has no code
                continue
            target, _, name = text.partition(":")
            if target not in MODULES or (name and name not in names_in(target)):
                yield f"{module}:{node.lineno} names {text}, which does not exist"


def names_in(module: str) -> set[str]:
    """What a module defines at its top."""
    body = ast.parse(MODULES[module].read_text(encoding="utf-8")).body
    return {node.name for node in body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import google.adk", "google.adk"),
        ("from google.adk import agents", "google.adk.agents"),
        ("def f():\n    from google import genai", "google.genai"),
        ("if TYPE_CHECKING:\n    import rich.table as table", "rich.table"),
        ("from . import backend", "evalkit.mocks.backend"),
        ("from .backend import Backend", "evalkit.mocks.backend.Backend"),
        ("from ..play import play", "evalkit.play.play"),
    ],
)
def test_an_import_is_seen_in_every_form_and_place(source, expected):
    assert [name for name, _ in imports(source, "evalkit.mocks.http")] == [expected]


@pytest.mark.parametrize(
    ("importer", "imported", "wrong"),
    [
        ("cli", "errors", False),
        ("score", "score", False),
        ("score", "", False),
        ("errors", "cli", True),
        ("", "cli", True),
    ],
)
def test_an_import_from_below_is_told_from_one_from_above(importer, imported, wrong):
    assert stands_below(imported, importer) is wrong


def test_every_room_is_on_the_map():
    assert {room_of(module) for module in MODULES if module != "evalkit"} <= set(ORDER)


def test_a_room_imports_only_from_rooms_above_it():
    assert list(faults_of_direction()) == []


def test_no_modules_import_each_other_in_a_circle():
    edges = {module: {module_of(name) for name, _ in imports_of(module)} - {None, module} for module in MODULES}
    graphlib.TopologicalSorter(edges).prepare()  # raises CycleError, which names the circle


def test_a_library_is_imported_only_in_the_rooms_that_may_know_it():
    assert list(faults_of_libraries()) == []


def test_private_names_of_adk_stand_in_one_file():
    assert list(faults_of_privacy()) == []


def test_what_is_loaded_by_name_exists():
    assert list(faults_of_tables()) == []


def test_no_module_is_too_long_to_be_one_room():
    lengths = {module: len(path.read_text(encoding="utf-8").splitlines()) for module, path in MODULES.items()}
    assert {module: length for module, length in lengths.items() if length > LONGEST_MODULE} == {}


LOADED = """
import sys
before = set(sys.modules)  # an installed package may load itself at every start of Python
{action}
print(*sorted({{name.partition(".")[0] for name in set(sys.modules) - before}} & set({heavy!r})))
"""

RUN_MAIN = """
from evalkit.cli.main import main
sys.argv = ["evalkit", *{args!r}]
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
"""


def heavy_modules(action: str, env: Mapping[str, str]) -> str:
    """Run the action in a fresh interpreter and return which heavy libraries it loaded."""
    program = LOADED.format(action=action, heavy=HEAVY)
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


def test_loading_a_heavy_library_would_be_noticed(clean_env):
    assert heavy_modules("import rich.table", clean_env) == "rich"


def test_importing_evalkit_loads_nothing_heavy(clean_env):
    assert heavy_modules("import evalkit", clean_env) == ""


def test_the_pytest_plugin_loads_nothing_heavy(clean_env):
    assert heavy_modules("import evalkit.pytest_plugin", clean_env) == ""


@pytest.mark.parametrize("flag", ["--version", "--help"])
def test_asking_for_help_loads_nothing_heavy(flag, clean_env):
    assert heavy_modules(RUN_MAIN.format(args=[flag]), clean_env) == ""


def test_checking_files_loads_nothing_heavy(tmp_path, clean_env):
    turn = {
        "user_content": {"role": "user", "parts": [{"text": "How far behind is the group orders?"}]},
        "final_response": {"role": "model", "parts": [{"text": "It is 75 behind."}]},
        "intermediate_data": {"tool_uses": [{"name": "get_lag", "args": {"group": "orders"}}]},
    }
    evalset = {"eval_set_id": "lag", "eval_cases": [{"eval_id": "one", "conversation": [turn]}]}
    file = tmp_path / "lag.evalset.json"
    file.write_text(json.dumps(evalset), encoding="utf-8")
    criteria = {"criteria": {"tool_trajectory_avg_score": 1.0, "response_match_score": 0.8}}
    (tmp_path / "test_config.json").write_text(json.dumps(criteria), encoding="utf-8")
    assert heavy_modules(RUN_MAIN.format(args=["check", str(file)]), clean_env) == ""


@pytest.fixture
def stored_runs(tmp_path):
    """Store two runs of one case: the answer to a question."""
    question, answer = (Message(role=role, parts=({"text": "75"},)) for role in ("user", "model"))
    turn = Turn(index=0, user=question, final=answer)
    cases = CaseSet(file="lag.test.json", eval_set_id="lag", cases=(Case(eval_id="one", turns=(turn,)),))
    configs = {"lag.test.json": Config(criteria=(Criterion(name="grounding", threshold=1.0),), origin="x")}
    trace = Trace(mode="live", turns=(TurnTrace(user=question, final=answer),))
    info = RunInfo.begin("live", adk="2.13.0")
    report = build_report([CaseResult(file="lag.test.json", eval_id="one", run=0, verdict="passed")], info, configs={})
    for name in ("old", "new"):
        with RunFolder.create_at(tmp_path / name, info) as folder:
            folder.write_inputs([cases], configs)
            folder.append(Outcome(file="lag.test.json", eval_id="one", trace=trace))
            folder.finish(replace(info, finished=info.started), render_run_files(report))
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ["compare", "{}/old", "{}/new"],
        ["score", "{}/old", "--report", "{}/again"],
        ["report", "{}/old"],
        ["report", "{}/old", "--format", "html", "--output", "{}/report.html"],
        ["report", "{}/old", "--style", "holmes"],
    ],
    ids=" ".join,
)
def test_what_works_on_stored_runs_loads_nothing_heavy(arguments, stored_runs, clean_env):
    filled = [argument.format(stored_runs) for argument in arguments]
    assert heavy_modules(RUN_MAIN.format(args=filled), clean_env) == ""


def test_converting_fixtures_loads_nothing_heavy(tmp_path, clean_env):
    case = tmp_path / "fixtures" / "test_ask_holmes" / "01_orders" / "test_case.yaml"
    case.parent.mkdir(parents=True)
    case.write_text("user_prompt: Why?\nexpected_output: The queue is full\n", encoding="utf-8")
    arguments = ["convert", "holmes", str(tmp_path / "fixtures"), str(tmp_path / "out")]
    assert heavy_modules(RUN_MAIN.format(args=arguments), clean_env) == ""
