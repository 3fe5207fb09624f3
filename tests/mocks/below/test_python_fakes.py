"""Attributes of an agent's modules are replaced by what a factory makes, for one case."""

import importlib
import sys

import pytest

from evalkit.errors import FakeError
from evalkit.fakes import PythonFake

AGENT = """
import functools

class Client:
    kind = "real"
    @staticmethod
    def topics():
        return ["real"]

@functools.cache
def _admin_client():
    return Client()

def list_topics():
    return _admin_client().topics()
"""

FAKES = """
from {package}.tools import Client
calls = []

def admin_client(data):
    calls.append(data)
    data.setdefault("seen", len(calls))
    class Fake:
        def topics(self):
            return [*data["topics"], data["seen"]]
    return lambda: Fake()

def fixed():
    return lambda: ["fixed"]

def fails():
    raise ValueError("no data")

number = 5
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project with an agent and fakes, whose names no other test uses."""
    package = f"agent_{tmp_path.name.translate(str.maketrans('-.', '__'))}"
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").write_text("")
    (tmp_path / package / "tools.py").write_text(AGENT)
    (tmp_path / package / "broken.py").write_text("import not_installed_anywhere")
    (tmp_path / f"sets_{package}" / "kafka").mkdir(parents=True)
    (tmp_path / f"sets_{package}" / "kafka" / "fakes.py").write_text(FAKES.format(package=package))
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path, package
    for name in [name for name in sys.modules if package in name]:
        del sys.modules[name]


@pytest.fixture
def play(project, playing):
    """Play a case with one fake; the factory is one of FAKES, found from the project's root."""
    root, package = project

    def played(factory, patches=".tools:_admin_client", **options):
        module = options.pop("module", f"sets_{package}.kafka.fakes")
        fake = PythonFake(factory=f"{module}:{factory}", patches=patches, label="mocks.yaml:7", **options)
        return playing(fake, root=root, package=package)

    return played


@pytest.fixture
def tools(project):
    return importlib.import_module(f"{project[1]}.tools")


def test_the_agent_meets_what_the_factory_makes_out_of_the_data(play, tools):
    with play("admin_client", data={"topics": ["orders"]}):
        assert tools.list_topics() == ["orders", 1]
    assert tools.list_topics() == ["real"]


def test_each_case_starts_fresh(play, tools):
    data = {"topics": []}
    for _ in range(2):
        with play("admin_client", data=data):
            assert tools.list_topics() == [1]
    assert data == {"topics": []}


def test_without_data_the_factory_is_called_without_an_argument(play, tools):
    with play("fixed", patches=".tools:list_topics"):
        assert tools.list_topics() == ["fixed"]


def test_the_factory_may_lie_beside_the_mocks_file(play, tools, project):
    folder = project[0] / f"sets_{project[1]}" / "kafka"
    (folder / f"beside_{project[1]}.py").write_text("def one(): return lambda: 1\n")
    with play("one", patches=".tools:list_topics", module=f"beside_{project[1]}", folder=str(folder)):
        assert tools.list_topics() == 1


def test_the_target_may_be_named_in_full(play, tools, project):
    with play("fixed", patches=f"{project[1]}.tools:list_topics"):
        assert tools.list_topics() == ["fixed"]


def test_attributes_of_attributes_are_restored_as_they_were(play, tools):
    raw = vars(tools.Client)["topics"]
    with play("fixed", patches=".tools:Client.topics"):
        assert tools.Client.topics() == ["fixed"]
        assert vars(tools.Client)["topics"] is not raw
    assert vars(tools.Client)["topics"] is raw


def test_an_inherited_attribute_is_inherited_again(play, tools):
    tools.Child = type("Child", (tools.Client,), {})
    with play("fixed", patches=".tools:Child.topics"):
        assert "topics" in vars(tools.Child)
    assert "topics" not in vars(tools.Child)


def test_the_fake_of_the_case_wins_over_that_of_its_folder(play, playing, tools, project):
    root, package = project
    names = [f"sets_{package}.kafka.fakes:fixed", f"sets_{package}.kafka.fakes:fails"]
    own, folder = (PythonFake(factory=name, patches=".tools:list_topics") for name in names)
    with playing(own, folder=[folder], root=root, package=package):
        assert tools.list_topics() == ["fixed"]
    with pytest.raises(FakeError), playing(folder, root=root, package=package):
        pass


@pytest.mark.parametrize(
    ("factory", "patches", "message"),
    [
        (
            "fixed",
            ".tools:_admin_cleint",
            r"the module agent_.*\.tools has no _admin_cleint; did you mean _admin_client\?",
        ),
        ("fixed", ".tools:Client.topic", r"<class '.*Client'> has no topic; did you mean topics\?"),
        ("fixed", ".tols:x", r"there is no module agent_.*\.tols; did you mean tools\?"),
        ("fixed", "nowhere_at_all:x", "there is no module nowhere_at_all"),
        ("fixed", ".broken:x", "importing agent_.*: No module named 'not_installed_anywhere'"),
        ("fixd", ".tools:list_topics", r"has no function fixd; did you mean fixed\?"),
        ("number", ".tools:list_topics", "has no function number"),
        ("fails", ".tools:list_topics", "fakes:fails failed: ValueError: no data"),
        ("admin_client", ".tools:list_topics", "failed: TypeError: .*missing 1 required positional argument"),
    ],
)
def test_what_is_not_there_is_named_with_what_is_near(play, tools, factory, patches, message):
    with pytest.raises(FakeError, match=f"^mocks.yaml:7: .*{message}"), play(factory, patches=patches):
        pass


def test_a_factory_in_a_module_of_the_agent_leaves_that_module_loaded(play, tools):
    tools.make = lambda: lambda: ["made"]
    with play("make", patches=".tools:list_topics", module=tools.__name__):
        assert tools.list_topics() == ["made"]
    assert sys.modules[tools.__name__] is tools


def test_a_factory_that_is_nowhere_says_where_it_was_looked_for(play, project):
    said = pytest.raises(FakeError, match=r"ModuleNotFoundError: No module named 'nowhere'.*looked in .*")
    with said, play("x", module="nowhere.fakes"):
        pass


def test_a_factory_whose_module_fails_says_how(play, project):
    (project[0] / f"broken_{project[1]}.py").write_text("1 / 0\n")
    said = pytest.raises(FakeError, match="ZeroDivisionError: division by zero")
    with said, play("x", module=f"broken_{project[1]}"):
        pass


def test_a_relative_target_needs_a_package(playing, project):
    fake = PythonFake(factory="any:thing", patches=".tools:x")
    with pytest.raises(FakeError, match="relative, but the agent is no package"), playing(fake, root=project[0]):
        pass


def test_a_failure_leaves_nothing_replaced(playing, tools, project):
    root, package = project
    original = tools.list_topics
    names = [(f"sets_{package}.kafka.fakes:fixed", ".tools:list_topics"), ("nowhere:x", ".tools:Client")]
    fakes = [PythonFake(factory=factory, patches=patches) for factory, patches in names]
    with pytest.raises(FakeError), playing(*fakes, root=root, package=package):
        pass
    assert tools.list_topics is original


def test_the_import_path_is_left_alone(play, tools):
    before = list(sys.path)
    with play("fixed", patches=".tools:list_topics"):
        assert sys.path == before
