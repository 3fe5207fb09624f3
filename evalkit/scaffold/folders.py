"""Drafts as the files of the folders that they go into: an evalset, its criteria and its mocks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from evalkit.cases import Json, SessionInput
from evalkit.formats import evalset as evalset_format
from evalkit.formats.files import CONFIG_NAME, EVALSET_SUFFIXES, MOCKS_NAMES
from evalkit.models.tree import AgentTree
from evalkit.scaffold.below import Below
from evalkit.scaffold.cases import USER, case_of, case_set, config_text
from evalkit.scaffold.drafts import Draft
from evalkit.scaffold.mocks_text import MocksPlan, mocks_text

CONFIRMATIONS = "confirmations"
"""The subfolder of cases in which the user confirms: ADK sees a call there that no model makes, so criteria differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What all files have in common.

    Attributes:
        name: The agent's name, that of its folder.
        agent: How a mocks file names it, so that it is found again.
        state: What each session begins with.
        toolsets: What the servers of its toolsets list.
        below: What its code talks to.
    """

    name: str
    agent: str
    tree: AgentTree
    state: Mapping[str, Json] = field(default_factory=dict)
    toolsets: Mapping[str, Json] = field(default_factory=dict)
    below: Below = field(default_factory=Below)


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """The cases that share a folder.

    Attributes:
        name: The subfolder; empty for the folder itself.
    """

    drafts: tuple[Draft, ...]
    name: str = ""

    def place(self, file: str) -> str:
        """Return where a file of this folder lies, seen from the outermost."""
        return f"{self.name}/{file}" if self.name else file


def folders_of(drafts: Sequence[Draft]) -> tuple[Folder, ...]:
    """Sort cases into folders; one without cases is left out."""
    confirmed = tuple(draft for draft in drafts if draft.ending == "confirmed")
    others = tuple(draft for draft in drafts if draft.ending != "confirmed")
    folders = (Folder(drafts=others), Folder(drafts=confirmed, name=CONFIRMATIONS))
    return tuple(folder for folder in folders if folder.drafts)


def evalset_name(set_id: str) -> str:
    """Return the name of an evalset's file, by which ADK's readers know one."""
    return f"{set_id}{EVALSET_SUFFIXES[-1]}"


def texts_of(folder: Folder, frame: Frame) -> Iterator[tuple[str, str]]:
    """Yield the files of a folder: the place of each, and its text."""
    set_id = f"{frame.name}_{folder.name}" if folder.name else frame.name
    session = SessionInput(app_name=frame.name, user_id=USER, state=frame.state)
    cases = [case_of(draft, frame.tree, session) for draft in folder.drafts]
    about = f"Examples of {frame.name}, made by `evalkit init`; edit them."
    written = case_set(set_id, about, cases)
    exchanges = [exchange for draft in folder.drafts for exchange in draft.exchanges]
    plan = MocksPlan(agent=frame.agent, exchanges=exchanges, toolsets=frame.toolsets, below=frame.below)
    yield folder.place(evalset_name(set_id)), evalset_format.write(written)
    yield folder.place(CONFIG_NAME), config_text(exact=all(draft.exact for draft in folder.drafts))
    yield folder.place(MOCKS_NAMES[0]), mocks_text(plan)
