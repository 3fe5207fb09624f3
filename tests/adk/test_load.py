"""Loading an agent: found as `adk eval` finds it, imported under its own name, and taken back at the end."""

import sys

import pytest
from google.adk.workflow import Workflow

from evalkit.adk.load import loaded_agent
from evalkit.errors import AgentLoadError

AGENT = "from google.adk.agents import LlmAgent\nroot_agent = LlmAgent(name='one', model='gemini-2.5-flash')\n"
APP = AGENT + "from google.adk.apps import App\napp = App(name='an_app', root_agent=LlmAgent(name='of_app'))\n"
LATER = AGENT.replace("root_agent", "made") + "async def get_agent_async():\n    return made\n"


@pytest.fixture
def write(tmp_path):
    """Write files given by their path and return the folder of the last one."""

    def write(files):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return path.parent

    return write


def load(reference):
    """Load an agent and return it; everything of it is gone by then."""
    with loaded_agent(str(reference)) as agent:
        return agent


LAYOUTS = {
    "package": {"a1/__init__.py": "from . import agent", "a1/agent.py": AGENT},
    "agent.py alone": {"a2/agent.py": AGENT},
    "package that does not import it": {"a3/__init__.py": "", "a3/agent.py": AGENT},
    "__init__.py alone": {"a4/__init__.py": AGENT},
    "coroutine": {"a5/agent.py": LATER},
    "coroutine with an exit stack": {"a6/agent.py": LATER.replace("return made", "return made, None")},
    "no Python name": {"kafka-health/agent.py": AGENT},
    "package without a Python name": {"k-h/__init__.py": "from . import agent", "k-h/agent.py": AGENT},
    "a name that is taken": {"email/__init__.py": "from . import agent", "email/agent.py": AGENT},
    "package in a package": {"group/__init__.py": "", "group/a7/__init__.py": "", "group/a7/agent.py": AGENT},
}


@pytest.mark.parametrize("files", LAYOUTS.values(), ids=LAYOUTS)
def test_every_layout_that_adk_eval_takes_is_found(write, files):
    agent = load(write(files))
    assert (agent.root.name, agent.app, agent.reset) == ("one", None, None)


def test_an_app_comes_before_a_root_agent(write):
    agent = load(write({"a8/agent.py": APP}))
    assert (agent.root.name, agent.app.name) == ("of_app", "an_app")


def test_an_agent_is_named_after_its_folder(write):
    assert load(write({"kafka-health/agent.py": AGENT})).name == "kafka-health"


def test_a_workflow_is_a_root_like_any_other(graph):
    assert isinstance(graph.root, Workflow)


def test_a_package_meets_itself_under_its_own_name(write):
    folder = write(
        {
            "shop/__init__.py": "from . import agent",
            "shop/tools.py": "MARK = object()\n",
            "shop/agent.py": AGENT + "import shop.tools\nfrom .tools import MARK\nsame = shop.tools.MARK is MARK\n",
        }
    )
    with loaded_agent(str(folder)):
        assert sys.modules["shop.agent"].same is True


def test_what_was_imported_from_beside_the_agent_is_taken_back(write):
    folder = write({"helper.py": "", "bot/agent.py": AGENT + "import helper\n"})
    before, path = set(sys.modules), list(sys.path)
    with loaded_agent(str(folder)):
        assert {"bot", "bot.agent", "helper"} <= set(sys.modules)
    assert not {"bot", "bot.agent", "helper"} & set(sys.modules)
    assert sys.path == path
    assert set(sys.modules) >= before


def test_installed_libraries_in_a_virtual_environment_beside_the_agent_stay(write, tmp_path):
    site = tmp_path / ".venv" / "lib" / "site-packages"
    text = f"import sys\nsys.path.append({str(site)!r})\nimport evalkit_test_library\n"
    folder = write({f"{site}/evalkit_test_library.py": "", "bot/agent.py": text + AGENT})
    with loaded_agent(str(folder)):
        pass
    assert sys.modules.pop("evalkit_test_library", None) is not None


def test_a_folder_whose_name_begins_like_the_agents_folder_is_not_beside_it(write, tmp_path):
    text = f"import sys\nsys.path.append({str(tmp_path / 'agents2')!r})\nimport evalkit_test_other\n"
    folder = write({"agents2/evalkit_test_other.py": "", "agents/bot/agent.py": text + AGENT})
    with loaded_agent(str(folder)):
        pass
    assert sys.modules.pop("evalkit_test_other", None) is not None


def test_two_agents_of_one_name_are_loaded_one_after_the_other(write):
    first, second = (write({f"{place}/bot/agent.py": AGENT.replace("'one'", f"'{place}'")}) for place in "xy")
    assert [load(folder).root.name for folder in (first, second, first)] == ["x", "y", "x"]


def test_an_agent_is_found_by_a_dotted_name(write, monkeypatch):
    folder = write(
        {"pkg_of_bots/__init__.py": "", "pkg_of_bots/bot.py": AGENT + "agent = root_agent\ndef reset_data(): pass\n"}
    )
    monkeypatch.chdir(folder.parent)
    agent = load("pkg_of_bots.bot")
    assert "pkg_of_bots" not in sys.modules
    assert (agent.name, agent.root.name) == ("bot", "one")
    assert agent.reset is not None


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"bad/readme.md": ""}, "bad: no agent here: neither __init__.py nor agent.py in {folder}"),
        (
            {"bad/agent.py": "x = 1"},
            "bad: exposes no agent: expected `app`, `root_agent` or `get_agent_async` in agent.py",
        ),
        ({"bad/agent.py": "root_agent = 7"}, "bad: `root_agent` is of type int, not an agent or workflow"),
        (
            {"bad/agent.py": AGENT + "reset_data = 7"},
            "bad: `reset_data` is of type int; ADK calls it, so make it a function",
        ),
        (
            {"bad/agent.py": "import nowhere_to_be_found"},
            (
                "bad: importing the agent failed: ModuleNotFoundError: No module named 'nowhere_to_be_found'"
                " (at {folder}/agent.py:1 in <module>)"
            ),
        ),
        (
            {"bad/agent.py": "def f(:\n"},
            "bad: importing the agent failed: SyntaxError: invalid syntax (agent.py, line 1)",
        ),
        (
            {"bad/agent.py": "from google.adk.agents import LlmAgent\n\nroot_agent = LlmAgent(name='not a name')"},
            None,
        ),
        ({"bad/agent.py": "import sys\nsys.exit(3)"}, "bad: importing the agent ended with SystemExit(3)"),
    ],
    ids=["no agent", "exposes none", "not an agent", "reset_data", "import", "syntax", "pydantic", "exit"],
)
def test_an_agent_that_cannot_be_loaded_is_one_clear_line(write, files, message):
    folder = write(files)
    before = set(sys.modules)
    with pytest.raises(AgentLoadError) as caught:
        load(folder)
    assert "\n" not in str(caught.value)
    if message:
        assert str(caught.value) == message.format(folder=folder)
    else:
        assert str(caught.value).endswith(f"(at {folder}/agent.py:3 in <module>)")
    assert not {name for name in set(sys.modules) - before if name.startswith("bad")}


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("no/such/folder", "no/such/folder: no such agent folder, and no module could be called that"),
        (
            "no_such_module_here",
            "no_such_module_here: importing the agent failed: ModuleNotFoundError: No module named",
        ),
    ],
)
def test_a_reference_that_names_nothing_is_one_clear_line(reference, message):
    with pytest.raises(AgentLoadError) as caught:
        load(reference)
    assert str(caught.value).startswith(message)
