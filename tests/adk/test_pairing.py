"""Which entry under `toolsets:` speaks of which toolset, and what is said where nothing tells."""

import sys

import pytest
from google.adk.agents import LlmAgent
from google.adk.tools.base_toolset import BaseToolset
from google.adk.tools.mcp_tool import McpToolset, SseConnectionParams, StdioConnectionParams
from google.adk.tools.openapi_tool import OpenAPIToolset
from google.adk.tools.skill_toolset import SkillToolset
from mcp import StdioServerParameters

from evalkit.adk.pairing import entries, pair
from evalkit.adk.servers import find
from evalkit.adk.suggestions import match_for, name_for

MODEL = "gemini-2.5-flash"


def stdio(*words, **options):
    params = StdioConnectionParams(server_params=StdioServerParameters(command=words[0], args=list(words[1:])))
    return McpToolset(connection_params=params, **options)


def sse(url, **options):
    return McpToolset(connection_params=SseConnectionParams(url=url), **options)


def agent(name, *tools, **fields):
    return LlmAgent(name=name, model=MODEL, tools=list(tools), **fields)


def paired(root, section):
    """What belongs together, as pairs of a toolset's label and an entry's name, or else the faults."""
    found = find(root)
    pairing = pair(found, entries({name: {"tools": [], **said} for name, said in section.items()}))
    return list(pairing.faults) or {one.label: entry.name for one, entry in pairing.pairs}


FILES = "toolset 1 of agent desk (stdio: npx server-files)"
MAIL = "toolset 2 of agent desk (http://mail.example/sse)"


def desk(**options):
    return agent("desk", stdio("npx", "-y", "server-files"), sse("http://mail.example/sse?key=secret", **options))


def test_one_toolset_and_one_entry_belong_together():
    assert paired(agent("desk", stdio("npx", "-y", "server-files")), {"anything": {}}) == {FILES: "anything"}


def test_a_match_finds_its_toolset_by_command_url_type_agent_or_prefix():
    for files, mail in (
        ({"command": {"$glob": "*server-files"}}, {"url": {"$glob": "http://mail.example/*"}}),
        ({"url": {"$absent": True}}, {"command": {"$absent": True}}),
        ({"prefix": {"$absent": True}}, {"prefix": "mail"}),
        ({"agent": "desk", "command": "npx -y server-files"}, {"type": "McpToolset", "prefix": "mail"}),
    ):
        section = {"b": {"match": mail}, "a": {"match": files}}
        assert paired(desk(tool_name_prefix="mail"), section) == {FILES: "a", MAIL: "b"}


def test_an_entry_that_is_called_like_a_prefix_belongs_to_it_and_the_last_to_the_last():
    assert paired(desk(tool_name_prefix="mail"), {"files": {}, "mail": {}}) == {FILES: "files", MAIL: "mail"}


def test_toolsets_of_one_server_share_its_entry_whatever_agent_has_them():
    server = ("npx", "server-files")
    shared = stdio(*server)
    root = agent("desk", shared, sub_agents=[agent("back", shared, stdio(*server, tool_filter=["read"]))])
    assert [(one.agents, one.number) for one in find(root)] == [(("desk", "back"), 1), (("back",), 2)]
    assert list(paired(root, {"files": {}}).values()) == ["files", "files"]
    assert list(paired(root, {"files": {"match": {"agent": "desk"}}}).values()) == ["files", "files"]


def test_folders_of_this_machine_are_no_part_of_a_command():
    (found,) = find(agent("desk", stdio(sys.executable, "/srv/tools/files.py", "--root", "data")))
    python = sys.executable.rpartition("/")[2]
    assert found.facts["command"] == f"{python} files.py --root data"
    assert (name_for(found), match_for(found)) == ("files", {"command": {"$glob": "*files.py*"}})


@pytest.mark.parametrize(
    ("toolset", "name", "match"),
    [
        (stdio("npx", "-y", "@acme/server-files"), "server-files", {"command": {"$glob": "*server-files*"}}),
        (stdio("server-files"), "server-files", {"command": "server-files"}),
        (sse("http://mail.example/sse"), "mail.example", {"url": "http://mail.example/sse"}),
        (sse("http://me:pw@mail.example/sse?key=x"), "mail.example", {"url": {"$glob": "http://mail.example/sse*"}}),
        (sse("http://mail.example/sse", tool_name_prefix="post"), "post", {"url": "http://mail.example/sse"}),
    ],
)
def test_what_to_write_has_neither_options_nor_secrets(toolset, name, match):
    (found,) = find(agent("desk", toolset))
    assert (name_for(found), match_for(found)) == (name, match)


def test_a_toolset_without_an_entry_is_named_with_what_to_write():
    assert paired(desk(), {"files": {"match": {"command": {"$glob": "*files*"}}}}) == [
        (
            f"{MAIL} has no entry under toolsets: in mocks.yaml; write there"
            " `mail.example: {tools: [{name: …, description: …, input_schema: {…}}]}`,"
            " with what its server lists, since nothing connects to it"
        )
    ]


def test_which_of_two_is_meant_is_asked_for_and_not_guessed():
    def asked(toolset, match):
        return (
            f"{toolset} may have any of toolsets.files, toolsets.mail in mocks.yaml; say which with"
            f" `match: {{{match}}}` in that entry, or name the entry after the tool_name_prefix"
        )

    assert paired(desk(), {"files": {}, "mail": {}}) == [
        asked(FILES, 'command: {$glob: "*server-files*"}'),
        asked(MAIL, 'url: {$glob: "http://mail.example/sse*"}'),
    ]


def test_a_toolset_that_two_entries_fit_is_a_fault():
    section = {"a": {"match": {"command": {"$glob": "*"}}}, "b": {"match": {"agent": "desk"}}, "mail": {}}
    assert paired(agent("desk", stdio("npx", "-y", "server-files")), section)[0] == (
        f"{FILES} fits toolsets.a and toolsets.b in mocks.yaml; narrow a `match` so that one is left"
    )


@pytest.mark.parametrize(
    ("section", "fault"),
    [
        (
            {"files": {}, "old": {"match": {"url": {"$glob": "http://old*"}}}},
            f'its match wants {{"url": a value like "http://old*"}}; there are: {FILES}',
        ),
        (
            {"files": {"match": {"type": "McpToolset"}}, "old": {}},
            f"each of them has another entry, or none to ask ({FILES}); remove it",
        ),
    ],
    ids=["match", "too many"],
)
def test_an_entry_without_a_toolset_is_named(section, fault):
    one = agent("desk", stdio("npx", "-y", "server-files"))
    assert paired(one, section) == [f"toolsets.old in mocks.yaml belongs to no toolset: {fault}"]


def test_an_entry_for_an_agent_without_toolsets_is_named():
    assert paired(agent("desk"), {"old": {}}) == [
        "toolsets.old in mocks.yaml belongs to no toolset: the agent has none; remove it"
    ]


def test_toolsets_inside_a_toolset_are_found():
    class Careful(BaseToolset):
        def __init__(self):
            super().__init__()
            self.inner = stdio("npx", "-y", "server-files")

        async def get_tools(self, readonly_context=None):
            return await self.inner.get_tools(readonly_context)

    for outer in (Careful(), SkillToolset(additional_tools=[stdio("npx", "-y", "server-files")])):
        assert paired(agent("desk", outer), {"files": {}}) == {
            "toolset 2 of agent desk (stdio: npx server-files)": "files"
        }


def test_a_toolset_that_asks_no_server_needs_no_entry_and_may_have_one():
    spec = {"openapi": "3.0.0", "info": {"title": "t", "version": "1"}, "paths": {}}
    root = agent("desk", OpenAPIToolset(spec_dict=spec))
    assert paired(root, {}) == {}
    section = {"pets": {"match": {"type": "OpenAPIToolset"}}}
    assert paired(root, section) == {"toolset 1 of agent desk (OpenAPIToolset)": "pets"}
