"""Which tools a team is given, and who gets them."""

import pytest

from evalkit.models.facts import Profile
from evalkit.models.provision import provision, with_given
from evalkit.models.tree import Agent, AgentTree
from evalkit.routes import ProvidedTool


def team(*agents):
    return AgentTree(root=agents[0].name, agents={agent.name: agent for agent in agents})


def provided(*names):
    return {name: ProvidedTool(name=name, description=f"Do {name}.") for name in names}


def test_the_root_gets_the_tools_that_no_agent_has():
    tree = team(Agent(name="root", tools=("own",), transfers=("helper",)), Agent(name="helper", tools=("logs",)))
    given = provision(tree, provided("own", "logs", "describe"))

    assert (given.agent, [tool.name for tool in given.tools]) == ("root", ["describe"])
    assert given.tree.get("root").tools == ("own", "describe")
    assert given.tree.get("helper") == tree.get("helper")
    assert tree.get("root").tools == ("own",)


def test_in_a_workflow_the_first_agent_with_a_model_gets_them():
    tree = team(
        Agent(name="flow", kind="sequence", members=("first", "second")),
        Agent(name="first", parent="flow"),
        Agent(name="second", parent="flow"),
    )
    given = provision(tree, provided("describe"))
    assert given.tree.holders("describe") == ("first",)


def test_nobody_is_given_what_all_of_them_have_and_there_is_nothing_to_tell():
    tree = team(Agent(name="root", tools=("describe",)))
    given = provision(tree, provided("describe", "transfer_to_agent"))
    assert (given.tree, given.tools, given.note) == (tree, (), None)


def test_without_an_agent_with_a_model_the_tools_stay_where_they_are_and_that_is_told():
    tree = team(Agent(name="code", kind="custom"))
    given = provision(tree, provided("describe"))
    assert given.tree == tree
    assert given.note == "the mocks provide describe, and there is no agent with a model to give them to"


@pytest.mark.parametrize(
    ("count", "ending"), [(1, "mocks: t0"), (8, "t6, t7"), (9, "t6, t7 and 1 more"), (40, "t6, t7 and 32 more")]
)
def test_the_note_names_the_tools_unless_they_are_many(count, ending):
    given = provision(team(Agent(name="root")), provided(*(f"t{number}" for number in range(count))))
    assert given.note is not None
    assert given.note.startswith("root was given tools that it does not have itself, by `provides` of its mocks: t0")
    assert given.note.endswith(ending)


def test_what_is_known_of_the_agent_grows_by_what_it_is_given():
    profiles = {"root": Profile(name="root"), "other": Profile(name="other")}
    schema = {"type": "object", "properties": {"kind": {"type": "string"}}, "required": ["kind"]}
    tool = ProvidedTool(name="describe", description="Describe it.", parameters=schema)

    known = with_given(profiles, provision(team(Agent(name="root"), Agent(name="other")), {"describe": tool}))

    facts = known["root"].tools["describe"]
    assert facts.docstring == "Describe it."
    assert facts.declaration.misfits({"kind": "pod"}) == ()
    assert facts.declaration.misfits({}) == ("`describe` needs the argument `kind`",)
    assert known["other"] == profiles["other"]
